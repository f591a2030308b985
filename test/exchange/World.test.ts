import { describe, expect, it } from "vitest"

import { type CurrencyId } from "../../src/domain/Currency.ts"
import { advance } from "../../src/exchange/Advance.ts"
import { apply } from "../../src/exchange/Apply.ts"
import { detailsOf } from "../../src/exchange/AssetDetails.ts"
import { below, uniform } from "../../src/exchange/Chance.ts"
import { levelsOf } from "../../src/exchange/Levels.ts"
import { offersOf, unitsOf } from "../../src/exchange/Offers.ts"
import { converted } from "../../src/exchange/Rates.ts"
import { lastDay, published } from "../../src/exchange/SalesLog.ts"
import { findItems } from "../../src/exchange/Search.ts"
import { exteriors } from "../../src/exchange/Vocabulary.ts"
import { background, type World } from "../../src/exchange/World.ts"
import { hour, Market, minute, startAt, wildChance, wildCommand, worldOf } from "./Fixture.ts"

const seeds = [1, 2, 3, 4, 5, 6, 7, 8]

/** Of every currency what there is now, and what there was at first. */
const funds = (world: World) =>
  Object.entries(world.totals.funds).map(([currency, { exchanged, fees, outside, starter }]) => {
    const wallets = world.accounts.filter((one) => String(one.currency) === currency)
    const now = wallets.reduce((sum, { balance }) => sum + balance, 0) + fees + outside + exchanged
    return { currency, now, starter }
  })
const units = (world: World): number =>
  world.accounts.reduce((sum, { inventory, listings }) => sum + inventory.length + listings.length, 0)

const checkBooks = (world: World): void => {
  for (const { asks, bids } of world.items) {
    for (const [index, { price, seq, units: waiting }] of bids.entries()) {
      const next = bids[index + 1]
      expect(waiting).toBeGreaterThan(0)
      if (next !== undefined)
        expect(next.price < price || (next.price === price && next.seq > seq)).toBe(true)
    }
    for (const [index, { price, seq, take }] of asks.entries()) {
      const next = asks[index + 1]
      expect(take).toBeLessThan(price)
      expect(take).toBeGreaterThan(0)
      if (next !== undefined)
        expect(next.price > price || (next.price === price && next.seq > seq)).toBe(true)
    }
    // Only orders of one account may stand across each other.
    const owners = new Set([...bids, ...asks].map(({ account }) => account))
    for (const owner of owners) {
      const bid = bids.find(({ account }) => account !== owner)
      const ask = asks.find(({ account }) => account === owner)
      if (bid !== undefined && ask !== undefined) expect(bid.price).toBeLessThan(ask.price)
    }
    const [bid, ask] = [
      bids.find((one) => one.account === background),
      asks.find((one) => one.account === background)
    ]
    if (bid !== undefined && ask !== undefined) expect(bid.price).toBeLessThan(ask.price)
  }
}

const checkPlaces = (world: World): void => {
  const assets = world.accounts.flatMap(({ inventory, listings }) => [
    ...inventory.map(({ id }) => id),
    ...listings.map(({ asset }) => asset)
  ])
  expect(new Set(assets).size).toBe(assets.length)
  const resting = world.items
    .flatMap(({ asks, bids }) => [...bids, ...asks])
    .filter(({ account }) => account !== background)
  const live = world.accounts.flatMap(({ listings, orders }) => [
    ...listings.filter((one) => one.live).map(({ id }) => String(id)),
    ...orders.map(({ id }) => String(id))
  ])
  expect(resting.map(({ ref }) => ref).toSorted()).toEqual(live.toSorted())
  for (const { account, ref, units: left } of resting) {
    const order = world.accounts[account]!.orders.find(({ id }) => id === ref)
    if (order !== undefined) expect(left).toBe(order.remaining)
  }
}

describe("a market with wild clients", () => {
  it.each(seeds)("keeps funds, units, books and places in order (seed %i)", (seed) => {
    const chance = wildChance(seed)
    let world = worldOf({ seed, rules: { confirmPurchases: seed % 2 === 0, confirmationCreator: "asset" } })
    let changed = 0
    for (let turn = 0; turn < 900; turn++) {
      const applied = apply(world, wildCommand(chance, world), world.now + below(chance, 8 * minute))
      world = applied.world
      if (applied.changed) changed++
      for (const { now, starter } of funds(world)) expect(now).toBe(starter)
      expect(units(world)).toBe(world.totals.starterUnits + world.totals.minted - world.totals.retired)
      for (const { balance } of world.accounts) expect(balance).toBeGreaterThanOrEqual(0)
      if (turn % 60 === 0) {
        checkBooks(world)
        checkPlaces(world)
      }
    }
    expect(changed).toBeGreaterThan(150)
    expect(world.totals.minted).toBeGreaterThan(10)
    expect(world.totals.retired).toBeGreaterThan(10)
  })

  it("leaves exactly the advanced world after a refused command", () => {
    const world = worldOf()
    const command = { _tag: "CancelBuyOrder", account: 0, order: "nobody's" } as const
    const applied = apply(world, command, startAt + hour)
    expect(applied.changed).toBe(false)
    expect(applied.world).toEqual(advance(world, startAt + hour).world)
  })
})

