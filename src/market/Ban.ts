/**
 * The market has had enough of this address: operations that have nothing to do with each other are told "too fast" within minutes.
 * Invariants: 1. while it lasts no market data is read, own reads go slowly, nothing new is sent, and exits and confirmations go on.
 * 2. one request tries when it is over; each refusal of it makes the next rest longer.
 */
import { fractionOf } from "../domain/Chance.ts"
import { type Operation } from "../domain/Operation.ts"
import { exits, laneOf, restingTogether } from "./Quotas.ts"

export interface Ban {
  /** In a row; 0 while there is none. */
  level: number
  since: number
  until: number
  triedAt: number | undefined
  ownReadAt: number
  /** Last refusal by the first operation of those that rest together. */
  readonly refusedAt: Map<Operation, number>
}

export const noBan = (): Ban => ({
  level: 0,
  since: 0,
  until: 0,
  triedAt: undefined,
  ownReadAt: -Infinity,
  refusedAt: new Map()
})

/** So many unrelated kinds refused within this time make a ban: fewer are a busy hour of theirs. */
const kinds = 3
const withinMillis = 600_000
/** First and longest rest; locks of more than an hour, once of most of a day, were seen. */
const firstMillis = 900_000
const longestMillis = 7_200_000
const restJitter = 0.25
/** A try without an answer is given up after this. */
const tryMillis = 60_000
/** Own reads while banned: enough to see fills and to settle what is unknown. */
const ownReadMillis = 60_000

export const isBanned = ({ level }: Ban): boolean => level > 0

/** How long until the operation may go as far as the ban is concerned. */
export const waitForBan = (ban: Ban, operation: Operation, now: number): number => {
  if (ban.level === 0) return 0
  const lane = laneOf(operation)
  if (lane === "confirmation" || exits.has(operation)) return 0
  if (lane === "own") return ban.ownReadAt + ownReadMillis - now
  return (ban.triedAt === undefined ? ban.until : ban.triedAt + tryMillis) - now
}

export const sentUnderBan = (ban: Ban, operation: Operation, at: number): void => {
  if (ban.level === 0) return
  if (laneOf(operation) === "own") ban.ownReadAt = at
  const trying = ban.triedAt !== undefined && at < ban.triedAt + tryMillis
  if (at >= ban.until && !trying) ban.triedAt = at
}

export const refusedUnderBan = (ban: Ban, operation: Operation, at: number): void => {
  const [kind = operation] = restingTogether(operation)
  ban.refusedAt.set(kind, at)
  if (ban.level > 0) {
    if (ban.triedAt !== undefined) extend(ban, at)
    return
  }
  const recent = [...ban.refusedAt.values()].filter((time) => time > at - withinMillis)
  if (recent.length < kinds) return
  ban.since = at
  extend(ban, at)
}

export const succeededUnderBan = (ban: Ban): void => {
  if (ban.level === 0 || ban.triedAt === undefined) return
  ban.level = 0
  ban.triedAt = undefined
  ban.refusedAt.clear()
}

const extend = (ban: Ban, at: number): void => {
  ban.level += 1
  ban.triedAt = undefined
  const base = Math.min(longestMillis, firstMillis * 2 ** (ban.level - 1))
  ban.until = at + Math.round(base * (1 + restJitter * fractionOf(at, ban.level)))
}
