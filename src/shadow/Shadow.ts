/**
 * A shadow and the strategy that it stands beside: compared on the same facts, and both on paper, each alone.
 * Invariant: what is compared and what is on paper never meet the daemon's state; a shadow that is taken away leaves nothing.
 */
import type { Facts } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import { itemKey } from "../domain/Item.ts"
import { type Money, subtract, zero } from "../domain/Money.ts"
import type { State } from "../domain/State.ts"
import { trailOf } from "../domain/Trail.ts"
import type { Known } from "../paper/Known.ts"
import { asItself, type CompiledStrategy } from "../rules/Strategies.ts"
import { Comparison } from "./Comparison.ts"
import { PaperTrack, type TrackOptions } from "./PaperTrack.ts"
import type { Kept } from "./ShadowFile.ts"
import type { ShadowReport } from "./ShadowReport.ts"

/** Whether what is kept is of these two texts. */
export const isOf = (
  { current, shadow }: ShadowReport,
  beside: CompiledStrategy | undefined,
  of: CompiledStrategy
): boolean =>
  shadow.name === of.name && shadow.revision === of.revision && current.revision === beside?.revision

export class Shadow {
  readonly of: CompiledStrategy
  readonly beside: CompiledStrategy | undefined
  private readonly itself: CompiledStrategy
  private readonly comparison: Comparison
  private readonly tracks: { readonly current: PaperTrack | undefined; readonly shadow: PaperTrack }
  private readonly since: Millis
  private readonly realisedBefore: Money
  private at: Millis

  constructor(
    of: CompiledStrategy,
    beside: CompiledStrategy | undefined,
    first: { readonly facts: Facts; readonly real: State },
    options: TrackOptions,
    before: Kept | undefined
  ) {
    this.of = of
    this.beside = beside
    this.itself = asItself(of)
    const { fees, now: at, wallet } = first.facts
    const begins = { at, fees, balance: wallet._tag === "Seen" ? wallet.value.balance : zero }
    this.comparison = new Comparison(before?.report.compared)
    this.tracks = {
      current: beside && new PaperTrack(beside, options, begins, before?.current),
      shadow: new PaperTrack(this.itself, options, begins, before?.shadow)
    }
    this.since = before?.report.since ?? at
    this.at = at
    this.realisedBefore = before?.realisedBefore ?? this.realised(first.real)
  }

  private realised({ trails }: State): Money {
    return this.beside === undefined ? zero : trailOf(trails, this.beside.name).realised
  }

  /** A look at an item as the daemon has it. */
  see(facts: Facts, real: State, known: Known | undefined): void {
    const { current, shadow } = this.tracks
    this.at = facts.now
    current?.see(facts, real, known)
    shadow.see(facts, real, known)
    // after a change of the daemon's the book is away for a moment, and nobody can want anything
    if (facts.book._tag === "Unseen") return
    const key = itemKey(facts.item)
    const beside = current?.looksAfter(key) === true ? this.beside : undefined
    const itself = shadow.looksAfter(key) ? this.itself : undefined
    if (beside !== undefined || itself !== undefined) this.comparison.step(facts, beside, itself)
  }

  /** Everything about it, as it stands. */
  kept(real: State): Kept {
    const { at, beside, of, realisedBefore, since, tracks } = this
    const { name, revision, shadowOf = "" } = of
    const { current, shadow } = tracks
    return {
      report: {
        shadow: { name, revision },
        current: beside === undefined ? { name: shadowOf } : { name: beside.name, revision: beside.revision },
        since,
        at,
        compared: this.comparison.compared,
        onPaper: {
          ...(current === undefined ? {} : { current: current.figures }),
          shadow: shadow.figures
        },
        ...(beside === undefined ? {} : { really: subtract(this.realised(real), realisedBefore) })
      },
      realisedBefore,
      ...(current === undefined ? {} : { current: current.memory }),
      shadow: shadow.memory
    }
  }
}
