/**
 * The sales of an item as the market publishes them: medians by the hour for the last thirty days, by the day before.
 * Invariants: 1. an hour or day without sales has no entry. 2. entries ascend by time. 3. a day is folded only when all its hours are
 * older than thirty days.
 */
import { type ItemDraft } from "./Draft.ts"
import { dayMillis, hourMillis } from "./Process.ts"
import { type MarketItem, type SalesEntry } from "./World.ts"

export const hoursKeptMillis = 30 * dayMillis
/** Daily labels stand at hour 01. */
const dayLabelHour = 1

/** Median by units of [price, units, price, units, …]; the mean of the middle two when they differ. */
const medianOf = (trades: ReadonlyArray<number>): { readonly median: number; readonly units: number } => {
  const pairs: Array<readonly [number, number]> = []
  let units = 0
  for (let index = 0; index < trades.length; index += 2) {
    pairs.push([trades[index] ?? 0, trades[index + 1] ?? 0])
    units += trades[index + 1] ?? 0
  }
  pairs.sort((a, b) => a[0] - b[0])
  const at = (rank: number): number => {
    let below = 0
    for (const [price, count] of pairs) {
      below += count
      if (below > rank) return price
    }
    return 0
  }
  return { units, median: (at(Math.floor((units - 1) / 2)) + at(Math.floor(units / 2))) / 2 }
}

/** Closes the hour that sales were noted in and opens the one that begins now. */
export const closeHour = (item: ItemDraft, at: number): void => {
  if (item.hour.trades.length > 0) {
    const { median, units } = medianOf(item.hour.trades)
    item.hourly = [...item.hourly, [item.hour.at, median, units]]
  }
  item.hour.at = at
  item.hour.trades = []
  for (
    let oldest = item.hourly[0];
    oldest !== undefined && dayOf(oldest[0]) + dayMillis <= at - hoursKeptMillis;
    oldest = item.hourly[0]
  )
    fold(item)
}

/** Notes a sale in the hour in which it happened. */
export const recordSale = (item: ItemDraft, at: number, price: number, units: number): void => {
  const hour = Math.floor(at / hourMillis) * hourMillis
  if (item.hour.at !== hour) closeHour(item, hour)
  item.hour.trades.push(price, units)
}

const dayOf = (at: number): number => Math.floor(at / dayMillis) * dayMillis

/** Makes one daily entry of the oldest day's hours. */
const fold = (item: ItemDraft): void => {
  const day = dayOf(item.hourly[0]?.[0] ?? 0)
  const count = item.hourly.findIndex(([at]) => dayOf(at) !== day)
  const hours = item.hourly.slice(0, count < 0 ? item.hourly.length : count)
  item.daily = [...item.daily, foldDay(day, hours)]
  item.hourly = item.hourly.slice(hours.length)
}

export const foldDay = (day: number, hours: ReadonlyArray<SalesEntry>): SalesEntry => {
  const { median, units } = medianOf(hours.flatMap(([, price, sold]) => [price, sold]))
  return [day + dayLabelHour * hourMillis, median, units]
}

/** Everything published, the last hour with its sales so far at the end. */
export const published = (item: MarketItem): ReadonlyArray<SalesEntry> => {
  const { median, units } = medianOf(item.hour.trades)
  return [...item.daily, ...item.hourly, ...(units > 0 ? [[item.hour.at, median, units] as const] : [])]
}

/** Median and units of the last 24 hours, the running one included. */
export const lastDay = (item: MarketItem, now: number): { readonly median: number; readonly units: number } =>
  medianOf([
    ...item.hourly.flatMap(([at, median, units]) => (at > now - dayMillis ? [median, units] : [])),
    ...(item.hour.at > now - dayMillis ? item.hour.trades : [])
  ])
