/**
 * A strategy file as its author writes it: the schema that decodes it, that the editor's JSON Schema is generated from, and the
 * words that are described but not built yet. Invariants: 1. an amount is read exactly, a time is milliseconds. 2. expressions are
 * text here; only Compile gives them a meaning. 3. nothing is filled in but what a default of this file says.
 */
import { Option, Schema, SchemaGetter } from "effect"

import { fromDecimal, type Money, Money as MoneySchema, money, toDecimal } from "../domain/Money.ts"

const unitMillis: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000
}

// with the u flag, without which a pattern does not reach the JSON Schema
const durationPattern = /^(?:\d{1,9}(?:\.\d{1,3})?(?:ms|s|m|h|d|w))+$/u

/** Milliseconds of `90s`, `6h`, `7d`, `1h30m`; undefined when it is none. */
export const parseDuration = (text: string): number | undefined => {
  if (text.length > 48 || !durationPattern.test(text)) return undefined
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g))
    total += Number(amount) * (unitMillis[unit ?? ""] ?? 0)
  return Math.round(total)
}

/** `90s`, `1h30m`, `7d`: the two largest units that are not zero. */
export const showDuration = (millis: number): string => {
  if (millis < 0) return `-${showDuration(-millis)}`
  const parts: Array<string> = []
  let rest = Math.round(millis)
  for (const unit of ["d", "h", "m", "s", "ms"]) {
    const size = unitMillis[unit] ?? 1
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count}${unit}`)
  }
  return parts.length === 0 ? "0s" : parts.slice(0, 2).join("")
}

/** A time such as `90s`; decoded to milliseconds. */
const Time = Schema.String.annotate({
  expected: "a time such as 90s, 6h or 7d",
  title: "a time such as 90s, 6h or 7d"
})
  .check(Schema.isPattern(durationPattern, { message: "takes a time such as 90s, 6h or 7d" }))
  .pipe(
    Schema.decodeTo(Schema.Finite, {
      decode: SchemaGetter.transform((text: string) => parseDuration(text) ?? 0),
      encode: SchemaGetter.transform((millis: number) => showDuration(millis))
    })
  )

const amountWords = "takes an amount such as 25.00 (at most two decimals, not negative)"
const amountOf = (written: number | string): Option.Option<Money> => fromDecimal(String(written))

/** An amount of the wallet's currency such as `25.00`; decoded to minor units without any binary rounding. */
const Amount = Schema.Union([Schema.Finite, Schema.String])
  .annotate({ expected: "an amount such as 25.00", title: "an amount such as 25.00" })
  .check(
    Schema.makeFilter((written: number | string) => {
      const amount = amountOf(written)
      return (Option.isSome(amount) && amount.value >= 0) || amountWords
    })
  )
  .pipe(
    Schema.decodeTo(MoneySchema, {
      decode: SchemaGetter.transform((written: number | string) =>
        Option.getOrElse(amountOf(written), () => money(0))
      ),
      encode: SchemaGetter.transform((amount: number) => toDecimal(money(amount)))
    })
  )

const stepPattern = /^-\d{1,2}(?:\.\d{1,4})?\s?%$/u

/** How far a price is lowered at once, `-2%`; decoded to the fraction as written, -0.02. */
const Step = Schema.String.annotate({ expected: "a step down such as -2%", title: "a step down such as -2%" })
  .check(Schema.isPattern(stepPattern, { message: "takes a step down such as -2%" }))
  .pipe(
    Schema.decodeTo(Schema.Finite, {
      decode: SchemaGetter.transform((text: string) => Number(text.replace(/[%\s]/g, "")) / 100),
      encode: SchemaGetter.transform((fraction: number) => `${fraction * 100}%`)
    })
  )

const percentPattern = /^\d{1,3}(?:\.\d{1,4})?\s?%$/u

/** A part of a hundred, `2%`; decoded to the fraction, 0.02. */
const Percent = Schema.String.annotate({
  expected: "a percentage such as 2%",
  title: "a percentage such as 2%"
})
  .check(Schema.isPattern(percentPattern, { message: "takes a percentage such as 2%" }))
  .pipe(
    Schema.decodeTo(Schema.Finite, {
      decode: SchemaGetter.transform((text: string) => Number(text.replace(/[%\s]/g, "")) / 100),
      encode: SchemaGetter.transform((fraction: number) => `${fraction * 100}%`)
    })
  )

/** A CEL expression; a bare number, true or false is one too. */
const Expression = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]).annotate({
  expected: "an expression",
  title: "an expression",
  description:
    "A CEL expression over book, listing, history, overview, position, orders, wallet, item, fees, clock, params and let names."
})

const ParamValue = Schema.Union([Schema.Finite, Schema.Boolean, Schema.String]).annotate({
  expected: "a number, an amount, a percentage, a time, true or false",
  title: "a number, a percentage, a time, true or false"
})
export type ParamValue = typeof ParamValue.Type

const Count = Schema.Natural.annotate({ expected: "a whole number", title: "a whole number" })

const Param = Schema.Struct({
  default: ParamValue,
  min: Schema.optionalKey(ParamValue),
  max: Schema.optionalKey(ParamValue),
  /** Only needed for an amount: a number alone stays a number. */
  type: Schema.optionalKey(Schema.Literals(["number", "percent", "money", "duration", "bool"])),
  description: Schema.optionalKey(Schema.String)
}).annotate({ title: "{ default: … }" })
export type Param = typeof Param.Type

export const Action = Schema.Literals([
  "bid",
  "cancel-bid",
  "ask",
  "cancel-ask",
  "buy",
  "notify",
  "halt",
  "hold"
])
export type Action = typeof Action.Type

const Name = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u, {
    message: "takes letters, digits, - and _, at most 64"
  })
)

const Rule = Schema.Struct({
  id: Name,
  when: Expression,
  for: Schema.optionalKey(Time),
  do: Action,
  at: Schema.optionalKey(Expression),
  qty: Schema.optionalKey(Expression),
  /** Only for buying outright: what the listing may cost at most. */
  limit: Schema.optionalKey(Expression),
  expire: Schema.optionalKey(Time),
  reprice: Schema.optionalKey(
    Schema.Struct({ after: Time, step: Step, floor: Schema.optionalKey(Expression) })
  ),
  /** Only for an ask: it may end under cost. */
  allowLoss: Schema.optionalKey(Schema.Boolean),
  minStep: Schema.optionalKey(Percent),
  minAge: Schema.optionalKey(Time),
  because: Schema.optionalKey(Expression),
  message: Schema.optionalKey(Expression)
})
export type Rule = typeof Rule.Type

const Scalar = Schema.Union([Schema.Finite, Schema.Boolean, Schema.String])
const Given = Schema.Record(Schema.String, Scalar)

const InlineTest = Schema.Struct({
  name: Schema.NonEmptyString,
  given: Schema.Struct({
    book: Schema.optionalKey(Given),
    history: Schema.optionalKey(Given),
    overview: Schema.optionalKey(Given),
    wallet: Schema.optionalKey(Given),
    position: Schema.optionalKey(Given),
    orders: Schema.optionalKey(Given),
    item: Schema.optionalKey(Schema.String)
  }),
  expect: Schema.Struct({
    rule: Schema.optionalKey(Schema.String),
    do: Schema.optionalKey(Schema.Union([Action, Schema.Literal("nothing")])),
    at: Schema.optionalKey(Amount),
    qty: Schema.optionalKey(Count)
  })
})
export type InlineTest = typeof InlineTest.Type

const longestList = 500
/** Ten items a request: more would take the search's budget for minutes. */
const mostFound = 1000

const Search = Schema.Struct({
  query: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(200))),
  descriptions: Schema.optionalKey(Schema.Boolean),
  filters: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.Union([Schema.NonEmptyString, Schema.Array(Schema.NonEmptyString)]).annotate({
        expected: "a value or a list of values",
        title: "a value or a list of values"
      })
    )
  ),
  price: Schema.optionalKey(
    Schema.Struct({ min: Schema.optionalKey(Amount), max: Schema.optionalKey(Amount) })
  ),
  sort: Schema.optionalKey(Schema.Literals(["popularity", "name", "quantity", "price"])),
  direction: Schema.optionalKey(Schema.Literals(["ascending", "descending"]))
})

const UniverseEntry = Schema.Struct({
  app: Schema.optionalKey(Count),
  items: Schema.optionalKey(
    Schema.Array(Schema.NonEmptyString).check(
      Schema.makeFilter(
        (items) => (items.length > 0 && items.length <= longestList) || `takes 1 to ${longestList} items`
      )
    )
  ),
  search: Schema.optionalKey(Search),
  top: Schema.optionalKey(
    Count.check(Schema.makeFilter((top) => (top > 0 && top <= mostFound) || `takes 1 to ${mostFound} items`))
  ),
  inventory: Schema.optionalKey(Schema.Literals([true, "unclaimed"])),
  refresh: Schema.optionalKey(Time)
})

export const StrategyFile = Schema.Struct({
  version: Schema.Literal(1),
  name: Schema.optionalKey(Name),
  description: Schema.optionalKey(Schema.String),
  mode: Schema.optionalKey(Schema.Literals(["inherit", "dry-run", "off"])),
  universe: Schema.Array(UniverseEntry).check(
    Schema.makeFilter((entries) => entries.length > 0 || "takes at least one entry")
  ),
  where: Schema.optionalKey(Expression),
  params: Schema.optionalKey(Schema.Record(Schema.String, Param)),
  let: Schema.optionalKey(Schema.Record(Schema.String, Expression)),
  freshness: Schema.optionalKey(
    Schema.Struct({
      book: Schema.optionalKey(Time),
      history: Schema.optionalKey(Time),
      overview: Schema.optionalKey(Time),
      offers: Schema.optionalKey(Time),
      description: Schema.optionalKey(Time),
      wallet: Schema.optionalKey(Time)
    })
  ),
  rules: Schema.Array(Rule).check(
    Schema.makeFilter((rules) => (rules.length > 0 && rules.length <= 100) || "takes 1 to 100 rules")
  ),
  limits: Schema.optionalKey(
    Schema.Struct({
      spendPerDay: Schema.optionalKey(Amount),
      exposure: Schema.optionalKey(Amount),
      perItemUnits: Schema.optionalKey(Count),
      openOrders: Schema.optionalKey(Count),
      maxPrice: Schema.optionalKey(Amount),
      minPrice: Schema.optionalKey(Amount)
    })
  ),
  /** For every rule that does not say it itself: smaller price differences, and younger orders, are left alone. */
  minStep: Schema.optionalKey(Percent),
  minAge: Schema.optionalKey(Time),
  overrides: Schema.optionalKey(Schema.Record(Schema.String, Schema.Record(Schema.String, ParamValue))),
  onRemove: Schema.optionalKey(Schema.Literals(["keep", "cancel"])),
  priority: Schema.optionalKey(Schema.Int.annotate({ expected: "a whole number" })),
  tests: Schema.optionalKey(Schema.Array(InlineTest))
}).annotate({
  title: "a haggle strategy",
  description: "One strategy: which items, which rules, which limits."
})
export type StrategyFile = typeof StrategyFile.Type

/** Parts of the language that are refused with these words until they are built. */
export const notYet: ReadonlyMap<string, string> = new Map([
  ["protections", "use `limits` and a rule with `do: halt`"]
])

/** How old a fact may be when the file does not say it, in milliseconds. */
export const defaultFreshness = {
  book: 120_000,
  history: 21_600_000,
  overview: 900_000,
  // somebody else buys a good listing within a minute or two
  offers: 60_000,
  // tags do not change: read once in a while
  description: 2_592_000_000,
  wallet: 900_000
} as const
