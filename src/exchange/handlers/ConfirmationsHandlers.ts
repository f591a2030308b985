/**
 * Group Confirmations: the mobile authenticator's list, details and decision (interface, Confirmations).
 * Invariants: 1. session and signature must be of the same account. 2. a signature is checked, and used up, before anything is told.
 */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"

import { formatPrice } from "../../domain/Currency.ts"
import { sellerReceives } from "../../domain/Fee.ts"
import { money } from "../../domain/Money.ts"
import { type ConfirmationRow } from "../../market/contract/Confirmations.ts"
import { MarketApi } from "../../market/contract/MarketApi.ts"
import { checkSignature, type Signature, tagsFor } from "../Auth.ts"
import { contextOf } from "../Catalogue.ts"
import { escapeHtml } from "../pages/Page.ts"
import { refusals } from "../Refusal.ts"
import { type Account, type Confirmation, type World } from "../World.ts"
import { accountOf, type Asked, asked, execute } from "./Request.ts"
import { itemAt, seconds } from "./Rows.ts"

const listingType = 3
const purchaseType = 12
const needAuth = { success: false, needauth: true } as const
const notLoaded = {
  success: false,
  message: "There was a problem loading details for that confirmation. (15)"
} as const

const signed = (request: Asked, signature: Signature, tags: ReadonlyArray<string>): boolean => {
  const { exchange, session, world } = request
  const credentials = session === undefined ? undefined : exchange.credentials[session.account]
  if (credentials === undefined) return false
  const { lenient, usedKeys } = exchange
  return (
    checkSignature({ credentials, signature, tags, lenient, used: usedKeys, now: world.now }) === undefined
  )
}

const creatorOf = (world: World, { subject }: Confirmation): string => {
  if (subject._tag === "Purchase") return subject.pending
  return world.rules.confirmationCreator === "asset" ? subject.asset : subject.listing
}

const itemOfSubject = ({ subject }: Confirmation): number =>
  subject._tag === "Purchase" ? subject.order.item : subject.item

const summaryOf = (world: World, account: Account, { subject }: Confirmation): string => {
  if (subject._tag === "Purchase") {
    return `${subject.order.quantity} @ ${formatPrice(subject.order.price, account.currency)}`
  }
  const listing = account.listings.find(({ id }) => id === subject.listing)
  const price = listing?.price ?? money(0)
  const take = listing?.take ?? sellerReceives(world.fees, price)
  return `${formatPrice(price, account.currency)} (${formatPrice(take, account.currency)})`
}

const rowOf = (world: World, account: Account, confirmation: Confirmation): ConfirmationRow => {
  const listing = confirmation.subject._tag === "Listing"
  return {
    type: listing ? listingType : purchaseType,
    type_name: listing ? "Market Listing" : "Market Purchase",
    id: confirmation.id,
    creator_id: creatorOf(world, confirmation),
    nonce: confirmation.nonce,
    creation_time: seconds(confirmation.createdAt),
    cancel: "Cancel",
    accept: listing ? "Create Listing" : "Purchase",
    icon: null,
    multi: listing,
    headline: itemAt(world, itemOfSubject(confirmation)).of.name,
    summary: [summaryOf(world, account, confirmation)],
    warn: null
  }
}

/** The script call that names the asset is what clients look for in the fragment. */
const detailsOf = (world: World, account: Account, confirmation: Confirmation): string => {
  const { of } = itemAt(world, itemOfSubject(confirmation))
  const { subject } = confirmation
  const title = `<div class="mobileconf_listing_prices">${escapeHtml(of.name)}: ${escapeHtml(summaryOf(world, account, confirmation))}</div>`
  if (subject._tag === "Purchase") return `<div class="mobileconf_trade_area">${title}</div>`
  const asset = { id: subject.asset, appid: String(of.app), contextid: contextOf(of.app), amount: "1" }
  return `<div class="mobileconf_trade_area" data-listingid="${subject.listing}">${title}<div id="confiteminfo"></div></div>
<script>BuildHover('confiteminfo', ${JSON.stringify(asset)}, UserYou);</script>`
}

export const ConfirmationsHandlers = HttpApiBuilder.group(
  MarketApi,
  "confirmations",
  Effect.fnUntraced(function* (handlers) {
    return handlers.handleAll({
      confirmations: Effect.fnUntraced(function* ({ query }) {
        const request = yield* asked("confirmations")
        const { session, world } = request
        if (session === undefined || !signed(request, query, tagsFor.list)) return needAuth
        const account = accountOf(world, session)
        return {
          success: true,
          conf: account.confirmations.map((one) => rowOf(world, account, one))
        } as const
      }),
      "confirmation-details": Effect.fnUntraced(function* ({ params, query }) {
        const request = yield* asked("confirmation-details")
        const { session, world } = request
        if (session === undefined || !signed(request, query, tagsFor.details(params.confirmationid)))
          return needAuth
        const account = accountOf(world, session)
        const found = account.confirmations.find(({ id }) => id === params.confirmationid)
        return found === undefined
          ? notLoaded
          : ({ success: true, html: detailsOf(world, account, found) } as const)
      }),
      "confirmation-op": Effect.fnUntraced(function* ({ query }) {
        const request = yield* asked("confirmation-op")
        const { session } = request
        if (session === undefined || !signed(request, query, tagsFor[query.op])) return needAuth
        const { cid, ck, op } = query
        const { account } = session
        const reply = yield* execute(request, { _tag: "SettleConfirmation", account, id: cid, nonce: ck, op })
        return reply._tag === "Refused"
          ? ({ success: false, message: refusals[reply.refusal].message } as const)
          : ({ success: true } as const)
      })
    })
  })
)
