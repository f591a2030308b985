import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"

import { layer as virtualClock } from "../../src/clock/VirtualClock.ts"
import type { Confirmation } from "../../src/domain/Confirmation.ts"
import type { ConfirmationId, IntentId } from "../../src/domain/Ids.ts"
import { accepted, type Outcome, refused, unknown } from "../../src/domain/Outcome.ts"
import { layer as activity } from "../../src/engine/Activity.ts"
import { allowPurchase, confirmListings } from "../../src/engine/Confirm.ts"
import { defaultOptions, type Desk, makeDesk } from "../../src/engine/Desk.ts"
import { Journal, layer as journal } from "../../src/engine/Journal.ts"
import { sweep } from "../../src/engine/Orphans.ts"
import { Market, MarketError, NoData } from "../../src/market/Market.ts"
import { Store, type StoreError } from "../../src/store/Store.ts"
import { layerMemory } from "../../src/store/StoreMemory.ts"
import { at, listAsset, opened, sellListing } from "./Given.ts"

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
}

/** Runs the work with a1 and a2 staged; what was allowed, whose details were read, and the journal's tags after it. */
const staged = <A>(
  given: Given,
  work: (desk: Desk) => Effect.Effect<A, MarketError | StoreError, Journal | Market>
) =>
  Effect.gen(function* () {
    const [allowed, asked, reads] = [
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
        ])
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
        })
      ])
      const result = yield* work(makeDesk(defaultOptions))
      const store = yield* Store
      const events = (yield* store.journal({})).map(({ event }) => event)
      return { result, allowed: yield* Ref.get(allowed), asked: yield* Ref.get(asked), events }
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
        confirmListings
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
          (desk) => Effect.andThen(confirmListings(desk), confirmListings(desk))
        )
        assert.deepStrictEqual(allowed, ["c3", "c4", "c3"])
        assert.deepStrictEqual(asked, ["c1", "c2", "c2"])
      })
  )

  it.live("of a purchase that are gone after an unclear answer were carried out", () =>
    Effect.gen(function* () {
      const own = purchase("c9", "p1")
      const { allowed, result } = yield* staged(
        { lists: [[], [own], []], answers: [unknown("TimedOut", "")] },
        () => allowPurchase("i9" as IntentId, "p1" as ConfirmationId)
      )
      assert.isTrue(result)
      assert.deepStrictEqual(allowed, ["c9"])
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
          lists: [[listing("c1", "L1"), listing("c8", "w"), purchase("c9", "p1")]],
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
