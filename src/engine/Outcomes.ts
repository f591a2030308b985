/**
 * What becomes of each thing that a strategy wants for an item, and what is in the way: precedence, protections, the planner, the guard.
 * Invariants: 1. nothing is computed beside the step: the planner and the guard themselves are asked. 2. the planner's patience is found
 * by asking it again without any.
 */
import { restsUntil } from "../domain/CoolDown.ts"
import type { Decision } from "../domain/Decision.ts"
import type { Facts } from "../domain/Facts.ts"
import type { Intent } from "../domain/Intent.ts"
import { itemKey } from "../domain/Item.ts"
import { toDecimal } from "../domain/Money.ts"
import type { OpenBid } from "../domain/Slot.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import { showDuration } from "../rules/Strategy.ts"
import type { Draft } from "./Draft.ts"
import type { Outcome } from "./Explanation.ts"
import type { Ruling } from "./Guard.ts"
import { plan } from "./Plan.ts"
import { refusals } from "./Refusals.ts"
import { rulingOn, step, type StepInput } from "./Step.ts"
import { actWords, type Side, sideOfDraft, type Wished, wishesOf } from "./Wishes.ts"

type End = Omit<Outcome, keyof Wished>

export interface Asked {
  readonly strategy: CompiledStrategy
  /** What the strategy wants, before anybody else has a say. */
  readonly alone: Decision
  readonly input: StepInput
  /** The item is in the strategy's universe; how it belongs there, for a person. */
  readonly isTrading: boolean
  readonly universe: string
  readonly marketRests: (kind: Intent["_tag"]) => boolean
  /** Signals that match since before, as `strategy#rule`. */
  readonly signalling: ReadonlySet<string>
}

/** To the second: nobody waits for less. */
const lasting = (millis: number): string => showDuration(Math.round(millis / 1000) * 1000)

const blocked = (code: string, why: string, remedy?: string): End => ({
  is: "blocked",
  code,
  why,
  ...(remedy === undefined ? {} : { remedy })
})

const ended = (draft: Draft, ruling: Ruling, { input }: Asked): End => {
  if (ruling._tag === "Approved") {
    const cut =
      ruling.intent._tag === "PlaceBid" && ruling.intent.wished !== undefined
        ? `, cut from ${ruling.intent.wished} to ${ruling.intent.quantity} by a limit`
        : ""
    return { is: "acts", why: `${actWords(draft)}${cut}` }
  }
  const { means, remedy } = refusals[ruling.code]
  const until = restsUntil(input.state, draft, input.guard.coolDown)
  const rest = ruling.code === "CoolingDown" ? ` (for another ${lasting(until - input.facts.now)})` : ""
  return blocked(ruling.code, `the guard says no: ${means}${rest}`, remedy)
}

/** The outcomes of everything that the strategy wants, and one for each side that no rule of it decides. */
export const outcomesOf = (asked: Asked): ReadonlyArray<Outcome> => {
  const { alone, input, strategy } = asked
  const { decisions, drafts } = step(input)
  const decision = decisions.find((one) => one.strategy === strategy.name) ?? alone
  const wishes = wishesOf(alone)
  const outcomes = wishes.map((wish): Outcome => ({
    ...wish,
    ...(wish.side === "notify" || wish.side === "halt"
      ? signalEnd(wish, asked)
      : endOf(wish.side, asked, decision, drafts))
  }))
  // an order whose time is over, or that a pause takes back, needs no wish
  const unasked = (["bid", "ask", "buy"] as const).flatMap((side): ReadonlyArray<Outcome> => {
    if (wishes.some((wish) => wish.side === side)) return []
    const draft = drafts.find((one) => sideOfDraft(one) === side && isOf(one, strategy))
    if (draft !== undefined) return [{ side, ...ended(draft, ruled(draft, asked), asked) }]
    const end = noRule(side, asked)
    return end === undefined ? [] : [{ side, ...end }]
  })
  return [...outcomes, ...unasked]
}

