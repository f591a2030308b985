/**
 * One decision for one item, from facts to approved intents: pure, and the same live, embedded and in a backtest.
 */
import type { Decision } from "../domain/Decision.ts"
import type { Facts } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import { itemKey } from "../domain/Item.ts"
import type { State } from "../domain/State.ts"
import type { Wallet } from "../domain/Wallet.ts"
import type { Held } from "../rules/Program.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import type { Draft, PlanRules } from "./Draft.ts"
import { type GuardRules, rule, type Ruling } from "./Guard.ts"
import { plan } from "./Plan.ts"
import { byPrecedence } from "./Precedence.ts"
import { protect } from "./Protections.ts"

export interface StepInput {
  readonly facts: Facts
  readonly state: State
  readonly wallet: Wallet
  readonly account: string
  /** Strategies in force whose universe holds the item, in order of precedence. */
  readonly strategies: ReadonlyArray<CompiledStrategy>
  /** Since when conditions hold, by strategy name. */
  readonly held: ReadonlyMap<string, Held>
  readonly rules: PlanRules
  readonly guard: GuardRules
}

export interface StepResult {
  readonly decisions: ReadonlyArray<Decision>
  readonly held: ReadonlyMap<string, Held>
  readonly drafts: ReadonlyArray<Draft>
}

/** What the strategies want and what the planner makes of it; the guard rules on each draft when its turn comes. */
export const step = (input: StepInput): StepResult => {
  const { facts, rules, state, strategies, wallet } = input
  const held = new Map<string, Held>()
  const alone = strategies.map((strategy) => {
    const result = strategy.evaluate(facts, input.held.get(strategy.name) ?? new Map())
    held.set(strategy.name, result.held)
    return protect(strategy, result.decision, state, itemKey(facts.item), facts.now)
  })
  const decisions = byPrecedence(strategies, alone)
  const acting = decisions.filter((_, index) => strategies[index]?.mode === "inherit")
  const drafts = plan({
    state,
    item: facts.item,
    now: facts.now,
    fees: wallet.fees,
    decisions: acting,
    rules,
    account: input.guard.account
  })
  return { decisions, held, drafts }
}

/** The guard's word on a draft, in the state, the facts and the moment as they are after the drafts before it. */
export const rulingOn = (
  draft: Draft,
  { account, facts, guard, wallet }: StepInput,
  state: State,
  now: Millis,
  marketRests: boolean
): Ruling =>
  rule(draft, {
    state,
    account,
    wallet,
    book: facts.book,
    history: facts.history,
    now,
    marketRests,
    rules: guard
  })
