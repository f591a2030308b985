/** The wallet of an account as billing, purchases and pages tell it. Invariant: amounts are strings of minor units of its own currency. */
import { defaultFees } from "../../domain/Fee.ts"
import { type WalletInfo } from "../../market/contract/Billing.ts"
import { maximumBalance, maximumPrice } from "../Rates.ts"
import { type Account } from "../World.ts"

export const country = "US"
/** The only language in which the market writes. */
export const language = "english"

export const walletInfo = ({ balance, currency }: Account) => {
  const fees = defaultFees(currency)
  return {
    success: 1,
    wallet_currency: currency,
    wallet_country: country,
    wallet_state: "",
    wallet_fee: "1",
    wallet_fee_minimum: String(fees.floor),
    wallet_fee_percent: String(fees.platformRate),
    wallet_publisher_fee_percent_default: String(fees.publisherRate),
    wallet_fee_base: "0",
    wallet_balance: String(balance),
    wallet_delayed_balance: "0",
    wallet_max_balance: String(maximumBalance(currency)),
    wallet_trade_max_balance: String(maximumPrice(currency)),
    wallet_market_minimum: String(fees.floor),
    wallet_currency_increment: String(fees.increment)
  } as const satisfies WalletInfo
}
