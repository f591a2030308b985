/**
 * Runs a checked strategy on the facts of one item: conditions first, then the prices of what matched.
 * Invariants: 1. first match per side wins: `bid` and `cancel-bid` decide the bid side, `ask` and `cancel-ask` the ask side, and
 * `hold` decides each side that is still open for "leave what stands there alone", also against strategies of less precedence, and
 * lets nothing below it buy. `notify` and `halt` decide no side and always speak. 2. a rule that is Unknown or Waiting decides
 * nothing, so a later rule may; the time of a `for` begins again, but for what our own change hides for a moment. 3. a bid's price is rounded down to the price step and an ask's up, both away from paying or
 * giving too much. 4. reasons, traces and seen values are made only when somebody looks.
 */
import type { AskWish, BidWish, BuyWish, Decision, RuleVerdict, Signal } from "../domain/Decision.ts"
import type { Millis } from "../domain/Ids.ts"
import type { Item } from "../domain/Item.ts"
import { ceilTo, floorTo } from "../domain/Money.ts"
import { buysOf, whyNoBuy } from "./EvaluateBuys.ts"
import { interpretationOf, LazyReason, LazyUnknown, type Look, messageOf, whyUnknown } from "./Look.ts"
import { paramsFor } from "./Params.ts"
import { priceOf, whyNoPrice } from "./Prices.ts"
import type { Held, Program } from "./Program.ts"
import { type RunnableRule, runnable } from "./Runnable.ts"
import { isRereading, look as lookAt, type Scope, scopeOf } from "./Scope.ts"
import type { CompiledStrategy } from "./Strategies.ts"
import { traceOf } from "./Trace.ts"
import { maybe, no, noise, type Scalar, yes } from "./Value.ts"

/** Decisions of one run; filled rule by rule. */
interface Board {
  readonly scope: Scope
  readonly look: Look
  bid: BidWish | undefined
  ask: AskWish | undefined
  buys: ReadonlyArray<BuyWish>
  buysDecided: boolean
  signals: ReadonlyArray<Signal>
  held: Held
}

const none: ReadonlyArray<never> = []

/** The strategy as a function. It keeps one scope for all its runs, which never overlap. */
export const evaluator = (program: Program): CompiledStrategy["evaluate"] => {
  const rules = runnable(program)
  const unmatched = rules.map(({ noMatch }) => noMatch)
  const paramsOf = rememberingLast(program)
  let scope: Scope | undefined
  return (facts, held) => {
    const params = paramsOf(facts.item)
    if (scope === undefined) scope = scopeOf(facts, program.freshness, params, program.lets.length)
    else lookAt(scope, facts, params)
    const look: Look = { program, facts, params, listing: undefined }
    const board: Board = {
      scope,
      look,
      bid: undefined,
      ask: undefined,
      buys: none,
      buysDecided: false,
      signals: none,
      held
    }
    let verdicts = unmatched
    let index = 0
    for (const of of rules) {
      const verdict = of.rule.action === "buy" ? bought(of, board) : ruled(of, board)
      if (verdict !== of.noMatch) {
        if (verdicts === unmatched) verdicts = unmatched.slice()
        verdicts[index] = verdict
      }
      index++
    }
    return { decision: decisionOf(board, verdicts), held: board.held }
  }
}

const decisionOf = (
  { ask, bid, buys, look, signals }: Board,
  verdicts: ReadonlyArray<RuleVerdict>
): Decision => {
  const { facts, program } = look
  return {
    strategy: program.name,
    revision: program.revision,
    item: facts.item,
    at: facts.now,
    verdicts,
    trace: (id) => {
      const rule = program.rules.find((one) => one.id === id)
      if (rule === undefined) return none
      // a rule about listings is told by the one that it chose, or the cheapest
      const listing =
        rule.action === "buy"
          ? (buys[0]?.offer ?? (facts.offers._tag === "Seen" ? facts.offers.value[0] : undefined))
          : undefined
      return traceOf(program, rule, interpretationOf({ ...look, listing }))
    },
    bid,
    ask,
    buys,
    signals,
    limits: program.limits,
    yields: none
  }
}

/** Most facts are of the item that was looked at last. */
const rememberingLast = ({ params }: Program): ((item: Item) => ReadonlyArray<Scalar>) => {
  let last: { readonly item: Item; readonly values: ReadonlyArray<Scalar> } | undefined
  return (item) => {
    if (last?.item !== item) last = { item, values: paramsFor(params, item) }
    return last.values
  }
}

/** The same map when nothing changed, so that callers can tell by identity. */
const heldAfter = (held: Held, id: string, holds: boolean, now: Millis): Held => {
  if (holds === held.has(id)) return held
  const next = new Map(held)
  if (holds) next.set(id, now)
  else next.delete(id)
  return next
}

