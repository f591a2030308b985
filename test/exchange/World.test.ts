import { describe, expect, it } from "vitest"

import { advance } from "../../src/exchange/Advance.ts"
import { apply } from "../../src/exchange/Apply.ts"
import { below, uniform } from "../../src/exchange/Chance.ts"
import { background, type World } from "../../src/exchange/World.ts"
import { hour, minute, startAt, wildChance, wildCommand, worldOf } from "./Fixture.ts"

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
    for (const owner of [background, 0, 1, 2]) {
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
    for (let turn = 0; turn < 600; turn++) {
      const applied = apply(world, wildCommand(chance, world), world.now + below(chance, 8 * minute))
      world = applied.world
      if (applied.changed) changed++
      for (const { now, starter } of funds(world)) expect(now).toBe(starter)
      expect(units(world)).toBe(world.totals.starterUnits + world.totals.minted - world.totals.retired)
      for (const { balance } of world.accounts) expect(balance).toBeGreaterThanOrEqual(0)
      if (turn % 10 === 0) {
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
