/** Rows of sweeps: two hundred runs on threads, against the same runs on one. */
import { enableCompileCache } from "node:module"
import { Worker } from "node:worker_threads"

import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem } from "effect"

import { partsOf } from "../../src/backtest/Sweep.ts"
import { playAll } from "../../src/cli/commands/SweepThreads.ts"
import { item, itemKey } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import { defaultOptions } from "../../src/engine/Desk.ts"
import { defaultPaperRules } from "../../src/paper/PaperSee.ts"
import { RecordEncoder } from "../../src/tape/Writer.ts"
import { books, start } from "../tape/Tapes.ts"
import { row } from "./Measure.ts"

const runs = 200
/** A week of ten items that were looked at once a minute. */
const names = Array.from({ length: 10 }, (_, index) => `Case ${index + 1}`)
const [perItem, everyMillis, days] = [10_080, 60_000, 7]
const strategy = `version: 1
universe: [{ app: 730, items: [${names.join(", ")}] }]
params:
  margin: { default: 6%, min: 0%, max: 100% }
rules:
  - { id: enter, when: "book.spread > book.bid * params.margin && position.units < 4", do: bid, at: book.bid + tick(1), qty: 4 - position.units }
  - { id: out, when: "book.spread < book.bid * params.margin * 0.5", do: cancel-bid }
  - { id: exit, when: "position.units > 0", do: ask, at: book.ask - tick(1) }
`

const counting = "let x = 0; for (let i = 0; i < 4e8; i++) x = (x * 31 + i) | 0"

/** Seconds that so many threads take which share nothing: what the machine has to give while others use it, too. */
const spun = (threads: number) =>
  Effect.promise(async () => {
    const began = performance.now()
    const ended = () => new Promise((resolve) => new Worker(counting, { eval: true }).once("exit", resolve))
    await Promise.all(Array.from({ length: threads }, ended))
    return (performance.now() - began) / 1000
  })

const perSecond = (seconds: number): string => (runs / seconds).toFixed(1)

const sweeping = Effect.gen(function* () {
  // as the launcher does
  enableCompileCache()
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped()
  const [tape, file] = [`${folder}/made.tape`, `${folder}/made.yaml`]
  const meta = { currency: 1, market: "made up", source: "recorded", createdAt: start } as const
  const encoder = new RecordEncoder(meta)
  for (const [index, name] of names.entries())
    for (const { at, book } of books(index + 1, perItem, { everyMillis }))
      encoder.add({ _tag: "Book", item: itemKey(item(730, name)), at, book })
  yield* fs.writeFile(tape, encoder.out.view().slice())
  yield* fs.writeFileString(file, strategy)
  const { paper, engine } = { paper: { ...defaultPaperRules, pessimism: 0.3 }, engine: defaultOptions }
  const settings = { balance: money(100_000), paper, engine, items: undefined, warmUpMillis: 0 }
  const task = { strategy: file, currency: 1, tapes: [tape], settings } as const
  const [part] = partsOf(start, start + days * 86_400_000, 1)
  if (part === undefined) return yield* Effect.die("no time to play")
  const jobs = Array.from({ length: runs }, (_, index) => ({ params: { margin: `${index % 40}%` }, part }))
  const timed = (threads: number) =>
    Effect.gen(function* () {
      const began = performance.now()
      yield* playAll(task, jobs, threads, () => Effect.void)
      return (performance.now() - began) / 1000
    })
  // in turn, and the better of each: what else the machine does changes from second to second
  const [twoAtFirst, oneAtFirst] = [yield* timed(2), yield* timed(1)]
  const [two, one] = [Math.min(twoAtFirst, yield* timed(2)), Math.min(oneAtFirst, yield* timed(1))]
  const [spunByTwo, spunByOne] = [yield* spun(2), yield* spun(1)]
  return row({
    name: "sweep",
    value: one / two,
    unit: `times as fast on two threads, ${runs} runs of ${names.length * perItem} books, start-up included: ${perSecond(two)} against ${perSecond(one)} runs/s`,
    against: {
      "what two threads that only count gain just now": one / two / ((2 * spunByOne) / spunByTwo)
    },
    atLeast: 1.7
  })
}).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

export const sweepRows = { sweep: sweeping }
