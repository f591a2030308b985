/**
 * Holds the journal's word on the session against what the market says: a doubt is settled by the canary at once, a loss is journaled (the
 * guard then lets nothing through) and looked at again and again, a renewal is journaled and trading goes on.
 * Invariants: 1. only the deciding fiber runs it, so that no mutation falls between a loss and its entry. 2. a lost session is asked about
 * at most once per `firstRestMillis`, less and less often; other cookies are asked about at once.
 */
import { Effect } from "effect"

import type { Event } from "../domain/Event.ts"
import type { Millis } from "../domain/Ids.ts"
import type { SessionNews, SessionState } from "../domain/SessionState.ts"
import { Market } from "../market/Market.ts"
import { Journal, marketNow } from "./Journal.ts"

/** What the desk remembers of its questions to the market. */
export interface SessionAsking {
  /** The next time that the canary may be asked. */
  readonly at: number
  readonly restMillis: number
  /** The token of which it was told that it is over soon. */
  readonly toldUntil: number | undefined
}

interface Asked {
  session: SessionAsking
}

/** After one question; doubles with each up to the longest, and begins anew after a quiet while. */
const firstRestMillis = 15_000
const longestRestMillis = 300_000
/** The operator is told this long before the token is over. */
const expiringMillis = 3_600_000

export const notAsked: SessionAsking = {
  at: Number.NEGATIVE_INFINITY,
  restMillis: firstRestMillis,
  toldUntil: undefined
}

/** True when the session is in force again and was not before: the account should be looked at. */
export const attend = Effect.fn("SessionWatch.attend")(function* (desk: Asked) {
  const market = yield* Market
  const { _tag: tag } = yield* doubtWhenOver
  if (tag === "Alive") return yield* agreed(desk)
  const now = yield* marketNow
  if (now < desk.session.at) return false
  const quiet = now - desk.session.at > longestRestMillis
  const restMillis = quiet ? firstRestMillis : desk.session.restMillis
  desk.session = {
    ...desk.session,
    at: now + restMillis,
    restMillis: Math.min(longestRestMillis, restMillis * 2)
  }
  yield* market.session.check
  return yield* agreed(desk)
})

/** A new session may be good at once; one that failed is told. */
export const heard = Effect.fn("SessionWatch.heard")(function* (desk: Asked, news: SessionNews) {
  const journal = yield* Journal
  const market = yield* Market
  const at = yield* marketNow
  if (news._tag === "RenewalFailed") {
    yield* journal.append([{ _tag: "SessionRenewalFailed", at, message: news.message }])
    return false
  }
  desk.session = { ...notAsked, toldUntil: desk.session.toldUntil }
  const { sessionLostAt } = yield* journal.state
  const { _tag: tag } = yield* market.session.check
  // A renewal ahead of time is news as well; one that is not good yet is settled by `attend`.
  if (tag === "Alive" && sessionLostAt === undefined)
    yield* journal.append([renewed(at, yield* market.session.state)])
  return yield* agreed(desk)
})

const doubtWhenOver = Effect.gen(function* () {
  const { session } = yield* Market
  const state = yield* session.state
  if (state._tag !== "Alive" || state.expiresAt === undefined) return state
  if (state.expiresAt > (yield* marketNow)) return state
  yield* session.doubt("the login token is over")
  return yield* session.state
})

/** Brings the journal to what is known of the session. */
const agreed = Effect.fnUntraced(function* (desk: Asked) {
  const journal = yield* Journal
  const market = yield* Market
  const at = yield* marketNow
  const state = yield* market.session.state
  const { sessionLostAt } = yield* journal.state
  if (state._tag === "Expired" && sessionLostAt === undefined)
    yield* journal.append([{ _tag: "SessionExpired", at, signal: state.signal }])
  if (state._tag !== "Alive") return false
  yield* tellExpiring(desk, state.expiresAt)
  if (sessionLostAt === undefined) return false
  desk.session = { ...notAsked, toldUntil: desk.session.toldUntil }
  yield* journal.append([renewed(at, state)])
  return true
})

export const renewed = (at: Millis, state: SessionState): Event => ({
  _tag: "SessionRenewed",
  at,
  ...(state._tag === "Alive" && state.expiresAt !== undefined ? { expiresAt: state.expiresAt } : {})
})

/** Once per token. */
const tellExpiring = Effect.fnUntraced(function* (desk: Asked, expiresAt: Millis | undefined) {
  const journal = yield* Journal
  const at = yield* marketNow
  if (expiresAt === undefined || expiresAt - at > expiringMillis) return
  if (desk.session.toldUntil === expiresAt || expiresAt <= at) return
  desk.session = { ...desk.session, toldUntil: expiresAt }
  yield* journal.append([{ _tag: "SessionExpiring", at, expiresAt }])
})
