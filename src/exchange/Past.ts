/**
 * The sales that an item had before the market opened, and the state of its price that they end in.
 * Invariants: 1. drawn from the item's own chance alone. 2. lively items have days and then thirty days of hours, thin ones fewer days and
 * single sales.
 */
import { isLively } from "./CatalogueItem.ts"
import { below, type Chance, normal, poisson } from "./Chance.ts"
import {
  activity,
  dayMillis,
  type FairState,
  fairPrice,
  hourMillis,
  stepDay,
  stepHour,
  usualFair
} from "./Process.ts"
import { foldDay } from "./SalesLog.ts"
import { type MarketItem, type SalesEntry } from "./World.ts"

const pastDays = 400
const pastHours = 30 * 24
/** Items that sell a few times a day have a shorter past. */
const thinPastDays = 45

/** An hour's median scatters around the fair price by the bounce between bid and ask. */
const bounce = 0.75

const salesOf = (
  chance: Chance,
  item: MarketItem,
  fair: FairState,
  at: number,
  hours: number
): SalesEntry | undefined => {
  const { character } = item.of
  const units = poisson(chance, character.unitsPerHour * activity(fair, at) * hours)
  const price = fairPrice(item.basePrice, fair) * Math.exp(normal(chance) * character.halfSpread * bounce)
  return units === 0 ? undefined : [at, Math.max(item.fees.floor * 3, Math.round(price)), units]
}

/** Days and then hours of sales before `until`, and the state they end in. */
export const generatePast = (
  chance: Chance,
  item: MarketItem,
  until: number
): Pick<MarketItem, "daily" | "hourly" | "fair"> => {
  let fair = usualFair(chance, item.of.character)
  const daily: Array<SalesEntry> = []
  const hourly: Array<SalesEntry> = []
  const firstHour = Math.floor((until - pastHours * hourMillis) / dayMillis) * dayMillis
  const days = isLively(item.of) ? pastDays : thinPastDays
  for (let at = firstHour - days * dayMillis; at < firstHour; at += dayMillis) {
    fair = stepDay(fair, item.of.character, chance)
    // A day's activity is that of an hour of mean rhythm, noon.
    const entry = salesOf(chance, item, fair, at + 11 * hourMillis, 24)
    if (entry !== undefined) daily.push(foldDay(at, [entry]))
  }
  if (!isLively(item.of)) return { ...recentSales(chance, item, fair, firstHour, until), daily }
  for (let at = firstHour; at < until; at += hourMillis) {
    fair = stepHour(fair, item.of.character, chance)
    const entry = salesOf(chance, item, fair, at, 1)
    if (entry !== undefined) hourly.push(entry)
  }
  return { daily, hourly, fair }
}

/** The last days of an item with few sales: each at an hour of its own. */
const recentSales = (
  chance: Chance,
  item: MarketItem,
  from: FairState,
  first: number,
  until: number
): Pick<MarketItem, "hourly" | "fair"> => {
  let fair = from
  const hourly: Array<SalesEntry> = []
  for (let day = first; day < until; day += dayMillis) {
    fair = stepDay(fair, item.of.character, chance)
    const sales = poisson(chance, item.of.character.unitsPerHour * 24 * activity(fair, day + 11 * hourMillis))
    const hours = new Map<number, number>()
    for (let sale = 0; sale < sales; sale++) {
      const at = day + below(chance, 24) * hourMillis
      hours.set(at, (hours.get(at) ?? 0) + 1)
    }
    for (const [at, units] of [...hours].toSorted(([a], [b]) => a - b)) {
      const price =
        fairPrice(item.basePrice, fair) * Math.exp(normal(chance) * item.of.character.halfSpread * bounce)
      if (at < until) hourly.push([at, Math.max(item.fees.floor * 3, Math.round(price)), units])
    }
  }
  return { hourly, fair }
}