/** What a rule could not compute, for whoever asks. */
type Failed = () => string

const unknownVerdict = ({ rule }: RunnableRule, why: Failed): RuleVerdict => ({
  rule: rule.id,
  verdict: new LazyUnknown(why)
})

const ruled = (of: RunnableRule, board: Board): RuleVerdict => {
  const { look, scope } = board
  const { forMillis, id, when } = of.rule
  const value = of.when(scope)
  const { now } = look.facts
  // what our own change hides for a moment has not ended by it
  if (forMillis > 0 && !(value === maybe && isRereading(look.facts, look.program.freshness)))
    board.held = heldAfter(board.held, id, value === yes, now)
  if (value === no) return of.noMatch
  if (value === maybe) return unknownVerdict(of, () => whyUnknown(look, when))
  if (forMillis > 0) {
    const since = board.held.get(id) ?? now
    const untilAt = (since + forMillis) as Millis
    if (untilAt > now) return { rule: id, verdict: { _tag: "Waiting", since, untilAt } }
  }
  const failed = act(of, board)
  return failed === undefined ? of.match : unknownVerdict(of, failed)
}

/** Carries out a rule that matched; what it could not compute comes back. */
const act = (of: RunnableRule, board: Board): Failed | undefined => {
  const { look } = board
  const { rule } = of
  switch (rule.action) {
    case "bid":
      return board.bid === undefined ? bid(of, board) : undefined
    case "ask":
      return board.ask === undefined ? ask(of, board) : undefined
    case "cancel-bid":
      board.bid ??= { _tag: "NoBid", reason: new LazyReason(look, rule) }
      return undefined
    case "cancel-ask":
      board.ask ??= { _tag: "NoAsk", reason: new LazyReason(look, rule) }
      return undefined
    case "hold":
      board.bid ??= { _tag: "Hold", reason: new LazyReason(look, rule) }
      board.ask ??= { _tag: "Hold", reason: new LazyReason(look, rule) }
      board.buysDecided = true
      return undefined
    case "notify":
    case "halt": {
      const _tag = rule.action === "halt" ? "Halt" : "Notify"
      const signal: Signal = { _tag, message: messageOf(look, rule), reason: new LazyReason(look, rule) }
      board.signals = [...board.signals, signal]
      return undefined
    }
    case "buy":
      return undefined
  }
}

const bid = (of: RunnableRule, board: Board): Failed | undefined => {
  const { look, scope } = board
  const { churn, expireMillis } = of.rule
  const price = priceOf(of.at?.(scope) ?? Number.NaN, scope.facts.fees.increment, floorTo)
  if (price === undefined) return () => whyNoPrice(look, of.rule.at)
  const wanted = of.qty?.(scope) ?? 0
  const quantity = Math.floor(wanted + noise)
  if (!Number.isSafeInteger(quantity))
    return () => whyUnknown(look, of.rule.qty, "the quantity is beyond every quantity")
  const reason = new LazyReason(look, of.rule)
  // wanting no units is wanting no order
  board.bid =
    quantity < 1
      ? { _tag: "NoBid", reason }
      : { _tag: "Bid", price, quantity, expireMillis, reason, ...churn }
  return undefined
}

const ask = (of: RunnableRule, board: Board): Failed | undefined => {
  const { look, scope } = board
  const { increment } = scope.facts.fees
  const { allowLoss, churn, reprice } = of.rule
  const price = priceOf(of.at?.(scope) ?? Number.NaN, increment, ceilTo)
  if (price === undefined) return () => whyNoPrice(look, of.rule.at)
  const floor = of.floor === undefined ? undefined : priceOf(of.floor(scope), increment, ceilTo)
  // a floor that is not known stops the rule: without it a price could sink below cost
  if (of.floor !== undefined && floor === undefined) return () => whyNoPrice(look, reprice?.floor)
  board.ask = {
    _tag: "Ask",
    price,
    reprice:
      reprice === undefined
        ? undefined
        : { afterMillis: reprice.afterMillis, stepFraction: reprice.stepFraction, floor },
    allowLoss,
    reason: new LazyReason(look, of.rule),
    ...churn
  }
  return undefined
}

const bought = (of: RunnableRule, board: Board): RuleVerdict => {
  const found = buysOf(of, board.scope, board.look)
  switch (found._tag) {
    case "NoMatch":
      return of.noMatch
    case "Unknown":
      return unknownVerdict(of, () => whyNoBuy(found.look, of.rule))
    case "Match":
      if (!board.buysDecided) board.buys = found.buys
      board.buysDecided = true
      return of.match
  }
}
