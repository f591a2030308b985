/**
 * The columns of every table of a report, once for terminal, page and CSV.
 * Invariant: `value` is the exact figure (minor units, fractions, milliseconds), `text` the same for a person.
 */
import type { CurrencyId } from "../domain/Currency.ts"
import { formatPrice } from "../domain/Currency.ts"
import type { Money } from "../domain/Money.ts"
import type { ItemRow, PeriodRow, RefusalRow, RuleRow, StrategyRow } from "./Breakdown.ts"
import type { OpenLot, RoundTrip } from "./RoundTrips.ts"
import { countText, dayText, gainText, momentText, percentText, ratioText, timeText } from "./Shown.ts"

export interface ReportColumn<Row> {
  readonly title: string
  /** Name in CSV: with its unit. */
  readonly name: string
  readonly text: (row: Row) => string
  readonly value?: (row: Row) => number | undefined
  readonly signed?: boolean
  readonly moment?: boolean
}

const words = <Row>(title: string, name: string, text: (row: Row) => string): ReportColumn<Row> => ({
  title,
  name,
  text
})
const count = <Row>(title: string, name: string, value: (row: Row) => number): ReportColumn<Row> => ({
  title,
  name,
  text: (row) => countText(value(row)),
  value
})
const share = <Row>(title: string, name: string, value: (row: Row) => number | undefined) => ({
  title,
  name,
  text: (row: Row) => percentText(value(row), 0),
  value
})
const lasting = <Row>(title: string, name: string, value: (row: Row) => number | undefined) => ({
  title,
  name: `${name}Millis`,
  text: (row: Row) => timeText(value(row)),
  value
})
const when = <Row>(title: string, name: string, value: (row: Row) => number, text = momentText) => ({
  title,
  name: `${name}Millis`,
  text: (row: Row) => text(value(row)),
  value,
  moment: true
})

const amounts = (currency: CurrencyId) => ({
  plain: <Row>(title: string, name: string, value: (row: Row) => Money): ReportColumn<Row> => ({
    title,
    name,
    text: (row) => formatPrice(value(row), currency),
    value
  }),
  gain: <Row>(title: string, name: string, value: (row: Row) => Money): ReportColumn<Row> => ({
    title,
    name,
    text: (row) => gainText(value(row), currency),
    value,
    signed: true
  })
})

export const itemColumns = (currency: CurrencyId): ReadonlyArray<ReportColumn<ItemRow>> => {
  const { gain, plain } = amounts(currency)
  return [
    words("Item", "item", ({ item }) => item),
    gain("Profit", "profit", ({ profit }) => profit),
    gain("Realised", "realised", ({ realised }) => realised),
    gain("Unrealised", "unrealised", ({ unrealised }) => unrealised),
    plain("Fees", "fees", ({ fees }) => fees),
    count("Bought", "bought", ({ bought }) => bought),
    count("Sold", "sold", ({ sold }) => sold),
    count("Held", "held", ({ held }) => held),
    share("Won", "winRate", ({ winRate }) => winRate),
    {
      title: "Factor",
      name: "profitFactor",
      text: ({ profitFactor }) => ratioText(profitFactor),
      value: ({ profitFactor }) => profitFactor
    },
    lasting("Held for", "holding", ({ holdingMillis }) => holdingMillis),
    share("Filled", "fillRatio", ({ fillRatio }) => fillRatio),
    count("Refused", "refusals", ({ refusals }) => refusals),
    count("Books", "books", ({ books }) => books)
  ]
}

export const strategyColumns = (currency: CurrencyId): ReadonlyArray<ReportColumn<StrategyRow>> => {
  const { gain, plain } = amounts(currency)
  return [
    words("Strategy", "strategy", ({ strategy }) => strategy),
    gain("Profit", "profit", ({ profit }) => profit),
    share("Won", "winRate", ({ winRate }) => winRate),
    count("Bought", "bought", ({ bought }) => bought),
    count("Sold", "sold", ({ sold }) => sold),
    plain("Fees", "fees", ({ fees }) => fees),
    count("Orders", "orders", ({ orders }) => orders),
    share("Fill ratio", "fillRatio", ({ fillRatio }) => fillRatio),
    count("Refused", "refusals", ({ refusals }) => refusals)
  ]
}

export const ruleColumns = (currency: CurrencyId): ReadonlyArray<ReportColumn<RuleRow>> => {
  const { gain } = amounts(currency)
  return [
    words("Rule", "rule", ({ rule }) => rule),
    gain("Profit of entries", "entered", ({ entered }) => entered),
    gain("Profit of exits", "exited", ({ exited }) => exited),
    count("Orders", "orders", ({ orders }) => orders),
    count("Units", "units", ({ units }) => units),
    count("Filled", "filled", ({ filled }) => filled),
    share("Fill ratio", "fillRatio", ({ fillRatio }) => fillRatio),
    count("Refused", "refusals", ({ refusals }) => refusals)
  ]
}

export const periodColumns = (
  title: string,
  currency: CurrencyId
): ReadonlyArray<ReportColumn<PeriodRow>> => {
  const { gain, plain } = amounts(currency)
  return [
    when(title, "start", ({ start }) => start, dayText),
    gain("Change", "change", ({ change }) => change),
    gain("Realised", "realised", ({ realised }) => realised),
    plain("Fees", "fees", ({ fees }) => fees),
    count("Bought", "bought", ({ bought }) => bought),
    count("Sold", "sold", ({ sold }) => sold),
    plain("Equity", "equity", ({ equity }) => equity)
  ]
}

export const refusalColumns: ReadonlyArray<ReportColumn<RefusalRow>> = [
  words("Code", "code", ({ code }) => code),
  count("Times", "count", ({ count }) => count),
  words("Last said", "message", ({ message }) => message)
]

export const tripColumns = (currency: CurrencyId): ReadonlyArray<ReportColumn<RoundTrip>> => {
  const { gain, plain } = amounts(currency)
  return [
    words("Item", "item", ({ item }) => item),
    when("Bought", "boughtAt", ({ boughtAt }) => boughtAt),
    when("Sold", "soldAt", ({ soldAt }) => soldAt),
    lasting("Held for", "held", ({ boughtAt, soldAt }) => soldAt - boughtAt),
    count("Units", "units", ({ units }) => units),
    plain("Cost", "cost", ({ cost }) => cost),
    plain("Brought", "proceeds", ({ proceeds }) => proceeds),
    gain("Profit", "profit", ({ profit }) => profit),
    words("Entry", "entry", ({ entry = "–" }) => entry),
    words("Exit", "exit", ({ exit }) => exit)
  ]
}

export const openColumns = (currency: CurrencyId): ReadonlyArray<ReportColumn<OpenLot>> => [
  words("Item", "item", ({ item }) => item),
  when("Bought", "boughtAt", ({ boughtAt }) => boughtAt),
  count("Units", "units", ({ units }) => units),
  amounts(currency).plain("Cost", "cost", ({ cost }) => cost),
  words("Entry", "entry", ({ entry }) => entry)
]
