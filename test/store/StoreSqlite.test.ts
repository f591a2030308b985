import { spawn } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { execPath, getuid, pid } from "node:process"

/** What the file adds: it survives, it is one's own, it is one process's at a time, and a person can read it. */
import { assert, describe, it } from "@effect/vitest"
import BetterSqlite3 from "better-sqlite3"
import { Effect, Exit, Fiber, Layer, Schema, Scope } from "effect"

import { applyAll } from "../../src/domain/Fold.ts"
import { item } from "../../src/domain/Item.ts"
import { emptyState, type State } from "../../src/domain/State.ts"
import { type Stamp, Store } from "../../src/store/Store.ts"
import { layerMemory } from "../../src/store/StoreMemory.ts"
import { layerReadOnly, layerSqlite } from "../../src/store/StoreSqlite.ts"
import * as Given from "./events.ts"

const stamp: Stamp = { account: "76561190000000001", mode: "embedded", market: "seed-1" }

const folder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(join(tmpdir(), "store-"))),
  (path) => Effect.sync(() => fs.rmSync(path, { recursive: true }))
)
const aFile = Effect.map(folder, (path) => join(path, "haggle.db"))

/** Opens, does, closes. */
const using = <A, E>(
  file: string,
  body: (store: Store["Service"]) => Effect.Effect<A, E>,
  options: { readonly stamp?: Stamp; readonly snapshotEvery?: number } = {}
) =>
  Effect.flatMap(Store, body).pipe(Effect.provide(layerSqlite({ file, stamp, ...options }), { local: true }))

const reading = <A, E>(file: string, body: (store: Store["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(Store, body).pipe(Effect.provide(layerReadOnly(file), { local: true }))

/** Opens into a scope of its own, as a daemon does that nobody has closed yet. */
const daemon = (file: string, snapshotEvery = 500) =>
  Effect.gen(function* () {
    const scope = yield* Effect.acquireRelease(Scope.make(), (open) => Scope.close(open, Exit.void))
    const context = yield* Layer.buildWithScope(layerSqlite({ file, stamp, snapshotEvery }), scope)
    return { store: yield* Effect.provideContext(Store, context), close: Scope.close(scope, Exit.void) }
  })

const keysOf = ({ asks, bids, epochs, lastBids, positions, repriced }: State) =>
  [asks, bids, epochs, lastBids, positions, repriced].map((record) => Object.keys(record))

const reasonOf = <A>(opening: Effect.Effect<A, { readonly reason: unknown }>) =>
  Effect.map(
    Effect.flip(opening),
    (error) => error.reason as { readonly _tag: string } & Record<string, unknown>
  )

const sql = (file: string, statement: string) =>
  Effect.sync(() => {
    const database = new BetterSqlite3(file)
    const prepared = database.prepare(statement)
    const rows = prepared.reader ? prepared.all() : [prepared.run()]
    database.close()
    return rows as ReadonlyArray<Record<string, unknown>>
  })

describe("a database that was closed", () => {
  it.effect("goes on where it ended", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      const hash = yield* using(file, (store) => Effect.andThen(store.append(Given.story), store.journalHash))
      yield* using(file, (store) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* store.state, applyAll(emptyState, Given.story))
          assert.strictEqual(yield* store.journalHash, hash)
          yield* store.append([Given.sent("p2", 60)])
          assert.deepStrictEqual(
            (yield* store.journal({ last: 1 })).map((entry) => entry.seq),
            [Given.story.length + 1]
          )
        })
      )
    })
  )

  it.effect.prop(
    "has the same state from snapshot and tail as from all of its events, in the same order",
    { seed: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })) },
    ({ seed }) =>
      Effect.gen(function* () {
        const file = yield* aFile
        const events = Given.randomJournal(seed, 230)
        yield* using(
          file,
          (store) => {
            const appends = Array.from({ length: 23 }, (_, index) =>
              events.slice(index * 10, index * 10 + 10)
            )
            return Effect.forEach(appends, (append) => store.append(append))
          },
          { snapshotEvery: 40 }
        )
        const kept = yield* sql(file, "SELECT seq FROM snapshots ORDER BY seq")
        assert.deepStrictEqual(kept, [{ seq: 160 }, { seq: 200 }])
        const full = applyAll(emptyState, events)
        const [state, hash] = yield* using(file, (store) => Effect.all([store.state, store.journalHash]))
        assert.deepStrictEqual(state, full)
        // Whoever walks the slots must meet them in the same order after a restart.
        assert.deepStrictEqual(keysOf(state), keysOf(full))
        const memory = yield* Effect.flatMap(Store, (store) =>
          Effect.andThen(store.append(events), store.journalHash)
        ).pipe(Effect.provide(layerMemory(stamp), { local: true }))
        assert.strictEqual(hash, memory)
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 12, seed: "store" } }
  )

  it.effect("passes over a snapshot that cannot be read", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      yield* using(file, (store) => store.append(Given.story), { snapshotEvery: 5 })
      yield* sql(file, `UPDATE snapshots SET body = '{"half":'`)
      assert.deepStrictEqual(yield* using(file, (store) => store.state), applyAll(emptyState, Given.story))
    })
  )
})

