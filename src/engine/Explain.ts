/**
 * Answers why a strategy does what it does with an item, from the live facts: the step is gone through without doing anything.
 * Invariants: 1. nothing is changed, sent or journaled. 2. what is told is what the next step would decide at this moment.
 */
import { Effect, Schema } from "effect"

import type { Decision, Verdict } from "../domain/Decision.ts"
import type { Facts } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import { type ItemKey, itemOfKey } from "../domain/Item.ts"
import type { State } from "../domain/State.ts"
import { RateLimiter } from "../market/RateLimiter.ts"
import { didYouMean } from "../rules/SourceError.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import { showDuration } from "../rules/Strategy.ts"
import { inputOf } from "./Decide.ts"
import type { Desk } from "./Desk.ts"
import type { Explanation, RuleSeen } from "./Explanation.ts"
import { Journal, marketNow } from "./Journal.ts"
import { rests } from "./MarketRest.ts"
import { factsOf } from "./Observe.ts"
import { outcomesOf } from "./Outcomes.ts"
import type { Universes } from "./Universe.ts"

/** There is no such strategy or item; the remedy says what there is. */
export class NotThere extends Schema.TaggedError<NotThere>()("NotThere", {
  message: Schema.String,
  remedy: Schema.optionalKey(Schema.String)
}) {}

const notThere = (message: string, remedy: string | undefined): NotThere =>
  new NotThere({ message, ...(remedy === undefined ? {} : { remedy }) })

const shownAtMost = 5

/** The key that a person means by `app/name`, a name, or a part that only one name has. */
export const keyMeant = (
  wanted: string,
  keys: ReadonlyArray<ItemKey>
): { readonly key: ItemKey } | { readonly among: ReadonlyArray<ItemKey> } => {
  const nameOf = (key: ItemKey): string => itemOfKey(key).name
  const exact = keys.filter((key) => key === wanted || nameOf(key) === wanted)
  const part = wanted.toLowerCase()
  const same = keys.filter((key) => nameOf(key).toLowerCase() === part)
  const [found, ...others] =
    [exact, same, keys.filter((key) => key.toLowerCase().includes(part))].find((some) => some.length > 0) ??
    []
  return found !== undefined && others.length === 0
    ? { key: found }
    : { among: found === undefined ? [] : [found, ...others] }
}

/** The strategy of that name, or what was probably meant. */
export const strategyMeant = Effect.fnUntraced(function* (
  wanted: string,
  strategies: ReadonlyArray<CompiledStrategy>
) {
  const found = strategies.find(({ name }) => name === wanted)
  if (found !== undefined) return found
  const names = strategies.map(({ name }) => name)
  return yield* notThere(`there is no strategy \`${wanted}\``, didYouMean(wanted, names, "strategies"))
})

const itemMeant = Effect.fnUntraced(function* (
  wanted: string,
  strategy: CompiledStrategy,
  universes: Universes
) {
  const roll = universes.rolls.get(strategy.name)
  if (roll === undefined)
    return yield* notThere(`${strategy.name} is switched off`, `set \`mode: inherit\` in ${strategy.file}`)
  const keys = [...new Set([...roll.trading, ...roll.waiting, ...roll.selling])]
  const meant = keyMeant(wanted, keys)
  if ("key" in meant) return meant.key
  const { among } = meant
  if (among.length > 0) {
    const more = among.length > shownAtMost ? `, and ${among.length - shownAtMost} more` : ""
    return yield* notThere(
      `\`${wanted}\` may be several items of ${strategy.name}`,
      `say which: ${among.slice(0, shownAtMost).join(", ")}${more}`
    )
  }
  const other = keyMeant(wanted, [...universes.byItem.keys()])
  const owners = "key" in other ? (universes.byItem.get(other.key) ?? []).map(({ name }) => name) : []
  return yield* notThere(
    `\`${wanted}\` is no item of ${strategy.name} at the moment`,
    owners.length > 0
      ? `it is one of ${owners.join(", ")}`
      : (didYouMean(
          wanted,
          keys.map((key) => itemOfKey(key).name),
          "its items"
        ) ?? `it has ${keys.length}; see \`universe\` and \`where\` in ${strategy.file}`)
  )
})

/** The facts that the strategy's rules read, with their ages. */
export const factsSeen = ({ reads }: CompiledStrategy, facts: Facts): Explanation["facts"] =>
  [...reads].map(([fact, mayBeMillis]) => {
    const observed = facts[fact]
    return observed._tag === "Seen"
      ? { fact, mayBeMillis, ageMillis: Math.max(0, facts.now - observed.at) }
      : { fact, mayBeMillis }
  })

