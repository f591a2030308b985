/**
 * The same days of the embedded market traded really and tried: how near a trial comes to what would have happened, over many seeds.
 * A trial is a way of running `haggle` that ends with the summary of a run.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { env, execPath } from "node:process"

import { Effect } from "effect"

import type { Summary } from "../../src/cli/Summary.ts"

/** What a run came to; profit in minor units, after fees, with what is still held at the bids. */
export interface Came {
  readonly units: number
  readonly sold: number
  readonly profit: number
}

/** How the strategies were run: for real, or a trial of them. */
export type Way = "real" | "dry-run"
const flagsOf: Readonly<Record<Way, ReadonlyArray<string>>> = { real: [], "dry-run": ["--dry-run"] }

export interface HonestyOptions {
  readonly first: number
  readonly seeds: number
  readonly days: number
  readonly trials: ReadonlyArray<Exclude<Way, "real">>
  readonly pessimism: number | undefined
  /** Processes at a time. */
  readonly processes: number
  /** Where results are kept that need not be computed again. */
  readonly keep: string | undefined
}

export interface Compared {
  readonly seed: number
  readonly real: Came
  readonly tried: Came
  /** Tried over real. */
  readonly units: number
  readonly profit: number
}

const launcher = resolve("src/haggle.mjs")

const cameOf = ({ buyOrders, listings, pnl }: Summary): Came => ({
  units: buyOrders.unitsBought,
  sold: listings.sold,
  profit: pnl.realised + pnl.unrealised
})

/** One run in its own process and folder. */
const ran = (way: Way, seed: number, { days, pessimism }: HonestyOptions): Effect.Effect<Came> =>
  Effect.callback<Came>((resume) => {
    const state = mkdtempSync(join(tmpdir(), "haggle-honesty-"))
    const args = ["run", "--json", "--for", `${days}d`, "--speed", "1000000", "--seed", `${seed}`]
    const child = spawn(execPath, [launcher, ...args, "--state", state, ...flagsOf[way]], {
      stdio: ["ignore", "pipe", "pipe"],
      env: pessimism === undefined ? env : { ...env, HAGGLE_PAPER_PESSIMISM: `${pessimism}` }
    })
    const text = { out: "", err: "" }
    child.stdout.on("data", (chunk: Buffer) => (text.out += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (text.err = (text.err + chunk.toString()).slice(-2_000)))
    child.once("exit", (code) => {
      rmSync(state, { recursive: true, force: true })
      resume(
        code === 0
          ? Effect.succeed(cameOf(JSON.parse(text.out.trim().split("\n").at(-1) ?? "") as Summary))
          : Effect.die(new Error(`haggle ${args.join(" ")} ended with ${code}: ${text.err}`))
      )
    })
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const keptIn = (file: string | undefined): Record<string, Came> =>
  file !== undefined && existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, Came>)
    : {}

/** All runs of all seeds; for each trial, seed by seed, how it compares. */
export const honesty = Effect.fn("Trials.honesty")(function* (options: HonestyOptions) {
  const { days, first, keep, pessimism, processes, seeds, trials } = options
  const kept = keptIn(keep)
  const came = new Map<string, Came>()
  const nameOf = (way: Way, seed: number): string =>
    `${way}${way === "real" || pessimism === undefined ? "" : ` pessimism ${pessimism}`} seed ${seed} days ${days}`
  const all = Array.from({ length: seeds }, (_, index) => first + index)
  const ways: ReadonlyArray<Way> = ["real", ...trials]
  yield* Effect.forEach(
    all.flatMap((seed) => ways.map((way) => ({ way, seed }))),
    Effect.fnUntraced(function* ({ seed, way }) {
      const name = nameOf(way, seed)
      const result = kept[name] ?? (yield* ran(way, seed, options))
      came.set(name, result)
      kept[name] = result
      if (keep !== undefined)
        yield* Effect.sync(() => writeFileSync(keep, JSON.stringify(kept, undefined, 1)))
    }),
    { concurrency: processes, discard: true }
  )
  const of = (way: Way, seed: number): Came => came.get(nameOf(way, seed)) ?? { units: 0, sold: 0, profit: 0 }
  return Object.fromEntries(
    trials.map((trial) => [
      trial,
      comparison(
        all.map((seed) => {
          const [real, tried] = [of("real", seed), of(trial, seed)]
          return {
            seed,
            real,
            tried,
            units: ratio(tried.units, real.units),
            profit: ratio(tried.profit, real.profit)
          }
        })
      )
    ])
  )
})

/** Nothing against nothing is equal. */
const ratio = (tried: number, real: number): number =>
  real === 0 ? (tried === 0 ? 1 : Infinity) : tried / real

const figure = (rows: ReadonlyArray<Compared>, of: "units" | "profit") => {
  const ratios = rows.map((row) => row[of])
  const total = (side: "real" | "tried") => rows.reduce((sum, row) => sum + row[side][of], 0)
  return {
    mean: ratios.reduce((sum, one) => sum + one, 0) / Math.max(1, ratios.length),
    /** All seeds taken together: a seed with little trade counts little. */
    together: ratio(total("tried"), total("real")),
    worst: ratios.reduce((worst, one) => (Math.abs(one - 1) > Math.abs(worst - 1) ? one : worst), 1)
  }
}

export const comparison = (rows: ReadonlyArray<Compared>) => ({
  seeds: rows,
  units: figure(rows, "units"),
  profit: figure(rows, "profit")
})
export type Comparison = ReturnType<typeof comparison>

/** The means are this near to what really happened. */
export const isWithin = ({ profit, units }: Comparison, share: number): boolean =>
  Math.abs(units.mean - 1) <= share && Math.abs(profit.mean - 1) <= share