describe("a process that dies", () => {
  it.effect("leaves every append that had returned, and another goes on", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = join(path, "haggle.db")
      const { store } = yield* daemon(file, 7)
      yield* store.append(Given.story.slice(0, 11))
      yield* store.append(Given.story.slice(11))
      // The files as a crash leaves them: nothing is closed, the journal of SQLite is not folded back.
      const copy = join(path, "copy.db")
      for (const end of ["", "-wal", "-shm"]) fs.copyFileSync(`${file}${end}`, `${copy}${end}`)
      assert.deepStrictEqual(yield* using(copy, (other) => other.state), yield* store.state)
      assert.strictEqual(yield* using(copy, (other) => other.journalHash), yield* store.journalHash)
    })
  )

  it.effect("holds no lock after kill -9, and has lost nothing that it had reported", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      const reported = yield* killedAfter(file, 25)
      assert.isAtLeast(reported.length, 25)
      yield* using(file, (store) =>
        Effect.gen(function* () {
          const entries = yield* store.journal({})
          assert.isAtLeast(entries.length, reported.length)
          assert.deepStrictEqual(
            entries.map((entry) => entry.event),
            Given.randomJournal(7, entries.length)
          )
          const hashes = yield* Effect.forEach(entries, ({ event }) =>
            Effect.andThen(
              Effect.flatMap(Store, (memory) => memory.append([event])),
              Effect.flatMap(Store, (memory) => memory.journalHash)
            )
          ).pipe(Effect.provide(layerMemory(stamp)))
          assert.deepStrictEqual(hashes.slice(0, reported.length), reported)
          assert.strictEqual(yield* store.journalHash, hashes.at(-1))
        })
      )
    })
  )
})

/** Runs the other process and kills it once it has reported so many appends; the whole lines that it wrote. */
const killedAfter = (file: string, appends: number): Effect.Effect<ReadonlyArray<string>> =>
  Effect.callback((resume) => {
    const child = spawn(execPath, [join(import.meta.dirname, "killed.ts"), file], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let text = ""
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      if (text.split("\n").length > appends) child.kill("SIGKILL")
    })
    child.on("close", () => resume(Effect.succeed(text.split("\n").slice(0, -1))))
  })

describe("an append", () => {
  it.effect("that the disk refuses changes neither the file nor the state, and the next one is written", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      const { store } = yield* daemon(file)
      const before = yield* store.append(Given.story.slice(0, 5))
      // Fails in the middle of the transaction, after the event was inserted, as a full disk would.
      const refuse =
        "CREATE TRIGGER full BEFORE INSERT ON trades BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
      yield* sql(file, refuse)
      const reason = yield* reasonOf(store.append(Given.story.slice(5)))
      assert.deepInclude(reason, { _tag: "Failed", operation: "append", detail: "disk is full" })
      assert.strictEqual(yield* store.state, before)
      assert.lengthOf(yield* store.journal({}), 5)
      yield* sql(file, "DROP TRIGGER full")
      assert.deepStrictEqual(yield* store.append(Given.story.slice(5)), applyAll(emptyState, Given.story))
    })
  )

  it.effect("that was begun is finished, whoever is interrupted", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      const { store } = yield* daemon(file)
      const events = Given.randomJournal(9, 2_000)
      const writing = yield* Effect.forkChild(store.append(events), { startImmediately: true })
      yield* Fiber.interrupt(writing)
      assert.lengthOf(yield* store.journal({}), events.length)
      assert.deepStrictEqual(yield* store.state, applyAll(emptyState, events))
    })
  )
})

