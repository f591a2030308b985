import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"

import { layer as virtualClock } from "../../src/clock/VirtualClock.ts"
import { money } from "../../src/domain/Money.ts"
import { layer as activity } from "../../src/engine/Activity.ts"
import { defaultOptions, type Desk, makeDesk } from "../../src/engine/Desk.ts"
import { Journal, layer as journal } from "../../src/engine/Journal.ts"
import { compare } from "../../src/engine/LedgerWatch.ts"
import { Store, type StoreError } from "../../src/store/Store.ts"
import { layerMemory } from "../../src/store/StoreMemory.ts"
import { at, opened, placeBid, sentBid, wallet } from "./Given.ts"

/** The ledger stands at 100.00; the wallet is read every minute with these balances. */
const read = (
  balances: ReadonlyArray<number>,
  before: (desk: Desk) => Effect.Effect<unknown, StoreError, Journal>
) =>
  Effect.gen(function* () {
    const desk = makeDesk(defaultOptions)
    const { append } = yield* Journal
    yield* append([opened])
    yield* before(desk)
    for (const balance of balances) {
      yield* compare(desk, { ...wallet, balance: money(balance) })
      yield* Effect.sleep("1 minute")
    }
    const store = yield* Store
    const tags = (yield* store.journal({})).map(({ event }) => event._tag)
    return { state: yield* store.state, tags: tags.filter((tag) => tag.startsWith("Ledger")).slice(1) }
  }).pipe(
    Effect.provide(
      Layer.mergeAll(journal).pipe(
        Layer.provideMerge(
          Layer.mergeAll(activity, layerMemory({ account: "1", mode: "embedded", market: "test" }))
        ),
        Layer.provideMerge(virtualClock({ startAtMillis: at(0) }))
      )
    )
  )

describe("The ledger against the wallet", () => {
  it.live("tells a difference only when it lasts, once, and when it is gone", () =>
    Effect.gen(function* () {
      const nothing = () => Effect.void
      assert.deepStrictEqual((yield* read([9_000, 9_000, 9_000], nothing)).tags, [])
      assert.deepStrictEqual((yield* read([9_000, 9_500, 9_000, 10_000], nothing)).tags, [])
      const lasting = yield* read([9_000, 9_000, 9_000, 9_000, 9_000], nothing)
      assert.deepStrictEqual(lasting.tags, ["LedgerDiffers"])
      assert.strictEqual(lasting.state.ledgerOff?.difference, -1_000)
      const over = yield* read([9_000, 9_000, 9_000, 9_000, 10_000], nothing)
      assert.deepStrictEqual(over.tags, ["LedgerDiffers", "LedgerAgrees"])
      assert.isUndefined(over.state.ledgerOff)
    })
  )

  it.live("waits for an outcome that is open, and holds the item whose outcome never came", () =>
    Effect.gen(function* () {
      const intent = placeBid(1_000, 1)
      const uncertain = Effect.gen(function* () {
        const { append } = yield* Journal
        yield* append([
          ...sentBid(intent),
          { _tag: "OutcomeUnknown", at: at(0), intent: intent.id, reason: "TimedOut", detail: "" }
        ])
      })
      const open = yield* read([9_000, 9_000, 9_000, 9_000, 9_000], () => uncertain)
      assert.deepStrictEqual(open.tags, [])
      const quarantined = yield* read([9_000, 9_000, 9_000, 9_000, 9_000], () =>
        Effect.gen(function* () {
          yield* uncertain
          yield* (yield* Journal).append([{ _tag: "Quarantined", at: at(1), intent: intent.id, tries: 9 }])
        })
      )
      assert.deepStrictEqual(quarantined.tags, ["LedgerDiffers"])
      assert.strictEqual(quarantined.state.ledgerOff?.item, "730/Glove Case")
    })
  )
})
