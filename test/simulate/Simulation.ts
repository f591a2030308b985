/** Many worlds in a row, and the sum of what happened in them. Some seeds are played twice: once with each kind of store. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { Effect } from "effect"

import type { Tamper } from "./Daemon.ts"
import { playWorld, type WorldReport } from "./World.ts"

export interface SimulationOptions {
  readonly first: number
  readonly seeds: number
  readonly hours?: number
  readonly tamper?: Tamper
  readonly onWorld?: (report: WorldReport) => Effect.Effect<void>
}

export interface Violation {
  readonly seed: number
  readonly invariant: string
  /** The command that plays this world again. */
  readonly replay: string
}

const defaultHours = 2
/** Every so many seeds one is played twice; by the seed itself, so that a single one replays the same way. */
const twiceEvery = 5
const dayMillis = 86_400_000

export const simulate = Effect.fnUntraced(function* (options: SimulationOptions) {
  const violations: Array<Violation> = []
  const reports: Array<WorldReport> = []
  for (let seed = options.first; seed < options.first + options.seeds; seed++) {
    const played = yield* playSeed(options, seed)
    reports.push(...played)
    const [one, other] = played
    const found = played.flatMap((report) => report.violations)
    if (one !== undefined && other !== undefined && one.journalHash !== other.journalHash)
      found.push(`10: same seed, same journal: ${one.journalHash} and ${other.journalHash}`)
    for (const invariant of new Set(found))
      violations.push({ seed, invariant, replay: `npm run simulate -- --seeds 1 --seed ${seed}` })
  }
  const total = (field: (report: WorldReport) => number) =>
    reports.reduce((sum, report) => sum + field(report), 0)
  return {
    seeds: options.seeds,
    violations,
    worlds: reports.length,
    marketDays: Math.round((total((of) => of.marketMillis) / dayMillis) * 100) / 100,
    requests: total((of) => of.requests),
    faults: {
      lostAnswer: total((of) => of.faults.lostAnswer),
      lostRequest: total((of) => of.faults.lostRequest),
      lateAnswer: total((of) => of.faults.lateAnswer),
      badGateway: total((of) => of.faults.badGateway),
      failedRead: total((of) => of.faults.failedRead),
      nullRead: total((of) => of.faults.nullRead),
      htmlRead: total((of) => of.faults.htmlRead),
      lateRead: total((of) => of.faults.lateRead),
      lapsedRequest: total((of) => of.faults.lapsedRequest)
    },
    crashes: total((of) => of.crashes),
    unknowns: {
      raised: total((of) => of.unknowns.raised),
      settled: total((of) => of.unknowns.settled),
      quarantined: total((of) => of.unknowns.quarantined)
    },
    worstRecoverySeconds: Math.max(0, ...reports.map((of) => of.worstRecoveryMillis)) / 1_000
  }
})
export type Simulation = Effect.Success<ReturnType<typeof simulate>>

const playSeed = Effect.fnUntraced(function* (
  { hours = defaultHours, onWorld, tamper }: SimulationOptions,
  seed: number
) {
  const world = { seed, hours, ...(tamper === undefined ? {} : { tamper }) }
  const reports = [yield* playWorld(world)]
  if (seed % twiceEvery === 0)
    reports.push(yield* inTemporaryFolder((folder) => playWorld({ ...world, folder })))
  for (const report of reports) if (onWorld !== undefined) yield* onWorld(report)
  return reports
})

const inTemporaryFolder = <A>(use: (folder: string) => Effect.Effect<A>): Effect.Effect<A> =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "haggle-simulate-"))),
    use,
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