describe("opening", () => {
  it.effect("creates the folders that are not there", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "a", "b", "haggle.db")
      yield* using(file, (store) => store.append([Given.opened]))
      assert.isTrue(fs.existsSync(file))
    })
  )

  for (const other of [
    { ...stamp, account: "76561190000000002" },
    { ...stamp, mode: "live" },
    { ...stamp, market: "seed-2" }
  ] satisfies ReadonlyArray<Stamp>)
    it.effect(`refuses the database of ${other.account}/${other.mode}/${other.market}`, () =>
      Effect.gen(function* () {
        const file = yield* aFile
        yield* using(file, (store) => store.append([Given.opened]))
        const before = fs.readFileSync(file)
        const reason = yield* reasonOf(using(file, (store) => store.state, { stamp: other }))
        assert.deepInclude(reason, {
          _tag: "OtherStamp",
          found: "76561190000000001/embedded/seed-1",
          wanted: `${other.account}/${other.mode}/${other.market}`
        })
        assert.isTrue(before.equals(fs.readFileSync(file)))
      })
    )

  it.effect("refuses a second instance, names the first, and is free once that has closed", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      const first = yield* daemon(file)
      const second = using(file, (store) => store.append([Given.opened]))
      assert.deepInclude(yield* reasonOf(second), { _tag: "InUse", file, pid })
      assert.deepInclude(yield* reasonOf(second), { _tag: "InUse", file, pid })
      yield* first.store.append([Given.opened])
      yield* first.close
      assert.lengthOf(yield* using(file, (store) => store.journal({})), 1)
    })
  )

  it.effect("reports a file that is no database, and leaves it as it was", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      fs.writeFileSync(file, "these are not the bytes of a database\n".repeat(300))
      const before = fs.readFileSync(file)
      assert.deepInclude(yield* reasonOf(using(file, (store) => store.state)), { _tag: "Corrupt", file })
      assert.deepInclude(yield* reasonOf(reading(file, (store) => store.state)), { _tag: "Corrupt", file })
      assert.isTrue(before.equals(fs.readFileSync(file)))
    })
  )

  it.effect("reports a database with damaged pages", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      yield* using(file, (store) => store.append(Given.randomJournal(3, 400)))
      const bytes = fs.readFileSync(file)
      // Every page but the first, whose schema still makes it look whole.
      for (let page = 4096; page < bytes.length; page += 4096) bytes.fill(0xa5, page + 8, page + 64)
      fs.writeFileSync(file, bytes)
      assert.deepInclude(yield* reasonOf(using(file, (store) => store.state)), { _tag: "Corrupt", file })
    })
  )

  it.effect("reports a database that is not haggle's, and writes nothing into it", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      yield* sql(file, "CREATE TABLE recipes (name TEXT)")
      const before = fs.readFileSync(file)
      const reason = yield* reasonOf(using(file, (store) => store.state))
      assert.deepInclude(reason, { _tag: "Corrupt", detail: "a SQLite database, but not one of haggle" })
      assert.isTrue(before.equals(fs.readFileSync(file)))
    })
  )

  it.effect("refuses a database of a newer version", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      yield* using(file, (store) => store.append([Given.opened]))
      yield* sql(file, "INSERT INTO migrations (migration_id, name) VALUES (99, 'later')")
      assert.deepInclude(yield* reasonOf(using(file, (store) => store.state)), {
        _tag: "TooNew",
        found: 99,
        known: 2
      })
    })
  )

  it.effect("names the event that cannot be read, that was changed, or that is missing", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      yield* using(file, (store) => store.append(Given.story))
      const opening = using(file, (store) => store.state)
      yield* sql(file, `UPDATE events SET body = replace(body, '"p1"', '"p7"') WHERE seq = 3`)
      assert.match(`${(yield* reasonOf(opening))["detail"]}`, /^event 3 was changed/)
      yield* sql(file, `UPDATE events SET body = '{"_tag":"Sent"}' WHERE seq = 3`)
      assert.match(`${(yield* reasonOf(opening))["detail"]}`, /^event 3 cannot be read: .*at/s)
      yield* sql(file, "DELETE FROM mentions WHERE seq = 3")
      yield* sql(file, "DELETE FROM events WHERE seq = 3")
      assert.deepInclude(yield* reasonOf(opening), { _tag: "Corrupt", detail: "event 3 is missing" })
    })
  )

  it.effect("reports a folder that cannot be made, here below a regular file", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      fs.writeFileSync(file, "")
      const below = join(file, "state", "haggle.db")
      assert.deepInclude(yield* reasonOf(using(below, (store) => store.state)), { _tag: "NotWritable" })
    })
  )

  it.effect.skipIf(getuid?.() === 0)(
    "reports a folder that is read-only (root may write anywhere: skipped)",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        fs.chmodSync(path, 0o500)
        const reason = yield* reasonOf(using(join(path, "haggle.db"), (store) => store.state))
        fs.chmodSync(path, 0o700)
        assert.deepInclude(reason, { _tag: "NotWritable" })
      })
  )
})

