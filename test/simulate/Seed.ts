/**
 * Everything that one seed is played for: its world; for some seeds twice and with a database, or a short world again and again with a
 * death at each of its journal writes and requests.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { Effect } from "effect"

import type { Tamper } from "./Daemon.ts"
import { promises } from "./Occasion.ts"
import { type Death, planOf, type WorldPlan } from "./Plan.ts"
import { playWorld, type WorldReport } from "./World.ts"

export interface SeedOptions {
  readonly seed: number
  readonly minutes?: number
  /** Instead of the seed's own, and alone. */
  readonly plan?: WorldPlan
  readonly tamper?: Tamper
}

/** A world in which something was broken. */
interface Broken {
  readonly plan: WorldPlan
  readonly violations: ReadonlyArray<string>
}

export interface SeedResult {
  readonly seed: number
  readonly reports: ReadonlyArray<WorldReport>
  readonly broken: ReadonlyArray<Broken>
}

/** By the seed itself, so that a single one replays the same way. */
const twiceEvery = 5
const everyPointEvery = 25

export const playSeed = Effect.fn("Seed.play")(function* (options: SeedOptions) {
  const { seed } = options
  const plan = options.plan ?? planOf(seed, options.minutes === undefined ? {} : { minutes: options.minutes })
  const reports: Array<WorldReport> = []
  const broken: Array<Broken> = []
  const play = Effect.fnUntraced(function* (one: WorldPlan, folder?: string) {
    const report = yield* playWorld({
      plan: one,
      ...(folder === undefined ? {} : { folder }),
      ...(options.tamper === undefined ? {} : { tamper: options.tamper })
    })
    reports.push(report)
    if (report.violations.length > 0) broken.push({ plan: one, violations: report.violations })
    return report
  })

  if (seed % twiceEvery === 0) {
    const [one, again] = [
      yield* inTemporaryFolder((to) => play(plan, to)),
      yield* inTemporaryFolder((to) => play(plan, to))
    ]
    if (again.journalHash !== one.journalHash)
      broken.push({ plan, violations: [`10: ${promises[10]}: ${one.journalHash}, ${again.journalHash}`] })
  } else yield* play(plan)
  if (seed % everyPointEvery === 0 && options.plan === undefined) {
    const short = shortOf(plan)
    const { points } = yield* play(short)
    for (const death of pointsOf(points)) yield* play({ ...short, deaths: [death] })
  }
  const result: SeedResult = { seed, reports, broken }
  return result
})

/** A world without anything going wrong but what is put into it. */
const shortOf = (plan: WorldPlan): WorldPlan => ({
  ...plan,
  minutes: 8,
  quietMinutes: 12,
  edits: [],
  acts: [],
  words: [],
  faults: { faults: [] },
  deaths: []
})

const mostPoints = { append: 16, mutation: 5, read: 5 } as const

/** Deaths at every write and request, or evenly over them when there are more than `mostPoints`. */
const pointsOf = (points: WorldReport["points"]): ReadonlyArray<Death> =>
  (["append", "mutation", "read"] as const).flatMap((at) => {
    const step = Math.max(1, Math.ceil(points[at] / mostPoints[at]))
    const whens = at === "mutation" ? (["before", "after", "late"] as const) : (["after"] as const)
    return Array.from({ length: Math.ceil(points[at] / step) }, (_, index) => 1 + index * step).flatMap(
      (nth) => whens.map((when): Death => ({ at, nth, when }))
    )
  })

const inTemporaryFolder = <A>(use: (folder: string) => Effect.Effect<A>): Effect.Effect<A> =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "haggle-simulate-"))),
    use,
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
