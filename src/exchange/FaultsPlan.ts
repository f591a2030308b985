/**
 * What may go wrong on the embedded market, and when: the plan of faults as a person writes it in YAML and as a seed draws it.
 *
 * ```yaml
 * seed: 7
 * faults:
 *   - { kind: rate-limited, operations: [orderbook], probability: 0.05 }
 *   - { kind: lost-answer, operations: [create-buyorder], calls: [3, 7] }
 *   - { kind: maintenance, from: 2h, lasts: 1h }
 *   - { kind: confirmations, how: late, delay: 90s, from: 10m }
 * ```
 *
 * Invariants: 1. a key that no kind has, two triggers in one rule, and an operation that a kind cannot touch are errors. 2. times are
 * market time; `from` and `until` count from the moment the market was opened. 3. calls are counted per rule, from 1, over the calls
 * that it watches inside its window.
 */
import { Schema, SchemaGetter } from "effect"

import { currencies } from "../domain/Currency.ts"
import { type Operation, operations } from "../domain/Operation.ts"
import { type FaultKind, faultKinds, touches } from "./FaultsKinds.ts"

const unitMillis = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const
const spanPattern = /^-?(?:\d+(?:\.\d+)?(?:ms|d|h|m|s))+$/
const spanWords = "takes a time such as 500ms, 90s, 10m or 1h30m"

const millisOf = (text: string): number => {
  const sum = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|d|h|m|s)/g)].reduce(
    (total, [, amount = "0", unit = "ms"]) =>
      total + Number(amount) * unitMillis[unit as keyof typeof unitMillis],
    0
  )
  return Math.round(text.startsWith("-") ? -sum : sum)
}

/** `90s`, `1h30m`, `-5m`; decoded to milliseconds. */
const SignedSpan = Schema.String.annotate({ expected: spanWords, title: spanWords })
  .check(Schema.makeFilter((text: string) => spanPattern.test(text) || spanWords))
  .pipe(
    Schema.decodeTo(Schema.Int, {
      decode: SchemaGetter.transform(millisOf),
      encode: SchemaGetter.transform((millis: number) => `${millis}ms`)
    })
  )
const Span = SignedSpan.check(Schema.isGreaterThan(0))

const Count = Schema.Int.check(Schema.isGreaterThan(0))
const optional = Schema.optionalKey

/** When a rule plays: at most one of probability, calls and every; none of them: at every call it watches. */
const when = {
  /** Operations that it watches; without, all that its kind can touch. */
  operations: optional(Schema.NonEmptyArray(Schema.Literals(operations))),
  /** Indices of the accounts that it watches; without, everybody, also those without a session. */
  accounts: optional(Schema.NonEmptyArray(Schema.Natural)),
  probability: optional(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))),
  /** The first, third, … watched call. */
  calls: optional(Schema.NonEmptyArray(Count)),
  /** Every so many watched calls. */
  every: optional(Count),
  from: optional(Span),
  until: optional(Span),
  /** Once it plays it goes on at every watched call for so long. */
  lasts: optional(Span),
  /** It plays at most so often. */
  times: optional(Count)
} as const

/** Whether the market does what was asked before the answer is spoilt. */
const effect = optional(Schema.Literals(["none", "done"]))

const rule = <K extends FaultKind, F extends Schema.Struct.Fields>(kind: K, fields: F) =>
  Schema.Struct({ kind: Schema.tag(kind), ...fields, ...when })

/** Result codes that markets of this family are known to answer. */
export const knownCodes = [2, 8, 10, 16, 20, 25, 29, 40, 79, 84] as const

const rules = [
  rule("rate-limited", {}),
  rule("null", { effect }),
  rule("html", { effect }),
  rule("login", {}),
  rule("server-error", { status: optional(Schema.Literals([500, 502, 503])), effect }),
  rule("lost-answer", {}),
  rule("delay", { delay: Span, before: optional(Schema.Boolean) }),
  rule("reset", {}),
  rule("truncated", {}),
  rule("code", { code: Schema.Int, message: optional(Schema.String), effect }),
  rule("session", {
    signal: optional(
      Schema.Literals([
        "anonymous",
        "redirect",
        "lost-auth",
        "sign-in-page",
        "unauthorized",
        "header",
        "empty-lists"
      ])
    )
  }),
  rule("confirmations", {
    how: Schema.Literals(["late", "never", "twice", "needauth"]),
    delay: optional(Span)
  }),
  rule("clock", { offset: SignedSpan }),
  rule("manual-order", { price: optional(Schema.Literals(["low", "best"])) }),
  rule("bought", {}),
  rule("maintenance", {}),
  rule("currency", { currency: optional(Schema.Literals(currencies.map(({ code }) => code))) }),
  rule("history", { how: Schema.Literals(["duplicated", "reordered"]) }),
  rule("funds-held", { hold: Span })
] as const

type AnyRule = (typeof rules)[number]["Type"]

const triggers = ["probability", "calls", "every"] as const

const complaint = (one: AnyRule): true | string => {
  if (triggers.filter((trigger) => one[trigger] !== undefined).length > 1)
    return "takes a single trigger (probability, calls or every)"
  const { from = 0, kind, operations: named, until } = one
  if (until !== undefined && until <= from) return "takes an `until` after its `from`"
  const foreign = named?.find((operation) => !touches(kind, operation))
  return foreign === undefined || `takes operations to which ${kind} can happen (${foreign} is none)`
}

export const FaultRule = Schema.Union(rules).check(Schema.makeFilter(complaint))
export type FaultRule = typeof FaultRule.Type
export type FaultOf<K extends FaultKind> = Extract<FaultRule, { readonly kind: K }>

/** Only the kinds of a plan: says of an unknown one which there are, before its fields are looked at. */
export const FaultKindsOf = Schema.StructWithRest(
  Schema.Struct({
    faults: Schema.Array(
      Schema.StructWithRest(Schema.Struct({ kind: Schema.Literals(faultKinds) }), [
        Schema.Record(Schema.String, Schema.Unknown)
      ])
    )
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

/** The file of `haggle exchange --faults`. */
export const FaultPlan = Schema.Struct({
  /** Chance of the probabilities; 1 without. */
  seed: optional(Schema.Int),
  faults: Schema.Array(FaultRule)
})
export type FaultPlan = typeof FaultPlan.Type

export const noFaults: FaultPlan = { faults: [] }

/** Whether the rule watches calls of the operation. */
export const watches = ({ kind, operations }: FaultRule, operation: Operation): boolean =>
  operations === undefined ? touches(kind, operation, false) : operations.includes(operation)
