/**
 * The first world of a market: items with a generated (or recorded) past, books that have settled, accounts with their starters.
 * Invariants: 1. the same options give the same world. 2. an item's own stream depends on the seed and its name alone, so that adding
 * an item changes no other. 3. there are at least thirty days of past sales.
 */
import { type CurrencyId } from "../domain/Currency.ts"
import { defaultFees, type FeeSchedule } from "../domain/Fee.ts"
import { credentialsOf } from "./Accounts.ts"
import { advance } from "./Advance.ts"
import { catalogue, type CatalogueItem, isLively, namedCount } from "./Catalogue.ts"
import { below, type Chance, chanceOf, normal, poisson } from "./Chance.ts"
import { type Recording, pastOf, tapeOf } from "./History.ts"
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
import { exchanged } from "./Rates.ts"
import { foldDay } from "./SalesLog.ts"
import { stockedAt } from "./Traders.ts"
import {
  type Account,
  type Funds,
  type MarketItem,
  noFunds,
  type Rules,
  type SalesEntry,
  type World
} from "./World.ts"

export interface GenesisOptions {
  readonly seed: number
  readonly startAt: number
  readonly currency: CurrencyId
  /** Wallet of the first account, minor units of the market's currency; the others get ten times as much. */
  readonly balance: number
  readonly accounts: number
  /** Wallets' currencies, one account after the other and again from the first; without any all have the market's. */
  readonly currencies: ReadonlyArray<CurrencyId>
  /** Whether the first account has starter items too. */
  readonly firstAccountHasItems: boolean
  readonly rules: Rules
  /** Recorded price histories by `app/name`. */
  readonly recordings: ReadonlyMap<string, Recording>
}

const pastDays = 400
const pastHours = 30 * 24
/** Items that sell a few times a day have a shorter past. */
const thinPastDays = 60
/** Books settle for this long before the market opens. */
const settlingMillis = 12 * hourMillis
const startersPerItem = 4
/** Differing units of generated items that every starter has besides. */
const uniqueStarters = 12

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
    daily: [],
    activity: []
  }
  const past = tape === undefined ? generatePast(chance, bare, opensAt) : pastOf(tape, opensAt)
  // The words of chance are drawn in place; what the world keeps is where they stand now.
  const opened = {
    ...bare,
    ...past,
    nextOrderAt: opensAt + of.character.stepMillis * 2,
    chance: [...chance]
  }
  return isLively(of) ? opened : stockedAt(opened, opensAt)
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
        since: options.startAt,
        origin: originOf(index % items, first + index)
      }))

/** Starters of items that differ are drawn from their own number. */
const originOf = (item: number, number: number): string =>
  catalogue[item]?.commodity === false ? `starter ${number}` : ""

/** Some differing units of generated items, after everybody's named ones. */
const uniqueOnes = (options: GenesisOptions, account: number, first: number): Account["inventory"] => {
  if (account === 0 && !options.firstAccountHasItems) return []
  const chance = chanceOf("starters", options.seed, account)
  const choice = catalogue.flatMap(({ commodity }, index) =>
    !commodity && index >= namedCount ? [index] : []
  )
  return Array.from({ length: uniqueStarters }, (_, index) => {
    const item = choice[below(chance, choice.length)] ?? namedCount
    const id = `3${String(first + index).padStart(10, "0")}` as Account["inventory"][number]["id"]
    return { id, item, since: options.startAt, origin: originOf(item, first + index) }
  })
}

const makeAccounts = (options: GenesisOptions): ReadonlyArray<Account> => {
  let nextAsset = 1
  const named = Array.from({ length: options.accounts }, (_, index) => {
    const inventory = starters(options, namedCount, index, nextAsset)
    nextAsset += inventory.length
    return inventory
  })
  return named.map((first, index): Account => {
    const inventory = [...first, ...uniqueOnes(options, index, nextAsset)]
    nextAsset += inventory.length - first.length
    const currency = options.currencies[index % Math.max(1, options.currencies.length)] ?? options.currency
    return {
      id: credentialsOf(options.seed, index, options.startAt).accountId,
      name: `trader${index + 1}`,
      currency,
      balance: exchanged(index === 0 ? options.balance : options.balance * 10, options.currency, currency),
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

const startFunds = (accounts: ReadonlyArray<Account>): Readonly<Record<string, Funds>> => {
  const funds: Record<string, Funds> = {}
  for (const { balance, currency } of accounts) {
    const before = funds[currency] ?? noFunds
    funds[currency] = { ...before, starter: before.starter + balance }
  }
  return funds
}

/** The world at `startAt`, its books settled. */
export const genesis = (options: GenesisOptions): World => {
  const fees = defaultFees(options.currency)
  const opensAt = Math.floor((options.startAt - settlingMillis) / hourMillis) * hourMillis
  const items = catalogue.map((of) => makeItem(options, fees, of, opensAt))
  const accounts = makeAccounts(options)
  const starterUnits = accounts.reduce((sum, { inventory }) => sum + inventory.length, 0)
  const world: World = {
    format: 2,
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
      funds: startFunds(accounts),
      minted: 0,
      retired: 0,
      starterUnits
    },
    chance: chanceOf("world", options.seed)
  }
  return advance(world, options.startAt).world
}
