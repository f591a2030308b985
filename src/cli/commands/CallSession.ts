/**
 * Whose session `haggle call` uses: single flags, an account of `haggle exchange --json`, or a session file.
 * Invariants: 1. flags win over the file, and each flag over its part of the account. 2. a file that was asked for must be there; without
 * one that was not, the call is anonymous. 3. no value is repeated in a message.
 */
import { Console, Effect, Layer, Option, Redacted, Schema } from "effect"

import { makeSession, SessionFields, Session, sessionOf, type SessionValue } from "../../market/Session.ts"
import { readSession } from "../../market/SessionFile.ts"
import { accountIn, chosenSessionid } from "../../market/SessionText.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { badConfig, cliError, type CliError } from "../Exit.ts"

export interface SessionFlags {
  readonly account: Option.Option<string>
  readonly accountJson: Option.Option<Redacted.Redacted>
  readonly cookie: Readonly<Record<string, string>>
  readonly sessionid: Option.Option<Redacted.Redacted>
  readonly identitySecret: Option.Option<Redacted.Redacted>
  readonly deviceId: Option.Option<string>
}

const decodeAccount = Schema.decodeUnknownEffect(Schema.fromJsonString(SessionFields))

const accountOf = (text: string): Effect.Effect<SessionFields, CliError> =>
  decodeAccount(text).pipe(
    Effect.mapError(() =>
      cliError(
        badConfig,
        "--account-json is no account",
        'give one element of "accounts" as `haggle exchange --json` prints it, with accountId, cookies and sessionid'
      )
    )
  )

const anonymous = "0"

const given = ({
  account,
  accountJson,
  cookie,
  deviceId,
  identitySecret,
  sessionid
}: SessionFlags): boolean =>
  Object.keys(cookie).length > 0 ||
  [account, accountJson, deviceId, identitySecret, sessionid].some((one) => Option.isSome<unknown>(one))

const fromFlags = Effect.fnUntraced(function* (flags: SessionFlags) {
  const base = Option.isSome(flags.accountJson)
    ? yield* accountOf(Redacted.value(flags.accountJson.value))
    : undefined
  const cookies = { ...base?.cookies, ...flags.cookie }
  const accountId = Option.getOrUndefined(flags.account) ?? base?.accountId ?? accountIn(cookies) ?? anonymous
  if (!/^\d{1,20}$/.test(accountId))
    return yield* cliError(badConfig, "--account takes the account id, a number of up to twenty digits")
  const secret = Option.match(flags.identitySecret, {
    onNone: () => base?.identitySecret,
    onSome: Redacted.value
  })
  const chosen = Option.match(flags.sessionid, {
    onNone: () => flags.cookie["sessionid"] ?? base?.sessionid,
    onSome: Redacted.value
  })
  const deviceId = Option.getOrUndefined(flags.deviceId) ?? base?.deviceId
  return sessionOf({
    accountId,
    cookies,
    sessionid: chosen ?? cookies["sessionid"] ?? chosenSessionid(accountId),
    ...(secret === undefined ? {} : { identitySecret: secret }),
    ...(deviceId === undefined ? {} : { deviceId })
  })
})

const nobody: SessionValue = sessionOf({
  accountId: anonymous,
  cookies: {},
  sessionid: chosenSessionid(anonymous)
})

const fromFile = Effect.fnUntraced(function* (config: ResolvedConfig, needed: boolean) {
  const { file } = config.settings.session
  const asked = config.origins.get("session.file") === "--session"
  return yield* readSession(file).pipe(
    Effect.catchIf(
      (error) => error.kind === "Missing" && !asked,
      () =>
        (needed
          ? Console.error(
              `haggle: there is no session file ${file}, so this call is anonymous; see --session and --account-json`
            )
          : Effect.void
        ).pipe(Effect.as(nobody))
    )
  )
})

const sessionFor = Effect.fnUntraced(function* (
  flags: SessionFlags,
  config: ResolvedConfig,
  needed: boolean
) {
  return given(flags) ? yield* fromFlags(flags) : yield* fromFile(config, needed)
})

/** `needed`: the operation is one that an anonymous caller is refused. */
export const layerSession = (flags: SessionFlags, config: ResolvedConfig, needed: boolean) =>
  Layer.effect(Session, Effect.flatMap(sessionFor(flags, config, needed), makeSession))
