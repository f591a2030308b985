import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Latch, Layer, Ref, Scope, Stream, Result } from "effect"

import { layer as virtualClock } from "../../src/clock/VirtualClock.ts"
import type { ControlWord } from "../../src/domain/Control.ts"
import { noLimits } from "../../src/domain/Decision.ts"
import type { Facts } from "../../src/domain/Facts.ts"
import type { Fill } from "../../src/domain/Fill.ts"
import type { AssetId, BuyOrderId, ConfirmationId, FillId, ListingId } from "../../src/domain/Ids.ts"
import { money } from "../../src/domain/Money.ts"
import type { Operation } from "../../src/domain/Operation.ts"
import { orderBook } from "../../src/domain/OrderBook.ts"
import { accepted, type Outcome, pending, refused, unknown } from "../../src/domain/Outcome.ts"
import type { SessionState } from "../../src/domain/SessionState.ts"
import { layer as activity } from "../../src/engine/Activity.ts"
import { Control, layer as control } from "../../src/engine/Control.ts"
import { defaultOptions } from "../../src/engine/Desk.ts"
import { Journal, layer as journal, marketNow } from "../../src/engine/Journal.ts"
import { start } from "../../src/engine/Loop.ts"
import { Market, MarketError, NoData, type PlaceBuyOrder } from "../../src/market/Market.ts"
import { defaultQuotas } from "../../src/market/Quotas.ts"
import { layerAlone as limiter, RateLimiter } from "../../src/market/RateLimiter.ts"
import { type CompiledStrategy, Strategies } from "../../src/rules/Strategies.ts"
import { layerOf } from "../../src/rules/StrategiesYaml.ts"
import { universeOf } from "../../src/rules/Universe.ts"
import { Store } from "../../src/store/Store.ts"
import { layerMemory } from "../../src/store/StoreMemory.ts"
import { compiled } from "../rules/support.ts"
import { at, glove, reason, wallet } from "./Given.ts"

type Service = Market["Service"]

const book = orderBook({
  currency: 1,
  bids: [{ price: money(840), units: 3 }],
  asks: [{ price: money(1_100), units: 2 }]
})
const none = <A>(operation: string): Effect.Effect<A, MarketError> =>
  Effect.fail(new MarketError({ operation, reason: new NoData({ detail: "not in this test" }) }))

/** A market on which nothing of ours stands; a test replaces what it is about. */
const quietMarket: Service = {
  drift: { departures: Effect.succeed([]), outOfService: Effect.succeed([]) },
  session: {
    state: Effect.succeed({ _tag: "Alive", expiresAt: undefined }),
    check: Effect.succeed({ _tag: "Alive", expiresAt: undefined }),
    doubt: () => Effect.void,
    news: Stream.empty,
    renewable: false
  },
  orderBook: () => Effect.succeed(book),
  priceOverview: () => none("priceoverview"),
  priceHistory: () => none("pricehistory"),
  wallet: Effect.succeed(wallet),
  eligibility: none("eligibility"),
  ownOpen: Effect.succeed({ buyOrders: [], listings: [] }),
  ownHistory: () => Effect.succeed({ fills: [], returned: [] }),
  buyOrderStatus: () => none("buyorder-status"),
  offers: {
    listings: () => none("listings"),
    search: () => none("search"),
    searchListings: () => none("search"),
    searchByText: () => none("search-render"),
    suggestions: () => none("suggestions"),
    tags: () => none("appfacets"),
    accessories: () => none("appaccessories"),
    popular: none("popular"),
    recent: none("recent"),
    itemNameId: () => none("listing-page"),
    histogram: () => none("histogram"),
    activity: () => none("activity")
  },
  purchase: () => Effect.succeed(refused("Failed", "no")),
  placeBuyOrder: () => Effect.succeed(refused("Failed", "no")),
  cancelBuyOrder: () => Effect.succeed(refused("Failed", "no")),
  listAsset: () => Effect.succeed(refused("Failed", "no")),
  removeListing: () => Effect.succeed(refused("Failed", "no")),
  confirmations: Effect.succeed([]),
  confirmationSubjects: () => Effect.succeed([]),
  allowConfirmation: () => Effect.succeed(refused("Failed", "no")),
  cancelConfirmation: () => Effect.succeed(refused("Failed", "no"))
}

