import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"

import { layer as virtualClock } from "../../src/clock/VirtualClock.ts"
import type { Confirmation } from "../../src/domain/Confirmation.ts"
import type { BuyOrderId, ConfirmationId } from "../../src/domain/Ids.ts"
import { accepted, type Outcome, refused, unknown } from "../../src/domain/Outcome.ts"
import { layer as activity } from "../../src/engine/Activity.ts"
import { settleByHand } from "../../src/engine/ByHand.ts"
import { confirmListings, pended } from "../../src/engine/Confirm.ts"
import { defaultOptions, type Desk, makeDesk } from "../../src/engine/Desk.ts"
import { Journal, layer as journal } from "../../src/engine/Journal.ts"
import { sweep } from "../../src/engine/Orphans.ts"
import { finishPurchases, givenUp } from "../../src/engine/Purchases.ts"
import { Market, MarketError, NoData } from "../../src/market/Market.ts"
import { Store, type StoreError } from "../../src/store/Store.ts"
import { layerMemory } from "../../src/store/StoreMemory.ts"
import { at, glove, listAsset, opened, placeBid, sellListing } from "./Given.ts"

const listing = (id: string, creator: string): Confirmation => ({
  id: id as ConfirmationId,
  nonce: `n${id}`,
  kind: "Listing",
  creator,
  headline: "Glove Case"
})
const purchase = (id: string, creator: string): Confirmation => ({
  ...listing(id, creator),
  kind: "Purchase"
})

/** No test of these asks for it. */
const unasked = undefined as never

interface Given {
  readonly lists: ReadonlyArray<ReadonlyArray<Confirmation>>
  readonly subjects?: (id: string) => ReadonlyArray<string> | undefined
  readonly answers?: ReadonlyArray<Outcome<void>>
  /** Items whose bids wait for their confirmations `p0`, `p1`… */
  readonly bids?: number
}

/** Runs the work with a1 and a2 staged; what was allowed, whose details were read, and the journal's tags after it. */
const staged = <A>(
  given: Given,
  work: (
    desk: Desk,
    list: Effect.Effect<ReadonlyArray<Confirmation>, MarketError>
  ) => Effect.Effect<A, MarketError | StoreError, Journal | Market>
) =>
  Effect.gen(function* () {
    const [allowed, asked, posted, reads] = [
      yield* Ref.make<ReadonlyArray<string>>([]),
      yield* Ref.make<ReadonlyArray<string>>([]),
      yield* Ref.make<ReadonlyArray<string>>([]),
      yield* Ref.make(0)
    ]
    const market = Layer.mock(Market, {
      session: unasked,
      drift: unasked,
      offers: unasked,
      confirmations: Effect.map(
        Ref.getAndUpdate(reads, (count) => count + 1),
        (count) => given.lists[Math.min(count, given.lists.length - 1)] ?? []
      ),
      confirmationSubjects: ({ id }) =>
        Effect.gen(function* () {
          yield* Ref.update(asked, (before) => [...before, id])
          const subjects = given.subjects?.(id)
          return subjects === undefined
            ? yield* new MarketError({ operation: "details", reason: new NoData({ detail: "" }) })
            : subjects
        }),
      allowConfirmation: ({ id }) =>
        Ref.modify(allowed, (before) => [
          given.answers?.[before.length] ?? accepted<void>(undefined),
          [...before, id]
        ]),
      placeBuyOrder: ({ confirmation }) =>
        Effect.as(
          Ref.update(posted, (before) => [...before, String(confirmation)]),
          accepted(`o${confirmation}` as BuyOrderId)
        )
    })
    return yield* Effect.gen(function* () {
      const { append } = yield* Journal
      yield* append([
        opened,
        ...["a1", "a2"].flatMap((asset) => {
          const intent = listAsset(asset, 900, 1_035)
          return [
            { _tag: "IntentRecorded", at: at(0), intent } as const,
            { _tag: "Sent", at: at(0), intent: intent.id } as const,
            { _tag: "Accepted", at: at(0), intent: intent.id } as const
          ]
        }),
        ...Array.from({ length: given.bids ?? 0 }, (_, index) => {
          const intent = placeBid(5, 1, `p${index}`, { ...glove, name: `Case ${index}` })
          const confirmation = `p${index}` as ConfirmationId
          return [
            { _tag: "IntentRecorded", at: at(0), intent } as const,
            { _tag: "Sent", at: at(0), intent: intent.id } as const,
            { _tag: "Pended", at: at(0), intent: intent.id, confirmation } as const
          ]
        }).flat()
      ])
      const result = yield* work(makeDesk(defaultOptions), (yield* Market).confirmations)
      const store = yield* Store
      const events = (yield* store.journal({})).map(({ event }) => event)
      return {
        result,
        allowed: yield* Ref.get(allowed),
        asked: yield* Ref.get(asked),
        posted: yield* Ref.get(posted),
        events
      }
    }).pipe(
      Effect.provide(
        Layer.mergeAll(journal).pipe(
          Layer.provideMerge(
            Layer.mergeAll(activity, layerMemory({ account: "1", mode: "embedded", market: "test" }), market)
          ),
          Layer.provideMerge(virtualClock({ startAtMillis: at(0) }))
        )
      )
    )
  })