describe("reading only", () => {
  it.effect("says that there is nothing where nothing is, and creates nothing", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      assert.deepInclude(yield* reasonOf(reading(file, (store) => store.state)), { _tag: "Missing", file })
      assert.isFalse(fs.existsSync(file))
    })
  )

  it.effect("follows a daemon that is running", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      const { store } = yield* daemon(file, 7)
      yield* store.append(Given.story.slice(0, 9))
      yield* reading(file, (face) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(face.stamp, stamp)
          assert.deepStrictEqual(yield* face.state, yield* store.state)
          yield* store.append(Given.story.slice(9))
          yield* store.beat({ at: Given.at(1), numbers: { polls: 3 }, notes: {}, last: false })
          assert.deepStrictEqual(yield* face.state, yield* store.state)
          assert.strictEqual(yield* face.journalHash, yield* store.journalHash)
          assert.deepStrictEqual(yield* face.journal({ last: 2 }), yield* store.journal({ last: 2 }))
          assert.deepStrictEqual(yield* face.lastBeat, yield* store.lastBeat)
        })
      )
    })
  )

  it.effect("reads the database of a daemon that has stopped, and cannot write to it", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      yield* using(file, (store) => store.append(Given.story))
      yield* reading(file, (face) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* face.state, applyAll(emptyState, Given.story))
          assert.strictEqual((yield* Effect.flip(face.append([Given.sent("p2")]))).reason._tag, "Failed")
          const beat = face.beat({ at: Given.at(1), numbers: {}, notes: {}, last: false })
          assert.strictEqual((yield* Effect.flip(beat)).reason._tag, "Failed")
        })
      )
      assert.lengthOf(yield* using(file, (store) => store.journal({})), Given.story.length)
    })
  )
})