const strategy = (wish: (facts: Facts) => "bid" | "nothing"): CompiledStrategy => ({
  name: "maker",
  file: "maker.yaml",
  revision: "0011aabb",
  description: "",
  mode: "inherit",
  onRemove: "cancel",
  rules: [],
  params: [],
  withParams: () => Result.fail([]),
  universe: universeOf(glove),
  priority: 0,
  reads: new Map([["book", 90_000]]),
  limits: noLimits,
  protections: [],
  evaluate: (facts) => ({
    held: new Map(),
    decision: {
      strategy: "maker",
      revision: "0011aabb",
      item: glove,
      at: facts.now,
      verdicts: [],
      bid:
        facts.book._tag === "Seen" && wish(facts) === "bid"
          ? { _tag: "Bid", price: money(842), quantity: 2, expireMillis: undefined, reason }
          : undefined,
      ask: undefined,
      trace: () => [],
      buys: [],
      signals: [],
      limits: noLimits,
      yields: []
    }
  })
})

const world = (
  market: Partial<Service>,
  of: CompiledStrategy,
  budgets: Layer.Layer<RateLimiter> = limiter(defaultQuotas)
) =>
  control.pipe(
    Layer.provideMerge(journal),
    Layer.provideMerge(
      Layer.mergeAll(
        activity,
        budgets,
        layerOf([of]),
        layerMemory({ account: "1", mode: "embedded", market: "test" }),
        Layer.succeed(Market, Market.of({ ...quietMarket, ...market }))
      )
    ),
    Layer.provideMerge(virtualClock({ startAtMillis: at(0) }))
  )

/** The tags of everything that was journaled in so many market minutes. */
const journaled = (minutes: number, market: Partial<Service>, of: CompiledStrategy = strategy(() => "bid")) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* start(defaultOptions, "embedded")
      yield* Effect.sleep(minutes * 60_000)
      const store = yield* Store
      return (yield* store.journal({})).map(({ event }) => event._tag)
    })
  ).pipe(Effect.provide(world(market, of)))

const posted = Effect.fnUntraced(function* (answers: ReadonlyArray<Outcome<BuyOrderId>>) {
  const forms = yield* Ref.make<ReadonlyArray<PlaceBuyOrder>>([])
  const placeBuyOrder = (form: PlaceBuyOrder) =>
    Ref.modify(forms, (before) => [
      answers[before.length] ?? refused("Failed", "asked too often"),
      [...before, form]
    ])
  return { forms: Ref.get(forms), placeBuyOrder }
})

