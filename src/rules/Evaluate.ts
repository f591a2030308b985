/**
 * Runs a checked strategy on the facts of one item: conditions first, then the prices of what matched.
 * Invariants: 1. first match per side wins: `bid` and `cancel-bid` decide the bid side, `ask` and `cancel-ask` the ask side, and
 * `hold` decides each side that is still open for "leave what stands there alone", also against strategies of less precedence. `notify` and `halt` decide no side and always speak.
 * 2. a rule that is Unknown or Waiting decides nothing, so a later rule may. 3. a bid's price is rounded down to the price step and
 * an ask's up, both away from paying or giving too much. 4. traces and seen values are rendered only when somebody looks.
 */
import { maximumPrice } from "../domain/Currency.ts"
import type {
  AskWish,
  BidWish,
  Decision,
  Reason,
  Reprice,
  RuleVerdict,
  Side,
  Signal,
  Verdict
} from "../domain/Decision.ts"
import type { Facts } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import { ceilTo, floorTo, type Money } from "../domain/Money.ts"
import { paramsFor } from "./Params.ts"
import type { Program, ProgramRule } from "./Program.ts"
import { type Scope, scopeOf } from "./Scope.ts"
import type { Held } from "./Strategies.ts"
import { sawOf, traceOf } from "./Trace.ts"
import { isUnknown, noise, type Unknown, unknown, type Value } from "./Value.ts"

const match: Verdict = { _tag: "Match" }
const noMatch: Verdict = { _tag: "NoMatch" }
const sides: ReadonlyArray<Side> = ["bid", "ask"]

/** Decisions of one run; filled rule by rule. */
interface Board {
  readonly scope: Scope
  readonly program: Program
  bidDecided: boolean
  askDecided: boolean
  bid: BidWish | undefined
  ask: AskWish | undefined
  readonly signals: Array<Signal>
}

export const evaluate = (
  program: Program,
  facts: Facts,
  held: Held
): { readonly decision: Decision; readonly held: Held } => {
  const params = paramsFor(program.params, facts.item)
  const scope = scopeOf(facts, program.freshness, params, program.lets.length)
  const board: Board = {
    scope,
    program,
    bidDecided: false,
    askDecided: false,
    bid: undefined,
    ask: undefined,
    signals: []
  }
  const verdicts: Array<RuleVerdict> = []
  let next = held
  for (const rule of program.rules) {
    const value = rule.when.run(scope)
    if (rule.forMillis > 0) next = heldAfter(next, rule.id, value === true, facts.now)
    verdicts.push(ruleVerdict(rule, verdictOf(rule, value, next, board), board))
  }
  const { ask, bid, signals } = board
  const holds = sides.filter((side) =>
    side === "bid" ? board.bidDecided && bid === undefined : board.askDecided && ask === undefined
  )
  const { limits, name: strategy, revision } = program
  const decision = {
    strategy,
    revision,
    item: facts.item,
    at: facts.now,
    verdicts,
    bid,
    ask,
    holds,
    buys: [],
    signals,
    limits,
    yields: []
  }
  return { decision, held: next }
}

/** The same map when nothing changed, so that callers can tell by identity. */
const heldAfter = (held: Held, id: string, holds: boolean, now: Millis): Held => {
  if (holds === held.has(id)) return held
  const next = new Map(held)
  if (holds) next.set(id, now)
  else next.delete(id)
  return next
}

const ruleVerdict = (rule: ProgramRule, verdict: Verdict, { program, scope }: Board): RuleVerdict => {
  let trace: RuleVerdict["trace"] | undefined
  return {
    rule: rule.id,
    verdict,
    get trace() {
      return (trace ??= traceOf(program, rule, scope))
    }
  }
}

const unknownVerdict = (why: string): Verdict => ({ _tag: "Unknown", why })

const verdictOf = (rule: ProgramRule, value: Value, held: Held, board: Board): Verdict => {
  if (isUnknown(value)) return unknownVerdict(value.why())
  if (value !== true) return noMatch
  if (rule.forMillis > 0) {
    const { now } = board.scope.facts
    const since = held.get(rule.id) ?? now
    const untilAt = (since + rule.forMillis) as Millis
    if (untilAt > now) return { _tag: "Waiting", since, untilAt }
  }
  const failed = act(rule, board)
  return failed === undefined ? match : unknownVerdict(failed.why())
}

