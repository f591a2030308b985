/** The wallet as the billing operation tells it; the billing address next to it is never read. */
import { Schema } from "effect"

import { CurrencyId } from "./Currency.ts"
import { FeeSchedule } from "./Fee.ts"
import { Money } from "./Money.ts"

export const Wallet = Schema.Struct({
  currency: CurrencyId,
  /** Spendable minor units. */
  balance: Money,
  /** Minor units on hold. */
  delayed: Money,
  /** Two letters. */
  country: Schema.String,
  fees: FeeSchedule
})
export type Wallet = typeof Wallet.Type
