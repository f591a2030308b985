/**
 * The market of a dry-run: every read is the real one's, nothing is ever sent to it; what we ask is answered by an account on paper, which the
 * real books fill as they would have filled us.
 * Invariants: 1. no mutation passes. 2. our paper orders stand in the books that the engine gets, so that it takes them out again as it does
 * live. 3. the account is written to the disk before an answer is given; a disk
 * that fails is told and tried again.
 */
import { Clock, Effect, FileSystem, Layer, Option, Path, Schema, Semaphore } from "effect"

import type { Confirmation } from "../domain/Confirmation.ts"
import type { Millis } from "../domain/Ids.ts"
import { type Item, itemKey } from "../domain/Item.ts"
import { type Money } from "../domain/Money.ts"
import { type OrderBook, orderBook } from "../domain/OrderBook.ts"
import { accepted, type Outcome, refused } from "../domain/Outcome.ts"
import type { Wallet } from "../domain/Wallet.ts"
import { Market, type OwnHistory, type OwnOpen } from "../market/Market.ts"
import {
  allowListing,
  type Answered,
  buyListing,
  cancelOrder,
  placeOrder,
  stageListing,
  takeBack
} from "./PaperOrders.ts"
import { type PaperRules, seeBook, seeSales } from "./PaperSee.ts"
import { PaperState, paperState } from "./PaperState.ts"