const isOf = ({ reason }: Draft, { name }: CompiledStrategy): boolean => reason.origin.strategy === name

const ruled = (draft: Draft, { input, marketRests }: Asked): Ruling =>
  rulingOn(draft, input, input.state, input.facts.now, marketRests(draft._tag))

const signalEnd = ({ rule, side }: Wished, { signalling, strategy }: Asked): End =>
  signalling.has(`${strategy.name}#${rule ?? ""}`)
    ? { is: "stands", why: "said when it began to match; it is said again when it begins anew" }
    : { is: "acts", why: side === "halt" ? "halts all trading" : "tells it" }

const doesOf: Readonly<Record<Side, ReadonlyArray<string>>> = {
  bid: ["bid", "cancel-bid", "hold"],
  ask: ["ask", "cancel-ask", "hold"],
  buy: ["buy"]
}

/** Why no rule decides the side: what the rules that could are waiting for; undefined when there is none that could. */
const noRule = (side: Side, { alone, strategy }: Asked): End | undefined => {
  const able = strategy.rules.filter(({ does }) => doesOf[side].includes(does)).map(({ id }) => id)
  if (able.length === 0) return undefined
  const verdicts = alone.verdicts.filter(({ rule }) => able.includes(rule))
  const unsure = verdicts.flatMap(({ rule, verdict }) =>
    verdict._tag === "Unknown"
      ? [`${rule} is unknown: ${verdict.why}`]
      : verdict._tag === "Waiting"
        ? [`${rule} holds and acts in ${lasting(verdict.untilAt - alone.at)}`]
        : []
  )
  if (unsure.length > 0)
    return blocked(
      verdicts.some(({ verdict }) => verdict._tag === "Unknown") ? "Unknown" : "Waiting",
      unsure.join("; ")
    )
  return { is: "nothing", why: `no rule matches: ${able.join(", ")}` }
}

/** What the step or the planner made of a wish of one side. */
const endOf = (side: Side, asked: Asked, decision: Decision, drafts: ReadonlyArray<Draft>): End => {
  const { input, strategy } = asked
  const before = stoppedBefore(side === "ask" ? "ask" : "bid", asked, decision)
  if (before !== undefined) return before
  const own = drafts.find((one) => sideOfDraft(one) === side && isOf(one, strategy))
  if (own !== undefined) return ended(own, ruled(own, asked), asked)
  if (side === "bid" && drafts.some(({ _tag }) => _tag === "BuyListing"))
    return blocked("BuyFirst", "a listing is bought outright first")
  const other = drafts.find((one) => sideOfDraft(one) === side)
  if (other !== undefined)
    return blocked("OtherOrder", `first an order of ${other.reason.origin.strategy} goes: ${actWords(other)}`)
  return (
    (side === "ask" ? undefined : inFlight(side, input)) ??
    patience(side, asked, decision) ??
    asItIs(side, input)
  )
}

const stoppedBefore = (
  side: "bid" | "ask",
  { alone, input, isTrading, strategy, universe }: Asked,
  decision: Decision
): End | undefined => {
  if (strategy.mode === "shadow")
    return blocked(
      "Shadow",
      "the strategy is a shadow: it is compared and never sends",
      "see `haggle shadow`"
    )
  const isHere = input.strategies.some(({ name }) => name === strategy.name)
  if (!isHere || (side === "bid" && !isTrading))
    return blocked("OutsideUniverse", `the item is not in the universe: ${universe}`)
  if (strategy.mode === "dry-run") return blocked("DryRun", "the strategy only looks: `mode: dry-run`")
  const lost = decision.yields.find((one) => one.side === side)
  if (lost !== undefined)
    return blocked(
      "Yields",
      `${lost.to} (priority ${lost.priority}) decides this side of the item`,
      "raise `priority` in this file, or take the item out of one of the two universes"
    )
  if (decision.halted !== undefined)
    return blocked(
      "StrategyHalted",
      `a protection halted the strategy: ${decision.halted}`,
      refusals.StrategyHalted.remedy
    )
  const [pause] = decision.pauses ?? []
  const isEntry = alone.bid?._tag === "Bid" || alone.buys.length > 0
  if (side === "bid" && isEntry && pause !== undefined)
    return blocked(
      "Protection",
      `it buys nothing for ${lasting(pause.until - input.facts.now)}: ${pause.kind}, ${pause.why}`,
      "wait, or change `protections` in the file"
    )
  return undefined
}

