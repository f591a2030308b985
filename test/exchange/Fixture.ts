/** A small market for the tests: a fixed opening, commands in few words, and a wild client that does whatever its seed says. */
import { defaultFees } from "../../src/domain/Fee.ts"
import { apply } from "../../src/exchange/Apply.ts"
import { namedCount } from "../../src/exchange/Catalogue.ts"
import { below, type Chance, chanceOf, uniform } from "../../src/exchange/Chance.ts"
import { type Command, type Reply } from "../../src/exchange/Command.ts"
import { genesis, type GenesisOptions } from "../../src/exchange/Genesis.ts"
import { type MarketEvent } from "../../src/exchange/MarketEvent.ts"
import { offersOf } from "../../src/exchange/Offers.ts"
import { exchanged } from "../../src/exchange/Rates.ts"
import { type World } from "../../src/exchange/World.ts"

/** Tuesday, 2024-01-02 10:00 UTC. */
export const startAt = 1_704_189_600_000
export const minute = 60_000
export const hour = 60 * minute

export const options = (change: Partial<GenesisOptions> = {}): GenesisOptions => ({
  seed: 1,
  startAt,
  currency: 1,
  balance: 10_000,
  accounts: 3,
  currencies: [],
  firstAccountHasItems: true,
  rules: { confirmPurchases: false, confirmationCreator: "asset" },
  recordings: new Map(),
  ...change
})

export const worldOf = (change: Partial<GenesisOptions> = {}): World => genesis(options(change))

const stopped = { bids: [], asks: [], nextStepAt: Infinity, nextOrderAt: Infinity } as const

/** A world that nobody else trades on: empty books, no background, every item at its place. */
export const quietWorld = (change: Partial<GenesisOptions> = {}): World => {
  const world = worldOf(change)
  return { ...world, items: world.items.map((item) => Object.assign({}, item, stopped)) }
}

/** Runs commands one after the other; keeps replies and events. */
export class Market {
  world: World
  readonly events: Array<MarketEvent> = []
  constructor(world: World) {
    this.world = world
  }
  at(now: number, command: Command): Reply {
    const applied = apply(this.world, command, now)
    this.world = applied.world
    this.events.push(...applied.events)
    return applied.reply
  }
  do(command: Command): Reply {
    return this.at(this.world.now, command)
  }
  account(index: number) {
    return this.world.accounts[index]!
  }
  buy(account: number, name: string, price: number, quantity: number, confirmation = "0"): Reply {
    const { of } = this.world.items.find((item) => item.of.name === name)!
    const total = price * quantity
    return this.do({
      _tag: "CreateBuyOrder",
      account,
      app: of.app,
      name,
      currency: this.account(account).currency,
      total,
      quantity,
      confirmation
    })
  }
  assetOf(account: number, name: string): string {
    const index = this.world.items.findIndex((item) => item.of.name === name)
    return this.account(account).inventory.find(({ item }) => item === index)!.id
  }
  stage(account: number, name: string, take: number): Reply {
    const { of } = this.world.items.find((item) => item.of.name === name)!
    const asset = this.assetOf(account, name)
    return this.do({ _tag: "SellItem", account, app: of.app, context: "2", asset, amount: 1, take })
  }
  settle(account: number, op: "allow" | "cancel"): Reply {
    const { id, nonce } = this.account(account).confirmations.at(-1)!
    return this.do({ _tag: "SettleConfirmation", account, id, nonce, op })
  }
  /** Stages and allows; answers with the listing's id. */
  sell(account: number, name: string, take: number): string {
    const staged = this.stage(account, name, take)
    if (staged._tag !== "Staged") throw new Error(`not staged: ${JSON.stringify(staged)}`)
    this.settle(account, "allow")
    return staged.listing
  }
}

const pick = <A>(chance: Chance, all: ReadonlyArray<A>): A | undefined => all[below(chance, all.length)]

const purchaseOf = (
  world: World,
  account: number,
  index: number,
  listing: string,
  confirmation: string,
  off = 0
): Command => {
  const { currency } = world.accounts[account]!
  const offer = offersOf(world, index, { account, currency }).find((one) => one.listing === listing)
  const { price = 0, take = 0 } = offer?.cost ?? {}
  const amounts = { currency, subtotal: take - off, fee: price - take, total: price - off, quantity: 1 }
  return { _tag: "BuyListing", account, listing, ...amounts, confirmation }
}

/** Buys a listing near the top of a book, now and then with a price that is not its own. */
const wildPurchase = (chance: Chance, world: World, account: number): Command => {
  const { currency } = world.accounts[account]!
  const index = below(chance, world.items.length)
  const offers = offersOf(world, index, { account, currency })
  const offer = offers[below(chance, Math.min(3, offers.length))]
  const off = uniform(chance) < 0.1 ? 1 : 0
  return purchaseOf(world, account, index, offer?.listing ?? "none", "0", off)
}

/** One random command that a client might send, sensible or not. */
export const wildCommand = (chance: Chance, world: World): Command => {
  const account = below(chance, world.accounts.length)
  const own = world.accounts[account]!
  // Mostly what trades by the minute.
  const item = pick(chance, uniform(chance) < 0.8 ? world.items.slice(0, namedCount) : world.items)!
  const { increment } = defaultFees(own.currency)
  /** A price around the item's own in the account's currency. */
  const priceOf = (index: number, factor: number): number => {
    const price = exchanged(Math.round(world.items[index]!.price * factor), world.currency, own.currency)
    return Math.max(3 * increment, price)
  }
  const around = priceOf(world.items.indexOf(item), 0.6 + 0.8 * uniform(chance))
  const kind = below(chance, 12)
  const allowed = own.pending.find(({ state }) => state === "Allowed")
  if (kind < 4 && allowed !== undefined) {
    const { listing, price, quantity } = allowed.order
    if (listing !== "") return purchaseOf(world, account, allowed.order.item, listing, allowed.id)
    const { app, name } = world.items[allowed.order.item]!.of
    const [total, confirmation] = [price * quantity, allowed.id]
    return {
      _tag: "CreateBuyOrder",
      account,
      app,
      name,
      currency: own.currency,
      total,
      quantity,
      confirmation
    }
  }
  if (kind < 4) {
    const quantity = 1 + below(chance, 4)
    const { app, name } = item.of
    return {
      _tag: "CreateBuyOrder",
      account,
      app,
      name,
      currency: world.currency,
      total: around * quantity,
      quantity,
      confirmation: pick(chance, ["0", own.pending.at(-1)?.id ?? "0"])!
    }
  }
  if (kind < 5) return { _tag: "CancelBuyOrder", account, order: pick(chance, own.orders)?.id ?? "none" }
  if (kind < 7) {
    const asset = pick(chance, own.inventory)
    const { app } = world.items[asset?.item ?? 0]!.of
    const price = priceOf(asset?.item ?? 0, 0.5 + uniform(chance))
    return {
      _tag: "SellItem",
      account,
      app,
      context: "2",
      asset: asset?.id ?? "none",
      amount: 1,
      take: price
    }
  }
  if (kind < 8) return { _tag: "RemoveListing", account, listing: pick(chance, own.listings)?.id ?? "none" }
  if (kind >= 10) return wildPurchase(chance, world, account)
  const confirmation = pick(chance, own.confirmations)
  return {
    _tag: "SettleConfirmation",
    account,
    id: confirmation?.id ?? "none",
    nonce: confirmation?.nonce ?? "none",
    op: uniform(chance) < 0.8 ? "allow" : "cancel"
  }
}

export const wildChance = (seed: number): Chance => chanceOf("wild", seed)
