/**
 * The interface as one HttpApi: client, embedded market and OpenAPI are derived from it. Groups are those of the document;
 * an endpoint's identifier is the operation's name.
 */
import { HttpApi, OpenApi } from "effect/http-api"

import { AccountGroup } from "./Account.ts"
import { ConfirmationsGroup } from "./Confirmations.ts"
import { DiscoveryGroup } from "./Discovery.ts"
import { ListingsGroup } from "./Listings.ts"
import { MutationsGroup } from "./Mutations.ts"
import { PricingGroup } from "./Pricing.ts"

export class MarketApi extends HttpApi.make("market")
  .add(DiscoveryGroup, ListingsGroup, PricingGroup, AccountGroup, MutationsGroup, ConfirmationsGroup)
  .annotateMerge(OpenApi.annotations({ title: "Community market", version: "1.0.0" })) {}
