/**
 * Facts as columns over a stretch of books. Invariants: 1. a fact that is not listed in here as changing from book to book is the same for
 * the whole stretch: whoever makes one ends it where a history, an overview or anything of ours changes, or grows too old.
 * 2. a statistic of the history is computed anew only where a sale enters or leaves its time.
 */
import type { Facts } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import type { PriceHistory } from "../domain/Sales.ts"
import type { Scope } from "./Scope.ts"
import { factAt, type KnownFact } from "./Vocabulary.ts"

/** Books that are looked at together at most. */
export const stretchLength = 1_024

/** Best prices and totals of books of one item that follow one another; NaN where a side is empty. */
export interface BookStretch {
  readonly count: number
  readonly at: Float64Array
  readonly bid: Float64Array
  readonly ask: Float64Array
  readonly bidUnits: Float64Array
  readonly askUnits: Float64Array
}

export interface Stretch extends BookStretch {
  /** Everything else; its clock is turned to a book when a fact hangs on it. */
  readonly scope: Scope
  readonly clock: { now: Facts["now"] }
  count: number
}

/** Unknown is NaN; one number where all books have the same. */
export type NumberColumn = (stretch: Stretch) => number | Float64Array

const ages: ReadonlySet<string> = new Set(["orders.bidAge", "orders.askAge", "position.oldestAge"])
const ofBook: ReadonlySet<string> = new Set(["position.unrealised", "position.unrealisedAsk"])

const nameOf = ({ group, name }: KnownFact): string => `${group}.${name}`

/** Whether the fact may be another one at the next book. */
export const varies = (index: number): boolean => {
  const fact = factAt(index)
  const name = nameOf(fact)
  return ["book", "history", "clock", "listing"].includes(fact.group) || ages.has(name) || ofBook.has(name)
}

type Made = (stretch: Stretch, index: number) => number

const made = (of: Made): NumberColumn => {
  const out = new Float64Array(stretchLength)
  return (stretch) => {
    for (let index = 0; index < stretch.count; index++) out[index] = of(stretch, index)
    return out
  }
}

const at = (column: Float64Array, index: number): number => column[index] as number

const books: Readonly<Record<string, NumberColumn>> = {
  bid: ({ bid }) => bid,
  ask: ({ ask }) => ask,
  bidUnits: ({ bidUnits }) => bidUnits,
  askUnits: ({ askUnits }) => askUnits
}

const computed: Readonly<Record<string, Made>> = {
  mid: ({ ask, bid }, index) => (at(bid, index) + at(ask, index)) / 2,
  spread: ({ ask, bid }, index) => at(ask, index) - at(bid, index),
  spreadPct: ({ ask, bid }, index) => (at(ask, index) - at(bid, index)) / at(bid, index),
  imbalance: ({ askUnits, bidUnits }, index) =>
    (at(bidUnits, index) - at(askUnits, index)) / (at(bidUnits, index) + at(askUnits, index))
}

/** The column of a fact that varies; undefined when it needs more of a book than its best prices and totals. */
export const factColumn = (
  index: number,
  args: ReadonlyArray<NumberColumn>,
  steadyArgs: boolean
): NumberColumn | undefined => {
  const fact = factAt(index)
  const { group, name } = fact
  if (group === "book") {
    const of = computed[name]
    return of === undefined ? books[name] : made(of)
  }
  if (group === "history") return steadyArgs ? statistic(fact, args) : undefined
  const read = fact.member.read as (scope: Scope, a?: number, b?: number) => number
  if (group === "fees") {
    const [arg] = args
    if (arg === undefined) return undefined
    const out = new Float64Array(stretchLength)
    return (stretch) => {
      const values = arg(stretch)
      for (let book = 0; book < stretch.count; book++) {
        const value = typeof values === "number" ? values : at(values, book)
        out[book] = Number.isNaN(value) ? value : read(stretch.scope, value, 0)
      }
      return out
    }
  }
  if (group === "clock" || ages.has(nameOf(fact)))
    return made((stretch, book) => {
      stretch.clock.now = at(stretch.at, book) as Millis
      return read(stretch.scope)
    })
  return undefined
}

/** When a statistic over this time may change after `now`: the next point comes, or the oldest one leaves. */
const nextChange = (history: PriceHistory, now: number, millis: number): number => {
  const coming = history.at(history.firstAfter(now)) ?? Number.POSITIVE_INFINITY
  const leaving = history.at(history.firstAfter(now - millis)) ?? Number.POSITIVE_INFINITY
  return Math.min(coming, leaving + millis)
}

const statistic = ({ member }: KnownFact, args: ReadonlyArray<NumberColumn>): NumberColumn | undefined => {
  const read = member.read as (scope: Scope, a: number, b: number) => number
  const isOverTime = member.takes?.at(-1) === "duration"
  const [first, second] = args
  if (first === undefined) return undefined
  const out = new Float64Array(stretchLength)
  return (stretch) => {
    const { clock, count, scope } = stretch
    const { history } = scope
    const [a, b] = [first(stretch), second?.(stretch) ?? 0]
    if (typeof a !== "number" || typeof b !== "number") return Number.NaN
    if (history === undefined || Number.isNaN(a) || Number.isNaN(b)) return Number.NaN
    const millis = second === undefined ? a : b
    let [value, until] = [Number.NaN, Number.NEGATIVE_INFINITY]
    for (let book = 0; book < count; book++) {
      const now = at(stretch.at, book)
      if (now >= until) {
        clock.now = now as Millis
        value = read(scope, a, b)
        // over a number of points nothing leaves but by a point that comes
        until = nextChange(history, now, isOverTime ? millis : Number.POSITIVE_INFINITY)
      }
      out[book] = value
    }
    return out
  }
}
