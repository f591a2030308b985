/**
 * Group Mutations: forms in, commands to the world, answers as the interface words them.
 * Invariants: 1. a form whose sessionid is not the cookie's changes nothing. 2. failures come with HTTP 200 and a code, but for a wrong
 * removal form (400), a purchase to confirm (406) and a listing that cannot be bought (502).
 */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"

import { formatPrice } from "../../domain/Currency.ts"
import { add, zero } from "../../domain/Money.ts"
import { WrongRequest } from "../../market/contract/Answers.ts"
import { MarketApi } from "../../market/contract/MarketApi.ts"
import {
  type BuyListingForm,
  type BuyOrderStatusBody,
  type CreateBuyOrderForm
} from "../../market/contract/Mutations.ts"
import { formMatches } from "../Auth.ts"
import { contextOf } from "../Catalogue.ts"
import { type Command, type Reply } from "../Command.ts"
import { type Refusal, refusals } from "../Refusal.ts"
import { type Account, background, type BuyOrder, type World } from "../World.ts"
import { accountOf, asked, closed, execute, toLogin, wholeNumber } from "./Request.ts"
import { itemAt } from "./Rows.ts"
import { walletInfo } from "./WalletRows.ts"

/** The answer to a session or form value that is not accepted, and the one to a removal that was done. */
const notAccepted: readonly [] = []
const removed: readonly [] = []
const pendingCode = 22

const failure = (refusal: Refusal) => ({
  success: refusals[refusal].code,
  message: refusals[refusal].message
})

const needConfirmation = (pending: string) =>
  ({
    need_confirmation: true,
    confirmation: { confirmation_id: pending },
    success: pendingCode
  }) as const

const orderAnswer = (reply: Reply) => {
  switch (reply._tag) {
    case "OrderPlaced":
      return { success: 1, buy_orderid: reply.order } as const
    case "NeedsConfirmation":
      return needConfirmation(reply.pending)
    case "Refused":
      return failure(reply.refusal)
    case "Done":
    case "Staged":
      return { success: 2, message: refusals.ListingFailed.message }
  }
}

const orderStatus = (world: World, { currency }: Account, order: BuyOrder): BuyOrderStatusBody => {
  const { of } = itemAt(world, order.item)
  return {
    success: 1,
    active: order.state === "Active" ? 1 : 0,
    purchased: order.quantity - order.remaining,
    quantity: String(order.quantity),
    quantity_remaining: String(order.remaining),
    purchases: order.purchases.map(({ fee, listing, price, seller, soldAsset }) => ({
      listingid: listing,
      price_subtotal: price - fee,
      price_fee: fee,
      price_total: price,
      currency,
      appid: of.app,
      assetid: soldAsset,
      contextid: contextOf(of.app),
      accountid_seller: seller === background ? 1 : seller + 2
    })),
    purchase_amount_text: formatPrice(
      order.purchases.reduce((sum, { price }) => add(sum, price), zero),
      currency
    )
  }
}

const findOrder = ({ ended, orders }: Account, id: string): BuyOrder | undefined =>
  orders.find((order) => order.id === id) ?? ended.findLast((order) => order.id === id)

const sellAnswer = (reply: Reply) =>
  reply._tag === "Staged"
    ? ({
        success: true,
        requires_confirmation: 1,
        needs_mobile_confirmation: true,
        needs_email_confirmation: false,
        email_domain: ""
      } as const)
    : ({
        success: false,
        message: refusals[reply._tag === "Refused" ? reply.refusal : "ListingFailed"].message
      } as const)

const buyCommand = (account: number, listing: string, form: BuyListingForm): Command => ({
  _tag: "BuyListing",
  account,
  listing,
  currency: orInvalid(form.currency),
  subtotal: orInvalid(form.subtotal),
  fee: orInvalid(form.fee),
  // Nothing is taxed here, so that a total with a tax is no listing's.
  total: isNone(form.tradefee_tax) ? orInvalid(form.total) : -1,
  quantity: orInvalid(form.quantity),
  confirmation: form.confirmation ?? "0"
})

