/**
 * The live log of a run: market time, item, what was seen, what was decided and why, what happened.
 * Invariant: it only reads; a slow terminal loses lines, never the engine its pace.
 */
import { Console, Effect, Stream } from "effect"

import { type CurrencyId, formatPrice } from "../../domain/Currency.ts"
import { money, sum } from "../../domain/Money.ts"
import { lotsCost, units } from "../../domain/Position.ts"
import { Activity } from "../../engine/Activity.ts"
import { numbers } from "../../engine/Beat.ts"
import type { Desk } from "../../engine/Desk.ts"
import { Journal, marketNow } from "../../engine/Journal.ts"
import { Store } from "../../store/Store.ts"
import { line, lineOf, problemOf, type Teller } from "./LiveLines.ts"

/** Lines of everything that happens on stdout; with `problemsOnly`, what a person should know on stderr. */
export const tell = Effect.fn("Live.tell")(function* (options: {
  readonly currency: CurrencyId
  readonly problemsOnly: boolean
}) {
  const activity = yield* Activity
  const teller: Teller = { currency: options.currency, intents: new Map() }
  yield* activity.happenings.pipe(
    Stream.runForEach((happening) => {
      const line = options.problemsOnly ? problemOf(happening) : lineOf(teller, happening)
      if (line === undefined) return Effect.void
      return options.problemsOnly ? Console.error(line) : Console.log(line)
    }),
    Effect.forkScoped({ startImmediately: true })
  )
})

/** Market time between two status lines. */
const statusEvery = "15 minutes"

/** Where we stand: wallet, stock, what is working, profit, requests. */
export const standing = Effect.fn("Live.standing")(function* (desk: Desk, currency: CurrencyId) {
  const journal = yield* Journal
  const { stamp } = yield* Store
  const state = yield* journal.state
  const held = Object.values(state.positions)
  const profit = sum(held.map((position) => position.realised))
  const { rateLimited, requests } = yield* numbers(desk)
  return [
    ...(stamp.mode === "dry-run" ? ["dry-run"] : []),
    `wallet ${formatPrice(state.ledger, currency)}`,
    `stock ${held.reduce((count, position) => count + units(position), 0)} (cost ${formatPrice(sum(held.map(lotsCost)), currency)})`,
    `${Object.keys(state.bids).length} bids and ${Object.keys(state.asks).length} listings working`,
    `profit ${profit < 0 ? "-" : "+"}${formatPrice(money(Math.abs(profit)), currency)}`,
    `${requests} requests${rateLimited === 0 ? "" : `, ${rateLimited} too fast`}`
  ].join(" · ")
})

/** The same as a line of the live log, again and again. */
export const statusLines = Effect.fn("Live.statusLines")(function* (desk: Desk, currency: CurrencyId) {
  const status = Effect.gen(function* () {
    const text = yield* standing(desk, currency)
    yield* Console.log(line(yield* marketNow, "──", text))
  })
  return yield* Effect.forever(Effect.andThen(Effect.sleep(statusEvery), status))
})
