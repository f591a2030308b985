/**
 * The texts that a session comes in: our own file, cookies as browsers export them (Netscape's table or JSON), an authenticator's file.
 * Invariants: 1. a message names keys and lines, never values. 2. a number too large to be exact is read as its digits.
 */
import { Option, Predicate, Result } from "effect"
import { Yaml } from "effect/encoding"

import { meaningHash } from "../domain/Ids.ts"
import { loginCookieName, type SessionFields } from "./Session.ts"

/** What one text tells; several make a session. */
export interface SessionParts {
  readonly accountId?: string
  readonly cookies?: Readonly<Record<string, string>>
  readonly sessionid?: string
  readonly identitySecret?: string
  readonly deviceId?: string
}

/** The parts in a text; `host` chooses among the cookies of several sites. Fails with what is wrong. */
export const readParts = (text: string, host?: string): Result.Result<SessionParts, string> => {
  const body = text.replace(/^\uFEFF/, "").trimStart()
  if (body === "") return Result.fail("the text is empty")
  if (/^[[{]/.test(body))
    return Option.match(
      parsed(() => JSON.parse(digitsKept(body))),
      {
        onNone: () => Result.fail("it begins like JSON and is none"),
        onSome: (value) => ofValue(value, host)
      }
    )
  if (body.startsWith("# ") || /^[^\n]*\t[^\n]*\t/.test(body) || body.startsWith("#Http"))
    return ofCookies(netscape(body), host)
  return Option.match(
    parsed(() => Yaml.parse(body)),
    {
      onNone: () => Result.fail("neither JSON, YAML nor a Netscape cookie file"),
      onSome: (value) => ofValue(value, host)
    }
  )
}

/** Later parts win; the rest follows from the login cookie. */
export const joined = (...all: ReadonlyArray<SessionParts>): SessionParts => {
  const joint = Object.assign({}, ...all) as SessionParts
  const cookies = Object.assign({}, ...all.map((one) => one.cookies ?? {})) as Record<string, string>
  const accountId = accountIn(cookies) ?? joint.accountId
  const sessionid = joint.sessionid ?? cookies["sessionid"]
  return {
    ...joint,
    ...(Object.keys(cookies).length === 0 ? {} : { cookies }),
    ...(accountId === undefined ? {} : { accountId }),
    ...(sessionid !== undefined
      ? { sessionid }
      : accountId === undefined
        ? {}
        : { sessionid: chosenSessionid(accountId) })
  }
}

/** A whole session, or what it lacks. */
export const fieldsOf = (parts: SessionParts): Result.Result<SessionFields, string> => {
  const { accountId, cookies, sessionid } = parts
  if (cookies === undefined || !Object.keys(cookies).some((name) => loginCookieName.test(name)))
    return Result.fail("there is no login cookie (its name ends in LoginSecure)")
  if (accountId === undefined || sessionid === undefined)
    return Result.fail("the account id is missing: the login cookie does not begin with it")
  return Result.succeed({ ...parts, accountId, cookies, sessionid })
}

/** A login cookie begins with the account id. */
export const accountIn = (cookies: Readonly<Record<string, string>>): string | undefined =>
  Object.entries(cookies).flatMap(([name, value]) => {
    const match = /^(\d{1,20})(?:%7C|\|)/i.exec(value)
    return loginCookieName.test(name) && match?.[1] !== undefined ? [match[1]] : []
  })[0]

/** Any value that a client keeps to will do (interface, Authentication); this one is the same at every call. */
export const chosenSessionid = (account: string): string =>
  (meaningHash("sessionid", account) + meaningHash(account)).slice(0, 24)

const parsed = (parse: () => unknown): Option.Option<unknown> => Option.liftThrowable(parse)()

/** Account ids exceed what a JSON number holds. */
const digitsKept = (json: string): string => json.replaceAll(/([:[,]\s*)(\d{16,20})(?=\s*[,}\]])/g, '$1"$2"')

interface Cookie {
  readonly domain: string
  readonly name: string
  readonly value: string
}

const ofValue = (value: unknown, host: string | undefined): Result.Result<SessionParts, string> => {
  if (Array.isArray(value)) return ofCookies(value.flatMap(cookieOf), host)
  if (!Predicate.isObject(value)) return Result.fail("neither an object nor a list of cookies")
  const fields = value as Readonly<Record<string, unknown>>
  const { cookies } = fields
  // A browser's whole state has its cookies in a list.
  if (Array.isArray(cookies)) return ofCookies(cookies.flatMap(cookieOf), host)
  if ("identity_secret" in fields) return Result.succeed(ofAuthenticator(fields))
  if (Predicate.isObject(cookies)) return ofOwn(fields, textsOf(cookies))
  // Cookies by name and nothing else.
  const texts = textsOf(fields)
  return Object.keys(texts).some((name) => loginCookieName.test(name))
    ? Result.succeed({ cookies: texts })
    : "identitySecret" in fields
      ? ofOwn(fields, undefined)
      : Result.fail("cookies: Missing key")
}

const ownNames = ["accountId", "sessionid", "identitySecret", "deviceId"] as const

const ofOwn = (
  fields: Readonly<Record<string, unknown>>,
  cookies: Readonly<Record<string, string>> | undefined
): Result.Result<SessionParts, string> => {
  const given = ownNames.filter((name) => fields[name] !== undefined)
  const texts = textsOf(fields)
  const wrong = given.find((name) => texts[name] === undefined)
  if (wrong !== undefined) return Result.fail(`${wrong}: takes a text in quotes`)
  const named = Object.fromEntries(given.map((name) => [name, texts[name]]))
  return Result.succeed({ ...named, ...(cookies === undefined ? {} : { cookies }) })
}

/** An authenticator's file has the secret, the device, and often the login of the program that wrote it. */
const ofAuthenticator = (fields: Readonly<Record<string, unknown>>): SessionParts => {
  const { device_id: deviceId, identity_secret: identitySecret } = textsOf(fields)
  const login = Predicate.isObject(fields["Session"]) ? textsOf(fields["Session"]) : {}
  const accountId = Object.values({ ...login, ...textsOf(fields) }).find((text) => /^7656\d{13}$/.test(text))
  return {
    ...(identitySecret === undefined ? {} : { identitySecret }),
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(accountId === undefined ? {} : { accountId })
  }
}

const textsOf = (fields: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === "string")
  )