describe("the tables", () => {
  const tables = Effect.gen(function* () {
    const file = yield* aFile
    yield* using(file, (store) => Effect.forEach(Given.story, (event) => store.append([event])))
    return (statement: string) => sql(file, statement)
  })

  it.effect("show intents with their reasons and how they went", () =>
    Effect.gen(function* () {
      const ask = yield* tables
      assert.deepStrictEqual(
        yield* ask(
          "SELECT id, kind, state, detail, price, quantity, order_id, asset, rule FROM intents ORDER BY recorded_at, id"
        ),
        [
          {
            id: "p1",
            kind: "PlaceBid",
            state: "Accepted",
            detail: null,
            price: 3820,
            quantity: 2,
            order_id: "o1",
            asset: null,
            rule: "buy"
          },
          {
            id: "p2",
            kind: "PlaceBid",
            state: "Refused",
            detail: "TooManyOrders: limit exceeded",
            price: 3700,
            quantity: 2,
            order_id: null,
            asset: null,
            rule: "buy"
          },
          {
            id: "s1",
            kind: "ListAsset",
            state: "Confirmed",
            detail: null,
            price: 4600,
            quantity: null,
            order_id: null,
            asset: "a1",
            rule: "sell"
          }
        ]
      )
      assert.deepStrictEqual(
        yield* ask("SELECT json_extract(saw, '$.ask') AS ask FROM intents WHERE id = 'p1'"),
        [{ ask: "42.40" }]
      )
    })
  )

  it.effect("keep what is over, with how it ended", () =>
    Effect.gen(function* () {
      const ask = yield* tables
      assert.deepStrictEqual(yield* ask("SELECT * FROM orders"), [
        {
          id: "o1",
          item: "730/Glove Case",
          state: "Filled",
          price: 3820,
          quantity: 2,
          remaining: 0,
          intent: "p1",
          strategy: "spread",
          opened_at: Given.at(3),
          closed_at: Given.at(5)
        }
      ])
      assert.deepStrictEqual(yield* ask("SELECT * FROM listings"), [
        {
          intent: "s1",
          listing: "l1",
          asset: "a1",
          item: "730/Glove Case",
          state: "Sold",
          seller_receives: 4000,
          buyer_pays: 4600,
          strategy: "spread",
          opened_at: Given.at(3),
          closed_at: Given.at(10)
        }
      ])
    })
  )

  it.effect("show positions, trades and the ledger to the minor unit", () =>
    Effect.gen(function* () {
      const ask = yield* tables
      assert.deepStrictEqual(yield* ask("SELECT * FROM positions"), [
        {
          item: "730/Glove Case",
          units: 1,
          assets: 1,
          cost: 3800,
          avg_cost: 3800,
          units_bought: 2,
          units_sold: 1,
          realised: 180,
          fees: 477 + 475 + 500
        }
      ])
      assert.deepStrictEqual(yield* ask("SELECT id, side, amount, intent FROM trades ORDER BY id"), [
        { id: "f1", side: "Buy", amount: 3820, intent: "p1" },
        { id: "f2", side: "Buy", amount: 3800, intent: "p1" },
        { id: "f3", side: "Sell", amount: 4000, intent: "s1" }
      ])
      assert.deepStrictEqual(yield* ask("SELECT opening, balance FROM ledger"), [
        { opening: 100_000, balance: 96_380 }
      ])
      assert.deepStrictEqual(yield* ask("SELECT time, kind, item FROM journal WHERE seq = 1"), [
        { time: "2023-11-14T22:13:20.000Z", kind: "LedgerOpened", item: null }
      ])
    })
  )

  it.effect("follow an order through its cancel, one of unknown end, and one that is not ours", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      const [mine, lost, foreign] = [item(730, "A"), item(730, "B"), item(730, "C")]
      const rows = sql(file, "SELECT id, state, remaining, intent, closed_at FROM orders ORDER BY id")
      yield* using(file, (store) =>
        Effect.gen(function* () {
          yield* store.append([
            Given.recorded(Given.placeBid("p1", 100, 3, mine)),
            Given.accepted("p1", "o1"),
            Given.progressed("o1", 2, mine),
            Given.recorded(Given.cancelBid("c1", "o1", mine)),
            Given.recorded(Given.placeBid("p2", 100, 1, lost)),
            Given.accepted("p2", "o2"),
            Given.recorded(Given.cancelBid("c2", "o2", lost)),
            Given.unknown("c2"),
            Given.foreignSeen("o3", foreign)
          ])
          assert.deepStrictEqual(yield* rows, [
            { id: "o1", state: "Cancelling", remaining: 2, intent: "p1", closed_at: null },
            { id: "o2", state: "Uncertain", remaining: 1, intent: "p2", closed_at: null },
            { id: "o3", state: "Foreign", remaining: 4, intent: null, closed_at: null }
          ])
          yield* store.append([
            Given.accepted("c1"),
            Given.bidClosed("o1", "Cancelled", mine, 20),
            Given.settled("c2", false),
            Given.bidClosed("o3", "Gone", foreign, 21)
          ])
        })
      )
      assert.deepStrictEqual(yield* rows, [
        { id: "o1", state: "Cancelled", remaining: 2, intent: "p1", closed_at: Given.at(20) },
        { id: "o2", state: "Open", remaining: 1, intent: "p2", closed_at: null },
        { id: "o3", state: "Gone", remaining: 4, intent: null, closed_at: Given.at(21) }
      ])
      assert.deepStrictEqual(
        yield* sql(file, "SELECT id, state FROM intents WHERE kind = 'CancelBid' ORDER BY id"),
        [
          { id: "c1", state: "Accepted" },
          { id: "c2", state: "NotDone" }
        ]
      )
    })
  )

  it.effect("agree with the state after any journal", () =>
    Effect.gen(function* () {
      const file = yield* aFile
      const state = yield* using(file, (store) => store.append(Given.randomJournal(11, 600)))
      const over = "('Filled', 'Cancelled', 'Gone', 'Sold', 'Removed', 'Refused', 'NotListed')"
      const bids = Object.values(state.bids).filter((slot) => slot._tag !== "Placing")
      const orders = yield* sql(
        file,
        `SELECT item, state FROM orders WHERE state NOT IN ${over} ORDER BY item`
      )
      assert.lengthOf(orders, bids.length)
      for (const row of orders) assert.strictEqual(state.bids[`${row["item"]}`]?._tag, row["state"])
      const listings = yield* sql(file, `SELECT asset, state FROM listings WHERE state NOT IN ${over}`)
      assert.lengthOf(listings, Object.keys(state.asks).length)
      for (const row of listings) assert.strictEqual(state.asks[`${row["asset"]}`]?._tag, row["state"])
      const [sums] = yield* sql(
        file,
        "SELECT SUM(CASE side WHEN 'Buy' THEN -amount ELSE amount END) AS net FROM trades"
      )
      assert.strictEqual(state.opening + Number(sums?.["net"]), state.ledger)
    })
  )
})
