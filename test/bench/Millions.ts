/** Row of a long replay: ten million books from a tape on disk by the command itself, and the most memory that it ever took. */
import { spawnSync } from "node:child_process"
import { resolve } from "node:path"

import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem } from "effect"

import type { Millis } from "../../src/domain/Ids.ts"
import { item, itemKey } from "../../src/domain/Item.ts"
import { salesPoint } from "../../src/domain/Sales.ts"
import { type BookColumns, columnsOf } from "../../src/tape/Books.ts"
import type { HistoryAt } from "../../src/tape/Histories.ts"
import { sealTapes } from "../../src/tape/Seal.ts"
import type { Tape, TapeItem } from "../../src/tape/Tape.ts"
import { books, start } from "../tape/Tapes.ts"
import { row } from "./Measure.ts"

const items = 20
const perItem = 500_000
const everyMillis = 60_000
const perBatch = 4_000
const hourMillis = 3_600_000
const barMegabytes = 200

/** The same stretch of books again and again, later each time. */
const later = (columns: BookColumns, byMillis: number): BookColumns => ({
  ...columns,
  at: columns.at.map((at) => at + byMillis)
})

const itemOf = (index: number): TapeItem => {
  const key = itemKey(item(730, `Item ${index}`))
  const stretch = columnsOf(books(500 + index, perBatch, { levels: 10, everyMillis }))
  const [first, last] = [stretch.at[0] as number, stretch.at[perBatch - 1] as number]
  const length = last - first + everyMillis
  const price = stretch.bid.find((bid) => !Number.isNaN(bid)) ?? 1_000
  const looks = Math.floor((perItem * everyMillis) / hourMillis)
  const histories = Array.from({ length: looks }, (_, look): HistoryAt => {
    const at = (first + look * hourMillis) as Millis
    return { at, points: [salesPoint(at, (price * (1 + ((look * 7) % 11) / 100)) / 100, 1 + (look % 40))] }
  })
  return {
    item: key,
    batches: Array.from({ length: perItem / perBatch }, (_, batch) => ({
      item: key,
      count: perBatch,
      from: (first + batch * length) as Millis,
      to: (last + batch * length) as Millis,
      bytes: 0,
      read: Effect.sync(() => later(stretch, batch * length))
    })),
    histories: Effect.succeed(histories),
    overviews: Effect.succeed([]),
    activities: Effect.succeed([]),
    histograms: Effect.succeed([]),
    owns: Effect.succeed([])
  }
}

const strategy = `version: 1
universe: [{ app: 730, items: [${Array.from({ length: items }, (_, index) => `Item ${index}`).join(", ")}] }]
rules:
  - { id: enter, when: clock.hour == 3 && book.ask < history.median(duration("24h")) * 1.2 && position.units < 2, do: bid, at: book.ask, qty: 1, expire: 30m }
  - { id: leave, when: book.spreadPct > 0.2, do: cancel-bid }
  - { id: exit, when: position.sellable > 0 && position.oldestAge > duration("6h"), do: ask, at: book.bid, allowLoss: true }
`

const tellsMemory = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => process.stderr.write(`maxRSS ${process.resourceUsage().maxRSS}\\n`))'
)}`

const longReplay = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped()
  const [tape, strategies] = [`${folder}/long.tape`, `${folder}/strategies`]
  const meta = { currency: 1, market: "made", source: "recorded", createdAt: start } as const
  const made: Tape = {
    file: "made",
    bytes: 0,
    meta,
    sealed: false,
    items: Array.from({ length: items }, (_, index) => itemOf(index)),
    lost: undefined
  }
  const bytes = yield* sealTapes([made], tape, meta)
  yield* fs.makeDirectory(strategies)
  yield* fs.writeFileString(`${strategies}/dips.yaml`, strategy)
  const began = performance.now()
  const { status, stderr, stdout } = spawnSync(
    resolve("node_modules/.bin/node"),
    `--import ${tellsMemory} src/haggle.mjs backtest --strategies ${strategies} --tape ${tape} --json`.split(
      " "
    ),
    { encoding: "utf8", maxBuffer: 1 << 28 }
  )
  const seconds = (performance.now() - began) / 1_000
  const played = (JSON.parse(stdout) as { readonly books: number }).books
  if (status !== 0 || played !== items * perItem)
    return yield* Effect.die(new Error(`${played} books, ended with ${status}: ${stderr}`))
  const megabytes = Number(/maxRSS (\d+)/.exec(stderr)?.[1]) / 1_024
  return row({
    name: "long replay",
    value: megabytes,
    unit: `MB at most in \`haggle backtest\` of ${played / 1e6} M books on disk (${Math.round(bytes / 1e6)} MB), ${seconds.toFixed(0)} s with start-up`,
    against: { "M books/s": played / 1e6 / seconds },
    bar: barMegabytes
  })
}).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

export const millionRows = { "long replay": longReplay }