/** What is on its way on the buying side; nothing else is sent there until the market has answered. */
const inFlight = (side: "bid" | "buy", { facts, state }: StepInput): End | undefined => {
  const key = itemKey(facts.item)
  const [bid, buy] = [state.bids[key], state.buys[key]]
  if (buy !== undefined)
    return blocked("InFlight", `a purchase of listing ${buy.intent.listing} is on its way (${buy._tag})`)
  if (bid?._tag === "Foreign")
    return side === "buy"
      ? undefined
      : blocked("ForeignOrder", "a buy order that is not ours stands here: left alone")
  if (bid !== undefined && bid._tag !== "Open")
    return blocked(
      "InFlight",
      `our buy order is on its way (${bid._tag}): the next look at the account settles it`
    )
  return undefined
}

/** Whether the planner would act if it had no patience. */
const patience = (side: Side, { alone, input, strategy }: Asked, decision: Decision): End | undefined => {
  const { facts, guard, rules, state, wallet } = input
  const impatient = (steps: boolean) => {
    const churn = { minAgeMillis: 0, ...(steps ? { minStepFraction: 0 } : {}) }
    const bid = decision.bid?._tag === "Bid" ? { ...decision.bid, ...churn } : decision.bid
    const ask = decision.ask?._tag === "Ask" ? { ...decision.ask, ...churn } : decision.ask
    const drafts = plan({
      state,
      item: facts.item,
      now: facts.now,
      fees: wallet.fees,
      decisions: [{ ...decision, bid, ask }],
      rules,
      account: guard.account
    })
    return drafts.some((one) => sideOfDraft(one) === side && isOf(one, strategy))
  }
  if (alone[side === "ask" ? "ask" : "bid"] === undefined) return undefined
  if (impatient(false))
    return blocked(
      "MinAge",
      "what stands is too young to lose its place in the queue",
      "wait, or set `minAge` in the rule"
    )
  return impatient(true)
    ? blocked(
        "MinStep",
        "the price differs too little from what stands",
        "nothing, or set a smaller `minStep` in the rule"
      )
    : undefined
}

const asItIs = (side: Side, { facts, state }: StepInput): End => {
  const { listed, held, units } = facts.position
  const key = itemKey(facts.item)
  if (side === "bid") {
    const slot = state.bids[key]
    return slot?._tag === "Open"
      ? { is: "stands", why: standing(slot.open, facts) }
      : { is: "stands", why: "nothing stands here, and nothing more is wanted" }
  }
  if (side === "buy") return { is: "stands", why: "the listing was bought a moment ago" }
  if (units === 0) return { is: "nothing", why: "nothing is held that could be sold" }
  if (held > 0 && listed === 0)
    return blocked(
      "UnitsHeld",
      `${held} of ${units} units may not be listed yet: the market refused it`,
      "wait; they are tried again"
    )
  return { is: "stands", why: `${listed} of ${units} units are listed as wished or on their way` }
}

const standing = ({ openedAt, order, placed, price, remaining }: OpenBid, { now }: Facts): string => {
  const cut = placed.wished === undefined ? "" : `, cut from ${placed.wished} by a limit`
  return `buy order ${order} for ${remaining} at ${toDecimal(price)}${cut} stands since ${lasting(now - openedAt)}`
}