const reasonOf = (rule: ProgramRule, { program, scope }: Board): Reason => {
  const because = rule.because?.run(scope) ?? rule.when.text
  let saw: Reason["saw"] | undefined
  return {
    origin: { strategy: program.name, revision: program.revision, rule: rule.id },
    because: isUnknown(because)
      ? `${rule.when.text} (its \`because\` is unknown: ${because.why()})`
      : String(because),
    get saw() {
      return (saw ??= sawOf(program, rule, scope))
    }
  }
}

/** Carries out a rule that matched; what it could not compute comes back. */
const act = (rule: ProgramRule, board: Board): Unknown | undefined => {
  switch (rule.action) {
    case "bid":
      return bid(rule, board)
    case "ask":
      return ask(rule, board)
    case "cancel-bid":
      if (!board.bidDecided) board.bid = { _tag: "NoBid", reason: reasonOf(rule, board) }
      board.bidDecided = true
      return undefined
    case "cancel-ask":
      if (!board.askDecided) board.ask = { _tag: "NoAsk", reason: reasonOf(rule, board) }
      board.askDecided = true
      return undefined
    case "hold":
      board.bid ??= board.bidDecided ? undefined : { _tag: "Hold", reason: reasonOf(rule, board) }
      board.ask ??= board.askDecided ? undefined : { _tag: "Hold", reason: reasonOf(rule, board) }
      board.bidDecided = true
      board.askDecided = true
      return undefined
    case "notify":
    case "halt": {
      // a signal is never lost to a message that cannot be computed
      const message = rule.message?.run(board.scope) ?? rule.when.text
      board.signals.push({
        _tag: rule.action === "halt" ? "Halt" : "Notify",
        message: isUnknown(message) ? `${rule.id}: ${rule.when.text}` : String(message),
        reason: reasonOf(rule, board)
      })
      return undefined
    }
  }
}

const nothing = unknown(() => "there is no price")

/** The value as a price on the price step, or why it is none. */
const priceOf = (value: Value | undefined, scope: Scope, round: typeof floorTo): Money | Unknown => {
  if (value === undefined) return nothing
  if (isUnknown(value)) return value
  const minorUnits = Number(value)
  if (!(Math.abs(minorUnits) <= maximumPrice)) return unknown(() => "the price is beyond every price")
  const price = round(minorUnits, scope.facts.fees.increment)
  return price > 0 ? price : unknown(() => "the price is not above zero")
}

const bid = (rule: ProgramRule, board: Board): Unknown | undefined => {
  const { scope } = board
  const price = priceOf(rule.at?.run(scope), scope, floorTo)
  if (typeof price === "object") return price
  const wanted = rule.qty?.run(scope) ?? 0
  if (isUnknown(wanted)) return wanted
  const quantity = Math.floor(Number(wanted) + noise)
  if (!Number.isSafeInteger(quantity)) return unknown(() => "the quantity is beyond every quantity")
  if (board.bidDecided) return undefined
  const reason = reasonOf(rule, board)
  // wanting no units is wanting no order
  board.bid =
    quantity < 1
      ? { _tag: "NoBid", reason }
      : { _tag: "Bid", price, quantity, expireMillis: rule.expireMillis, ...rule.churn, reason }
  board.bidDecided = true
  return undefined
}

const ask = (rule: ProgramRule, board: Board): Unknown | undefined => {
  const price = priceOf(rule.at?.run(board.scope), board.scope, ceilTo)
  if (typeof price === "object") return price
  const reprice = repriceOf(rule, board.scope)
  if (reprice !== undefined && "why" in reprice) return reprice
  if (board.askDecided) return undefined
  const { allowLoss, churn } = rule
  board.ask = { _tag: "Ask", price, reprice, allowLoss, ...churn, reason: reasonOf(rule, board) }
  board.askDecided = true
  return undefined
}

/** A floor that is not known stops the rule: without it a price could sink below cost. */
const repriceOf = (rule: ProgramRule, scope: Scope): Reprice | Unknown | undefined => {
  if (rule.reprice === undefined) return undefined
  const { afterMillis, floor, stepFraction } = rule.reprice
  if (floor === undefined) return { afterMillis, stepFraction, floor: undefined }
  const price = priceOf(floor.run(scope), scope, ceilTo)
  return typeof price === "object" ? price : { afterMillis, stepFraction, floor: price }
}
