/**
 * Checks the lets and rules of a strategy file: types of every slot, which slot belongs to which action, ids and names.
 */
import { Option, Result } from "effect"

import type { PolledFact } from "../domain/Facts.ts"
import { fromDecimal } from "../domain/Money.ts"
import { type Checked, check } from "./Expression.ts"
import type { NamedLet, NamedParam } from "./Names.ts"
import type { ProgramLet, ProgramRule } from "./Program.ts"
import type { Decoded, Path, SourceError } from "./Source.ts"
import type { Action, Rule, StrategyFile } from "./Strategy.ts"
import { isNumber, type Type, typeName } from "./Value.ts"
import { vocabulary } from "./Vocabulary.ts"

export interface Checking {
  readonly source: Decoded<StrategyFile>
  readonly errors: Array<SourceError>
  readonly params: Map<string, NamedParam>
  readonly lets: Map<string, NamedLet>
  readonly later: Set<string>
}

/** Checks the expression at the path; its errors are placed inside the scalar. */
const checkAt = (
  checking: Checking,
  path: Path,
  written: string | number | boolean,
  listings: boolean
): Checked | undefined => {
  const text = String(written)
  const { later, lets, params } = checking
  const checked = check(text, { later, lets, params, listings })
  if (Result.isSuccess(checked)) return checked.success
  for (const { code, end, message, remedy, start } of checked.failure)
    checking.errors.push(checking.source.errorAt(path, { code, message, remedy }, { start, end }))
  return undefined
}

const wantedNames: Readonly<Record<string, string>> = {
  bool: "a condition (bool)",
  Money: "an amount (Money)",
  double: "a number",
  string: "a text (string)"
}

const remedyFor = (wanted: Type, given: Type): string | undefined => {
  if (wanted === "Money" && isNumber(given)) return 'an amount is written money("0.12")'
  if (wanted === "string")
    return "quote a fixed text twice: '\"text\"'; turn values into text with string(…) or percent(…)"
  if (wanted === "bool") return "compare it with something, for example `> 0`"
  return undefined
}

/** Checks an expression that must have a type; only where `listings` are allowed may it read the one that is looked at. */
const checkTyped = (
  checking: Checking,
  path: Path,
  written: string | number | boolean | undefined,
  wanted: Type,
  listings = false
): Checked | undefined => {
  if (written === undefined) return undefined
  if (wanted === "Money" && typeof written === "number") return constantAmount(checking, path, written)
  const checked = checkAt(checking, path, written, listings)
  if (checked === undefined) return undefined
  const fits = checked.type === wanted || (wanted === "double" && isNumber(checked.type))
  if (fits) return checked
  const message = `\`${String(path.at(-1))}\` takes ${wantedNames[wanted] ?? wanted}, this is ${typeName(checked.type)}`
  checking.errors.push(
    checking.source.errorAt(path, { code: "type", message, remedy: remedyFor(wanted, checked.type) })
  )
  return undefined
}

