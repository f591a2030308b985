/**
 * Billing and wallet state (interface, Billing and wallet state). Sensitive: must not be logged.
 * Only `wallet_info` is needed to trade, so only it is required; what else is sent must still have its type.
 */
import { Schema } from "effect"

import { expected, field, optional } from "./Field.ts"
import { IntLike, mapOf, NumberLike } from "./Wire.ts"

/** Amounts are minor units of `wallet_currency`; numbers or strings. Rates are fractions. */
export const WalletInfo = Schema.Struct({
  success: field(Schema.Int, "1 when the wallet could be read."),
  wallet_currency: field(IntLike, "Currency id."),
  wallet_country: field(Schema.String, "Two letters."),
  wallet_balance: field(IntLike, "Spendable minor units, as a string."),
  wallet_state: optional(Schema.String, "State of the country, empty for most."),
  wallet_delayed_balance: optional(IntLike, "Minor units on hold."),
  wallet_max_balance: optional(IntLike, "The most that the wallet holds."),
  wallet_trade_max_balance: optional(IntLike, "The most that a listing may ask."),
  wallet_market_minimum: optional(IntLike, "Least price of a seller, minor units."),
  wallet_currency_increment: optional(IntLike, "Step of prices, minor units."),
  wallet_fee: optional(IntLike, "Whether a fee is taken."),
  wallet_fee_base: optional(IntLike, "Part of the fee that does not depend on the price, minor units."),
  wallet_fee_minimum: optional(IntLike, "Least fee, minor units."),
  wallet_fee_percent: optional(NumberLike, "Platform fee as a fraction."),
  wallet_publisher_fee_percent_default: optional(
    NumberLike,
    "Publisher fee as a fraction, unless an item tells another."
  ),
  rwgrsn: optional(Schema.Int, "Not shown.")
}).annotate({ identifier: "WalletInfo", description: "State of the wallet." })
export type WalletInfo = typeof WalletInfo.Type

const BillingAddress = Schema.Struct({
  firstname: field(Schema.String, "First name."),
  lastname: field(Schema.String, "Last name."),
  address1: field(Schema.String, "Street."),
  address2: field(Schema.String, "Street, second line."),
  city: field(Schema.String, "City."),
  state: field(Schema.String, "State."),
  countrycode: field(Schema.String, "Two letters."),
  postcode: field(Schema.String, "Postal code."),
  phone: field(Schema.String, "Telephone.")
}).annotate({ identifier: "BillingAddress", description: "Private; never read by the daemon." })

/** Entry of `billing_states`; an empty map means that no state is asked for. */
const BillingState = Schema.Struct({
  state_code: field(Schema.String, "Code of the state."),
  state_name: field(Schema.String, "Its name.")
}).annotate({ identifier: "BillingState", description: "A state that an address may name." })

const CappedFee = Schema.Struct({
  fee_rate: field(NumberLike, "The rate as a fraction."),
  fee_cap: optional(Schema.NullOr(IntLike), "The most that is taken, minor units.")
}).annotate({ identifier: "CappedFee", description: "A fee that may have a cap." })

export const TaxRate = Schema.Struct({
  success: field(Schema.Boolean, "Whether the rate is known."),
  tradefee_addtax: field(Schema.Int, "1 when a tax on the market's fee is added."),
  tradefee_taxrate: field(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
    "Percent of the fee."
  ),
  tax_region: field(Schema.NullOr(Schema.String), "Region that taxes.")
}).annotate({ identifier: "TaxRate", description: "Tax on the market's fee." })
export type TaxRate = typeof TaxRate.Type

export const BillingBody = Schema.Struct({
  wallet_info: field(WalletInfo, "State of the wallet."),
  billing_address: expected(Schema.NullOr(BillingAddress), "Private."),
  require_billing_info: expected(Schema.Boolean, "Whether an address must be given."),
  country_code: expected(Schema.String, "Two letters."),
  billing_states: expected(
    Schema.Union([mapOf(BillingState), Schema.Array(BillingState)]),
    "States to choose from; empty: none is asked for."
  ),
  localized_country: expected(Schema.String, "Name of the country."),
  account_name: expected(Schema.String, "Name of the account."),
  ssa: expected(
    Schema.Struct({
      last_update: field(Schema.Int, "Unix seconds of the newest agreement."),
      latest_accepted: field(Schema.Boolean, "Whether it is accepted."),
      eu_ssa: field(Schema.Boolean, "Whether it is the one of the European Union.")
    }),
    "The subscriber agreement."
  ),
  confirmation_type: expected(Schema.Int, "1 e-mail, 2 mobile authenticator."),
  tax_rate: expected(Schema.NullOr(TaxRate), "Tax on the market's fee."),
  platform_fee: optional(CappedFee, "Platform fee, where the operation is asked per application."),
  publisher_fee: optional(CappedFee, "Publisher fee, where the operation is asked per application.")
}).annotate({
  identifier: "Billing",
  description: "Billing and wallet state. Sensitive: must not be logged."
})
export type BillingBody = typeof BillingBody.Type
