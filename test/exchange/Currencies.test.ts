import { Option } from "effect"
import { describe, expect, it } from "vitest"

import { currencies, type CurrencyId, formatPrice, parsePrice } from "../../src/domain/Currency.ts"
import { buyerPays, defaultFees, validPrice } from "../../src/domain/Fee.ts"
import { money } from "../../src/domain/Money.ts"
import { levelsOf } from "../../src/exchange/Levels.ts"
import { offersOf } from "../../src/exchange/Offers.ts"
import { converted, exchanged, limitAs, limitIn, priceIn } from "../../src/exchange/Rates.ts"
import { itemIndex } from "../../src/exchange/World.ts"
import { Market, worldOf } from "./Fixture.ts"

const ids = currencies.map(({ id }) => id)
const name = "AK-47 | Copperline (Field-Tested)"

describe("rates", () => {
  it("are told for all forty currencies and convert there and back to the nearest step", () => {
    expect(ids).toHaveLength(40)
    for (const from of ids)
      for (const to of ids) {
        const amount = defaultFees(from).increment * 12_345
        const { increment } = defaultFees(to)
        const there = exchanged(amount, from, to)
        expect(there % increment).toBe(0)
        expect(Math.abs(there - converted(amount, from, to))).toBeLessThanOrEqual(increment / 2 + 1e-6)
        expect(limitIn(amount, from, to)).toBeLessThanOrEqual(converted(amount, from, to) + 1e-6)
      }
  })

  it("make valid prices with the fees of the currency", () => {
    for (const to of ids)
      for (const take of [1, 2, 17, 499, 12_345, 150_000]) {
        const fees = defaultFees(to)
        const { price, take: valid } = priceIn(take, 0.1, 1, to)
        expect(valid).toBe(validPrice(fees, valid))
        expect(price).toBe(buyerPays(fees, valid))
      }
  })
})

describe("the limit of an order", () => {
  it("lets in exactly the listings that are within it in its own currency", () => {
    for (const [from, to] of ids.flatMap((id) => [[id, 1] as const, [1, id] as const])) {
      const fees = defaultFees(to)
      for (const cents of [3, 8, 40, 1234, 99_999]) {
        const limit = exchanged(cents, 1, from)
        const bound = limitAs(limit, 0.1, from, to)
        for (const around of [0.9, 0.98, 0.99, 1, 1.01, 1.02, 1.1]) {
          const take = validPrice(fees, (bound / 1.15) * around)
          const isWithin = priceIn(take, 0.1, to, from).price <= limit
          expect(buyerPays(fees, take) <= bound, `${from} ${to} ${limit} ${take}`).toBe(isWithin)
        }
      }
    }
  })
})

describe.each(ids)("a wallet in currency %i", (currency: CurrencyId) => {
  const world = worldOf({ seed: 4, accounts: 3, currencies: [currency, 1, currency], balance: 300_000 })
  const index = itemIndex(world, 730, name)
  const wallets = (market: Market) => market.world.accounts.map(({ balance }) => balance)

  it("buys a listing for exactly the price that it is shown", () => {
    const market = new Market(world)
    const [offer] = offersOf(world, index, { account: 0, currency })
    const { price, take } = offer!.cost
    expect(levelsOf(world, world.items[index]!, currency).asks[0]?.price).toBe(price)
    expect(Option.getOrThrow(parsePrice(formatPrice(price, currency), currency))).toBe(price)
    const [before] = wallets(market)
    const buy = {
      _tag: "BuyListing",
      account: 0,
      listing: offer!.listing,
      currency,
      confirmation: "0"
    } as const
    const amounts = { subtotal: take, fee: price - take, total: price, quantity: 1 }
    expect(market.do({ ...buy, ...amounts, total: price + 1 })._tag).toBe("Refused")
    expect(market.do({ ...buy, ...amounts })).toEqual({ _tag: "Done" })
    expect(before! - wallets(market)[0]!).toBe(price)
  })

  it("places orders that never cost more than their limit, and lists for exactly what it then gets", () => {
    const market = new Market(world)
    const { increment } = defaultFees(currency)
    const [offer] = offersOf(world, index, { account: 0, currency })
    const limit = offer!.cost.price + increment
    const before = wallets(market)
    expect(market.buy(0, name, limit, 1)._tag).toBe("OrderPlaced")
    const paid = before[0]! - wallets(market)[0]!
    expect(paid).toBeLessThanOrEqual(limit)
    expect(paid).toBeGreaterThan(0)
    // Far below what anybody bids for, so that it is sold at once.
    const take = validPrice(defaultFees(currency), exchanged(1000, 1, currency))
    market.sell(2, name, take)
    expect(wallets(market)[2]! - before[2]!).toBe(take)
    expect(market.account(2).history.at(-1)).toMatchObject({ kind: "Sold", take })
  })

  it("trades with another wallet of its own at the listing's own price", () => {
    const market = new Market(world)
    const best = offersOf(world, index, { account: 0, currency })[0]!.cost
    const { increment } = defaultFees(currency)
    const take = money(best.take - increment * Math.max(1, Math.floor(best.take / increment / 50)))
    const listing = market.sell(2, name, take)
    const own = market.account(2).listings.find(({ id }) => id === listing)
    const [shown] = offersOf(market.world, index, { account: 0, currency })
    expect(shown).toMatchObject({ listing, cost: { take: own!.take, price: own!.price } })
    const before = wallets(market)
    const amounts = { subtotal: own!.take, fee: own!.price - own!.take, total: own!.price, quantity: 1 }
    const buy = { _tag: "BuyListing", account: 0, listing, currency, confirmation: "0" } as const
    expect(market.do({ ...buy, ...amounts })).toEqual({ _tag: "Done" })
    expect(wallets(market)[2]! - before[2]!).toBe(take)
    expect(before[0]! - wallets(market)[0]!).toBe(own!.price)
    expect(market.world.totals.funds[currency]?.exchanged).toBe(0)
  })
})

describe("a market of another currency", () => {
  it.each([3, 5, 8, 23, 38] as const)("opens, trades and conserves (currency %i)", (currency) => {
    const world = worldOf({ seed: 9, currency, currencies: [currency, 1, 8], balance: 5_000_000 })
    const market = new Market(world)
    const index = itemIndex(world, 730, name)
    for (const account of [0, 1, 2]) {
      const viewer = { account, currency: world.accounts[account]!.currency }
      const [offer] = offersOf(market.world, index, viewer)
      const { price, take } = offer!.cost
      const amounts = { subtotal: take, fee: price - take, total: price, quantity: 1 }
      const reply = market.do({
        _tag: "BuyListing",
        listing: offer!.listing,
        confirmation: "0",
        ...viewer,
        ...amounts
      })
      expect(reply).toEqual({ _tag: "Done" })
    }
    for (const [id, { exchanged: desk, fees, outside, starter }] of Object.entries(
      market.world.totals.funds
    )) {
      const held = market.world.accounts.filter((one) => String(one.currency) === id)
      expect(held.reduce((sum, { balance }) => sum + balance, 0) + desk + fees + outside).toBe(starter)
    }
  })
})
