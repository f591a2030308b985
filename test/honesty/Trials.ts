/**
 * The same days of the embedded market traded really and tried: how near a trial comes to what would have happened, over many seeds.
 * The dry-run trades on the same market, the backtest on the tape that was recorded while it was traded really.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { env, execPath } from "node:process"

import { Effect } from "effect"

import type { BacktestResult } from "../../src/backtest/Result.ts"
import { defaults } from "../../src/cli/config/Settings.ts"
import type { Summary } from "../../src/cli/text/Summary.ts"
import { checkFiles } from "../../src/rules/StrategiesYaml.ts"
import { type Came, mirrored } from "./Mirror.ts"

/** How the strategies were run: for real, or a trial of them. */
export type Way = "real" | Trial
export const trials = ["dry-run", "backtest"] as const
export type Trial = (typeof trials)[number]

export interface HonestyOptions {
  readonly first: number
  readonly seeds: number
  readonly days: number
  readonly trials: ReadonlyArray<Trial>
  readonly pessimism: number | undefined
  /** Seeds at a time, each in a process of its own. */
  readonly processes: number
  /** Without the daemon (Mirror): in a hundredth of the time, and without tapes. */
  readonly fast: boolean
  /** Folder where results and tapes are kept that need not be made again. */
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

/** Without the launcher: what keeps a daemon small makes it a fifth slower. */
const program = resolve("src/main.ts")

/** Runs `haggle` to its end; what its last line says. */
const ran = <A>(
  args: ReadonlyArray<string>,
  change: Readonly<Record<string, string>>,
  came: (said: A) => Came
): Effect.Effect<Came> =>
  Effect.callback<Came>((resume) => {
    const child = spawn(execPath, [program, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...env, ...change }
    })
    const text = { out: "", err: "" }
    child.stdout.on("data", (chunk: Buffer) => (text.out += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (text.err = (text.err + chunk.toString()).slice(-2_000)))
    child.once("exit", (code) =>
      resume(
        code === 0
          ? Effect.succeed(came(JSON.parse(text.out.trim().split("\n").at(-1) ?? "") as A))
          : Effect.die(new Error(`haggle ${args.join(" ")} ended with ${code}: ${text.err}`))
      )
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const ofSummary = ({ buyOrders, listings, pnl }: Summary): Came => ({
  units: buyOrders.unitsBought + listings.sold,
  profit: pnl.realised + pnl.unrealised
})

const ofResult = ({ items }: Pick<BacktestResult, "items">): Came => ({
  units: items.reduce((sum, { unitsBought, unitsSold }) => sum + unitsBought + unitsSold, 0),
  profit: items.reduce((sum, { costHeld, realised, worthHeld }) => sum + realised + worthHeld - costHeld, 0)
})

const run = (
  way: Way,
  seed: number,
  { days, pessimism }: HonestyOptions,
  tapes: string
): Effect.Effect<Came> => {
  const doubted = pessimism === undefined ? {} : { HAGGLE_PAPER_PESSIMISM: `${pessimism}` }
  if (way === "backtest") {
    const files = readdirSync(tapes).flatMap((name) => ["--tape", join(tapes, name)])
    return ran(["backtest", "--json", ...files], doubted, ofResult)
  }
  const args = ["run", "--json", "--for", `${days}d`, "--speed", "1000000", "--seed", `${seed}`]
  return Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "haggle-honesty-"))),
    (state) =>
      way === "real"
        ? ran(
            [...args, "--state", state],
            { HAGGLE_RECORDING_ON: "true", HAGGLE_RECORDING_FOLDER: tapes },
            ofSummary
          )
        : ran([...args, "--state", state, "--dry-run"], doubted, ofSummary),
    (state) => Effect.sync(() => rmSync(state, { recursive: true, force: true }))
  )
}

/** Results and tapes in a folder: that of `keep`, or one that is gone afterwards. */
const kept = (keep: string | undefined) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = keep === undefined ? mkdtempSync(join(tmpdir(), "haggle-honesty-")) : resolve(keep)
      mkdirSync(folder, { recursive: true })
      const file = join(folder, "results.json")
      const results: Record<string, Came> = existsSync(file)
        ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, Came>)
        : {}
      const put = (name: string, came: Came) => {
        results[name] = came
        writeFileSync(file, JSON.stringify(results, undefined, 1))
      }
      return { folder, results, put }
    }),
    ({ folder }) =>
      Effect.sync(() => (keep === undefined ? rmSync(folder, { recursive: true, force: true }) : undefined))
  )

/** All runs of all seeds; for each trial, seed by seed, how it compares. */
export const honesty = Effect.fn("Trials.honesty")(function* (options: HonestyOptions) {
  const { days, fast, first, keep, pessimism, processes, seeds, trials } = options
  const { folder, put, results } = yield* kept(keep)
  const nameOf = (way: Way, seed: number): string =>
    `${fast ? "fast " : ""}${way}${way === "real" || pessimism === undefined ? "" : ` pessimism ${pessimism}`} seed ${seed} days ${days}`
  const all = Array.from({ length: seeds }, (_, index) => first + index)
  const { strategies } = yield* checkFiles(["strategies"], { currency: defaults.exchange.currency })
  yield* Effect.forEach(
    all,
    Effect.fnUntraced(function* (seed) {
      const tapes = join(folder, `tapes-seed-${seed}-days-${days}`)
      for (const way of ["real", ...trials] as const)
        if (results[nameOf(way, seed)] === undefined)
          put(
            nameOf(way, seed),
            fast
              ? mirrored({ seed, days, strategies, pessimism, really: way === "real" })
              : yield* run(way, seed, options, tapes)
          )
    }),
    { concurrency: processes, discard: true }
  )
  const of = (way: Way, seed: number): Came => results[nameOf(way, seed)] ?? { units: 0, profit: 0 }
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
}, Effect.scoped)

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
