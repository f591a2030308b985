/** Many seeds, and the sum of what happened in their worlds; what was broken, with the command that plays it again and a smaller plan. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { Effect, Stream } from "effect"

import type { WorldPlan } from "./Plan.ts"
import type { SeedResult } from "./Seed.ts"
import type { Crew } from "./Workers.ts"

export interface SimulationOptions {
  readonly first: number
  readonly seeds: number
  readonly minutes?: number
  readonly plan?: WorldPlan
  /** Stop when the promise of this number is broken. */
  readonly until?: number
  /** Make the plan of a failing seed smaller. */
  readonly shrinks?: boolean
  readonly onSeed?: (result: SeedResult) => Effect.Effect<void>
}

interface Violation {
  readonly seed: number
  readonly invariant: string
  /** The command that plays this seed again. */
  readonly replay: string
  /** The command that plays less of it and still fails. */
  readonly smaller?: string
}

/** Failing seeds whose plans are made smaller; more would take longer than to look at one. */
const shrunkAtMost = 2

/** Seeds that wait for a thread of their own: results come in order, and a long one must not keep the other threads idle. */
const ahead = 20

/** Plays the seeds on the crew; the sums do not depend on which thread was faster. */
export const simulate = Effect.fn("Simulation.simulate")(function* (crew: Crew, options: SimulationOptions) {
  const { first, minutes, onSeed, plan, seeds } = options
  const given = { ...(minutes === undefined ? {} : { minutes }), ...(plan === undefined ? {} : { plan }) }
  const results = yield* Stream.range(first, first + seeds - 1).pipe(
    Stream.mapEffect((seed) => crew.play({ _tag: "Seed", seed, ...given }), {
      concurrency: crew.size * ahead
    }),
    Stream.tap((result) => onSeed?.(result) ?? Effect.void),
    Stream.takeUntil(({ broken }: SeedResult) =>
      broken.some(({ violations }) => violations.some((one) => one.startsWith(`${options.until}:`)))
    ),
    Stream.runCollect
  )
  const failing = results.filter(({ broken }) => broken.length > 0)
  const smaller =
    options.shrinks === true
      ? yield* Effect.forEach(failing.slice(0, shrunkAtMost), (result) => shrunk(crew, result), {
          concurrency: crew.size
        })
      : []
  const violations = failing.flatMap(({ broken, seed }, index): ReadonlyArray<Violation> => {
    const found = new Set(broken.flatMap(({ violations }) => violations))
    const less = smaller[index]
    const replay = `npm run simulate -- --seeds 1 --seed ${seed}`
    return [...found].map((invariant) =>
      less === undefined ? { seed, invariant, replay } : { seed, invariant, replay, smaller: less }
    )
  })
  return { seeds: results.length, violations, ...sumsOf(results) }
})
export type Simulation = Effect.Success<ReturnType<typeof simulate>>

const shrunk = Effect.fnUntraced(function* (crew: Crew, { broken, seed }: SeedResult) {
  const [one] = broken
  if (one === undefined) return undefined
  const promise = one.violations[0]?.split(":")[0] ?? ""
  const plan = yield* crew.shrink({ _tag: "Shrink", plan: one.plan, promise })
  return yield* Effect.sync(() => {
    const file = join(mkdtempSync(join(tmpdir(), "haggle-plan-")), `seed-${seed}.json`)
    writeFileSync(file, JSON.stringify(plan, undefined, 2))
    return `npm run simulate -- --seeds 1 --seed ${seed} --plan ${file}`
  })
})

const dayMillis = 86_400_000

const sumsOf = (results: ReadonlyArray<SeedResult>) => {
  const reports = results.flatMap(({ reports }) => reports)
  const total = (field: (report: (typeof reports)[number]) => number) =>
    reports.reduce((sum, report) => sum + field(report), 0)
  return {
    worlds: reports.length,
    marketDays: Math.round((total((of) => of.marketMillis) / dayMillis) * 100) / 100,
    requests: total((of) => of.requests),
    faults: counted(reports.map(({ faults }) => faults)),
    crashes: total((of) => of.crashes),
    reloads: { all: total((of) => of.edits.written), broken: total((of) => of.edits.broken) },
    intents: total((of) => of.counters.recorded),
    unitsBought: total((of) => of.counters.unitsBought),
    unitsSold: total((of) => of.counters.sold),
    unknowns: {
      raised: total((of) => of.unknowns.raised),
      settled: total((of) => of.unknowns.settled),
      quarantined: total((of) => of.unknowns.quarantined),
      how: counted(reports.map(({ unknowns }) => unknowns.how))
    },
    worstRecoverySeconds: Math.max(0, ...reports.map((of) => of.worstRecoveryMillis)) / 1_000
  }
}

/** The sum by name, names in order. */
const counted = (all: ReadonlyArray<Readonly<Record<string, number>>>): Record<string, number> => {
  const sums = new Map<string, number>()
  for (const one of all)
    for (const [name, count] of Object.entries(one)) sums.set(name, (sums.get(name) ?? 0) + count)
  return Object.fromEntries([...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
