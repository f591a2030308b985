/**
 * The registry of the operations that the contract covers: where they live, what they take and what they answer.
 * Used by `haggle call`, `haggle call --list` and `haggle contract check`; derived from the groups, so it cannot disagree.
 */
import { type Operation } from "../../domain/Operation.ts"
import { AccountGroup, billingShapes, myhistoryShapes, mylistingsShapes, pageQuery } from "./Account.ts"
import * as Confirmations from "./Confirmations.ts"
import { ListingsGroup, orderbookQuery, orderbookShapes } from "./Listings.ts"
import * as Mutations from "./Mutations.ts"
import { type Parameter, parameters } from "./Parameter.ts"
import {
  pricehistoryQuery,
  pricehistoryShapes,
  priceoverviewQuery,
  priceoverviewShapes,
  PricingGroup
} from "./Pricing.ts"
import { type Shapes } from "./Shape.ts"
import { signatureFields } from "./Wire.ts"

export interface OperationInfo {
  readonly operation: Operation
  readonly group: string
  readonly method: string
  /** Path with `:name` for path parameters. */
  readonly path: string
  readonly purpose: string
  /** Whether it changes something; such a request is sent once. */
  readonly mutation: boolean
  readonly parameters: ReadonlyArray<Parameter>
  readonly shapes: Shapes
}

interface Group {
  readonly identifier: string
  readonly endpoints: Readonly<Record<string, { readonly method: string; readonly path: string }>>
}

const info = (
  group: Group,
  operation: Operation,
  purpose: string,
  rest: {
    readonly parameters?: ReadonlyArray<Parameter>
    readonly shapes: Shapes
    readonly mutation?: boolean
  }
): OperationInfo => {
  const endpoint = group.endpoints[operation]
  if (endpoint === undefined) throw new Error(`no endpoint ${operation} in group ${group.identifier}`)
  return {
    operation,
    group: group.identifier,
    method: endpoint.method,
    path: endpoint.path,
    purpose,
    mutation: rest.mutation ?? false,
    parameters: rest.parameters ?? [],
    shapes: rest.shapes
  }
}

const query = (fields: Parameters<typeof parameters>[1]) => parameters("query", fields)
const form = (fields: Parameters<typeof parameters>[1]) => parameters("form", fields)
const path = (fields: Parameters<typeof parameters>[1]) => parameters("path", fields)

export const registry: ReadonlyArray<OperationInfo> = [
  info(ListingsGroup, "orderbook", "Compact order book of one item.", {
    parameters: query(orderbookQuery),
    shapes: orderbookShapes
  }),
  info(PricingGroup, "priceoverview", "Lowest ask, median and volume of the last 24 hours.", {
    parameters: query(priceoverviewQuery),
    shapes: priceoverviewShapes
  }),
  info(PricingGroup, "pricehistory", "Median price and volume over time.", {
    parameters: query(pricehistoryQuery),
    shapes: pricehistoryShapes
  }),
  info(AccountGroup, "billing", "Billing and wallet state; private.", { shapes: billingShapes }),
  info(AccountGroup, "mylistings", "Own listings and buy orders.", {
    parameters: query(pageQuery),
    shapes: mylistingsShapes
  }),
  info(AccountGroup, "myhistory", "Own history, newest first.", {
    parameters: query(pageQuery),
    shapes: myhistoryShapes
  }),
  info(Mutations.MutationsGroup, "buyorder-status", "How far a buy order is filled.", {
    parameters: query(Mutations.buyOrderForm),
    shapes: Mutations.buyOrderStatusShapes
  }),
  info(Mutations.MutationsGroup, "create-buyorder", "Place a buy order.", {
    parameters: form(Mutations.createBuyOrderForm),
    shapes: Mutations.createBuyOrderShapes,
    mutation: true
  }),
  info(Mutations.MutationsGroup, "cancel-buyorder", "Cancel a buy order.", {
    parameters: form(Mutations.buyOrderForm),
    shapes: Mutations.cancelBuyOrderShapes,
    mutation: true
  }),
  info(Mutations.MutationsGroup, "sellitem", "Stage a sell listing.", {
    parameters: form(Mutations.sellItemForm),
    shapes: Mutations.sellItemShapes,
    mutation: true
  }),
  info(Mutations.MutationsGroup, "removelisting", "Remove a sell listing, staged or live.", {
    parameters: [...path(Mutations.removelistingPath), ...form(Mutations.sessionForm)],
    shapes: Mutations.removeListingShapes,
    mutation: true
  }),
  info(Confirmations.ConfirmationsGroup, "confirmations", "What waits for confirmation.", {
    parameters: query(signatureFields),
    shapes: Confirmations.confirmationsShapes
  }),
  info(Confirmations.ConfirmationsGroup, "confirmation-details", "Details of one confirmation.", {
    parameters: [...path(Confirmations.detailsPath), ...query(signatureFields)],
    shapes: Confirmations.confirmationDetailsShapes
  }),
  info(Confirmations.ConfirmationsGroup, "confirmation-op", "Allow or cancel one confirmation.", {
    parameters: query(Confirmations.operationQuery),
    shapes: Confirmations.confirmationOpShapes,
    mutation: true
  })
]

const byName: ReadonlyMap<string, OperationInfo> = new Map(registry.map((one) => [one.operation, one]))

/** The operation of that name, or undefined when it is unknown or not covered yet. */
export const operationInfo = (name: string): OperationInfo | undefined => byName.get(name)