const orderCommand = (account: number, form: CreateBuyOrderForm): Command => ({
  _tag: "CreateBuyOrder",
  account,
  app: orInvalid(form.appid),
  name: form.market_hash_name,
  currency: orInvalid(form.currency),
  total: orInvalid(form.price_total),
  quantity: orInvalid(form.quantity),
  confirmation: form.confirmation ?? "0"
})

export const MutationsHandlers = HttpApiBuilder.group(
  MarketApi,
  "mutations",
  Effect.fnUntraced(function* (handlers) {
    return handlers.handleAll({
      buylisting: Effect.fnUntraced(function* ({ params, payload }) {
        const request = yield* asked("buylisting")
        const { session } = request
        if (session === undefined || !formMatches(session, payload.sessionid)) return notAccepted
        const command = buyCommand(session.account, params.listingid, payload)
        const reply = yield* execute(request, command)
        if (reply._tag === "Refused") return yield* Effect.fail({ message: refusals[reply.refusal].message })
        if (reply._tag === "NeedsConfirmation") return needConfirmation(reply.pending)
        const after = yield* Effect.catch(request.exchange.world, closed)
        return { wallet_info: walletInfo(accountOf(after, session)) }
      }),
      "create-buyorder": Effect.fnUntraced(function* ({ payload }) {
        const request = yield* asked("create-buyorder")
        const { session } = request
        if (session === undefined || !formMatches(session, payload.sessionid)) return notAccepted
        const reply = yield* execute(request, orderCommand(session.account, payload))
        return orderAnswer(reply)
      }),
      "buyorder-status": Effect.fnUntraced(function* ({ query }) {
        const { session, world } = yield* asked("buyorder-status")
        if (session === undefined || !formMatches(session, query.sessionid)) return notAccepted
        const account = accountOf(world, session)
        const order = findOrder(account, query.buy_orderid)
        return order === undefined
          ? { success: refusals.NoSuchOrder.code }
          : orderStatus(world, account, order)
      }),
      "cancel-buyorder": Effect.fnUntraced(function* ({ payload }) {
        const request = yield* asked("cancel-buyorder")
        const { session } = request
        if (session === undefined || !formMatches(session, payload.sessionid)) return notAccepted
        const { account } = session
        const reply = yield* execute(request, { _tag: "CancelBuyOrder", account, order: payload.buy_orderid })
        if (reply._tag === "Refused") return { success: refusals[reply.refusal].code, error: null }
        return { success: 1 } as const
      }),
      sellitem: Effect.fnUntraced(function* ({ payload }) {
        const request = yield* asked("sellitem")
        const { session } = request
        if (session === undefined || !formMatches(session, payload.sessionid)) {
          return { success: false, message: refusals.ListingFailed.message } as const
        }
        const reply = yield* execute(request, {
          _tag: "SellItem",
          account: session.account,
          app: orInvalid(payload.appid),
          context: payload.contextid,
          asset: payload.assetid,
          amount: orInvalid(payload.amount),
          take: orInvalid(payload.price)
        })
        return sellAnswer(reply)
      }),
      removelisting: Effect.fnUntraced(function* ({ params, payload }) {
        const request = yield* asked("removelisting")
        const { session } = request
        if (session === undefined) return yield* toLogin("/market/")
        if (!formMatches(session, payload.sessionid)) return yield* new WrongRequest()
        const { account } = session
        const reply = yield* execute(request, { _tag: "RemoveListing", account, listing: params.listingid })
        return reply._tag === "Refused" ? failure(reply.refusal) : removed
      })
    })
  })
)

const isNone = (tax: string | undefined): boolean => tax === undefined || tax === "" || Number(tax) === 0

/** Whole numbers of a form; anything else becomes a number that no command accepts. */
const orInvalid = (text: string): number => {
  const value = wholeNumber(text)
  return Number.isNaN(value) ? -1 : value
}
