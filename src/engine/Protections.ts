/**
 * A strategy's protections against what became of it: which pauses begin, which are in force, and what is left of its wishes.
 * Invariants: 1. pure: what must survive a restart is in the events it gives. 2. a pause lasts as long as the strategy's file says now,
 * and not at all when its protection is gone from the file. 3. while a strategy is paused it buys nothing, and its own standing bid is
 * cancelled: a fill would be an entry, too. What it sells goes on. 4. a halted strategy does nothing but cancel its bid.
 */
import type { Decision, Pausing, Reason } from "../domain/Decision.ts"
import type { Event } from "../domain/Event.ts"
import type { Facts, Observed } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import { type ItemKey, itemKey, itemOfKey } from "../domain/Item.ts"
import { bestAsk, bestBid, mid, type OrderBook } from "../domain/OrderBook.ts"
import type { Protection } from "../domain/Protection.ts"
import { median } from "../domain/Sales.ts"
import { placedOf } from "../domain/Slot.ts"
import type { State } from "../domain/State.ts"
import { type EquityPoint, pauseKey, type Trail, trailOf } from "../domain/Trail.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import type { PricePoint } from "./PriceTrail.ts"

type Protected = Pick<CompiledStrategy, "name" | "protections">

/** A drawdown is looked at again after this long. */
const reduceMillis = 3_600_000
/** Profit is journaled this often, and once at the beginning. */
const equityEveryMillis = 3_600_000

/** What trips are judged by. */
export interface Watched {
  readonly state: State
  readonly facts: Facts
  /** Prices of the item that were seen before, oldest first. */
  readonly prices: ReadonlyArray<PricePoint>
  /** How the strategy stands now; undefined when nothing of it asks for that. */
  readonly equity: EquityPoint | undefined
}

interface Trip {
  readonly protection: Protection
  readonly item: ItemKey | undefined
  readonly since: Millis
  readonly why: string
  /** Also while it goes on it does not begin anew. */
  readonly lasting: boolean
}

/** Everything that begins now: pauses, halts, and the profit when it is due to be written down. */
export const protectionEvents = (strategy: Protected, watched: Watched): ReadonlyArray<Event> => {
  const { equity, facts, state } = watched
  const at = facts.now
  const trail = trailOf(state.trails, strategy.name)
  // what stands still trips over nothing
  if (trail.halted !== undefined || state.control._tag === "Halted") return []
  const marked = trail.equity.at(-1)?.at
  const events: Array<Event> =
    equity !== undefined && (marked === undefined || at - marked >= equityEveryMillis)
      ? [
          {
            _tag: "EquityMarked",
            at,
            strategy: strategy.name,
            profit: equity.profit,
            invested: equity.invested
          }
        ]
      : []
  for (const protection of strategy.protections) {
    const trip = tripOf(protection, trail, watched)
    if (trip === undefined) continue
    if (protection.kind === "drawdown" && protection.consequence !== "reduce") {
      const why = `drawdown of ${strategy.name}: ${trip.why}`
      events.push(
        protection.consequence === "halt"
          ? { _tag: "StrategyHalted", at, strategy: strategy.name, why: trip.why }
          : { _tag: "Halted", at, why, who: "haggle" }
      )
      continue
    }
    const known = trail.pauses[pauseKey(protection.kind, trip.item)]
    const until = (trip.since + lengthOf(protection)) as Millis
    if (until <= at || (known !== undefined && (trip.lasting ? known.until > at : known.since >= trip.since)))
      continue
    events.push({
      _tag: "Protected",
      at,
      strategy: strategy.name,
      kind: protection.kind,
      ...(trip.item === undefined ? {} : { item: itemOfKey(trip.item) }),
      since: trip.since,
      until,
      why: trip.why
    })
  }
  return events
}

const lengthOf = (protection: Protection): number =>
  protection.kind === "drawdown" ? reduceMillis : protection.forMillis

const tripOf = (protection: Protection, trail: Trail, watched: Watched): Trip | undefined => {
  switch (protection.kind) {
    case "cooldown":
      return cooldown(protection, trail, itemKey(watched.facts.item))
    case "losing-streak":
      return losingStreak(protection, trail, watched.facts)
    case "drawdown":
      return drawdown(protection, trail, watched)
    case "price-jump":
      return priceJump(protection, watched)
  }
}

const cooldown = (
  protection: Extract<Protection, { kind: "cooldown" }>,
  { deals }: Trail,
  key: ItemKey
): Trip | undefined => {
  const perItem = protection.scope === "item"
  const field = ({ buy: "boughtAt", sell: "soldAt", loss: "lostAt" } as const)[protection.after]
  const since = perItem
    ? deals[key]?.[field]
    : Object.values(deals).reduce<Millis | undefined>((last, deal) => {
        const at = deal[field]
        return at !== undefined && (last === undefined || at > last) ? at : last
      }, undefined)
  return since === undefined
    ? undefined
    : {
        protection,
        item: perItem ? key : undefined,
        since,
        why: `after a ${protection.after}`,
        lasting: false
      }
}

