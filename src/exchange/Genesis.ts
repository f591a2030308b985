/**
 * The first world of a market: items with a generated (or recorded) past, books that have settled, accounts with their starters.
 * Invariants: 1. the same options give the same world. 2. an item's own stream depends on the seed and its name alone, so that adding
 * an item changes no other. 3. there are at least thirty days of past sales.
 */
import { type CurrencyId } from "../domain/Currency.ts"
import { defaultFees, type FeeSchedule } from "../domain/Fee.ts"
import { money } from "../domain/Money.ts"
import { credentialsOf } from "./Accounts.ts"
import { advance } from "./Advance.ts"
import { catalogue, type CatalogueItem } from "./Catalogue.ts"
import { type Chance, chanceOf, normal, poisson } from "./Chance.ts"
import { type Recording, pastOf, tapeOf } from "./History.ts"
import {
  activity,
  dayMillis,
  type FairState,
  fairPrice,
  hourMillis,
  stepDay,
  stepHour,
  stepMillis,
  usualFair
} from "./Process.ts"
import { foldDay } from "./SalesLog.ts"
import { type Account, type MarketItem, type Rules, type SalesEntry, type World } from "./World.ts"

export interface GenesisOptions {
  readonly seed: number
  readonly startAt: number
  readonly currency: CurrencyId
  /** Wallet of the first account, minor units; the others get ten times as much. */
  readonly balance: number
  readonly accounts: number
  /** Whether the first account has starter items too. */
  readonly firstAccountHasItems: boolean
  readonly rules: Rules
  /** Recorded price histories by `app/name`. */
  readonly recordings: ReadonlyMap<string, Recording>
}

const pastDays = 400
const pastHours = 30 * 24
/** Books settle for this long before the market opens. */
const settlingMillis = 12 * hourMillis
const startersPerItem = 4

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
const generatePast = (
  chance: Chance,
  item: MarketItem,
  until: number
): Pick<MarketItem, "daily" | "hourly" | "fair"> => {
  let fair = usualFair(chance, item.of.character)
  const daily: Array<SalesEntry> = []
  const hourly: Array<SalesEntry> = []
  const firstHour = Math.floor((until - pastHours * hourMillis) / dayMillis) * dayMillis
  for (let at = firstHour - pastDays * dayMillis; at < firstHour; at += dayMillis) {
    fair = stepDay(fair, item.of.character, chance)
    // A day's activity is that of an hour of mean rhythm, noon.
    const entry = salesOf(chance, item, fair, at + 11 * hourMillis, 24)
    if (entry !== undefined) daily.push(foldDay(at, [entry]))
  }
  for (let at = firstHour; at < until; at += hourMillis) {
    fair = stepHour(fair, item.of.character, chance)
    const entry = salesOf(chance, item, fair, at, 1)
    if (entry !== undefined) hourly.push(entry)
  }
  return { daily, hourly, fair }
}

const makeItem = (
  options: GenesisOptions,
  fees: FeeSchedule,
  of: CatalogueItem,
  opensAt: number
): MarketItem => {
  const chance = chanceOf("item", options.seed, of.app, of.name)
  const recording = options.recordings.get(`${of.app}/${of.name}`)
  const tape = recording === undefined ? undefined : tapeOf(recording, options.startAt)
  const bare: MarketItem = {
    of,
    basePrice: tape?.points.at(-1)?.[1] ?? of.price * fees.floor,
    fees: { ...fees, publisherRate: of.publisherRate },
    tape,
    fair: usualFair(chance, of.character),
    price: 0,
    flow: 0,
    chance,
    nextStepAt: opensAt,
    nextOrderAt: Infinity,
    seq: 1,
    bids: [],
    asks: [],
    hour: { at: opensAt, trades: [] },
    hourly: [],
    daily: []
  }
  const past = tape === undefined ? generatePast(chance, bare, opensAt) : pastOf(tape, opensAt)
  // The words of chance are drawn in place; what the world keeps is where they stand now.
  return { ...bare, ...past, nextOrderAt: opensAt + stepMillis * 2, chance: [...chance] }
}

const starters = (
  options: GenesisOptions,
  items: number,
  account: number,
  first: number
): Account["inventory"] =>
  account === 0 && !options.firstAccountHasItems
    ? []
    : Array.from({ length: items * startersPerItem }, (_, index) => ({
        id: `3${String(first + index).padStart(10, "0")}` as Account["inventory"][number]["id"],
        item: index % items,
        since: options.startAt
      }))

const makeAccounts = (options: GenesisOptions, items: number): ReadonlyArray<Account> => {
  let nextAsset = 1
  return Array.from({ length: options.accounts }, (_, index): Account => {
    const inventory = starters(options, items, index, nextAsset)
    nextAsset += inventory.length
    return {
      id: credentialsOf(options.seed, index, options.startAt).accountId,
      name: `trader${index + 1}`,
      balance: money(index === 0 ? options.balance : options.balance * 10),
      inventory,
      listings: [],
      orders: [],
      ended: [],
      confirmations: [],
      pending: [],
      history: []
    }
  })
}

/** The world at `startAt`, its books settled. */
export const genesis = (options: GenesisOptions): World => {
  const fees = defaultFees(options.currency)
  const opensAt = Math.floor((options.startAt - settlingMillis) / hourMillis) * hourMillis
  const items = catalogue.map((of) => makeItem(options, fees, of, opensAt))
  const accounts = makeAccounts(options, items.length)
  const starterUnits = accounts.reduce((sum, { inventory }) => sum + inventory.length, 0)
  const world: World = {
    format: 1,
    seed: options.seed,
    currency: options.currency,
    startedAt: options.startAt,
    now: opensAt - 1,
    rules: options.rules,
    fees,
    accounts,
    items,
    counters: { asset: starterUnits + 1, listing: 1, order: 1, confirmation: 1 },
    totals: {
      fees: 0,
      outside: 0,
      minted: 0,
      retired: 0,
      starterUnits,
      starterFunds: accounts.reduce((sum, { balance }) => sum + balance, 0)
    },
    chance: chanceOf("world", options.seed)
  }
  return advance(world, options.startAt).world
}
