/**
 * Forms of the mutations (interface, Mutations). Every field travels as a string; a market judges them, so their values are not
 * narrowed here.
 */
import { Schema } from "effect"

import { field, optional } from "./Field.ts"

const text = (description: string) => field(Schema.String, description)
const maybe = (description: string) => optional(Schema.String, description)

const sessionid = text("CSRF value; must equal the cookie of that name.")

/** Billing fields that a page sends along; a market works without them. */
const billing = {
  first_name: maybe("Billing: first name."),
  last_name: maybe("Billing: last name."),
  billing_address: maybe("Billing: street."),
  billing_address_two: maybe("Billing: street, second line."),
  billing_country: maybe("Billing: two letters; a country that contradicts the caller's address fails."),
  billing_city: maybe("Billing: city."),
  billing_state: maybe("Billing: state."),
  billing_postal_code: maybe("Billing: postal code."),
  save_my_address: maybe("1 keeps the address.")
} as const

const confirmation = maybe("Id of the allowed confirmation; 0 before there is one.")

export const sessionForm = { sessionid } as const

/** Subtotal, fee and currency are read from the listing's row, not computed. */
export const buyListingForm = {
  sessionid,
  currency: text("Currency id; must be the listing's."),
  subtotal: text("Seller's take per unit, minor units."),
  fee: text("Combined platform and publisher fee per unit, minor units."),
  total: text("Subtotal and fee, and tax where there is one, minor units."),
  quantity: text("Units; 1 for items that are no commodity."),
  tradefee_tax: maybe("Tax on the fee, minor units."),
  confirmation,
  ...billing
} as const

/** `price_total` is unit price × quantity in minor units, without tax. */
export const createBuyOrderForm = {
  sessionid,
  currency: text("Currency id of the wallet."),
  appid: text("Application id."),
  market_hash_name: text("Locale-independent hash name."),
  price_total: text("Unit price times quantity, minor units, without tax."),
  quantity: text("Units wanted."),
  tradefee_tax: maybe("Tax on the fee part of the total, minor units."),
  confirmation,
  ...billing
} as const

/** `price` is what the seller gets per unit, minor units of the wallet's currency. */
export const sellItemForm = {
  sessionid,
  appid: text("Application id."),
  contextid: text("Context of the application's inventory."),
  assetid: text("Asset id."),
  amount: text("Units."),
  price: text("What the seller gets per unit, minor units of the wallet's currency.")
} as const

export const buyOrderForm = { sessionid, buy_orderid: text("Id of the buy order.") } as const

export const removelistingPath = { listingid: text("Listing id.") } as const
