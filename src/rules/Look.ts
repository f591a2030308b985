/**
 * What somebody may ask about a decision later: why a rule was Unknown, what a wish is because of, what its rule saw. A decision keeps
 * the look, and the interpreter goes over it when somebody reads an answer. Invariants: 1. facts and params never change, so an answer
 * is the same whenever it is asked for. 2. deciding itself never asks.
 */
import type { Reason, Verdict } from "../domain/Decision.ts"
import type { Facts } from "../domain/Facts.ts"
import type { Offer } from "../domain/Offer.ts"
import type { Checked } from "./Expression.ts"
import { interpret, type Interpretation, interpretation } from "./Interpret.ts"
import type { Program, ProgramRule } from "./Program.ts"
import { scopeOf } from "./Scope.ts"
import { sawOf } from "./Trace.ts"
import { isUnknown, type Scalar, type Value } from "./Value.ts"

export interface Look {
  readonly program: Program
  readonly facts: Facts
  readonly params: ReadonlyArray<Scalar>
  readonly listing: Offer | undefined
}

/** The look in the interpreter's eyes. */
export const interpretationOf = ({ facts, listing, params, program }: Look): Interpretation => {
  const scope = scopeOf(facts, program.freshness, params, program.lets.length)
  scope.listing = listing
  return interpretation(
    scope,
    program.lets.map(({ checked }) => checked.expr)
  )
}

/** The value of an expression at the look, Unknown with its reason. */
export const valueAt = (look: Look, checked: Checked): Value =>
  interpret(checked.expr, interpretationOf(look), [])

/** Why the expression is Unknown; `otherwise` when it is not, and its value is what is wrong. */
export const whyUnknown = (
  look: Look,
  checked: Checked | undefined,
  otherwise = "it cannot be computed"
): string => {
  const value = checked === undefined ? undefined : valueAt(look, checked)
  return value !== undefined && isUnknown(value) ? value.why() : otherwise
}

/** Unknown, and why when somebody asks. */
export class LazyUnknown {
  readonly _tag = "Unknown"
  readonly #why: () => string
  constructor(why: () => string) {
    this.#why = why
  }
  get why(): string {
    return this.#why()
  }
  toJSON(): Verdict {
    return { _tag: this._tag, why: this.why }
  }
}

/** The reason of a wish. `because` and `saw` are no own properties: copy it with `retold`, not by spreading. */
export class LazyReason implements Reason {
  readonly #look: Look
  readonly #rule: ProgramRule
  #because: string | undefined
  #saw: Reason["saw"] | undefined
  constructor(look: Look, rule: ProgramRule) {
    this.#look = look
    this.#rule = rule
  }
  get origin(): Reason["origin"] {
    const { name, revision } = this.#look.program
    return { strategy: name, revision, rule: this.#rule.id }
  }
  get because(): string {
    return (this.#because ??= becauseOf(this.#look, this.#rule))
  }
  get saw(): Reason["saw"] {
    return (this.#saw ??= sawOf(this.#look.program, this.#rule, interpretationOf(this.#look)))
  }
  toJSON(): Reason {
    return { origin: this.origin, because: this.because, saw: this.saw }
  }
}

const becauseOf = (look: Look, { because, when }: ProgramRule): string => {
  const value = because === undefined ? when.text : valueAt(look, because)
  return isUnknown(value) ? `${when.text} (its \`because\` is unknown: ${value.why()})` : String(value)
}

/** What a signal says; never lost to a message that cannot be computed. */
export const messageOf = (look: Look, { id, message, when }: ProgramRule): string => {
  const value = message === undefined ? when.text : valueAt(look, message)
  return isUnknown(value) ? `${id}: ${when.text}` : String(value)
}
