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
import { below, chanceOf } from "./Chance.ts"
import { type Recording, pastOf, tapeOf } from "./History.ts"
import { generatePast } from "./Past.ts"
import { hourMillis, usualFair } from "./Process.ts"
import { exchanged } from "./Rates.ts"
import { stockedAt } from "./Traders.ts"
import { type Account, type Funds, type MarketItem, noFunds, type Rules, type World } from "./World.ts"

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

/** Books settle for this long before the market opens. */
const settlingMillis = 12 * hourMillis
const startersPerItem = 4
/** Differing units of generated items that every starter has besides. */
const uniqueStarters = 12

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
    fairChance: chanceOf("fair", options.seed, of.app, of.name),
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
    format: 3,
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
