/**
 * Passes over books at which nothing can come of a step: the last one did nothing, nothing of ours is on the market, and every rule comes to
 * the same as it did then. Invariants: 1. with it and without it a replay writes the same events. 2. an item of which it cannot
 * be sure (a protection that looks at prices, a `where`, a rule that needs whole books or the wallet, that other items change) is looked at
 * book by book, and it alone.
 */
import type { PolledFact } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import type { ProtectionKind } from "../domain/Protection.ts"
import { asksOf } from "../engine/Observe.ts"
import { pausesOf } from "../engine/Protections.ts"
import { remembers } from "../paper/PaperSee.ts"
import { stretchLength } from "../rules/ColumnsFacts.ts"
import type { Steady } from "../rules/Steady.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import type { Cursor } from "./Cursor.ts"
import type { ReplayDesk } from "./ReplayDesk.ts"
import { factsAt } from "./ReplayStep.ts"

const shortest = 16
/** After a stride that was hardly one, so many books are looked at whole before the next try, twice as many each time. */
const longestRest = 256

interface Pace {
  length: number
  rest: number
  resting: number
}

interface Stepping {
  readonly name: string
  readonly steady: Steady
}

const growsOld: ReadonlyArray<PolledFact> = ["history", "overview"]

export class Strides {
  private readonly paces = new Map<Cursor, Pace>()

  /** Moves the cursor to the next book that must be looked at; it stands behind the one that was just decided on. */
  pass(desk: ReplayDesk, cursor: Cursor, now: Millis): void {
    const { columns, item, taken } = cursor
    if (columns === undefined || cursor.book >= columns.count) return
    const strategies = desk.universes.byItem.get(item) ?? []
    if (!isForeseeable(desk, item, strategies)) return
    if (strategies.length === 0) {
      cursor.seek(columns.count)
      return
    }
    const pace = this.paceOf(cursor)
    if (pace.resting > 0) {
      pace.resting--
      return
    }
    if (isBusy(desk, item)) return
    const steps = stepping(strategies)
    const facts = factsAt(desk, item, now)
    if (steps === undefined || facts === undefined) return
    const until = staysUntil(desk, cursor, strategies, now)
    const held = desk.held.get(item)
    let book = taken
    for (;;) {
      const end = Math.min(columns.count, book + pace.length)
      let count = 1
      while (book + count < end && (columns.at[book + count] as number) < until) count++
      const part = (column: Float64Array) => column.subarray(book, book + count)
      const stretch = {
        count,
        at: part(columns.at),
        bid: part(columns.bid),
        ask: part(columns.ask),
        bidUnits: part(columns.bidUnits),
        askUnits: part(columns.askUnits)
      }
      let same = count
      for (const { name, steady } of steps)
        same = Math.min(same, steady(facts, held?.get(name) ?? new Map(), { ...stretch, count: same }))
      const whole = same === count && book + count < columns.count && count === pace.length
      const strode = book + same - taken
      if (!whole) {
        this.settle(pace, strode)
        cursor.seek(book + same)
        return
      }
      // the last one of the stretch stands for the first of the next
      book += same - 1
      pace.length = Math.min(stretchLength, pace.length * 4)
    }
  }

  private paceOf(cursor: Cursor): Pace {
    const known = this.paces.get(cursor)
    if (known !== undefined) return known
    const pace = { length: shortest, rest: 1, resting: 0 }
    this.paces.set(cursor, pace)
    return pace
  }

  private settle(pace: Pace, strode: number): void {
    pace.length = Math.min(stretchLength, Math.max(shortest, 2 * strode))
    pace.rest = strode > 2 ? 1 : Math.min(longestRest, pace.rest * 2)
    pace.resting = strode > 2 ? 0 : pace.rest
  }
}

/** Pauses that begin with a trade of ours, and end at a time that is known. */
const foreseeable: ReadonlySet<ProtectionKind> = new Set(["cooldown", "losing-streak"])

/** Nobody judges every book of the item anew: neither a protection of who trades it nor a `where` of who may. */
const isForeseeable = (
  { universes }: ReplayDesk,
  item: Cursor["item"],
  strategies: ReadonlyArray<CompiledStrategy>
): boolean =>
  strategies.every(({ protections }) => protections.every(({ kind }) => foreseeable.has(kind))) &&
  !universes.strategies.some(
    ({ name, universe }) =>
      universe.where !== undefined &&
      (universe.entries.some(({ _tag }) => _tag === "Inventory") ||
        universes.listed.get(name)?.has(item) === true)
  )

/** Something of ours is on the market or may not be listed yet. */
const isBusy = ({ paper, state }: ReplayDesk, item: Cursor["item"]): boolean =>
  state.bids[item] !== undefined ||
  state.buys[item] !== undefined ||
  Object.keys(state.held).length > 0 ||
  remembers(paper, item) ||
  (paper.listings.length > 0 && asksOf(state, item).length > 0)

const stepping = (strategies: ReadonlyArray<CompiledStrategy>): ReadonlyArray<Stepping> | undefined => {
  const steps: Array<Stepping> = []
  for (const { name, reads, steady } of strategies) {
    const of = reads.has("wallet") ? undefined : steady?.()
    if (of === undefined) return undefined
    steps.push({ name, steady: of })
  }
  return steps
}

/**
 * Until when history and overview are what they are for the rules: until another one comes, or one of them has grown too old. And until a
 * pause ends, for then rules may act that would have acted all the time.
 */
const staysUntil = (
  { state, view }: ReplayDesk,
  cursor: Cursor,
  strategies: ReadonlyArray<CompiledStrategy>,
  now: number
): number => {
  let until = cursor.recordAt
  const seenAt = (fact: PolledFact) => {
    const of = fact === "history" ? view.histories.get(cursor.item) : view.overviews.get(cursor.item)
    return of?._tag === "Seen" ? of.at : undefined
  }
  for (const strategy of strategies) {
    const { reads } = strategy
    for (const pause of pausesOf(strategy, state, cursor.item, now as Millis))
      until = Math.min(until, pause.until)
    for (const fact of growsOld) {
      const [at, limit] = [seenAt(fact), reads.get(fact)]
      // it is fresh at its limit, and not a millisecond later
      if (at !== undefined && limit !== undefined && at + limit < until && now <= at + limit)
        until = at + limit + 1
    }
  }
  return until
}
