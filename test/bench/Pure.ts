/** Rows of what computes and waits for nothing: evaluating rules, inverting fees, the exchange's own market. */
import { readFileSync } from "node:fs"

import { Environment } from "@marcbachmann/cel-js"
import { Effect } from "effect"

import { buyerPays, defaultFees, sellerReceives } from "../../src/domain/Fee.ts"
import { money } from "../../src/domain/Money.ts"
import { advance } from "../../src/exchange/Advance.ts"
import { genesis } from "../../src/exchange/Genesis.ts"
import type { World } from "../../src/exchange/World.ts"
import { compiled, facts } from "../rules/support.ts"
import { median, nanosEach, row } from "./Measure.ts"

const rules = Effect.sync(() => {
  const strategy = compiled(readFileSync("strategies/spread-catcher.yaml", "utf8"), "spread-catcher.yaml")
  const known = facts()
  const held = new Map()
  const schedule = defaultFees(1)
  const enter = new Environment({ unlistedVariablesAreDyn: true })
    .registerFunction("sellerReceives(double): double", (ask: number) => sellerReceives(schedule, money(ask)))
    .parse("(sellerReceives(ask) - bid) / bid > margin && units < stock")
  const values = { ask: 1_300, bid: 1_000, margin: 0.06, units: 0, stock: 4 }
  if (enter(values) !== true || strategy.evaluate(known, held).decision.bid?._tag !== "Bid")
    throw new Error("the rule does not match")
  const [ours = 0, cel = 0] = nanosEach(
    () => strategy.evaluate(known, held),
    () => enter(values)
  )
  return row({
    name: "rules",
    value: 1e9 / ours,
    unit: "evaluations/s of spread-catcher's four rules, with their traces",
    against: { "one cel-js evaluation of `enter`, time": ours / cel }
  })
})

const fees = Effect.sync(() => {
  const schedule = defaultFees(1)
  let price = 3
  const next = () => money((price = price > 200_000 ? 3 : price + 7))
  const [inverse = 0, forward = 0] = nanosEach(
    () => sellerReceives(schedule, next()),
    () => buyerPays(schedule, next())
  )
  return row({
    name: "fee inversion",
    value: 1e9 / inverse,
    unit: "prices/s",
    against: { "buyerPays, time": inverse / forward }
  })
})

const hourMillis = 3_600_000
const startAt = 1_767_571_200_000

/** Orders that were put into any book so far. */
const ordersOf = ({ items }: World): number => items.reduce((sum, { seq }) => sum + seq, 0)

const marketDay = Effect.sync(() => {
  const days = [1, 2, 3].map((seed) => {
    const first = genesis({
      seed,
      startAt,
      currency: 1,
      currencies: [],
      balance: 10_000,
      accounts: 3,
      firstAccountHasItems: false,
      rules: { confirmPurchases: false, confirmationCreator: "asset" },
      recordings: new Map()
    })
    const began = performance.now()
    let world = first
    for (let hour = 1; hour <= 24; hour++) world = advance(world, startAt + hour * hourMillis).world
    return { seconds: (performance.now() - began) / 1_000, orders: ordersOf(world) - ordersOf(first) }
  })
  const seconds = median(days.map((day) => day.seconds))
  const perSecond = median(days.map((day) => day.orders / day.seconds))
  return row({
    name: "market day",
    value: seconds,
    unit: `s of wall for 24 h of the embedded market alone, ${Math.round(perSecond)} orders/s`,
    against: { "real time, faster": 86_400 / seconds }
  })
})

export const pureRows = { rules, "fee inversion": fees, "market day": marketDay }
