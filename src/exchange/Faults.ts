/**
 * The faults of an embedded market: a plan, where it stands, and the log of what was played. Provided to the server's layers
 * (`layerInProcess`, `serve`) as a reference; without it nothing goes wrong.
 * Invariants: 1. the same plan, seed and order of calls play the same faults. 2. every rule draws from its own stream of chance, so that
 * one rule more does not change the others. 3. deciding changes only counters here; carrying out stands in FaultsPlay.
 */
import { Context, Effect, FileSystem, Layer, type PlatformError } from "effect"

import { type Operation } from "../domain/Operation.ts"
import { type Chance, chanceOf, uniform } from "./Chance.ts"
import { spoils } from "./FaultsKinds.ts"
import { faultLine, FaultLog, type Report } from "./FaultsLog.ts"
import { type FaultPlan, type FaultRule, noFaults, watches } from "./FaultsPlan.ts"

/** One request, as the plan sees it. */
export interface FaultCall {
  readonly operation: Operation
  /** Index of the account, undefined without a session. */
  readonly account: number | undefined
  /** Market time, milliseconds. */
  readonly at: number
}

/** A rule that plays in this call. */
export interface Play {
  readonly rule: FaultRule
  /** Position in the plan. */
  readonly index: number
}

export interface FaultsOptions {
  /** Market time from which `from` and `until` count; without it that of the first call. */
  readonly openedAt?: number
  /** Called with every entry as it is recorded. */
  readonly report?: Report
}

interface Standing {
  readonly rule: FaultRule
  readonly chance: Chance
  /** Watched calls inside the window. */
  calls: number
  plays: number
  /** Until when it goes on once it played. */
  until: number
}

/** The running state of one plan; make a new one per market. */
export class FaultPlayer {
  readonly log = new FaultLog()
  /** For what a fault picks at random, such as an item. */
  readonly chance: Chance
  private readonly standings: ReadonlyArray<Standing>
  private readonly report: Report
  private openedAt: number | undefined

  constructor(plan: FaultPlan, options: FaultsOptions = {}) {
    const seed = plan.seed ?? 1
    this.chance = chanceOf("faults", seed, "picks")
    this.openedAt = options.openedAt
    this.report = options.report ?? (() => Effect.void)
    this.standings = plan.faults.map((rule, index) => ({
      rule,
      chance: chanceOf("faults", seed, index),
      calls: 0,
      plays: 0,
      until: -Infinity
    }))
  }

  get idle(): boolean {
    return this.standings.length === 0
  }

  /** The rules that play in this call, in the plan's order; of those that spoil the whole answer only the first. */
  decide(call: FaultCall): ReadonlyArray<Play> {
    this.openedAt ??= call.at
    const since = call.at - this.openedAt
    const plays: Array<Play> = []
    let isSpoilt = false
    for (const [index, standing] of this.standings.entries()) {
      const { rule } = standing
      if (!fires(standing, call, since)) continue
      if (spoils.has(rule.kind)) {
        if (isSpoilt) continue
        isSpoilt = true
      }
      plays.push({ rule, index })
    }
    return plays
  }

  /** Records a fault that was carried out. */
  played({ index, rule }: Play, call: FaultCall, detail: string): Effect.Effect<void> {
    const standing = this.standings[index]
    if (standing !== undefined) standing.plays += 1
    const { account, at, operation } = call
    return this.report(this.log.add({ at, operation, account, kind: rule.kind, rule: index + 1, detail }))
  }
}

const hour = 3_600_000

const lastsOf = (rule: FaultRule): number | undefined =>
  rule.lasts ?? (rule.kind === "maintenance" && rule.until === undefined ? hour : undefined)

const hasTrigger = ({ calls, every, probability }: FaultRule): boolean =>
  calls !== undefined || every !== undefined || probability !== undefined

/** Without a trigger a rule is on for its whole window, which `lasts` may end. */
const windowEnd = (rule: FaultRule): number => {
  const lasts = lastsOf(rule)
  const byLength = lasts === undefined || hasTrigger(rule) ? Infinity : (rule.from ?? 0) + lasts
  return Math.min(rule.until ?? Infinity, byLength)
}

const fires = (standing: Standing, { account, at, operation }: FaultCall, since: number): boolean => {
  const { chance, rule } = standing
  if (!watches(rule, operation)) return false
  // Who has no session cannot lose it.
  if (rule.kind === "session" && account === undefined) return false
  if (rule.accounts !== undefined && (account === undefined || !rule.accounts.includes(account))) return false
  if (since < (rule.from ?? 0) || since >= windowEnd(rule)) return false
  standing.calls += 1
  const triggered = isTriggered(rule, standing.calls, chance)
  if (rule.times !== undefined && standing.plays >= rule.times && at >= standing.until) return false
  if (triggered && hasTrigger(rule)) standing.until = Math.max(standing.until, at + (lastsOf(rule) ?? 0))
  return triggered || at < standing.until
}

const isTriggered = ({ calls, every, probability }: FaultRule, call: number, chance: Chance): boolean => {
  if (calls !== undefined) return calls.includes(call)
  if (every !== undefined) return call % every === 0
  return probability === undefined || uniform(chance) < probability
}

/** The market's faults. */
export const Faults = Context.Reference<FaultPlayer>("haggle/exchange/Faults", {
  defaultValue: () => new FaultPlayer(noFaults)
})

/** Plays a plan from its beginning. */
export const layer = (plan: FaultPlan, options: FaultsOptions = {}): Layer.Layer<never> =>
  Layer.sync(Faults, () => new FaultPlayer(plan, options))

/** A report that writes one line per fault to a file, created if it is not there. */
export const lineLog = Effect.fn("Faults.lineLog")(function* (
  path: string
): Effect.fn.Return<Report, PlatformError.PlatformError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  yield* fs.writeFileString(path, "", { flag: "a" })
  return (entry) => Effect.ignore(fs.writeFileString(path, `${faultLine(entry)}\n`, { flag: "a" }))
})
