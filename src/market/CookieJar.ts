/**
 * The cookies of one host: what the session began with and what answers set since; a new session begins anew.
 * Invariant: values never leave but in a header.
 */
import { Clock, Duration, Effect, Redacted } from "effect"
import { type Cookies } from "effect/http"

import { defaultPlatformName, loginCookie } from "./contract/Platform.ts"
import { type Session, type SessionValue } from "./Session.ts"

export interface CookieJar {
  /** Value of the header Cookie. */
  readonly header: Effect.Effect<string>
  /** The CSRF value that forms must repeat. */
  readonly sessionid: Effect.Effect<string>
  /** A cookie's value as it travels. */
  readonly value: (name: string) => Effect.Effect<string | undefined>
  readonly store: (cookies: Cookies.Cookies) => Effect.Effect<void>
}

type Values = ReadonlyMap<string, string>

/** Cookies of one host, as many as browsers keep at least; names beyond them are not taken up. */
const mostCookies = 50

export const makeJar = (session: Session["Service"], platformName: string): CookieJar => {
  let of: SessionValue | undefined
  let values: Values = new Map()
  const inForce = Effect.map(session.current, (value) => {
    if (value !== of) values = initial(value, platformName)
    of = value
    return values
  })
  return {
    header: Effect.map(inForce, (map) => [...map].map(([name, value]) => `${name}=${value}`).join("; ")),
    sessionid: Effect.map(
      Effect.zip(inForce, session.current),
      ([map, current]) => map.get("sessionid") ?? Redacted.value(current.sessionid)
    ),
    value: (name) => Effect.map(inForce, (map) => map.get(name)),
    store: (cookies) =>
      Effect.map(Effect.zip(inForce, Clock.currentTimeMillis), ([map, now]) => {
        values = stored(map, cookies, now)
      })
  }
}

/** A session written with our word for the login cookie is sent with the deployment's. */
const initial = (session: SessionValue, platformName: string): Values => {
  const named = Object.entries(Redacted.value(session.cookies)).map(([name, value]): [string, string] => [
    name === loginCookie(defaultPlatformName) ? loginCookie(platformName) : name,
    value
  ])
  return new Map([...named, ["sessionid", Redacted.value(session.sessionid)]])
}

const stored = (map: Values, cookies: Cookies.Cookies, now: number): Values => {
  const set = Object.values(cookies.cookies)
  if (set.length === 0) return map
  const next = new Map(map)
  for (const cookie of set) {
    if (isRemoved(cookie, now)) next.delete(cookie.name)
    else if (next.has(cookie.name) || next.size < mostCookies) next.set(cookie.name, cookie.valueEncoded)
  }
  return next
}

/** A market removes a cookie by an empty value, the value `deleted`, or an end that has passed. */
const isRemoved = ({ options, valueEncoded }: Cookies.Cookie, now: number): boolean => {
  if (valueEncoded === "" || valueEncoded === "deleted") return true
  if (options?.maxAge !== undefined) return Duration.toMillis(options.maxAge) <= 0
  return options?.expires !== undefined && options.expires.getTime() <= now
}