describe("Confirmations", () => {
  it.live("are allowed when they are ours by creator or by details, and never otherwise", () =>
    Effect.gen(function* () {
      const { allowed, events } = yield* staged(
        {
          lists: [[listing("c1", "a1"), listing("c2", "x"), listing("c3", "y"), purchase("c4", "a2")]],
          subjects: (id) => (id === "c2" ? ["a2"] : ["foreign"])
        },
        (desk, list) => Effect.flatMap(list, (listed) => confirmListings(desk, listed))
      )
      assert.deepStrictEqual(allowed, ["c1", "c2"])
      assert.lengthOf(
        events.filter(({ _tag }) => _tag === "Confirmed"),
        2
      )
    })
  )

  it.live(
    "that cannot be read or allowed keep none of the others waiting, and foreign ones are read once",
    () =>
      Effect.gen(function* () {
        const { allowed, asked } = yield* staged(
          {
            lists: [[listing("c1", "x"), listing("c2", "y"), listing("c3", "a1"), listing("c4", "a2")]],
            subjects: (id) => (id === "c1" ? ["foreign"] : undefined),
            answers: [refused("NotLoggedOn", "needauth")]
          },
          (desk, list) => {
            const once = Effect.flatMap(list, (listed) => confirmListings(desk, listed))
            return Effect.andThen(once, once)
          }
        )
        assert.deepStrictEqual(allowed, ["c3", "c4", "c3"])
        assert.deepStrictEqual(asked, ["c1", "c2", "c2"])
      })
  )

  const finish = (desk: Desk, list: Effect.Effect<ReadonlyArray<Confirmation>, MarketError>) =>
    Effect.flatMap(list, (listed) => finishPurchases(desk, listed))

  it.live("of a purchase that are gone after an unclear answer were carried out", () =>
    Effect.gen(function* () {
      const own = purchase("c9", "p0")
      const { allowed, events, posted } = yield* staged(
        { lists: [[], [own, purchase("c8", "p1")], []], bids: 1, answers: [unknown("TimedOut", "")] },
        (desk, list) =>
          Effect.gen(function* () {
            for (let count = 0; count < 4; count++) yield* finish(desk, list)
            return pended(yield* (yield* Journal).state).length
          })
      )
      assert.deepStrictEqual([allowed, posted], [["c9"], ["p0"]])
      assert.lengthOf(
        events.filter(({ _tag }) => _tag === "Confirmed"),
        1
      )
    })
  )

  it.live("that a person allows finish a purchase of ours, and nothing is known of others'", () =>
    Effect.gen(function* () {
      const { allowed, posted } = yield* staged(
        { lists: [[purchase("c8", "x"), purchase("c9", "p0")], []], bids: 1 },
        (desk, list) =>
          Effect.gen(function* () {
            const journal = yield* Journal
            assert.strictEqual(yield* Effect.orDie(settleByHand("c9", "allow", "a test")), "Accepted")
            assert.lengthOf(pended(yield* journal.state), 1)
            yield* finish(desk, list)
            assert.lengthOf(pended(yield* journal.state), 0)
          })
      )
      assert.deepStrictEqual([allowed, posted], [["c9"], ["p0"]])
    })
  )

  it.live("of many purchases are allowed some at a time, each with its form, and none twice", () =>
    Effect.gen(function* () {
      const ids = Array.from({ length: 15 }, (_, index) => `p${index}`)
      const { posted, result } = yield* staged(
        { lists: [ids.map((id) => purchase(`c${id}`, id))], bids: ids.length },
        (desk, list) =>
          Effect.gen(function* () {
            const journal = yield* Journal
            const left = Effect.map(journal.state, (state) => pended(state).length)
            yield* finish(desk, list)
            const first = yield* left
            yield* finish(desk, list)
            yield* finish(desk, list)
            return [first, yield* left]
          })
      )
      assert.deepStrictEqual(result, [5, 0])
      assert.deepStrictEqual(posted, ids)
    })
  )

  it.live("that never come, or that a halt leaves, are given up for reads to settle", () =>
    Effect.gen(function* () {
      const { posted, result } = yield* staged({ lists: [[purchase("c0", "p0")]], bids: 1 }, (desk, list) =>
        Effect.gen(function* () {
          const journal = yield* Journal
          const early = givenUp(yield* journal.state, at(170))
          const late = givenUp(yield* journal.state, at(200))
          yield* journal.append([{ _tag: "Halted", at: at(1), why: "a test" }])
          yield* finish(desk, list)
          return [early, late, givenUp(yield* journal.state, at(1))].map((events) =>
            events.map((event) => (event._tag === "OutcomeUnknown" ? event.detail : event._tag))
          )
        })
      )
      assert.deepStrictEqual(result, [
        [],
        ["its confirmation could not be allowed"],
        ["trading was halted meanwhile"]
      ])
      assert.deepStrictEqual(posted, [])
    })
  )

  it.live("and staged listings that are not ours are told once, and left alone", () =>
    Effect.gen(function* () {
      const open = {
        buyOrders: [],
        listings: [sellListing("a1", "L1", "Staged"), sellListing("z", "L9", "Staged")]
      }
      const { allowed, events } = yield* staged(
        {
          lists: [[listing("c1", "L1"), listing("c8", "w"), purchase("c7", "p0"), purchase("c9", "p1")]],
          bids: 1,
          subjects: () => ["foreign"]
        },
        (desk) =>
          Effect.andThen(
            sweep(desk, open),
            Effect.suspend(() => sweep({ ...desk, lastSweepAt: 0 }, open))
          )
      )
      const told = events.flatMap((event) => (event._tag === "OrphansSeen" ? [event] : []))
      assert.deepStrictEqual(
        told.map(({ confirmations, listings }) => [
          confirmations.map(({ id }) => String(id)),
          listings.map(String)
        ]),
        [[["c8", "c9"], ["L9"]]]
      )
      assert.deepStrictEqual(allowed, [])
    })
  )
})