const isConserved = (world: World): boolean =>
  funds(world).every(({ now, starter }) => now === starter) &&
  units(world) === world.totals.starterUnits + world.totals.minted - world.totals.retired

const twenty: ReadonlyArray<CurrencyId> = [
  1, 2, 3, 8, 23, 5, 7, 16, 18, 37, 38, 40, 1, 3, 20, 9, 15, 24, 1, 41
]

describe("an hour of market time with twenty accounts", () => {
  it.each(seeds)("conserves funds and items exactly (seed %i)", (seed) => {
    const chance = wildChance(100 + seed)
    let world = worldOf({ seed, accounts: 20, currencies: seed % 2 === 0 ? twenty : [], balance: 50_000 })
    const held = new Set<string>(world.accounts.flatMap(({ inventory }) => inventory.map(({ id }) => id)))
    expect(held.size).toBe(world.totals.starterUnits)
    const end = world.now + hour
    let trades = 0
    while (world.now < end) {
      const applied = apply(world, wildCommand(chance, world), world.now + below(chance, 6000))
      world = applied.world
      trades += applied.events.filter(({ _tag }) => _tag === "Traded").length
      expect(isConserved(world)).toBe(true)
    }
    checkBooks(world)
    checkPlaces(world)
    expect(trades).toBeGreaterThan(30)
    for (const { balance } of world.accounts) expect(balance).toBeGreaterThanOrEqual(0)
    // At the fixed rates all that was exchanged comes to nothing but what single steps of prices round away.
    const rounded = Object.entries(world.totals.funds).reduce(
      (sum, [currency, { exchanged }]) => sum + converted(exchanged, Number(currency) as CurrencyId, 1),
      0
    )
    expect(Math.abs(rounded)).toBeLessThan(10 * trades)
  })

  it.each(seeds)("keeps a unit's wear and stickers whoever owns it (seed %i)", (seed) => {
    const chance = wildChance(200 + seed)
    let world = worldOf({ seed, accounts: 6, balance: 80_000 })
    for (let turn = 0; turn < 400; turn++)
      world = apply(world, wildCommand(chance, world), world.now + below(chance, minute)).world
    const owned = world.accounts.flatMap(({ inventory, listings }) => [...inventory, ...listings])
    const unique = owned.filter(({ item }) => !world.items[item]!.of.commodity)
    expect(unique.length).toBeGreaterThan(20)
    expect(new Set(unique.map(({ origin }) => origin)).size).toBe(unique.length)
    for (const { item, origin } of unique) {
      const { of } = world.items[item]!
      const band = exteriors.find(({ tag }) => tag === of.tags["Exterior"])
      const { properties } = detailsOf(world.seed, of, origin)
      const wear = properties.flatMap((one) => ("float_value" in one ? [Number(one.float_value)] : []))
      expect(wear).toHaveLength(band === undefined ? 0 : 1)
      for (const value of wear) {
        expect(value).toBeGreaterThanOrEqual(band!.from)
        expect(value).toBeLessThanOrEqual(band!.to)
      }
    }
  })
})

