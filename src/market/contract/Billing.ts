/**
 * Billing and wallet state (interface, Billing and wallet state). Sensitive: must not be logged.
 * Only `wallet_info` is needed to trade, so only it is required; what else is sent must still have its type.
 */
import { Schema } from "effect"

import { IntLike, mapOf, NumberLike } from "./Wire.ts"

/** Amounts are minor units of `wallet_currency`; numbers or strings. Rates are fractions. */
export const WalletInfo = Schema.Struct({
  success: Schema.Int,
  wallet_currency: IntLike,
  wallet_country: Schema.String,
  wallet_balance: IntLike,
  wallet_state: Schema.optionalKey(Schema.String),
  wallet_delayed_balance: Schema.optionalKey(IntLike),
  wallet_max_balance: Schema.optionalKey(IntLike),
  wallet_trade_max_balance: Schema.optionalKey(IntLike),
  wallet_market_minimum: Schema.optionalKey(IntLike),
  wallet_currency_increment: Schema.optionalKey(IntLike),
  wallet_fee: Schema.optionalKey(IntLike),
  wallet_fee_base: Schema.optionalKey(IntLike),
  wallet_fee_minimum: Schema.optionalKey(IntLike),
  wallet_fee_percent: Schema.optionalKey(NumberLike),
  wallet_publisher_fee_percent_default: Schema.optionalKey(NumberLike)
})
export type WalletInfo = typeof WalletInfo.Type

const BillingAddress = Schema.Struct({
  firstname: Schema.String,
  lastname: Schema.String,
  address1: Schema.String,
  address2: Schema.String,
  city: Schema.String,
  state: Schema.String,
  countrycode: Schema.String,
  postcode: Schema.String,
  phone: Schema.String
})

/** Entry of `billing_states`; an empty map means that no state is asked for. */
const BillingState = Schema.Struct({ state_code: Schema.String, state_name: Schema.String })

const CappedFee = Schema.Struct({ fee_rate: NumberLike, fee_cap: Schema.optionalKey(Schema.NullOr(IntLike)) })

export const TaxRate = Schema.Struct({
  success: Schema.Boolean,
  /** 1 when a tax on the market's fee is added. */
  tradefee_addtax: Schema.Int,
  /** Percent of the fee. */
  tradefee_taxrate: Schema.Finite,
  tax_region: Schema.NullOr(Schema.String)
})
export type TaxRate = typeof TaxRate.Type

export const BillingBody = Schema.Struct({
  wallet_info: WalletInfo,
  billing_address: Schema.optionalKey(Schema.NullOr(BillingAddress)),
  require_billing_info: Schema.optionalKey(Schema.Boolean),
  country_code: Schema.optionalKey(Schema.String),
  billing_states: Schema.optionalKey(Schema.Union([mapOf(BillingState), Schema.Array(BillingState)])),
  localized_country: Schema.optionalKey(Schema.String),
  account_name: Schema.optionalKey(Schema.String),
  ssa: Schema.optionalKey(
    Schema.Struct({ last_update: Schema.Int, latest_accepted: Schema.Boolean, eu_ssa: Schema.Boolean })
  ),
  /** 1 e-mail, 2 mobile authenticator. */
  confirmation_type: Schema.optionalKey(Schema.Int),
  tax_rate: Schema.optionalKey(Schema.NullOr(TaxRate)),
  platform_fee: Schema.optionalKey(CappedFee),
  publisher_fee: Schema.optionalKey(CappedFee)
})
export type BillingBody = typeof BillingBody.Type
