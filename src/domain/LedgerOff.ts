/** A lasting difference between ledger and wallet, and what may be behind it. StateLedger says when. */
import { Schema } from "effect"

import { Millis } from "./Ids.ts"
import { Money } from "./Money.ts"

export const LedgerOff = Schema.Struct({
  since: Millis,
  /** Wallet less ledger, minor units. */
  difference: Money,
  /** Item key; the whole account without. */
  item: Schema.optionalKey(Schema.String)
})
export type LedgerOff = typeof LedgerOff.Type

/** What left the market without an explanation: an order gone with units unbought, a listing gone without a sale. */
export const Vanished = Schema.Struct({
  at: Millis,
  item: Schema.String,
  side: Schema.Literals(["bid", "ask"]),
  /** What it may have cost or brought, minor units. */
  amount: Money
})
export type Vanished = typeof Vanished.Type
