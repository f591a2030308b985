/**
 * The last word of a run: everything is settled by reads, and the ledger and lots are held against what the market says.
 */
import { Duration, Effect } from "effect"

import { itemKey } from "../domain/Item.ts"
import type { State } from "../domain/State.ts"
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
  /** Units of our items by the market's own history since the ledger was opened: bought minus sold. */
  readonly units: number
  readonly unsettled: number
}

export const audit = Effect.fn("Audit.audit")(function* (desk: Desk, { restMillis, tries }: AuditPatience) {
  const journal = yield* Journal
  for (let attempt = 1; ; attempt++) {
    yield* accountPass(desk, { full: true })
    const state = yield* journal.state
    const { wallet } = desk.view
    const balance = wallet._tag === "Seen" ? wallet.value.balance + wallet.value.delayed : 0
    const open = unsettled(state)
    if ((open === 0 && balance === state.ledger) || attempt === tries) {
      const result: Audit = { state, wallet: balance, units: yield* unitsOnMarket(state), unsettled: open }
      return result
    }
    yield* Effect.sleep(Duration.millis(restMillis))
  }
})

const unitsOnMarket = Effect.fnUntraced(function* (state: State) {
  const market = yield* Market
  const { fills } = yield* market.ownHistory(() => false)
  const since = state.openedAt ?? 0
  return fills
    .filter((fill) => fill.at >= since && state.positions[itemKey(fill.item)] !== undefined)
    .reduce((units, fill) => units + (fill.side === "Buy" ? fill.units : -fill.units), 0)
})
