/**
 * The set of strategies in force, and its changes: the port that the engine reads between two steps.
 * Invariants: 1. a set is whole: nobody ever sees half a file. 2. a broken file keeps its last good revision in the set.
 */
import { Context, type Effect, type Result, type Stream } from "effect"

import type { CurrencyId } from "../domain/Currency.ts"
import type { Decision, Limits } from "../domain/Decision.ts"
import type { Facts, PolledFact } from "../domain/Facts.ts"
import type { Protection } from "../domain/Protection.ts"
import type { DeclaredParam } from "./Params.ts"
import type { Held } from "./Program.ts"
import type { Steady } from "./Steady.ts"
import type { Action, ParamValue } from "./Strategy.ts"
import type { Universe } from "./Universe.ts"

/** A strategy that was read, checked and compiled. */
export interface CompiledStrategy {
  readonly name: string
  /** The file's path as given, for messages. */
  readonly file: string
  /** Hash of the file's content, 8 hex digits. */
  readonly revision: string
  readonly description: string
  readonly mode: "inherit" | "dry-run" | "off" | "shadow"
  /** With `mode` shadow: the strategy that it is compared with. */
  readonly shadowOf?: string | undefined
  /** What becomes of its orders when it is gone: everything stays, or its bids are cancelled (its listings stay either way). */
  readonly onRemove: "keep" | "cancel"
  readonly universe: Universe
  /** Higher wins where two strategies want the same side of an item; the file's name decides between equals. */
  readonly priority: number
  /** The polled facts that at least one expression reads, with the age in milliseconds after which they count as unknown. */
  readonly reads: ReadonlyMap<PolledFact, number>
  /** What each rule does when it matches, in file order. */
  readonly rules: ReadonlyArray<{ readonly id: string; readonly does: Action }>
  readonly limits: Limits
  readonly protections: ReadonlyArray<Protection>
  /** What may be turned: by whoever overrides it for an item, and by a sweep. */
  readonly params: ReadonlyArray<DeclaredParam>
  /** The same strategy with these values as a person writes them (0.2, "12%", "6h"); an item's overrides stay. Or what is wrong with them. */
  readonly withParams: (
    values: Readonly<Record<string, ParamValue>>
  ) => Result.Result<CompiledStrategy, ReadonlyArray<string>>
  /** Pure: what this strategy wants for the facts' item, and which conditions hold since when. */
  readonly evaluate: (facts: Facts, held: Held) => { readonly decision: Decision; readonly held: Held }
  /** How long it comes to the same, for replays; undefined when a rule needs whole books, absent where nobody made it. */
  readonly steady?: () => Steady | undefined
}

/** A shadow as the strategy that it would be; any other as it is. */
export const asItself = (strategy: CompiledStrategy): CompiledStrategy =>
  strategy.mode === "shadow" ? { ...strategy, mode: "inherit" } : strategy

export type StrategyChange =
  | { readonly _tag: "Loaded"; readonly strategy: CompiledStrategy; readonly previous: string | undefined }
  /** `message` is the rendered error: file:line:column, code frame with a caret, remedy. */
  | {
      readonly _tag: "Rejected"
      readonly file: string
      readonly message: string
      readonly kept: string | undefined
    }
  | { readonly _tag: "Removed"; readonly name: string; readonly file: string }
  /** A refused file that was never in force is gone. */
  | { readonly _tag: "Mended"; readonly file: string }

export interface StrategySet {
  /** In order of precedence: where two want the same side of an item, the earlier one decides. */
  readonly strategies: ReadonlyArray<CompiledStrategy>
}

export class Strategies extends Context.Service<
  Strategies,
  {
    readonly current: Effect.Effect<StrategySet>
    readonly changes: Stream.Stream<StrategyChange>
    /** Dies with what ended the watching of the files, which nobody would notice by its silence. */
    readonly failed: Effect.Effect<never>
  }
>()("haggle/rules/Strategies") {}

/** What a strategy file is compiled for. */
export interface Target {
  readonly currency: CurrencyId
}