/** A bare YAML number where an amount is wanted is a decimal of the wallet's currency. */
const constantAmount = (checking: Checking, path: Path, written: number): Checked | undefined => {
  const amount = Option.getOrUndefined(fromDecimal(String(written)))
  if (amount === undefined) {
    const message = `\`${String(path.at(-1))}\` takes an amount with at most two decimals, not ${written}`
    checking.errors.push(checking.source.errorAt(path, { code: "value", message }))
    return undefined
  }
  const text = String(written)
  return {
    text,
    type: "Money",
    expr: { op: "Literal", id: 0, type: "Money", start: 0, end: text.length, value: amount },
    size: 1,
    polled: new Set<PolledFact>(),
    perListing: false
  }
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

export const checkLets = (checking: Checking): ReadonlyArray<ProgramLet> => {
  const entries = Object.entries(checking.source.value.let ?? {})
  for (const [name] of entries) checking.later.add(name)
  const lets: Array<ProgramLet> = []
  for (const [name, written] of entries) {
    const path = ["let", name]
    const taken = name === "params" || Object.hasOwn(vocabulary, name)
    if (taken || !identifier.test(name)) {
      const message = taken
        ? `\`${name}\` is the name of a group of facts`
        : `a name has letters, digits and _, not \`${name}\``
      checking.errors.push(
        checking.source.errorAtKey(path, { code: "value", message, remedy: "choose another name" })
      )
    }
    const checked = checkAt(checking, path, written, true)
    checking.later.delete(name)
    if (taken) continue
    // a let that failed stays known, so that its uses are not complained about again
    checking.lets.set(name, {
      type: checked?.type ?? "error",
      index: lets.length,
      polled: checked?.polled ?? new Set(),
      perListing: checked?.perListing ?? false
    })
    if (checked !== undefined) lets.push({ name, checked })
  }
  return lets
}

/** The condition that keeps items in the universe. */
export const checkWhere = (checking: Checking): Checked | undefined =>
  checkTyped(checking, ["where"], checking.source.value.where, "bool")

const slotKeys = [
  "at",
  "qty",
  "expire",
  "reprice",
  "allowLoss",
  "minStep",
  "minAge",
  "limit",
  "message"
] as const
type Slot = (typeof slotKeys)[number]

/** What to write where something is missing. */
const slotRemedies: Readonly<Partial<Record<Slot, string>>> = {
  at: "say what the buyer pays, such as `at: book.bid + tick(1)`",
  qty: "say how many units, such as `qty: 1`",
  limit: 'say what the listing may cost at most, such as `limit: money("5.00")`',
  message: "say what is told, such as `message: '\"look at \" + item.name'`"
}

const slots: Readonly<
  Record<Action, { readonly needs: ReadonlyArray<Slot>; readonly may: ReadonlyArray<Slot> }>
> = {
  bid: { needs: ["at", "qty"], may: ["expire", "minStep", "minAge"] },
  ask: { needs: ["at"], may: ["reprice", "allowLoss", "minStep", "minAge"] },
  "cancel-bid": { needs: [], may: [] },
  "cancel-ask": { needs: [], may: [] },
  hold: { needs: [], may: [] },
  notify: { needs: ["message"], may: [] },
  buy: { needs: ["limit"], may: ["qty"] },
  halt: { needs: ["message"], may: [] }
}

const slotRemedy = (slot: Slot, action: Action): string | undefined => {
  if (slot === "qty" && action === "ask") return "an ask lists every sellable unit"
  if (slot === "expire" && action === "ask") return "`reprice` lowers a listing that does not sell"
  if (slot === "limit") return "a bid's or ask's price is `at`; `limit` is for `do: buy`"
  if (slot === "at" && action === "buy") return "write `limit`: what the listing may cost at most"
  if (slot === "allowLoss") return "only an `ask` can end under cost"
  if (slot === "minStep" || slot === "minAge") return "it says when a `bid` or an `ask` is moved"
  if (slot === "reprice" && action === "bid") return "a bid follows its `at` by itself"
  return slot === "message" ? "say why with `because`" : undefined
}

const checkSlots = ({ errors, source }: Checking, rule: Rule, path: Path): void => {
  const { may, needs } = slots[rule.do]
  if (rule.do === "buy" && rule.for !== undefined)
    errors.push(
      source.errorAtKey([...path, "for"], {
        code: "unknown-key",
        message: "`for` does not belong to `do: buy`",
        remedy: "a good listing is gone by then; leave it out"
      })
    )
  for (const slot of slotKeys) {
    const given = rule[slot] !== undefined
    if (needs.includes(slot) && !given)
      errors.push(
        source.errorAt([...path, "do"], {
          code: "missing-key",
          message: `\`do: ${rule.do}\` needs \`${slot}\``,
          remedy: slotRemedies[slot]
        })
      )
    if (given && !needs.includes(slot) && !may.includes(slot)) {
      const message = `\`${slot}\` does not belong to \`do: ${rule.do}\``
      errors.push(
        source.errorAtKey([...path, slot], {
          code: "unknown-key",
          message,
          remedy: slotRemedy(slot, rule.do)
        })
      )
    }
  }
}

export const checkRules = (checking: Checking): ReadonlyArray<ProgramRule> => {
  const seen = new Set<string>()
  return checking.source.value.rules.flatMap((rule, index) => {
    const path = ["rules", index]
    if (seen.has(rule.id))
      checking.errors.push(
        checking.source.errorAt([...path, "id"], {
          code: "doubled-id",
          message: `there is a rule \`${rule.id}\` already`,
          remedy: "give each rule its own id"
        })
      )
    seen.add(rule.id)
    checkSlots(checking, rule, path)
    const buys = rule.do === "buy"
    const when = checkTyped(checking, [...path, "when"], rule.when, "bool", buys)
    const slot = (key: "at" | "qty" | "limit" | "because" | "message", type: Type): Checked | undefined =>
      checkTyped(checking, [...path, key], rule[key], type, buys && key !== "qty")
    const parts = {
      at: slot("at", "Money"),
      qty: slot("qty", "double"),
      limit: slot("limit", "Money"),
      because: slot("because", "string"),
      message: slot("message", "string")
    }
    const floor = checkTyped(checking, [...path, "reprice", "floor"], rule.reprice?.floor, "Money")
    if (when === undefined) return []
    const reprice =
      rule.reprice === undefined
        ? undefined
        : { afterMillis: rule.reprice.after, stepFraction: rule.reprice.step, floor }
    return [
      {
        id: rule.id,
        action: rule.do,
        forMillis: rule.for ?? 0,
        when,
        expireMillis: rule.expire,
        reprice,
        allowLoss: rule.allowLoss ?? false,
        churn: {
          minStepFraction: rule.minStep ?? checking.source.value.minStep,
          minAgeMillis: rule.minAge ?? checking.source.value.minAge
        },
        ...parts
      }
    ]
  })
}
