/**
 * Group Account: eligibility, wallet, own listings, own history. Without a session everything here is sent to the login page.
 * Invariant: the eligibility check leads to places of this market only.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

import { type BillingBody } from "../../market/contract/Billing.ts"
import { MarketApi } from "../../market/contract/MarketApi.ts"
import { type Account } from "../World.ts"
import { myHistory, myListings } from "./OwnAnswers.ts"
import { accountOf, asked, eligibilityCookie, toLogin } from "./Request.ts"
import { seconds } from "./Rows.ts"
import { country, walletInfo } from "./WalletRows.ts"

const billingOf = (account: Account): BillingBody => ({
  billing_address: {
    firstname: "",
    lastname: "",
    address1: "",
    address2: "",
    city: "",
    state: "",
    countrycode: country,
    postcode: "",
    phone: ""
  },
  require_billing_info: false,
  country_code: country,
  billing_states: {},
  localized_country: "United States",
  wallet_info: walletInfo(account),
  account_name: account.name,
  ssa: { last_update: 0, latest_accepted: true, eu_ssa: false },
  confirmation_type: 2,
  tax_rate: { success: true, tradefee_addtax: 0, tradefee_taxrate: 0, tax_region: "" }
})

/** How long an answer of the check is good. */
const eligibleSeconds = 86_400

const eligibility = (now: number): string => {
  const at = seconds(now)
  return encodeURIComponent(
    JSON.stringify({
      allowed: 1,
      reason: 0,
      allowed_at_time: 0,
      guard_required_days: 15,
      new_device_cooldown_days: 0,
      time_checked: at,
      expiration: at + eligibleSeconds
    })
  )
}

/** A path of this market; anything else leads to its front page. */
const localPath = (goto: string): string => {
  const path = goto.startsWith("/") ? goto : `/${goto}`
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : "/market/"
}

export const AccountHandlers = HttpApiBuilder.group(
  MarketApi,
  "account",
  Effect.fnUntraced(function* (handlers) {
    return handlers.handleAll({
      eligibility: Effect.fnUntraced(function* ({ query }) {
        const { session, url, world } = yield* asked("eligibility")
        if (session === undefined) return yield* toLogin(url)
        return HttpServerResponse.empty({
          status: 302,
          headers: {
            location: localPath(query.goto),
            "set-cookie": `${eligibilityCookie}=${eligibility(world.now)}; Path=/; Max-Age=${eligibleSeconds}; Secure; SameSite=None`
          }
        })
      }),
      billing: Effect.fnUntraced(function* () {
        const { session, url, world } = yield* asked("billing")
        if (session === undefined) return yield* toLogin(url)
        return billingOf(accountOf(world, session))
      }),
      mylistings: Effect.fnUntraced(function* ({ query }) {
        const request = yield* asked("mylistings")
        if (request.session === undefined) return yield* toLogin(request.url)
        return myListings(request, accountOf(request.world, request.session), query)
      }),
      myhistory: Effect.fnUntraced(function* ({ query }) {
        const request = yield* asked("myhistory")
        if (request.session === undefined) return yield* toLogin(request.url)
        return myHistory(request, accountOf(request.world, request.session), query)
      })
    })
  })
)
