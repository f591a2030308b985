/**
 * The last word of a run: everything is settled by reads, and the ledger and lots are held against what the market says.
 */
import { Duration, Effect } from "effect"

import { countedFrom, type State } from "../domain/State.ts"
import { Market } from "../market/Market.ts"
import { accountPass } from "./Account.ts"
import type { Desk } from "./Desk.ts"
import { Journal } from "./Journal.ts"
import { unsettled } from "./Recover.ts"

/** How often, and how far apart, the market is read again until nothing is in flight and the ledger equals the wallet. */
export interface AuditPatience {
  readonly tries: number
  readonly restMillis: number
}
/** A person waits for a live daemon to stop; virtual time costs nothing. */
export const patience = {
  live: { tries: 3, restMillis: 1_000 },
  embedded: { tries: 30, restMillis: 5_000 }
} satisfies Record<string, AuditPatience>

export interface Audit {
  readonly state: State
  /** Wallet on the market, funds on hold included, minor units. */
  readonly wallet: number
  /** Units that we held when the process began and what the market's own history says was bought and sold since. */
  readonly units: number
  readonly unsettled: number
}

/** Fails only when the market could not be read as often as patience allows. */
export const audit = Effect.fn("Audit.audit")(function* (desk: Desk, { restMillis, tries }: AuditPatience) {
  const journal = yield* Journal
  const look = Effect.gen(function* () {
    yield* accountPass(desk, { history: true, wallet: true, list: true })
    const state = yield* journal.state
    const { wallet } = desk.view
    const balance = wallet._tag === "Seen" ? wallet.value.balance + wallet.value.delayed : 0
    const result: Audit = {
      state,
      wallet: balance,
      units: yield* unitsOnMarket(desk, state),
      unsettled: unsettled(state)
    }
    return result
  })
  for (let attempt = 1; ; attempt++) {
    const last = attempt >= tries
    const found = yield* last ? look : Effect.catchTag(look, "MarketError", () => Effect.succeed(undefined))
    if (found !== undefined && (last || (found.unsettled === 0 && found.wallet === found.state.ledger)))
      return found
    yield* Effect.sleep(Duration.millis(restMillis))
  }
})

/** Counts from the market's rows, not from our events; what the owner traded by hand is left out. */
const unitsOnMarket = Effect.fnUntraced(function* ({ baseline }: Desk, state: State) {
  const market = yield* Market
  const byHand = new Set(state.byHand)
  const since = countedFrom(state) ?? 0
  const { fills } = yield* market.ownHistory((id, at) => at < since || baseline.known.has(id))
  return fills
    .filter((fill) => fill.at >= since && !baseline.known.has(fill.id) && !byHand.has(fill.id))
    .reduce((units, fill) => units + (fill.side === "Buy" ? fill.units : -fill.units), baseline.units)
})
