/**
 * `haggle session import FILE…`: takes exported cookies (Netscape's table or JSON) and authenticator files into the session file, readable
 * by its owner only. A running daemon sees it within a second.
 * Invariants: 1. what the files do not tell is kept from the session file of the same account. 2. nothing of a value is printed.
 */
import { Console, Effect, FileSystem, Redacted, Result, Schema } from "effect"

import { SessionFields } from "../../market/Session.ts"
import { readPrivate, wholeSession, writeSession } from "../../market/SessionFile.ts"
import { accountIn, fieldsOf, joined, readParts, type SessionParts } from "../../market/SessionText.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { badConfig, cliError, notFound } from "../Exit.ts"
import { moment } from "../text/Format.ts"
import { fields } from "../text/Table.ts"

export interface SessionImportFlags {
  readonly json: boolean
  readonly files: ReadonlyArray<string>
  readonly replace: boolean
}

const partsOf = Effect.fnUntraced(function* (file: string, host: string | undefined) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(fs.readFileString(file), ({ reason }) =>
    cliError(
      reason._tag === "NotFound" ? notFound : badConfig,
      `${file} cannot be read (${reason._tag})`,
      "check the path"
    )
  )
  const parts = readParts(text, host)
  return Result.isSuccess(parts)
    ? parts.success
    : yield* cliError(
        badConfig,
        `${file} is no session: ${parts.failure}`,
        "give exported cookies (Netscape's table or JSON) or an authenticator's file"
      )
})

/** The session file as it is; nothing where there is none. */
const before = (file: string) =>
  readPrivate(file).pipe(
    Effect.catchIf(
      ({ kind }) => kind === "Missing",
      () => Effect.succeed<SessionParts>({})
    )
  )

export const run = Effect.fn("cli.sessionImport")(function* (
  { files, json, replace }: SessionImportFlags,
  { settings }: ResolvedConfig
) {
  const { file } = settings.session
  const { url } = settings.market
  const host = url === null ? undefined : new URL(url).hostname
  const given = joined(...(yield* Effect.forEach(files, (one) => partsOf(one, host))))
  const old = replace ? {} : yield* before(file)
  const [ours, theirs] = [accountIn(old.cookies ?? {}) ?? old.accountId, given.accountId]
  if (ours !== undefined && theirs !== undefined && ours !== theirs)
    return yield* cliError(
      badConfig,
      `${file} is account ${ours}'s, and the import is account ${theirs}'s`,
      "name another file with --session FILE, or replace this one with --replace"
    )
  // Cookies come as a set: an old one beside a new login would be a stranger's.
  const { cookies: _, sessionid: __, ...lasting } = old
  const whole = joined(given.cookies === undefined ? old : lasting, given)
  const session = yield* wholeSession(files.join(", "), whole)
  const written = yield* Effect.fromResult(fieldsOf(whole)).pipe(
    Effect.mapError((why) => cliError(badConfig, why))
  )
  yield* writeSession(file, yield* Effect.orDie(Schema.decodeUnknownEffect(SessionFields)(written)))
  const data = {
    file,
    account: Redacted.value(session.accountId) as string,
    expiresAt: session.expiresAt ?? null,
    canConfirm: session.identitySecret !== undefined
  }
  const text = fields([
    ["written", file],
    ["account", data.account],
    ["valid", data.expiresAt === null ? "not told by its cookie" : `until ${moment(data.expiresAt)}`],
    ["authenticator", data.canConfirm ? "there" : "missing: listings cannot be confirmed"]
  ])
  yield* Console.log(json ? JSON.stringify(data) : text)
})