export interface PaperOptions {
  /** Where the account is kept. */
  readonly file: string
  /** What the account begins with; undefined takes the real wallet's balance. */
  readonly balance: Money | undefined
  readonly rules: PaperRules
  /** Lets no virtual time pass while the disk is waited for. */
  readonly held: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The paper account cannot be read or written. */
export class PaperError extends Schema.TaggedError<PaperError>()("PaperError", {
  file: Schema.String,
  message: Schema.String,
  remedy: Schema.String
}) {}

const State_ = Schema.fromJsonString(PaperState)
const encode = Schema.encodeSync(State_)
const decode = Schema.decodeUnknownEffect(State_)

/** The book with our orders in it, as the market would show it. */
const withOwn = (book: OrderBook, state: PaperState, item: Item): OrderBook => {
  const key = itemKey(item)
  const bids = state.orders
    .filter((one) => itemKey(one.item) === key)
    .map(({ price, remaining }) => ({ price, units: remaining }))
  const asks = state.listings
    .filter((one) => itemKey(one.item) === key && one.liveAt !== undefined)
    .map((one) => ({ price: one.buyerPays, units: 1 }))
  if (bids.length + asks.length === 0) return book
  const units = (of: ReadonlyArray<{ readonly units: number }>) => of.reduce((sum, one) => sum + one.units, 0)
  return orderBook({
    currency: book.currency,
    bids: [...book.bids, ...bids],
    asks: [...book.asks, ...asks],
    bidUnits: book.bidUnits + units(bids),
    askUnits: book.askUnits + units(asks)
  })
}

const confirmationOf = ({ confirmation, id, item }: PaperState["listings"][number]): Confirmation => ({
  id: confirmation,
  nonce: "paper",
  kind: "Listing",
  creator: id,
  headline: item.name
})

const openOf = (state: PaperState): OwnOpen => ({
  buyOrders: state.orders.map(({ id, item, price, quantity, remaining }) => ({
    id,
    item,
    price,
    quantity,
    remaining
  })),
  listings: state.listings.map(({ liveAt, ...listing }) => ({
    id: listing.id,
    asset: listing.asset,
    context: listing.context,
    item: listing.item,
    stage: liveAt === undefined ? ("Staged" as const) : ("Live" as const),
    sellerReceives: listing.sellerReceives,
    buyerPays: listing.buyerPays,
    createdAt: listing.createdAt
  }))
})

const now = Effect.map(Clock.currentTimeMillis, (at) => at as Millis)

/** The account on paper, over the real market. */
export const layer = (
  options: PaperOptions
): Layer.Layer<Market, PaperError, Market | FileSystem.FileSystem | Path.Path> =>
  Layer.effect(Market, make(options))

const make = Effect.fnUntraced(function* (options: PaperOptions) {
  const real = yield* Market
  const { rules } = options
  const account = yield* keptAccount(options)
  let wallet: Wallet | undefined
  const walletNow = Effect.gen(function* () {
    wallet = yield* real.wallet
    return wallet
  })
  /** The wallet's fees and currency, which hardly ever change. */
  const known = Effect.suspend(() => (wallet === undefined ? walletNow : Effect.succeed(wallet)))
  const opened = Effect.fnUntraced(function* () {
    const { balance } = yield* known
    return yield* account.get(options.balance ?? balance)
  })
  /** Changes the account and answers, once it is on the disk. */
  const asked = <A>(
    change: (state: PaperState, at: Millis, wallet: Wallet) => Answered<A>
  ): Effect.Effect<Outcome<A>> =>
    Effect.gen(function* () {
      const at = yield* now
      const of = yield* known
      const state = yield* opened()
      const [next, outcome] = change(state, at, of)
      yield* account.put(next)
      return outcome
    }).pipe(
      account.alone,
      Effect.catchTag("MarketError", (error) => Effect.succeed(refused("NotSent", error.message)))
    )
  const saw = (change: (state: PaperState, at: Millis, wallet: Wallet) => PaperState) =>
    Effect.gen(function* () {
      const at = yield* now
      const of = yield* known
      const state = yield* opened()
      const next = change(state, at, of)
      if (next !== state) yield* account.put(next)
      return next
    }).pipe(account.alone)

  return Market.of({
    ...real,
    wallet: Effect.gen(function* () {
      const of = yield* walletNow
      const { balance } = yield* opened()
      return { ...of, balance, delayed: 0 as Money }
    }),
    orderBook: Effect.fn("Paper.orderBook")(function* (item) {
      const book = yield* real.orderBook(item)
      const state = yield* saw((before, at, { currency, fees }) =>
        book.currency === currency ? seeBook(before, item, book, at, fees, rules) : before
      )
      return withOwn(book, state, item)
    }),
    priceHistory: Effect.fn("Paper.priceHistory")(function* (item) {
      const history = yield* real.priceHistory(item)
      yield* saw((before, at) => seeSales(before, item, history, at))
      return history
    }),
    ownOpen: Effect.map(opened(), openOf),
    ownHistory: Effect.fn("Paper.ownHistory")(function* (isKnown) {
      const { fills, returned } = yield* opened()
      const unknown: OwnHistory = {
        fills: fills.filter(({ at, id }) => !isKnown(id, at)),
        returned: returned.filter(({ at, listing }) => !isKnown(listing, at))
      }
      return unknown
    }),
    buyOrderStatus: Effect.fn("Paper.buyOrderStatus")(function* (id) {
      const { orders } = yield* opened()
      const order = orders.find((one) => one.id === id)
      return {
        id,
        active: order !== undefined,
        quantity: order?.quantity ?? 0,
        remaining: order?.remaining ?? 0
      }
    }),
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
    listAsset: (form) => asked((state, at, { fees }) => stageListing(state, form, at, fees)),
    removeListing: (id) => asked((state, at) => takeBack(state, id, at)),
    confirmations: Effect.map(opened(), ({ listings }) =>
      listings.filter(({ liveAt }) => liveAt === undefined).map(confirmationOf)
    ),
    confirmationSubjects: Effect.fn("Paper.confirmationSubjects")(function* ({ creator }) {
      const { listings } = yield* opened()
      return listings.flatMap(({ asset, id }) => (id === creator ? [id, asset] : []))
    }),
    allowConfirmation: ({ id }) => asked((state, at) => allowListing(state, id, at, rules)),
    cancelConfirmation: ({ creator }) =>
      asked((state, at) => {
        const listing = state.listings.find(({ id }) => id === creator)
        return listing === undefined ? [state, accepted(undefined)] : takeBack(state, listing.id, at)
      })
  })
})

/** The account in its file; one request at a time changes it. */
const keptAccount = Effect.fnUntraced(function* ({ file, held }: PaperOptions) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const unusable = (what: string) => (cause: { readonly message: string }) =>
    new PaperError({
      file,
      message: `${file} cannot be ${what}: ${cause.message}`,
      remedy: "make its folder writable, or remove the file to begin with a new paper account"
    })
  const text = yield* held(
    fs.readFileString(file).pipe(
      Effect.asSome,
      Effect.catchIf(
        (error) => error.reason._tag === "NotFound",
        () => Effect.succeedNone
      )
    )
  ).pipe(Effect.mapError(unusable("read")))
  let state = Option.isNone(text)
    ? undefined
    : yield* decode(text.value).pipe(Effect.mapError(unusable("understood")))
  const one = yield* Semaphore.make(1)
  const write = Effect.fnUntraced(function* (next: PaperState) {
    yield* fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 })
    yield* fs.writeFileString(`${file}.new`, encode(next), { mode: 0o600 })
    yield* fs.rename(`${file}.new`, file)
  })
  return {
    alone: Semaphore.withPermits(one, 1),
    get: (opening: Money) => Effect.sync(() => (state ??= paperState(opening))),
    put: (next: PaperState) =>
      Effect.suspend(() => {
        state = next
        // a paper account that cannot be kept is no reason to stop: the next write tries again, and the operator is told
        return held(write(next)).pipe(
          Effect.catchTag("PlatformError", (cause) => Effect.logWarning(unusable("written")(cause).message))
        )
      })
  }
})
