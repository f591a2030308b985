/**
 * Whose account is traded: the login cookies, the CSRF value and the authenticator's secret.
 * Invariants: 1. every value is Redacted from the moment it is read. 2. nothing here prints, stores or sends a value.
 */
import { Context, Layer, Option, Redacted, Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"

import { type AccountId, type Millis } from "../domain/Ids.ts"
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

export class Session extends Context.Service<Session, SessionValue>()("haggle/market/Session") {}

/** A session that is known already, e.g. an account of an embedded market. */
export const layerOf = (fields: SessionFields): Layer.Layer<Session> =>
  Layer.succeed(Session, sessionOf(fields))

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

const loginCookieName = /LoginSecure$/
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