const cookieOf = (row: unknown): ReadonlyArray<Cookie> => {
  if (!Predicate.isObject(row)) return []
  const { domain = "", name, value } = textsOf(row)
  return name === undefined || value === undefined ? [] : [{ domain, name, value }]
}

/** Domain, flag, path, secure, expiry, name, value; a `#HttpOnly_` row is a cookie, other rows with `#` are comments. */
const netscape = (text: string): ReadonlyArray<Cookie> =>
  text.split(/\r?\n/).flatMap((line) => {
    const row = line.replace(/^#HttpOnly_/, "")
    const [domain, , , , , name, value] = row.startsWith("#") ? [] : row.split("\t")
    return domain === undefined || name === undefined || value === undefined ? [] : [{ domain, name, value }]
  })

/** The cookies of the site that the login is for: the given host's, else the first one's that has a login. */
const ofCookies = (
  cookies: ReadonlyArray<Cookie>,
  host: string | undefined
): Result.Result<SessionParts, string> => {
  const bare = (domain: string) => domain.replace(/^\./, "")
  const covers = (domain: string) =>
    host !== undefined && (host === bare(domain) || host.endsWith(`.${bare(domain)}`))
  const logins = cookies.filter(({ name }) => loginCookieName.test(name))
  const login = logins.find(({ domain }) => covers(domain)) ?? logins[0]
  if (login === undefined) return Result.fail("there is no login cookie (its name ends in LoginSecure)")
  const own = cookies.filter(({ domain }) => bare(domain) === bare(login.domain))
  return Result.succeed({ cookies: Object.fromEntries(own.map(({ name, value }) => [name, value])) })
}