describe("what is bought", () => {
  it.each(seeds)("shows everywhere (seed %i)", (seed) => {
    const chance = wildChance(300 + seed)
    let world = worldOf({ seed, accounts: 4, currencies: [1, 3, 8, 23], balance: 400_000 })
    let bought = 0
    for (let turn = 0; turn < 60; turn++) {
      const account = below(chance, 4)
      const viewer = { account, currency: world.accounts[account]!.currency }
      const index = below(chance, world.items.length)
      const offer = offersOf(world, index, viewer)[0]
      if (offer === undefined || offer.mine) continue
      const { price, take } = offer.cost
      const before = world
      const amounts = { subtotal: take, fee: price - take, total: price, quantity: 1 }
      const { listing } = offer
      const command = { _tag: "BuyListing", listing, ...viewer, ...amounts, confirmation: "0" } as const
      const applied = apply(world, command, world.now)
      world = applied.world
      if (applied.reply._tag !== "Done") continue
      bought++
      const [was, is] = [before.items[index]!, world.items[index]!]
      const [poorer, richer] = [before.accounts[account]!, world.accounts[account]!]
      expect(poorer.balance - richer.balance).toBe(price)
      expect(richer.inventory.at(-1)).toMatchObject({
        item: index,
        origin: world.items[index]!.of.commodity ? "" : offer.asset
      })
      expect(richer.history.at(-1)).toMatchObject({ kind: "Bought", listing, price, take, item: index })
      expect(unitsOf(is.asks)).toBe(unitsOf(was.asks) - 1)
      expect(is.activity.at(-1)).toEqual([world.now, "Purchase", offer.ask.price, 1, account, -1])
      expect(lastDay(is, world.now).units).toBe(lastDay(was, world.now).units + 1)
      const sold = published(is).reduce((sum, [, , units]) => sum + units, 0)
      expect(sold).toBe(published(was).reduce((sum, [, , units]) => sum + units, 0) + 1)
      const asks = levelsOf(world, is, viewer.currency).asks.reduce((sum, { units }) => sum + units, 0)
      expect(asks).toBe(unitsOf(is.asks))
      const everything = {
        text: is.of.name,
        inDescriptions: false,
        tags: {},
        accessories: {},
        properties: []
      }
      const open = { currency: viewer.currency, least: undefined, most: undefined }
      const wanted = { app: is.of.app, ...everything, price: open }
      const found = findItems(world, wanted, viewer, "popular", "descending").find(
        (one) => one.index === index
      )
      expect(found?.sellOrders ?? 0).toBe(unitsOf(is.asks))
    }
    expect(bought).toBeGreaterThan(40)
  })
})

describe("time", () => {
  it.each(seeds)("may be looked at as often as one likes (seed %i)", (seed) => {
    const chance = wildChance(seed)
    let start = worldOf({ seed })
    // Orders of accounts stand in the books, so that wallets change while time passes.
    for (let turn = 0; turn < 60; turn++) start = apply(start, wildCommand(chance, start), start.now).world
    const end = startAt + 9 * hour
    let looked = start
    while (looked.now < end) {
      looked = advance(looked, Math.min(end, looked.now + Math.floor(uniform(chance) * 20 * minute))).world
    }
    const straight = advance(start, end)
    expect(looked).toEqual(straight.world)
    expect(straight.events.length).toBeGreaterThan(0)
  })

  it("never goes back", () => {
    const world = worldOf()
    expect(advance(world, startAt - hour).world).toBe(world)
  })

  it("leaves the worlds that it came from as they were, and survives JSON", () => {
    const world = worldOf()
    const before = JSON.stringify(world)
    const after = advance(world, startAt + 3 * hour).world
    expect(JSON.stringify(world)).toBe(before)
    const revived: World = JSON.parse(before) as World
    expect(JSON.stringify(advance(revived, startAt + 3 * hour).world)).toBe(JSON.stringify(after))
  })

  it("has the same fair prices and the same flow whoever trades", () => {
    const days = (world: World) => {
      const { items } = advance(world, startAt + 30 * hour).world
      return items.map(({ flow, price }) => [price, flow])
    }
    const market = new Market(worldOf())
    market.at(startAt + hour, {
      _tag: "CreateBuyOrder",
      account: 0,
      app: 730,
      name: "Glove Case",
      currency: 1,
      total: 6_000,
      quantity: 3,
      confirmation: "0"
    })
    market.world = advance(market.world, startAt + 2 * hour).world
    expect(market.account(0).history.length).toBeGreaterThan(0)
    expect(days(market.world)).toEqual(days(worldOf()))
  })

  it("is the same market for the same seed, another one for another", () => {
    expect(worldOf({ seed: 5 })).toEqual(worldOf({ seed: 5 }))
    expect(worldOf({ seed: 5 }).items[0]!.bids).not.toEqual(worldOf({ seed: 6 }).items[0]!.bids)
  })

  it("passes fast: thirty days of all items within seconds", () => {
    const world = worldOf()
    const began = performance.now()
    const after = advance(world, startAt + 30 * 24 * hour).world
    expect(performance.now() - began).toBeLessThan(10_000)
    const placed = after.items.reduce((sum, { seq }, index) => sum + seq - world.items[index]!.seq, 0)
    expect(placed).toBeGreaterThan(100_000)
  })
})
