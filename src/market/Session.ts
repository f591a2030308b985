/**
 * Whose account is traded: the login cookies, the CSRF value and the authenticator's secret, as they are now, and whether they still hold.
 * Invariants: 1. every value is Redacted from the moment it is read. 2. nothing here prints, stores or sends a value. 3. the account is
 * the same for as long as the process lives: a session of another one is refused.
 */
import { Clock, Context, Effect, Layer, Option, PubSub, Redacted, Ref, Result, Schema, Stream } from "effect"
import { Base64Url } from "effect/encoding"

import { type AccountId, type Millis } from "../domain/Ids.ts"
import type { SessionNews, SessionState } from "../domain/SessionState.ts"
import { parseJson } from "./contract/Json.ts"
import { deviceIdOf } from "./DeviceId.ts"

export interface SessionValue {
  /** 64-bit decimal string. */
  readonly accountId: Redacted.Redacted<AccountId>
  /** Cookies by the names that the deployment gives them, without `sessionid`. */
  readonly cookies: Redacted.Redacted<Readonly<Record<string, string>>>
  /** The CSRF value; sent as a cookie of that name and in forms. */
  readonly sessionid: Redacted.Redacted<string>
  /** Base64 key of the confirmation signature; without it nothing can be confirmed. */
  readonly identitySecret: Redacted.Redacted<string> | undefined
  readonly deviceId: Redacted.Redacted<string>
  /** When the login cookie expires, if it tells. */
  readonly expiresAt: Millis | undefined
}

/** The new session is another account's. */
export class OtherAccount extends Schema.TaggedError<OtherAccount>()("OtherAccount", {
  message: Schema.String
}) {}

export class Session extends Context.Service<
  Session,
  {
    readonly accountId: Redacted.Redacted<AccountId>
    readonly current: Effect.Effect<SessionValue>
    readonly state: Effect.Effect<SessionState>
    /** An answer looks as if the login were gone. */
    readonly doubt: (signal: string) => Effect.Effect<void>
    /** The canary's word: the market knows us, or does not. */
    readonly proven: Effect.Effect<void>
    readonly lost: (signal: string) => Effect.Effect<void>
    /** Puts another session of the same account in force; `from` says where it came from. */
    readonly replace: (value: SessionValue, from: string) => Effect.Effect<void, OtherAccount>
    /** No new session could be had. */
    readonly renewalFailed: (message: string) => Effect.Effect<void>
    /** What happens from now on. */
    readonly news: Stream.Stream<SessionNews>
    /** Somebody is there who brings a new session when this one is over. */
    readonly renewable: boolean
  }
>()("haggle/market/Session") {}

/** News that wait for a slow reader; the oldest are dropped. */
const newsKept = 16

export const makeSession = Effect.fn("Session.make")(function* (
  first: SessionValue,
  options: { readonly renewable?: boolean } = {}
) {
  const { accountId } = first
  const value = yield* Ref.make(first)
  const state = yield* Ref.make<SessionState>({ _tag: "Alive", expiresAt: first.expiresAt })
  const hub = yield* PubSub.sliding<SessionNews>({ capacity: newsKept })
  const now = Effect.map(Clock.currentTimeMillis, (millis) => millis as Millis)
  return Session.of({
    accountId,
    current: Ref.get(value),
    state: Ref.get(state),
    doubt: (signal) =>
      Effect.flatMap(now, (since) =>
        Ref.update(state, (before): SessionState =>
          before._tag === "Alive" ? { _tag: "Doubtful", since, signal } : before
        )
      ),
    proven: Effect.flatMap(Ref.get(value), ({ expiresAt }) => Ref.set(state, { _tag: "Alive", expiresAt })),
    lost: (signal) =>
      Effect.flatMap(now, (since) =>
        Ref.update(state, (before): SessionState =>
          before._tag === "Expired" ? before : { _tag: "Expired", since, signal }
        )
      ),
    replace: Effect.fn("Session.replace")(function* (next, from) {
      if (Redacted.value(next.accountId) !== Redacted.value(accountId))
        return yield* new OtherAccount({
          message: `the new session (${from}) is of another account; a run keeps to its own`
        })
      yield* Ref.set(value, next)
      const since = yield* now
      yield* Ref.update(state, (before): SessionState =>
        before._tag === "Expired"
          ? { _tag: "Doubtful", since, signal: "renewed, not proven yet" }
          : { ...before, ...(before._tag === "Alive" ? { expiresAt: next.expiresAt } : {}) }
      )
      yield* PubSub.publish(hub, { _tag: "Replaced", expiresAt: next.expiresAt, from })
    }),
    renewalFailed: (message) => Effect.asVoid(PubSub.publish(hub, { _tag: "RenewalFailed", message })),
    news: Stream.fromPubSub(hub),
    renewable: options.renewable ?? false
  })
})

/** A session that is known already, e.g. an account of an embedded market. */
export const layerOf = (fields: SessionFields): Layer.Layer<Session> =>
  Layer.effect(Session, makeSession(sessionOf(fields)))

/** A session as a file and the accounts of `haggle exchange --json` write it; see SessionFile. */
export const SessionFields = Schema.Struct({
  accountId: Schema.String.check(Schema.isPattern(/^\d{1,20}$/)),
  cookies: Schema.Record(Schema.String, Schema.String),
  sessionid: Schema.NonEmptyString,
  identitySecret: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[A-Za-z0-9+/]{4,}={0,2}$/))),
  deviceId: Schema.optionalKey(Schema.NonEmptyString)
})
export type SessionFields = typeof SessionFields.Type

export const sessionOf = (fields: SessionFields): SessionValue => {
  const cookies = Object.fromEntries(Object.entries(fields.cookies).filter(([name]) => name !== "sessionid"))
  return {
    accountId: Redacted.make(fields.accountId as AccountId, { label: "accountId" }),
    cookies: Redacted.make(cookies, { label: "cookies" }),
    sessionid: Redacted.make(fields.sessionid, { label: "sessionid" }),
    identitySecret:
      fields.identitySecret === undefined
        ? undefined
        : Redacted.make(fields.identitySecret, { label: "identitySecret" }),
    deviceId: Redacted.make(fields.deviceId ?? deviceIdOf(fields.accountId), { label: "deviceId" }),
    expiresAt: expiryOf(cookies)
  }
}

export const loginCookieName = /LoginSecure$/
const Claims = Schema.Struct({ exp: Schema.Finite })
const decodeClaims = Schema.decodeUnknownOption(Claims)

/** The login cookie is `<account>%7C%7C<JWT>`; the token's claim `exp` is in Unix seconds. */
const expiryOf = (cookies: Readonly<Record<string, string>>): Millis | undefined => {
  const login = Object.entries(cookies).find(([name]) => loginCookieName.test(name))?.[1]
  const claims = login?.split(/%7C%7C|\|\|/i)[1]?.split(".")[1]
  if (claims === undefined) return undefined
  return Result.getSuccess(Base64Url.decodeString(claims)).pipe(
    Option.flatMap(parseJson),
    Option.flatMap(decodeClaims),
    Option.map(({ exp }) => (exp * 1000) as Millis),
    Option.getOrUndefined
  )
}