const losingStreak = (
  protection: Extract<Protection, { kind: "losing-streak" }>,
  { sales }: Trail,
  { item, now }: Facts
): Trip | undefined => {
  const key = protection.scope === "item" ? itemKey(item) : undefined
  const streak = sales.filter((sale) => key === undefined || sale.item === key).slice(-protection.sales)
  const last = streak.at(-1)
  const lost =
    streak.length === protection.sales &&
    streak.every(({ at, profit }) => profit < 0 && at >= now - protection.overMillis)
  return last === undefined || !lost
    ? undefined
    : {
        protection,
        item: key,
        since: last.at,
        why: `the last ${protection.sales} sales lost money`,
        lasting: false
      }
}

const percent = (fraction: number): string => `${(fraction * 100).toFixed(1)} %`

const drawdown = (
  protection: Extract<Protection, { kind: "drawdown" }>,
  { equity: points }: Trail,
  { equity, facts }: Watched
): Trip | undefined => {
  if (equity === undefined) return undefined
  const window = points.filter(({ at }) => at >= facts.now - protection.overMillis).concat(equity)
  const height = Math.max(...window.map(({ profit }) => profit))
  const invested = Math.max(...window.map((point) => point.invested))
  const fell = invested > 0 ? (height - equity.profit) / invested : 0
  return fell > protection.maxFraction
    ? {
        protection,
        item: undefined,
        since: facts.now,
        why: `it is down by ${percent(fell)} of what was invested`,
        lasting: true
      }
    : undefined
}

const priceIn = (book: Observed<OrderBook>, of: "mid" | "ask" | "bid"): number | undefined => {
  if (book._tag === "Unseen") return undefined
  return of === "mid" ? mid(book.value) : of === "ask" ? bestAsk(book.value) : bestBid(book.value)
}

const priceJump = (
  protection: Extract<Protection, { kind: "price-jump" }>,
  { facts, prices }: Watched
): Trip | undefined => {
  const { against, maxFraction, of, overMillis } = protection
  const price = priceIn(facts.book, of)
  if (price === undefined) return undefined
  const usual = facts.history._tag === "Seen" ? median(facts.history.value, facts.now, overMillis) : undefined
  const references =
    against === "history"
      ? [usual]
      : prices.filter(({ at }) => at >= facts.now - overMillis).map((point) => point[of])
  const moved = references.reduce<number>((most, reference) => {
    const by = reference === undefined || reference <= 0 ? 0 : price / reference - 1
    return Math.abs(by) > Math.abs(most) ? by : most
  }, 0)
  const from = against === "history" ? "its history" : "what was seen"
  return Math.abs(moved) > maxFraction
    ? {
        protection,
        item: itemKey(facts.item),
        since: facts.now,
        why: `its ${of} is ${percent(Math.abs(moved))} ${moved > 0 ? "above" : "below"} ${from}`,
        lasting: true
      }
    : undefined
}

/** The pauses of a strategy that hold for the item now. */
export const pausesOf = (
  { name, protections }: Protected,
  state: State,
  key: ItemKey,
  now: Millis
): ReadonlyArray<Pausing> =>
  Object.values(trailOf(state.trails, name).pauses).flatMap(({ item, kind, since, why }) => {
    const lengths = protections.filter((one) => one.kind === kind).map(lengthOf)
    const until = (since + Math.max(0, ...lengths)) as Millis
    return until > now && (item === undefined || item === key) ? [{ kind, since, until, why }] : []
  })

/** The decision as far as the strategy's pauses and a halt leave it. */
export const protect = (
  strategy: Protected,
  decision: Decision,
  state: State,
  key: ItemKey,
  now: Millis
): Decision => {
  const { halted } = trailOf(state.trails, strategy.name)
  const pauses = pausesOf(strategy, state, key, now)
  if (halted === undefined && pauses.length === 0) return decision
  const slot = state.bids[key]
  const stands = slot !== undefined && placedOf(slot)?.reason.origin.strategy === strategy.name
  const why = halted === undefined ? pauses.map((one) => `${one.kind}, ${one.why}`).join("; ") : halted
  const reason: Reason = {
    origin: { strategy: decision.strategy, revision: decision.revision, rule: "protections" },
    because: halted === undefined ? `it is paused: ${why}` : `it is halted: ${why}`,
    saw: {}
  }
  const without: Decision = {
    ...decision,
    bid: stands ? { _tag: "NoBid", reason } : decision.bid?._tag === "NoBid" ? decision.bid : undefined,
    buys: [],
    pauses
  }
  return halted === undefined ? without : { ...without, ask: undefined, halted }
}
