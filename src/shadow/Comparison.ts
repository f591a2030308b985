/**
 * Two strategies decide on the same facts, again and again: how often they wanted the same, and where they did not.
 * Invariants: 1. both see the same facts, with the position and the orders of the one in force. 2. only what would be acted on counts: a wish to
 * cancel what does not stand is none. 3. words and traces are made when a difference begins, not at every step.
 */
import { type Decision, noLimits } from "../domain/Decision.ts"
import type { Facts } from "../domain/Facts.ts"
import { type ItemKey, itemKey } from "../domain/Item.ts"
import { wishesOf } from "../engine/Wishes.ts"
import type { Held } from "../rules/Program.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import { verdictText } from "../rules/Trace.ts"
import { type Compared, type Difference, kept, kinds, type Wanted } from "./ShadowReport.ts"

type Side = Difference["side"]
type Kind = Difference["kind"]
type Growing<A> = { -readonly [K in keyof A]: A[K] }

/** What is wanted on a side, as far as it can differ; undefined for nothing. */
interface Wish {
  readonly what: string
  readonly price?: number
  readonly quantity?: number
}

const sides: ReadonlyArray<Side> = ["bid", "ask", "buy", "halt"]

const wishOn = (
  side: Side,
  { ask, bid, buys, signals }: Decision,
  { orders, position }: Facts
): Wish | undefined => {
  switch (side) {
    case "bid":
      if (bid?._tag === "Bid") return { what: "Bid", price: bid.price, quantity: bid.quantity }
      return bid === undefined || orders.bid === undefined ? undefined : { what: bid._tag }
    case "ask":
      if (ask?._tag === "Ask")
        return position.sellable + position.listed === 0 ? undefined : { what: "Ask", price: ask.price }
      return ask === undefined || orders.ask === undefined ? undefined : { what: ask._tag }
    case "buy":
      return buys[0] === undefined ? undefined : { what: buys[0].offer.listing, price: buys[0].limit }
    case "halt":
      return signals.some(({ _tag }) => _tag === "Halt") ? { what: "Halt" } : undefined
  }
}

const kindOf = (current: Wish | undefined, shadow: Wish | undefined): Kind | undefined => {
  if (current === undefined || shadow === undefined)
    return current === shadow ? undefined : current === undefined ? "only-shadow" : "only-current"
  if (current.what !== shadow.what) return "other"
  if (current.price !== shadow.price) return "price"
  return current.quantity === shadow.quantity ? undefined : "quantity"
}

/** Entries of a trace that are told. */
const traced = 24

/** Rules of the one that wants nothing, with their verdicts. */
const nothing = ({ verdicts }: Decision): string => {
  const words = verdicts.map(verdictText)
  return words.length === 0 ? "it does not look after the item" : words.join(", ")
}

/** The wish in words; of the one that wants nothing, what the other's rule saw here. */
const wantedOn = (side: Side, decision: Decision, otherRule: string | undefined): Wanted => {
  const found = wishesOf(decision).find((one) => one.side === side)
  const rule = found?.rule ?? otherRule
  const isOwn = rule !== undefined && decision.verdicts.some((one) => one.rule === rule)
  const trace = isOwn ? decision.trace(rule).slice(-traced) : []
  return found === undefined
    ? { wish: "nothing", because: nothing(decision), trace }
    : {
        ...(found.rule === undefined ? {} : { rule: found.rule }),
        wish: found.wish ?? "",
        because: found.because ?? "",
        trace
      }
}

const emptyCounts = (): Record<Kind, number> =>
  Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>

const noHeld: Held = new Map()

export class Comparison {
  private readonly items: Map<string, { steps: number; agreed: number }>
  private readonly counts: Record<Kind, number>
  private readonly differences: Array<Growing<Difference>>
  /** By item and side, as long as they last. */
  private readonly open = new Map<string, Growing<Difference>>()
  /** Since when conditions hold, of both. */
  private readonly held = new Map<ItemKey, { current: Held; shadow: Held }>()

  constructor(before?: Compared) {
    this.items = new Map(before?.items.map(({ agreed, item, steps }) => [item, { steps, agreed }]))
    this.counts = { ...emptyCounts(), ...before?.counts }
    this.differences = before?.differences.map((one) => ({ ...one })) ?? []
  }

  /** One look at the facts; who does not look after the item wants nothing there. */
  step(facts: Facts, current: CompiledStrategy | undefined, shadow: CompiledStrategy | undefined): void {
    const key = itemKey(facts.item)
    const held = this.held.get(key) ?? { current: noHeld, shadow: noHeld }
    this.held.set(key, held)
    const decided = (who: keyof typeof held, strategy: CompiledStrategy | undefined): Decision => {
      if (strategy === undefined) return undecided(facts)
      const result = strategy.evaluate(facts, held[who])
      held[who] = result.held
      return result.decision
    }
    const [one, other] = [decided("current", current), decided("shadow", shadow)]
    const item = this.items.get(key) ?? { steps: 0, agreed: 0 }
    this.items.set(key, item)
    item.steps++
    let agreed = true
    for (const side of sides) agreed = !this.differs(side, facts, one, other) && agreed
    if (agreed) item.agreed++
  }

  private differs(side: Side, facts: Facts, current: Decision, shadow: Decision): boolean {
    const kind = kindOf(wishOn(side, current, facts), wishOn(side, shadow, facts))
    const place = `${side} ${itemKey(facts.item)}`
    const before = this.open.get(place)
    if (kind === undefined || before?.kind !== kind) this.open.delete(place)
    if (kind === undefined) return false
    if (before?.kind === kind) {
      before.to = facts.now
      before.steps++
      return true
    }
    this.counts[kind]++
    const rules = [current, shadow].map(
      (decision) => wishesOf(decision).find((wish) => wish.side === side)?.rule
    )
    const difference: Growing<Difference> = {
      item: itemKey(facts.item),
      side,
      kind,
      from: facts.now,
      to: facts.now,
      steps: 1,
      current: wantedOn(side, current, rules[1]),
      shadow: wantedOn(side, shadow, rules[0])
    }
    this.open.set(place, difference)
    this.differences.push(difference)
    if (this.differences.length > kept) this.differences.shift()
    return true
  }

  get compared(): Compared {
    const items = [...this.items].map(([item, { agreed, steps }]) => ({ item, steps, agreed }))
    const sum = (field: "steps" | "agreed") => items.reduce((total, item) => total + item[field], 0)
    return {
      steps: sum("steps"),
      agreed: sum("agreed"),
      items: items.toSorted((a, b) => a.agreed / a.steps - b.agreed / b.steps || (a.item < b.item ? -1 : 1)),
      counts: { ...this.counts },
      differences: this.differences.map((one) => ({ ...one }))
    }
  }
}

const undecided = ({ item, now }: Facts): Decision => ({
  strategy: "",
  revision: "",
  item,
  at: now,
  verdicts: [],
  trace: () => [],
  bid: undefined,
  ask: undefined,
  buys: [],
  signals: [],
  limits: noLimits,
  yields: []
})