describe("The loop", () => {
  it.live("asks no sooner for what the market refused because it was started again", () =>
    Effect.gen(function* () {
      const { forms, placeBuyOrder } = yield* posted([])
      const live = (seconds: number) =>
        Effect.scoped(Effect.andThen(start(defaultOptions, "embedded"), Effect.sleep(seconds * 1_000)))
      const counts = yield* Effect.gen(function* () {
        const after = (seconds: number) =>
          Effect.map(Effect.andThen(live(seconds), forms), ({ length }) => length)
        return [yield* after(20), yield* after(20), yield* after(10), yield* after(100), yield* after(10)]
      }).pipe(
        Effect.provide(
          world(
            { placeBuyOrder },
            strategy(() => "bid")
          )
        )
      )
      // a minute after the first refusal, two after the second
      assert.deepStrictEqual(counts, [1, 1, 1, 2, 2])
    })
  )

  it.live(
    "ends with its deciding fiber: a defect in a strategy never leaves a daemon that is alive but idle",
    () =>
      Effect.gen(function* () {
        const broken = strategy(() => {
          throw new Error("a defect of ours")
        })
        const exit = yield* Effect.scoped(
          Effect.flatMap(start(defaultOptions, "embedded"), ({ failed }) =>
            Effect.raceFirst(failed, Effect.sleep("1 hour"))
          )
        ).pipe(Effect.provide(world({}, broken)), Effect.exit)
        assert.isTrue(Exit.isFailure(exit))
        assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "a defect of ours")
      })
  )

  it.live(
    "trades nothing while a book is in another currency than the wallet, and goes on when it agrees",
    () =>
      Effect.gen(function* () {
        const asked = yield* Ref.make(0)
        const orderBook = () =>
          Effect.map(
            Ref.updateAndGet(asked, (count) => count + 1),
            (count) => ({ ...book, currency: count <= 2 ? (3 as const) : book.currency })
          )
        const placeBuyOrder = () => Effect.succeed(accepted("o1" as BuyOrderId))
        const tags = yield* journaled(5, { orderBook, placeBuyOrder })
        const about = new Set(["CurrencyDiffers", "CurrencyAgrees", "IntentRecorded", "GuardRefused"])
        assert.deepStrictEqual(tags.filter((tag) => about.has(tag)).slice(0, 3), [
          "CurrencyDiffers",
          "CurrencyAgrees",
          "IntentRecorded"
        ])
      })
  )

  it.live("writes the intent down before it is sent", () =>
    Effect.gen(function* () {
      const seen = yield* Ref.make<ReadonlyArray<string>>([])
      const placeBuyOrder = () => Effect.succeed(accepted("o1" as BuyOrderId))
      const watching = (): Effect.Effect<Outcome<BuyOrderId>, never, Journal> =>
        Effect.gen(function* () {
          const { bids } = yield* (yield* Journal).state
          yield* Ref.set(
            seen,
            Object.values(bids).map((slot) => slot._tag)
          )
          return yield* placeBuyOrder()
        })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const context = yield* Effect.context<Journal>()
          const market = yield* Market
          const spied = Market.of({
            ...market,
            placeBuyOrder: () => Effect.provideContext(watching(), context)
          })
          yield* Effect.provideService(start(defaultOptions, "embedded"), Market, spied)
          yield* Effect.sleep("1 minute")
        })
      ).pipe(
        Effect.provide(
          world(
            {},
            strategy(() => "bid")
          )
        )
      )
      assert.deepStrictEqual(yield* Ref.get(seen), ["Placing"])
    })
  )

  it.live(
    "sends once when the answer is lost, blocks the item, and tries again only when reads have settled it",
    () =>
      Effect.gen(function* () {
        const lost: ReadonlyArray<Outcome<BuyOrderId>> = [
          unknown("TimedOut", ""),
          accepted("o2" as BuyOrderId)
        ]
        const { forms, placeBuyOrder } = yield* posted(lost)
        const tags = yield* journaled(2.4, { placeBuyOrder })
        const order = tags.filter((tag) => ["Sent", "OutcomeUnknown", "Settled", "Accepted"].includes(tag))
        assert.deepStrictEqual(order, ["Sent", "OutcomeUnknown", "Settled", "Sent", "Accepted"])
        assert.lengthOf(yield* forms, 2)
      })
  )

  it.live("rests after a refusal, longer each time", () =>
    Effect.gen(function* () {
      const { forms, placeBuyOrder } = yield* posted(
        Array.from({ length: 99 }, () => refused("LimitExceeded", "no", 25))
      )
      yield* journaled(30, { placeBuyOrder })
      // 0, 1, 3, 7 and 15 minutes, each with the next book
      assert.lengthOf(yield* forms, 5)
    })
  )

  it.live(
    "posts the same form again with its confirmation once that was allowed, and no other confirmation",
    () =>
      Effect.gen(function* () {
        const id = "77" as ConfirmationId
        const { forms, placeBuyOrder } = yield* posted([pending(id), accepted("o1" as BuyOrderId)])
        const allowed = yield* Ref.make<ReadonlyArray<string>>([])
        const purchase = { nonce: "n", kind: "Purchase", headline: "" } as const
        const tags = yield* journaled(0.9, {
          placeBuyOrder,
          confirmations: Effect.succeed([
            { ...purchase, id: "c1" as ConfirmationId, creator: "somebody else's" },
            { ...purchase, id: "c2" as ConfirmationId, creator: id }
          ]),
          allowConfirmation: (one) =>
            Effect.as(
              Ref.update(allowed, (all) => [...all, one.id]),
              accepted(undefined)
            )
        })
        const [first, again] = yield* forms
        assert.deepStrictEqual(again, { item: glove, price: money(842), quantity: 2, confirmation: id })
        assert.deepStrictEqual(first, { item: glove, price: money(842), quantity: 2 })
        assert.deepStrictEqual(yield* Ref.get(allowed), ["c2"])
        assert.deepStrictEqual(
          tags.filter((tag) => ["Sent", "Pended", "Confirming", "Confirmed", "Accepted"].includes(tag)),
          ["Sent", "Pended", "Confirming", "Confirmed", "Accepted"]
        )
      })
  )

  it.live(
    "allows a staged listing by what the details name when its creator is not known, and leaves foreign ones alone",
    () =>
      Effect.gen(function* () {
        const step = yield* Ref.make(0)
        const allowed = yield* Ref.make<ReadonlyArray<string>>([])
        const fill = {
          id: "f1",
          side: "Buy",
          item: glove,
          listing: "L1",
          asset: "a1" as AssetId,
          context: "2",
          units: 1,
          amount: money(840),
          fee: money(100),
          at: at(5)
        } as const
        const seller: CompiledStrategy = {
          ...strategy(() => "bid"),
          evaluate: (facts) => {
            const { decision, held } = strategy(() =>
              facts.position.units === 0 ? "bid" : "nothing"
            ).evaluate(facts, new Map())
            const ask =
              facts.position.sellable > 0
                ? ({ _tag: "Ask", price: money(1_035), reprice: undefined, reason } as const)
                : undefined
            return { held, decision: { ...decision, ask } }
          }
        }
        const listing = { nonce: "n", kind: "Listing", headline: "" } as const
        const tags = yield* journaled(
          0.9,
          {
            placeBuyOrder: () => Effect.as(Ref.set(step, 1), accepted("o1" as BuyOrderId)),
            ownOpen: Effect.map(Ref.get(step), () => ({ buyOrders: [], listings: [] })),
            ownHistory: () =>
              Effect.map(Ref.get(step), (now) => ({ fills: now === 0 ? [] : [fill as never], returned: [] })),
            listAsset: () => Effect.succeed(accepted({ needsConfirmation: true })),
            confirmations: Effect.succeed([
              { ...listing, id: "c1" as ConfirmationId, creator: "foreign" },
              { ...listing, id: "c2" as ConfirmationId, creator: "unnamed" }
            ]),
            confirmationSubjects: (one) => Effect.succeed(one.id === "c2" ? ["a1"] : ["x9"]),
            allowConfirmation: (one) =>
              Effect.as(
                Ref.update(allowed, (all) => [...all, one.id]),
                accepted(undefined)
              )
          },
          seller
        )
        assert.deepStrictEqual(yield* Ref.get(allowed), ["c2"])
        assert.includeMembers(tags, ["Filled", "Confirmed"])
      })
  )

  it.live("does not wait for the list of confirmations: what is staged meanwhile is confirmed together", () =>
    Effect.gen(function* () {
      const seller = compiled(`version: 1
name: seller
universe: [{ app: 730, items: [A, B, C, D, E, F] }]
rules:
  - { id: buy, when: position.units < 1 && book.bid < money("9.00"), do: bid, at: book.bid + tick(1), qty: 1 }
  - { id: sell, when: position.units > 0 && book.bid >= money("9.00"), do: ask, at: book.ask - tick(1), allowLoss: true }
`)
      const bought = yield* Ref.make<ReadonlyArray<PlaceBuyOrder>>([])
      const staged = yield* Ref.make<ReadonlyArray<string>>([])
      const rose = yield* Ref.make(false)
      const fillOf = ({ item }: PlaceBuyOrder, index: number): Fill => ({
        id: `f${index}` as FillId,
        side: "Buy",
        item,
        listing: `L${index}` as ListingId,
        asset: `a${index}` as AssetId,
        context: "2",
        units: 1,
        amount: money(840),
        fee: money(100),
        at: at(5)
      })
      const at9 = orderBook({ ...book, bids: [{ price: money(900), units: 3 }] })
      const trading = Effect.gen(function* () {
        yield* start(defaultOptions, "embedded")
        yield* Effect.sleep("2 minutes")
        yield* Ref.set(rose, true)
        yield* Effect.sleep("2 minutes")
        const store = yield* Store
        return (yield* store.journal({})).map(({ event }) => event)
      })
      const events = yield* Effect.scoped(trading).pipe(
        Effect.provide(
          Layer.unwrap(
            Effect.gen(function* () {
              const limits = yield* RateLimiter
              return world(
                {
                  orderBook: () => Effect.map(Ref.get(rose), (isHigh) => (isHigh ? at9 : book)),
                  placeBuyOrder: (form) =>
                    Effect.map(
                      Ref.updateAndGet(bought, (all) => [...all, form]),
                      ({ length }) => accepted(`o${length}` as BuyOrderId)
                    ),
                  ownHistory: () =>
                    Effect.map(Ref.get(bought), (all) => ({ fills: all.map(fillOf), returned: [] })),
                  listAsset: ({ asset }) =>
                    Effect.as(
                      Ref.update(staged, (all) => [...all, asset]),
                      accepted({ needsConfirmation: true })
                    ),
                  confirmations: Effect.orDie(limits.take("confirmations")).pipe(
                    Effect.andThen(Ref.get(staged)),
                    Effect.map((all) =>
                      all.map((creator) => ({
                        id: `c${creator}` as ConfirmationId,
                        nonce: "n",
                        kind: "Listing" as const,
                        headline: "",
                        creator
                      }))
                    )
                  ),
                  allowConfirmation: ({ creator }) =>
                    Effect.as(
                      Ref.update(staged, (all) => all.filter((asset) => asset !== creator)),
                      accepted(undefined)
                    )
                },
                seller,
                Layer.succeed(RateLimiter, limits)
              )
            })
          ).pipe(Layer.provide(limiter(defaultQuotas)))
        )
      )
      const times = (tag: string) =>
        events.filter(({ _tag }) => _tag === tag).map((event) => (event.at - at(120)) / 1_000)
      const isAsk = (event: (typeof events)[number]) =>
        event._tag === "IntentRecorded" && event.intent._tag === "ListAsset"
      const listed = events.filter((event) => isAsk(event) && event.at < at(140))
      assert.lengthOf(listed, 6)
      assert.isTrue(listed.every((event) => event.at - at(120) < 8_000))
      // one at once, the others when the list may be read again, all together
      const together = times("Confirmed").filter((second) => second < 20)
      assert.lengthOf(together, 6)
      assert.deepStrictEqual(
        new Set(
          together.map((second) => (second < 1 ? "at once" : second > 9 ? "after ten seconds" : "between"))
        ),
        new Set(["at once", "after ten seconds"])
      )
    })
  )

  it.live(
    "does not wait for purchases that must be allowed: all are asked for first, then allowed together",
    () =>
      Effect.gen(function* () {
        const names = Array.from({ length: 11 }, (_, index) => `Case ${index}`)
        const buyer = compiled(`version: 1
name: buyer
universe: [{ app: 730, items: [${names.join(", ")}] }]
rules:
  - { id: buy, when: position.units < 1, do: bid, at: book.bid + tick(1), qty: 1 }
`)
        const asked = yield* Ref.make<ReadonlyArray<string>>([])
        const placeBuyOrder = ({ confirmation, item: { name } }: PlaceBuyOrder) =>
          confirmation === undefined
            ? Effect.as(
                Ref.update(asked, (all) => [...all, name]),
                pending(`p ${name}` as ConfirmationId)
              )
            : Effect.succeed(accepted(`o ${confirmation}` as BuyOrderId))
        const events = yield* Effect.scoped(
          Effect.gen(function* () {
            yield* start(defaultOptions, "embedded")
            yield* Effect.sleep("1 minute")
            const store = yield* Store
            return (yield* store.journal({})).map(({ event }) => event)
          })
        ).pipe(
          Effect.provide(
            Layer.unwrap(
              Effect.map(RateLimiter, (limits) =>
                world(
                  {
                    placeBuyOrder,
                    confirmations: Effect.orDie(limits.take("confirmations")).pipe(
                      Effect.andThen(Ref.get(asked)),
                      Effect.map((all) =>
                        all.map((name) => ({
                          id: `c ${name}` as ConfirmationId,
                          nonce: "n",
                          kind: "Purchase" as const,
                          headline: "",
                          creator: `p ${name}`
                        }))
                      )
                    ),
                    allowConfirmation: () => Effect.succeed(accepted(undefined))
                  },
                  buyer,
                  Layer.succeed(RateLimiter, limits)
                )
              )
            ).pipe(Layer.provide(limiter(defaultQuotas)))
          )
        )
        const secondsOf = (tag: string) =>
          events.filter(({ _tag }) => _tag === tag).map((event) => (event.at - at(0)) / 1_000)
        assert.lengthOf(secondsOf("Pended"), names.length)
        assert.isBelow(Math.max(...secondsOf("Pended")), 20)
        assert.lengthOf(secondsOf("Accepted"), names.length)
        assert.lengthOf(secondsOf("OutcomeUnknown"), 0)
      })
  )

  it.live("stops bidding where a bid of the owner stands", () =>
    Effect.gen(function* () {
      const { forms, placeBuyOrder } = yield* posted([])
      const manual = { id: "m1" as BuyOrderId, item: glove, price: money(500), quantity: 1, remaining: 1 }
      const tags = yield* journaled(5, {
        placeBuyOrder,
        ownOpen: Effect.succeed({ buyOrders: [manual], listings: [] })
      })
      assert.lengthOf(yield* forms, 0)
      assert.include(tags, "ForeignBidSeen")
    })
  )

  it.live("sends nothing while the market does not know the session, and goes on as soon as it does", () =>
    Effect.gen(function* () {
      const known = yield* Ref.make(true)
      const doubted = yield* Ref.make(false)
      const alive: SessionState = { _tag: "Alive", expiresAt: undefined }
      const gone: SessionState = { _tag: "Expired", since: at(0), signal: "HTTP 401" }
      const state = Effect.gen(function* () {
        if (yield* Ref.get(known)) return alive
        return (yield* Ref.get(doubted)) ? gone : alive
      })
      const { forms, placeBuyOrder } = yield* posted(Array.from({ length: 9 }, () => refused("Failed", "no")))
      const tags = yield* Effect.scoped(
        Effect.gen(function* () {
          const coolDown = { firstMillis: 1_000, longestMillis: 1_000 }
          const guard = { ...defaultOptions.guard, coolDown }
          yield* start({ ...defaultOptions, guard }, "embedded")
          yield* Effect.sleep("30 seconds")
          const before = (yield* forms).length
          yield* Ref.set(known, false)
          yield* Ref.set(doubted, true)
          yield* Effect.sleep("4 minutes")
          const during = (yield* forms).length
          yield* Ref.set(known, true)
          yield* Effect.sleep("3 minutes")
          assert.isAbove(before, 0)
          assert.isAtMost(during - before, 1)
          assert.isAbove((yield* forms).length, during)
          return (yield* (yield* Store).journal({})).map(({ event }) => event._tag)
        })
      ).pipe(
        Effect.provide(
          world(
            {
              placeBuyOrder,
              session: { ...quietMarket.session, state, check: state }
            },
            strategy(() => "bid")
          )
        )
      )
      assert.deepStrictEqual(
        tags.filter((tag) => tag.startsWith("Session")),
        ["SessionExpired", "SessionRenewed"]
      )
    })
  )
})

