/** The last word of a run: what was asked, decided, traded and earned, and that both sides' books agree. Amounts in minor units. */
import type { CurrencyId } from "../../domain/Currency.ts"
import { sellerReceives, type FeeSchedule } from "../../domain/Fee.ts"
import type { ItemKey } from "../../domain/Item.ts"
import { type Money, money, subtract, sum, times } from "../../domain/Money.ts"
import { bestBid } from "../../domain/OrderBook.ts"
import { lotsCost, units } from "../../domain/Position.ts"
import type { State } from "../../domain/State.ts"
import type { Audit } from "../../engine/Audit.ts"
import type { View } from "../../engine/Observe.ts"
import { amount } from "./Format.ts"
import { fields } from "./Table.ts"

export interface Run {
  readonly mode: "embedded" | "dry-run" | "live"
  readonly seed: number | undefined
  readonly marketMillis: number
  readonly wallMillis: number
  readonly numbers: {
    readonly requests: number
    readonly rateLimited: number
    readonly polls: number
    readonly evaluations: number
  }
  /** Wallet and units are undefined when the market was not read at the end. */
  readonly audit: Omit<Audit, "wallet" | "units"> & {
    readonly wallet: number | undefined
    readonly units: number | undefined
  }
  readonly view: View
  readonly journalHash: string
}

export const summarise = (run: Run) => {
  const { audit, numbers } = run
  const { counters, positions } = audit.state
  const held = Object.values(positions)
  const fees = run.view.wallet._tag === "Seen" ? run.view.wallet.value.fees : undefined
  return {
    mode: run.mode,
    marketSeconds: Math.round(run.marketMillis / 1_000),
    wallSeconds: Math.round(run.wallMillis / 100) / 10,
    ...(run.seed === undefined ? {} : { seed: run.seed }),
    requests: numbers.requests,
    rateLimited: numbers.rateLimited,
    polls: numbers.polls,
    evaluations: numbers.evaluations,
    intents: {
      recorded: counters.recorded,
      accepted: counters.accepted,
      refused: counters.refused,
      unknown: counters.unknown,
      unsettled: audit.unsettled
    },
    buyOrders: {
      placed: counters.placed,
      cancelled: counters.cancelled,
      outright: counters.boughtOutright,
      unitsBought: counters.unitsBought
    },
    listings: {
      created: counters.created,
      confirmed: counters.confirmed,
      sold: counters.sold,
      removed: counters.removed
    },
    pnl: {
      realised: sum(held.map((position) => position.realised)),
      unrealised: fees === undefined ? 0 : unrealised(audit.state, run.view, fees),
      fees: sum(held.map((position) => position.fees))
    },
    wallet: { ledger: audit.state.ledger, market: audit.wallet ?? null },
    inventory: {
      lots: held.reduce((count, position) => count + units(position), 0),
      market: audit.units ?? null
    },
    journalHash: run.journalHash
  }
}
export type Summary = ReturnType<typeof summarise>

/** What the stock would bring if it were sold to the best bids now, after fees, less its cost; items without a bid count as their cost. */
const unrealised = (state: State, view: View, fees: FeeSchedule): Money =>
  sum(
    Object.entries(state.positions).map(([key, position]) => {
      const book = view.books.get(key as ItemKey)
      const bid = book?._tag === "Seen" ? bestBid(book.value) : undefined
      return bid === undefined
        ? money(0)
        : subtract(times(sellerReceives(fees, bid), units(position)), lotsCost(position))
    })
  )

/** True when nothing is open and both sides' books agree, as far as the market was read. */
export const isEven = (summary: Summary): boolean =>
  (summary.wallet.market ?? summary.wallet.ledger) === summary.wallet.ledger &&
  (summary.inventory.market ?? summary.inventory.lots) === summary.inventory.lots &&
  summary.intents.unsettled === 0

const notRead = "the market was not read again"

export const summaryText = (summary: Summary, currency: CurrencyId | undefined): string => {
  const { buyOrders, intents, inventory, listings, pnl, wallet } = summary
  const show = (minor: number) => amount(money(minor), currency)
  const signed = (minor: number) => (minor < 0 ? `-${show(-minor)}` : `+${show(minor)}`)
  const hours = (summary.marketSeconds / 3_600).toFixed(1)
  return fields([
    ["run", `${summary.mode}, ${hours} h of market time in ${summary.wallSeconds} s`],
    [
      "market",
      `${summary.requests} requests, ${summary.rateLimited} too fast; ${summary.polls} polls, ${summary.evaluations} rule evaluations`
    ],
    [
      "intents",
      `${intents.recorded} recorded, ${intents.accepted} accepted, ${intents.refused} refused, ${intents.unsettled} unsettled`
    ],
    [
      "buy orders",
      `${buyOrders.placed} placed, ${buyOrders.cancelled} cancelled; ${buyOrders.outright} listings bought outright; ${buyOrders.unitsBought} units bought`
    ],
    [
      "listings",
      `${listings.created} created, ${listings.confirmed} confirmed, ${listings.removed} removed; ${listings.sold} sold`
    ],
    [
      "profit",
      `${signed(pnl.realised)} realised, ${signed(pnl.unrealised)} unrealised, ${show(pnl.fees)} market fees inside the prices`
    ],
    [
      "wallet",
      `${show(wallet.ledger)} by our ledger, ${wallet.market === null ? notRead : `${show(wallet.market)} by the market`}`
    ],
    [
      "stock",
      `${inventory.lots} units by our lots, ${inventory.market === null ? notRead : `${inventory.market} by the market`}`
    ],
    ["journal", summary.journalHash]
  ])
}