const sidesOf: Readonly<Record<string, ReadonlyArray<"bid" | "ask">>> = {
  bid: ["bid"],
  "cancel-bid": ["bid"],
  ask: ["ask"],
  "cancel-ask": ["ask"],
  hold: ["bid", "ask"]
}

/** Which rule stands before this one on every side that it could decide. */
const overruled = (does: string, rule: string, decision: Decision): string | undefined => {
  const deciders = (sidesOf[does] ?? []).map((side) => decision[side]?.reason.origin.rule)
  const [first] = does === "buy" ? [decision.buys[0]?.reason.origin.rule] : deciders
  if (first === undefined || deciders.includes(rule) || first === rule) return undefined
  return `${first} stands above it and decides`
}

const whyOf = (verdict: Verdict, above: string | undefined, now: Millis): string | undefined => {
  switch (verdict._tag) {
    case "Unknown":
      return verdict.why
    case "Waiting":
      return `holds since ${showDuration(now - verdict.since)}, acts in ${showDuration(verdict.untilAt - now)}`
    case "Match":
      return above
    case "NoMatch":
      return undefined
  }
}

/** Every rule with its verdict and all that it looked at. */
export const rulesSeen = ({ rules }: CompiledStrategy, decision: Decision): ReadonlyArray<RuleSeen> =>
  rules.map(({ does, id }) => {
    const verdict = decision.verdicts.find(({ rule }) => rule === id)?.verdict ?? { _tag: "NoMatch" }
    const why = whyOf(verdict, overruled(does, id, decision), decision.at)
    return {
      rule: id,
      does,
      verdict: verdict._tag,
      ...(why === undefined ? {} : { why }),
      trace: decision.trace(id)
    }
  })

const belonging = ({ rolls }: Universes, strategy: CompiledStrategy, key: ItemKey, facts: Facts): string => {
  const roll = rolls.get(strategy.name)
  if (roll?.trading.has(key) === true) return "in it"
  const sold = roll?.selling.has(key) === true ? "; what was bought is sold" : ""
  const { where } = strategy.universe
  if (roll?.waiting.has(key) !== true || where === undefined) return `left it${sold}`
  const word = where.judge(facts)
  const why =
    word._tag === "Unknown"
      ? `is unknown (${word.why})`
      : word._tag === "Fails"
        ? "does not hold"
        : "holds from the next look on"
  return `outside: \`where: ${where.text}\` ${why}${sold}`
}

const notesOf = (strategy: CompiledStrategy, state: State): ReadonlyArray<string> => {
  const refused = state.strategies.rejected[strategy.file]
  return [
    ...(state.control._tag === "Trading" ? [] : [`trading is ${state.control._tag.toLowerCase()}`]),
    ...(state.sessionLostAt === undefined ? [] : ["the market does not know our session"]),
    ...(refused === undefined
      ? []
      : [
          `an edit of the file is refused, this is the revision before it: ${refused.message.split("\n")[0] ?? ""}`
        ])
  ]
}

/** What the strategy makes of the item now; fails with NotThere when there is no such strategy or item. */
export const explain = Effect.fn("Explain.explain")(function* (
  desk: Desk,
  wanted: { strategy: string; item: string }
) {
  const journal = yield* Journal
  const limiter = yield* RateLimiter
  const state = yield* journal.state
  const now = yield* marketNow
  const strategy = yield* strategyMeant(wanted.strategy, desk.universes.loaded)
  const key = yield* itemMeant(wanted.item, strategy, desk.universes)
  const facts = factsOf(desk.view, state, itemOfKey(key), now)
  if (facts === undefined || desk.view.wallet._tag === "Unseen")
    return yield* notThere("the wallet has not been read yet", "ask again in a moment")
  const here = desk.universes.byItem.get(key) ?? []
  const strategies = here.some(({ name }) => name === strategy.name) ? here : []
  const { account } = journal
  const input = inputOf(desk, { facts, state, wallet: desk.view.wallet.value, account, strategies })
  const alone = strategy.evaluate(facts, input.held.get(strategy.name) ?? new Map()).decision
  const universe = belonging(desk.universes, strategy, key, facts)
  const outcomes = outcomesOf({
    strategy,
    alone,
    input,
    isTrading: desk.universes.rolls.get(strategy.name)?.trading.has(key) === true,
    universe,
    marketRests: (kind) => rests(limiter, kind, now),
    signalling: desk.signalling.get(key) ?? new Set()
  })
  const explanation: Explanation = {
    strategy: strategy.name,
    revision: strategy.revision,
    file: strategy.file,
    mode: strategy.mode,
    item: key,
    at: now,
    universe,
    notes: notesOf(strategy, state),
    facts: factsSeen(strategy, facts),
    rules: rulesSeen(strategy, alone),
    outcomes
  }
  return explanation
})
