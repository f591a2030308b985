/** What trading needs to know of the billing operation's answer: the wallet and the tax on fees. The address is never read. */
import { Option, Schema } from "effect"

import { CurrencyId } from "../domain/Currency.ts"
import { sellerReceives } from "../domain/Fee.ts"
import { type Money, money, zero } from "../domain/Money.ts"
import { type Wallet } from "../domain/Wallet.ts"
import { type TaxRate, type WalletInfo } from "./contract/Billing.ts"
import { type IntLike, numberOf } from "./contract/Wire.ts"

export interface Account {
  readonly wallet: Wallet
  /** Percent that is added to the fee part of a purchase; 0 for most wallets. */
  readonly feeTaxPercent: number
}

export const asCurrency = Schema.decodeUnknownOption(CurrencyId)

/** Rates and floor that hold where the wallet does not tell its own. */
const usual = { platformRate: 0.05, publisherRate: 0.1, floor: 1, increment: 1 } as const

/** None when the wallet's currency is not one of the interface's. */
export const accountOf = (wallet: WalletInfo, tax: TaxRate | null | undefined): Option.Option<Account> =>
  Option.map(asCurrency(numberOf(wallet.wallet_currency)), (currency) => ({
    wallet: {
      currency,
      balance: money(numberOf(wallet.wallet_balance)),
      delayed: money(orElse(wallet.wallet_delayed_balance, 0)),
      country: wallet.wallet_country,
      ...(wallet.wallet_trade_max_balance === undefined
        ? {}
        : { tradeMaximum: money(numberOf(wallet.wallet_trade_max_balance)) }),
      fees: {
        platformRate: orElse(wallet.wallet_fee_percent, usual.platformRate),
        publisherRate: orElse(wallet.wallet_publisher_fee_percent_default, usual.publisherRate),
        floor: money(orElse(wallet.wallet_market_minimum ?? wallet.wallet_fee_minimum, usual.floor)),
        increment: Math.max(1, orElse(wallet.wallet_currency_increment, usual.increment))
      }
    },
    feeTaxPercent: tax !== null && tax !== undefined && tax.tradefee_addtax !== 0 ? tax.tradefee_taxrate : 0
  }))

const orElse = (value: IntLike | undefined, other: number): number =>
  value === undefined ? other : numberOf(value)

/** The tax on the fee part of a purchase's whole total, minor units, halves up. */
export const tradeFeeTax = ({ feeTaxPercent, wallet }: Account, total: Money): Money => {
  if (feeTaxPercent === 0) return zero
  const fee = total - sellerReceives(wallet.fees, total)
  return money(Math.floor((feeTaxPercent * fee) / 100 + 0.5))
}