describe("Request budgets", () => {
  it.live("send nothing while the market rests us, say so once, and tell of a ban and of its end", () =>
    Effect.gen(function* () {
      const { forms, placeBuyOrder } = yield* posted([])
      const told = yield* Effect.scoped(
        Effect.gen(function* () {
          const rates = yield* RateLimiter
          const answer = Effect.fnUntraced(function* (operation: Operation, how: "refused" | "succeeded") {
            yield* Effect.orDie(rates.take(operation))
            yield* rates[how](operation)
          })
          yield* answer("create-buyorder", "refused")
          yield* start(defaultOptions, "embedded")
          yield* Effect.sleep("50 seconds")
          for (const operation of ["search", "listings"] as const) yield* answer(operation, "refused")
          yield* Effect.sleep("5 minutes")
          const store = yield* Store
          const before = (yield* store.journal({})).map(({ event }) => event)
          yield* Effect.sleep("20 minutes")
          yield* answer("suggestions", "succeeded")
          yield* Effect.sleep("1 minute")
          return [before, (yield* store.journal({ last: 20 })).map(({ event }) => event._tag)] as const
        })
      ).pipe(
        Effect.provide(
          world(
            { placeBuyOrder },
            strategy(() => "bid")
          )
        )
      )
      const [before, after] = told
      assert.strictEqual(before.filter(({ _tag }) => _tag === "Banned").length, 1)
      const held = before.flatMap((event) => (event._tag === "GuardRefused" ? [event.code] : []))
      assert.deepStrictEqual(held, ["MarketResting"])
      assert.include(after, "BanLifted")
      assert.isAbove((yield* forms).length, 0)
    })
  )
})

