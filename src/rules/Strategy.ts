/**
 * A strategy file as its author writes it: the schema that decodes it and that the editor's JSON Schema is generated from.
 * Invariants: 1. an amount is read exactly, a time is milliseconds. 2. expressions are text here; only Compile gives them a meaning.
 * 3. nothing is filled in but what a default of this file says.
 */
import { DateTime, Option, Schema } from "effect"

import { ProtectionEntry } from "./ProtectionEntry.ts"
import { Amount, Count, Percent, Step, Time } from "./StrategyValues.ts"

export { parseDuration, showDuration } from "./StrategyValues.ts"

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

const momentWords = "takes a moment such as 2026-01-31T18:00:00Z"
const Moment = Schema.String.annotate({ expected: "a moment such as 2026-01-31T18:00:00Z" }).check(
  Schema.makeFilter((text) => Option.isSome(DateTime.make(text)) || momentWords)
)

/** The listing that a test offers; what is not given is not told. */
const GivenListing = Schema.Struct({
  total: Amount,
  units: Schema.optionalKey(Count),
  wear: Schema.optionalKey(Schema.Finite),
  pattern: Schema.optionalKey(Count),
  template: Schema.optionalKey(Count),
  accessories: Schema.optionalKey(Schema.Array(Schema.String))
})

/** What is assumed of one item: the facts of an inline test, and of `haggle explain --given`. */
export const GivenFacts = Schema.Struct({
  book: Schema.optionalKey(Given),
  history: Schema.optionalKey(Given),
  overview: Schema.optionalKey(Given),
  wallet: Schema.optionalKey(Given),
  position: Schema.optionalKey(Given),
  orders: Schema.optionalKey(Given),
  listing: Schema.optionalKey(GivenListing),
  /** What the item is: a value by category, as the search's filters are called. */
  tags: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  commodity: Schema.optionalKey(Schema.Boolean),
  item: Schema.optionalKey(Schema.String),
  /** Otherwise a Friday, 12:00 UTC. */
  now: Schema.optionalKey(Moment)
})

const InlineTest = Schema.Struct({
  name: Schema.NonEmptyString,
  given: GivenFacts,
  expect: Schema.Struct({
    rule: Schema.optionalKey(Schema.String),
    do: Schema.optionalKey(Schema.Union([Action, Schema.Literal("nothing")])),
    at: Schema.optionalKey(Amount),
    limit: Schema.optionalKey(Amount),
    qty: Schema.optionalKey(Count)
  })
})
export type InlineTest = typeof InlineTest.Type

const longestList = 500
const mostProtections = 20
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
  /** Beside which strategy this one is only compared; nothing of it is ever sent. */
  shadowOf: Schema.optionalKey(Name),
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
  protections: Schema.optionalKey(
    Schema.Array(ProtectionEntry).check(
      Schema.makeFilter(
        (all) => all.length <= mostProtections || `takes at most ${mostProtections} protections`
      )
    )
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
