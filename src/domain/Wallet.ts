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
  /** The most that a listing or a buy order may cost per unit, where the market tells. */
  tradeMaximum: Schema.optionalKey(Money),
  fees: FeeSchedule
})
export type Wallet = typeof Wallet.Type
