import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"

import type { Event } from "../../src/domain/Event.ts"
import { money } from "../../src/domain/Money.ts"
import { Store } from "../../src/store/Store.ts"
import { layerSqlite } from "../../src/store/StoreSqlite.ts"
import { at, opened, placeBid, sentBid } from "../engine/Given.ts"
import { haggle } from "./haggle.ts"

/** A database of a daemon that does not run. */
const databaseWith = (events: ReadonlyArray<Event>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = `${yield* fs.makeTempDirectoryScoped()}/haggle.db`
    const stamp = { account: "1", mode: "embedded", market: "test" } as const
    yield* Effect.flatMap(Store, ({ append }) => append(events)).pipe(
      Effect.provide(layerSqlite({ file, stamp }))
    )
    return file
  })
const here = Effect.provide(NodeServices.layer)

const intent = placeBid(842, 5)
const quarantined: ReadonlyArray<Event> = [
  opened,
  ...sentBid(intent),
  { _tag: "OutcomeUnknown", at: at(0), intent: intent.id, reason: "TimedOut", detail: "" },
  { _tag: "Quarantined", at: at(1_800), intent: intent.id, tries: 60 }
]

describe("What a person settles", () => {
  it.effect("is a quarantined intent, let go by its item's name and once only", () =>
    Effect.gen(function* () {
      const file = yield* databaseWith(quarantined)
      const first = yield* haggle("release", "Glove Case", "not there", "--db", file, "--json")
      assert.strictEqual(first.exitCode, 0, first.err)
      assert.deepInclude(JSON.parse(first.out) as object, { running: false, released: [intent.id] })
      const again = yield* haggle("release", "Glove Case", "--db", file)
      assert.strictEqual(again.exitCode, 1)
      assert.include(again.err, "haggle status")
      const { out } = yield* haggle("journal", "--kind", "Released", "--db", file)
      assert.include(out, "not there")
    }).pipe(Effect.scoped, here)
  )

  it.effect("is a lasting difference to the wallet, booked as the owner's", () =>
    Effect.gen(function* () {
      const file = yield* databaseWith([
        opened,
        { _tag: "LedgerDiffers", at: at(9), ledger: money(10_000), wallet: money(9_250) }
      ])
      assert.include((yield* haggle("ledger", "--db", file)).out, "the account is paused")
      const taken = yield* haggle("ledger", "--take", "a gift", "--db", file, "--json")
      assert.strictEqual(taken.exitCode, 0, taken.err)
      const told = JSON.parse(taken.out) as { books: object; difference: unknown; trialBalance: number }
      assert.deepInclude(told.books, { wallet: 9_250, owner: -9_250 })
      assert.deepStrictEqual([told.difference, told.trialBalance], [null, 0])
      assert.strictEqual((yield* haggle("ledger", "--take", "again", "--db", file)).exitCode, 1)
    }).pipe(Effect.scoped, here)
  )
})
