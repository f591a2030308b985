/**
 * Mutations of the market, each sent once: place and cancel a buy order, list an asset, remove a listing (interface, Mutations).
 * Invariant: whatever keeps a form from being sent is Refused(NotSent), never an exception.
 */
import { Effect, Redacted } from "effect"

import { type BuyOrderId, type ListingId } from "../domain/Ids.ts"
import { times } from "../domain/Money.ts"
import { accepted, type Outcome, refused, unknown } from "../domain/Outcome.ts"
import { type Account, tradeFeeTax } from "./AccountFacts.ts"
import { Ask, type Call } from "./Ask.ts"
import {
  cancelBuyOrderShapes,
  type CreateBuyOrderForm,
  createBuyOrderShapes,
  removeListingShapes,
  sellItemShapes
} from "./contract/Mutations.ts"
import { reader } from "./contract/Reading.ts"
import { isSet } from "./contract/Wire.ts"
import { Http, Referer } from "./Http.ts"
import { type ListAsset, type MarketError, type PlaceBuyOrder, type Staging } from "./Market.ts"
import { MarketConfig } from "./MarketConfig.ts"
import { formData } from "./Multipart.ts"
import { Session } from "./Session.ts"

const readPlaced = reader(createBuyOrderShapes)
const readCancelled = reader(cancelBuyOrderShapes)
const readStaged = reader(sellItemShapes)
const readRemoved = reader(removeListingShapes)

const marketHome = "/market/"
const responseMode = "response-only"

export const makeMutations = (account: Effect.Effect<Account, MarketError>) =>
  Effect.gen(function* () {
    const ask = yield* Ask
    const http = yield* Http
    const config = yield* MarketConfig
    const session = yield* Session
    const { mutations } = ask.client

    const from = (path: string, call: (sessionid: string) => Call): Call =>
      Effect.flatMap(http.sessionid, call).pipe(Effect.provideService(Referer, path))

    const placeBuyOrder = Effect.fn("Market.placeBuyOrder")(function* (order: PlaceBuyOrder) {
      const known = yield* Effect.result(account)
      if (known._tag === "Failure") return refused("NotSent", `wallet unknown: ${known.failure.reason._tag}`)
      const page = `/market/listings/${order.item.app}/${encodeURIComponent(order.item.name)}`
      const call = from(page, (sessionid) => {
        const form = formOf(order, known.success, sessionid)
        return config.buyOrderEncoding === "multipart"
          ? mutations["create-buyorder"]({ payload: formData(form), responseMode })
          : mutations["create-buyorder"]({ payload: form, responseMode })
      })
      return yield* ask.mutate("create-buyorder", readPlaced, call, orderIdOf)
    })

    const cancelBuyOrder = Effect.fn("Market.cancelBuyOrder")(function* (order: BuyOrderId) {
      const call = from(marketHome, (sessionid) =>
        mutations["cancel-buyorder"]({ payload: { sessionid, buy_orderid: order }, responseMode })
      )
      return yield* ask.mutate("cancel-buyorder", readCancelled, call, nothing)
    })

    const listAsset = Effect.fn("Market.listAsset")(function* (form: ListAsset) {
      const inventory = `/profiles/${Redacted.value(session.accountId)}/inventory`
      const call = from(inventory, (sessionid) =>
        mutations.sellitem({
          payload: {
            sessionid,
            appid: String(form.item.app),
            contextid: form.context,
            assetid: form.asset,
            amount: "1",
            price: String(form.sellerReceives)
          },
          responseMode
        })
      )
      return yield* ask.mutate("sellitem", readStaged, call, stagingOf)
    })

    const removeListing = Effect.fn("Market.removeListing")(function* (listing: ListingId) {
      const call = from(marketHome, (sessionid) =>
        mutations.removelisting({ params: { listingid: listing }, payload: { sessionid }, responseMode })
      )
      return yield* ask.mutate("removelisting", readRemoved, call, nothing)
    })

    return { placeBuyOrder, cancelBuyOrder, listAsset, removeListing }
  })

const nothing = (): Outcome<void> => accepted(undefined)

const formOf = (order: PlaceBuyOrder, account: Account, sessionid: string): CreateBuyOrderForm => {
  const total = times(order.price, order.quantity)
  return {
    sessionid,
    currency: String(account.wallet.currency),
    appid: String(order.item.app),
    market_hash_name: order.item.name,
    price_total: String(total),
    tradefee_tax: String(tradeFeeTax(account, total)),
    quantity: String(order.quantity),
    confirmation: order.confirmation ?? "0",
    save_my_address: "0"
  }
}

interface Placed {
  readonly buy_orderid?: string | number
  readonly message?: string | null
}

/** Success without an id, or with a message, is how a market says that it is not sure itself. */
const orderIdOf = (placed: Placed | undefined): Outcome<BuyOrderId> => {
  if (placed?.buy_orderid === undefined) return unknown("Undecodable", "buy_orderid: Missing key")
  if (placed.message !== undefined && placed.message !== null && placed.message !== "")
    return unknown("Undecodable", "a message next to success 1")
  return accepted(String(placed.buy_orderid) as BuyOrderId)
}

interface Staged {
  readonly requires_confirmation?: number
  readonly needs_mobile_confirmation?: boolean
  readonly needs_email_confirmation?: boolean
}

const stagingOf = (staged: Staged | undefined): Outcome<Staging> =>
  accepted({
    needsConfirmation:
      (staged?.requires_confirmation ?? 0) !== 0 ||
      isSet(staged?.needs_mobile_confirmation) ||
      isSet(staged?.needs_email_confirmation)
  })