describe("The watchdog", () => {
  const searching = compiled(
    "version: 1\nuniverse:\n  - { app: 730, search: { query: case }, refresh: 4h }\nrules:\n  - { id: a, when: false, do: cancel-bid }\n"
  )
  /** How six hours of it end. */
  const hoursOf = (market: Partial<Service>, of: CompiledStrategy) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { failed } = yield* start(defaultOptions, "embedded")
        const exit = yield* Effect.exit(Effect.raceFirst(failed, Effect.sleep("6 hours")))
        const [last] = yield* (yield* Store).journal({ last: 1 })
        return Exit.isSuccess(exit)
          ? "six hours"
          : last?.event._tag === "Stalled"
            ? last.event.loop
            : "no last word"
      })
    ).pipe(Effect.provide(world(market, of)))

  it.live("ends a daemon one of whose loops is silent for too long, and says which", () =>
    Effect.gen(function* () {
      const hung = yield* hoursOf(
        { orderBook: () => Effect.never },
        strategy(() => "bid")
      )
      assert.strictEqual(hung, "polling book")
      const offers = { ...quietMarket.offers, search: () => Effect.never }
      assert.strictEqual(yield* hoursOf({ offers }, searching), "searching")
    })
  )

  it.live(
    "takes no rest for silence, be it the hours between two searches or a search that nobody wants",
    () =>
      Effect.gen(function* () {
        const row = { item: glove, sellOrders: 1, buyOrders: undefined, lowest: undefined, commodity: true }
        const page = { rows: [row], total: 1, next: undefined }
        const offers = { ...quietMarket.offers, search: () => Effect.succeed(page) }
        assert.strictEqual(yield* hoursOf({ offers }, searching), "six hours")
        assert.strictEqual(
          yield* hoursOf(
            {},
            strategy(() => "nothing")
          ),
          "six hours"
        )
      })
  )

  it.live("ends a daemon whose strategy files nobody watches any more", () =>
    Effect.gen(function* () {
      const silent = Layer.effect(
        Strategies,
        Effect.map(Strategies, (one) =>
          Strategies.of({ ...one, failed: Effect.die(new Error("no watcher")) })
        )
      )
      const exit = yield* Effect.scoped(
        Effect.flatMap(start(defaultOptions, "embedded"), ({ failed }) => failed)
      ).pipe(
        Effect.provide(
          Layer.provideMerge(
            silent,
            world(
              {},
              strategy(() => "nothing")
            )
          )
        ),
        Effect.exit
      )
      assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "no watcher")
    })
  )

  it.live("stops by cutting what is read, and lets what was sent be answered and journaled", () =>
    Effect.gen(function* () {
      const sent = yield* Latch.make()
      const ended = (market: Partial<Service>, when: Effect.Effect<unknown>) =>
        Effect.gen(function* () {
          const scope = yield* Scope.make()
          yield* Scope.provide(start(defaultOptions, "embedded"), scope)
          yield* when
          const before = yield* marketNow
          yield* Scope.close(scope, Exit.void)
          const store = yield* Store
          return {
            millis: (yield* marketNow) - before,
            last: (yield* store.journal({ last: 1 }))[0]?.event._tag
          }
        }).pipe(
          Effect.provide(
            world(
              market,
              strategy(() => "bid")
            )
          )
        )
      const slow = {
        placeBuyOrder: () =>
          sent.open.pipe(Effect.andThen(Effect.sleep("5 seconds")), Effect.as(accepted("1" as BuyOrderId)))
      }
      assert.deepStrictEqual(yield* ended(slow, sent.await), { millis: 5_000, last: "Accepted" })
      const looking = yield* Latch.make()
      let looks = 0
      const stuck = Effect.suspend(() =>
        looks++ === 0
          ? Effect.succeed({ buyOrders: [], listings: [] })
          : Effect.andThen(looking.open, Effect.never)
      )
      assert.strictEqual((yield* ended({ ...slow, ownOpen: stuck }, looking.await)).millis, 0)
    })
  )
})

