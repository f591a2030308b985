/** A small run whose figures can be reckoned with a pencil: two items, four days, one winner, one loser, one unit left. */
import type { BacktestResult, ItemResult, OrderOutcome, Trade } from "../../src/backtest/Result.ts"
import type { Millis } from "../../src/domain/Ids.ts"
import { item, type ItemKey, itemKey } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"

export const hour = 3_600_000
/** Monday 2026-01-05 00:00 UTC. */
export const monday = 1_767_571_200_000
export const glove: ItemKey = itemKey(item(730, "Glove Case"))
export const crate: ItemKey = itemKey(item(440, "Quiet <Hours> & Crate"))

export const at = (hours: number): Millis => (monday + hours * hour) as Millis
const by = (rule: string) => ({ strategy: "spread", rule })

const trade = (
  hours: number,
  side: "Buy" | "Sell",
  key: ItemKey,
  units: number,
  amount: number,
  closed?: Trade["closed"]
): Trade => ({
  id: `${side}-${hours}`,
  intent: `intent-${hours}`,
  item: key,
  side,
  at: at(hours),
  units,
  amount: money(amount),
  fee: money(side === "Buy" ? 0 : 15 * units),
  bookAgeMillis: 60_000,
  closed,
  ...by(side === "Buy" ? "enter" : "exit")
})

const order = (
  hours: number,
  kind: OrderOutcome["kind"],
  key: ItemKey,
  units: number,
  filled: number
): OrderOutcome => ({
  intent: `intent-${hours}`,
  item: key,
  kind,
  at: at(hours),
  price: money(kind === "Bid" ? 100 : 150),
  units,
  filled,
  ahead: 3,
  bookAgeMillis: 0,
  because: "edge 20 %",
  end: filled === units ? "Filled" : "Open",
  endedAt: filled === units ? at(hours + 1) : undefined,
  ...by(kind === "Bid" ? "enter" : "exit")
})

const itemResult = (key: ItemKey, of: Partial<ItemResult>): ItemResult => ({
  item: key,
  books: 96,
  from: at(0),
  to: at(96),
  longestGapMillis: hour,
  unitsBought: 0,
  unitsSold: 0,
  realised: money(0),
  fees: money(0),
  unitsHeld: 0,
  costHeld: money(0),
  worthHeld: money(0),
  prices: Array.from({ length: 97 }, (_, index) => ({
    at: at(index),
    bid: money(100 + (index % 7)),
    ask: index === 50 ? undefined : money(150 + (index % 5))
  })),
  ...of
})

const point = (hours: number, cash: number, stock: number, cost: number, committed = 0) => ({
  at: at(hours),
  cash: money(cash),
  stock: money(stock),
  cost: money(cost),
  committed: money(committed)
})

/** Glove: buys 3 for 300, sells 1 for 130 and 1 for 130. Crate: buys 1 for 200, sells it for 150. Ends 10 over 10,000, one unit held. */
export const small: BacktestResult = {
  version: 1,
  currency: 1,
  tapes: [{ file: "week.tape", market: "embedded", synthetic: undefined }],
  strategies: [
    {
      name: "spread",
      file: "strategies/spread.yaml",
      revision: "0123abcd",
      params: { margin: "6%", stock: "4" },
      items: 2
    }
  ],
  settings: {
    balance: money(10_000),
    pessimism: 0.3,
    latencyMillis: 500,
    listingDelayMillis: 30_000,
    warmUpMillis: 0
  },
  from: at(0),
  to: at(96),
  books: 192,
  items: [
    itemResult(glove, {
      unitsBought: 3,
      unitsSold: 2,
      realised: money(60),
      fees: money(30),
      unitsHeld: 1,
      costHeld: money(100),
      worthHeld: money(125)
    }),
    itemResult(crate, { unitsBought: 1, unitsSold: 1, realised: money(-50), fees: money(15) })
  ],
  orders: [
    order(1, "Bid", glove, 4, 3),
    order(2, "Bid", crate, 1, 1),
    order(30, "Listing", glove, 1, 1),
    order(50, "Listing", glove, 1, 1),
    order(52, "Listing", crate, 1, 1),
    order(60, "Listing", glove, 1, 0)
  ],
  trades: [
    trade(6, "Buy", glove, 3, 300),
    trade(8, "Buy", crate, 1, 200),
    trade(36, "Sell", glove, 1, 130, { cost: money(100), profit: money(30), heldMillis: 30 * hour }),
    trade(54, "Sell", glove, 1, 130, { cost: money(100), profit: money(30), heldMillis: 48 * hour }),
    trade(56, "Sell", crate, 1, 150, { cost: money(200), profit: money(-50), heldMillis: 48 * hour })
  ],
  refusals: [
    {
      at: at(9),
      item: glove,
      side: "bid",
      code: "SpendPerDay",
      message: "the day's money is spent",
      ...by("enter")
    }
  ],
  equity: [
    point(0, 10_000, 0, 0, 500),
    point(6, 9_700, 330, 300, 200),
    point(8, 9_500, 500, 500),
    point(36, 9_630, 330, 400),
    point(56, 9_910, 120, 100),
    point(96, 9_910, 125, 100)
  ],
  digest: "00"
}
