/**
 * The market of a dry-run: every read is the real one's, nothing is ever sent to it; what we ask is answered by an account on paper, which the
 * real books fill as they would have filled us.
 * Invariants: 1. no mutation passes. 2. our paper orders stand in the books that the engine gets, so that it takes them out again as it does
 * live. 3. the account is written to the disk before an answer is given; a disk
 * that fails is told and tried again.
 */
import { Effect, type FileSystem, Layer, type Path } from "effect"

import type { Confirmation } from "../domain/Confirmation.ts"
import { type Item, itemKey } from "../domain/Item.ts"
import { zero } from "../domain/Money.ts"
import { type OrderBook, orderBook } from "../domain/OrderBook.ts"
import { accepted, refused } from "../domain/Outcome.ts"
import { Market } from "../market/Market.ts"
import { openAccount, type PaperAccount, type PaperError, type PaperOptions } from "./PaperAccount.ts"
import { allowListing, buyListing, cancelOrder, placeOrder, stageListing, takeBack } from "./PaperOrders.ts"
import { bookOnPaper, seeSales } from "./PaperQuote.ts"
import { type PaperRules, seeBook } from "./PaperSee.ts"
import { openOf, type PaperState } from "./PaperState.ts"

/** The book with our orders in it, as the market would show it. */
const withOwn = (book: OrderBook, state: PaperState, item: Item): OrderBook => {
  const key = itemKey(item)
  const others = bookOnPaper(book, state.quotes[key])
  const bids = state.orders
    .filter((one) => itemKey(one.item) === key)
    .map(({ price, remaining }) => ({ price, units: remaining }))
  const asks = state.listings
    .filter((one) => itemKey(one.item) === key && one.liveAt !== undefined)
    .map((one) => ({ price: one.buyerPays, units: 1 }))
  if (bids.length + asks.length === 0) return others
  const units = (of: ReadonlyArray<{ readonly units: number }>) => of.reduce((sum, one) => sum + one.units, 0)
  return orderBook({
    currency: book.currency,
    bids: [...others.bids, ...bids],
    asks: [...others.asks, ...asks],
    bidUnits: others.bidUnits + units(bids),
    askUnits: others.askUnits + units(asks)
  })
}

const confirmationOf = ({ confirmation, id, item }: PaperState["listings"][number]): Confirmation => ({
  id: confirmation,
  nonce: "paper",
  kind: "Listing",
  creator: id,
  headline: item.name
})

/** The account on paper, over the real market. */
export const layer = (
  options: PaperOptions
): Layer.Layer<Market, PaperError, Market | FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    Market,
    Effect.gen(function* () {
      const real = yield* Market
      const account = yield* openAccount(options)
      // one by one, so that whatever the port learns to send is decided on here before it compiles
      const { drift, eligibility, offers, priceOverview, session } = real
      return Market.of({
        session,
        drift,
        priceOverview,
        eligibility,
        offers,
        ...reads(real, account, options.rules),
        ...mutations(real, account, options.rules)
      })
    })
  )

const reads = (real: Market["Service"], account: PaperAccount, rules: PaperRules) =>
  ({
    wallet: Effect.gen(function* () {
      const of = yield* account.wallet
      const { balance } = yield* account.state
      return { ...of, balance, delayed: zero }
    }),
    orderBook: Effect.fn("Paper.orderBook")(function* (item) {
      const book = yield* real.orderBook(item)
      const state = yield* account.saw((before, at, { currency, fees }) =>
        book.currency === currency ? seeBook(before, item, { at, book }, fees, rules) : before
      )
      return withOwn(book, state, item)
    }),
    priceHistory: Effect.fn("Paper.priceHistory")(function* (item) {
      const history = yield* real.priceHistory(item)
      yield* account.saw((before, at) => seeSales(before, item, history, at))
      return history
    }),
    ownOpen: Effect.map(account.state, openOf),
    ownHistory: Effect.fn("Paper.ownHistory")(function* (isKnown) {
      const { fills, returned } = yield* account.state
      return {
        fills: fills.filter(({ at, id }) => !isKnown(id, at)),
        returned: returned.filter(({ at, listing }) => !isKnown(listing, at))
      }
    }),
    buyOrderStatus: Effect.fn("Paper.buyOrderStatus")(function* (id) {
      const { orders } = yield* account.state
      const order = orders.find((one) => one.id === id)
      return {
        id,
        active: order !== undefined,
        quantity: order?.quantity ?? 0,
        remaining: order?.remaining ?? 0
      }
    }),
    confirmations: Effect.map(account.state, ({ listings }) =>
      listings.filter(({ liveAt }) => liveAt === undefined).map(confirmationOf)
    ),
    confirmationSubjects: Effect.fn("Paper.confirmationSubjects")(function* ({ creator }) {
      const { listings } = yield* account.state
      return listings.flatMap(({ asset, id }) => (id === creator ? [id, asset] : []))
    })
  }) satisfies Partial<Market["Service"]>

const mutations = (real: Market["Service"], { asked }: PaperAccount, rules: PaperRules) =>
  ({
    purchase: (form) =>
      Effect.gen(function* () {
        // somebody may have been faster: a look at what is on offer, as the market itself would take
        const { rows } = yield* real.offers.listings(form.offer.item)
        const there = rows.some(
          ({ fee, listing, subtotal }) =>
            listing === form.offer.listing && fee === form.offer.fee && subtotal === form.offer.subtotal
        )
        return there
          ? yield* asked((state, at) => buyListing(state, form, at, rules))
          : refused("Unavailable", "somebody else has already purchased it")
      }).pipe(Effect.catchTag("MarketError", (error) => Effect.succeed(refused("NotSent", error.message)))),
    placeBuyOrder: (form) => asked((state, at, { fees }) => placeOrder(state, form, at, fees, rules)),
    cancelBuyOrder: (id) => asked((state) => cancelOrder(state, id)),
    listAsset: (form) => asked((state, at, { fees }) => stageListing(state, form, at, fees, rules)),
    removeListing: (id) => asked((state, at) => takeBack(state, id, at)),
    allowConfirmation: ({ id }) => asked((state, at) => allowListing(state, id, at, rules)),
    cancelConfirmation: ({ creator }) =>
      asked((state, at) => {
        const listing = state.listings.find(({ id }) => id === creator)
        return listing === undefined ? [state, accepted(undefined)] : takeBack(state, listing.id, at)
      })
  }) satisfies Partial<Market["Service"]>