describe("The operator's word", () => {
  const said = { who: "test", why: "to see" }
  /** Says the words one after the other, half an hour apart, on a market that accepts all; the tags from the first word on. */
  const after = (market: Partial<Service>, ...words: ReadonlyArray<ControlWord>) =>
    Effect.scoped(
      Effect.gen(function* () {
        yield* start(defaultOptions, "embedded")
        yield* Effect.sleep("10 minutes")
        const store = yield* Store
        const hand = yield* Control
        const [before] = yield* store.journal({ last: 1 })
        for (const word of words) {
          yield* hand.command({ word, ...said })
          yield* Effect.sleep("30 minutes")
        }
        return (yield* store.journal({ after: before?.seq ?? 0 })).map(({ event }) =>
          event._tag === "IntentRecorded" ? event.intent._tag : event._tag
        )
      })
    ).pipe(
      Effect.provide(
        world(
          market,
          strategy(() => "bid")
        )
      )
    )

  const order = { id: "1001" as BuyOrderId, item: glove, price: money(842), quantity: 2, remaining: 2 }
  /** Takes and cancels buy orders as told. */
  const exchange = Effect.fnUntraced(function* () {
    const open = yield* Ref.make(false)
    return {
      placeBuyOrder: () => Effect.as(Ref.set(open, true), accepted(order.id)),
      cancelBuyOrder: () => Effect.as(Ref.set(open, false), accepted(undefined)),
      ownOpen: Effect.map(Ref.get(open), (is) => ({ buyOrders: is ? [order] : [], listings: [] }))
    } satisfies Partial<Service>
  })

  it.live("pauses: what stands stays, nothing is sent, and a resume goes on where it was", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* after(yield* exchange(), "pause"), ["Paused"])
      const refusing = { placeBuyOrder: () => Effect.succeed(refused("Failed", "no")) }
      const tags = yield* after(refusing, "pause", "resume")
      assert.deepStrictEqual(tags.slice(0, tags.indexOf("Resumed") + 2), [
        "Paused",
        "GuardRefused",
        "Resumed",
        "PlaceBid"
      ])
    })
  )

  it.live(
    "halts: cancels our bids and sends nothing more, whatever else is asked for, until it is resumed",
    () =>
      Effect.gen(function* () {
        const tags = yield* after(yield* exchange(), "halt")
        assert.deepStrictEqual(tags.slice(0, 4), ["Halted", "CancelBid", "Sent", "Accepted"])
        assert.notInclude(tags, "PlaceBid")
        const resumed = yield* after(yield* exchange(), "halt", "resume")
        assert.include(resumed.slice(resumed.indexOf("Resumed")), "PlaceBid")
        const contradicted = yield* Effect.flip(after(yield* exchange(), "halt", "pause"))
        assert.strictEqual(contradicted._tag, "Contradiction")
      })
  )

  it.live("drains: cancels our bids, buys nothing, and is paused once nothing is left", () =>
    Effect.gen(function* () {
      const tags = yield* after(yield* exchange(), "drain")
      assert.deepStrictEqual(tags.slice(0, 4), ["Draining", "CancelBid", "Sent", "Accepted"])
      assert.notInclude(tags, "PlaceBid")
      assert.isAbove(tags.indexOf("Paused"), tags.indexOf("Accepted"))
    })
  )
})
