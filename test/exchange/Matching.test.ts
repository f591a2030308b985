import { describe, expect, it } from "vitest"

import { background } from "../../src/exchange/World.ts"
import { Market, quietWorld } from "./Fixture.ts"

const name = "Glove Case"

describe("a book of price-time priority", () => {
  it("fills the highest bid first, and the oldest among equals", () => {
    const market = new Market(quietWorld())
    market.buy(0, name, 1000, 1)
    market.buy(1, name, 1100, 1)
    market.buy(2, name, 1100, 1)
    // Sellers are the buyers' rivals; account 0 sells twice at what 1000 would pay too.
    market.sell(0, name, 800)
    expect(market.account(1).history.at(-1)).toMatchObject({ kind: "Bought", price: 920 })
    expect(market.account(2).history).toHaveLength(0)
    market.sell(0, name, 800)
    expect(market.account(2).history.at(-1)).toMatchObject({ kind: "Bought", price: 920 })
  })

  it("fills the lowest listing first, and the oldest among equals", () => {
    const market = new Market(quietWorld())
    const dear = market.sell(0, name, 900)
    const first = market.sell(1, name, 800)
    const second = market.sell(2, name, 800)
    market.buy(0, name, 1200, 2)
    expect(
      market
        .account(0)
        .history.map(({ listing }) => listing)
        .slice(-2)
    ).toEqual([first, second])
    expect(market.account(0).listings.map(({ id }) => id)).toEqual([dear])
  })

  it("trades at the listing's price, also for a buyer who offered more, and whoever came first", () => {
    const market = new Market(quietWorld())
    market.buy(1, name, 1500, 1)
    market.sell(2, name, 1000)
    market.sell(2, name, 1000)
    market.buy(1, name, 1500, 1)
    expect(market.account(1).history.map(({ kind, price, take }) => ({ kind, price, take }))).toEqual([
      { kind: "Bought", price: 1150, take: 1000 },
      { kind: "Bought", price: 1150, take: 1000 }
    ])
    expect(market.account(1).balance).toBe(100_000 - 2 * 1150)
    expect(market.account(2).balance).toBe(100_000 + 2 * 1000)
    expect(market.world.totals.funds[1]!.fees).toBe(300)
  })

  it("keeps an account from trading with itself and lets others pass", () => {
    const market = new Market(quietWorld())
    market.sell(1, name, 1000)
    market.buy(1, name, 1300, 1)
    expect(market.account(1).orders).toHaveLength(1)
    market.buy(2, name, 1200, 1)
    expect(market.account(2).history.at(-1)).toMatchObject({ kind: "Bought", price: 1150 })
    market.sell(0, name, 1000)
    expect(market.account(1).orders).toHaveLength(0)
  })

  it("ends the order of a buyer who can no longer pay and goes on to the next one", () => {
    const market = new Market(quietWorld({ balance: 1000 }))
    market.buy(0, name, 1100, 2)
    market.buy(1, name, 1050, 1)
    market.sell(2, name, 900)
    expect(market.account(0).orders).toHaveLength(0)
    expect(market.account(0).ended.at(-1)).toMatchObject({ state: "OutOfFunds", remaining: 2 })
    expect(market.account(0).balance).toBe(1000)
    expect(market.account(1).history.at(-1)).toMatchObject({ kind: "Bought", price: 1035 })
    expect(market.world.items[0]!.bids).toHaveLength(0)
  })

  it("fills what the wallet affords of a large order before it ends", () => {
    const market = new Market(quietWorld({ balance: 2500 }))
    market.buy(0, name, 1150, 5)
    for (let unit = 0; unit < 3; unit++) market.sell(1, name, 1000)
    expect(market.account(0).balance).toBe(200)
    expect(market.account(0).ended.at(-1)).toMatchObject({ state: "OutOfFunds", remaining: 3 })
    expect(market.account(1).listings).toHaveLength(1)
  })

  it("sells to the background as to anyone", () => {
    const world = quietWorld()
    const bid = { seq: 1, price: 1200, take: 0, units: 3, account: background, ref: "", at: 0 }
    const market = new Market({
      ...world,
      items: world.items.with(0, { ...world.items[0]!, bids: [bid] })
    })
    market.sell(1, name, 1000)
    expect(market.account(1).balance).toBe(101_000)
    expect(market.world.items[0]!.bids).toEqual([{ ...bid, units: 2 }])
    expect(market.world.totals.retired).toBe(1)
    expect(market.world.totals.funds[1]).toMatchObject({ fees: 150, outside: -1150, exchanged: 0 })
  })
})
