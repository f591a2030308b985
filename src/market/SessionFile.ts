/**
 * Reads a session from a file that only its owner may read, and writes it there.
 *
 * ```json
 * {"accountId": "76561197960287930",
 *  "cookies": {"platformLoginSecure": "76561197960287930%7C%7C<token>"},
 *  "sessionid": "0123456789abcdef01234567",
 *  "identitySecret": "<base64, to confirm listings>",
 *  "deviceId": "android:…"}
 * ```
 *
 * `identitySecret` and `deviceId` may be absent; the device id is then derived. Other keys are ignored, so an object of
 * `haggle exchange --json`'s `accounts` is such a file as it is, and so are exported cookies (SessionText). In YAML the account id
 * needs quotes.
 * Invariants: 1. a file that group or others may read is refused. 2. a message names keys, never values. 3. a file is replaced as a whole.
 */
import { Effect, FileSystem, Path, Result, Schema } from "effect"

import { differencesOf } from "./contract/Difference.ts"
import { SessionFields, sessionOf, type SessionValue } from "./Session.ts"
import { fieldsOf, joined, readParts, type SessionParts } from "./SessionText.ts"

export class SessionFileError extends Schema.TaggedError<SessionFileError>()("SessionFileError", {
  kind: Schema.Literals(["Missing", "Unreadable", "TooOpen", "Malformed"]),
  file: Schema.String,
  message: Schema.String
}) {}

const groupAndOthers = 0o077

export const readSession = Effect.fn("SessionFile.read")(function* (
  file: string
): Effect.fn.Return<SessionValue, SessionFileError, FileSystem.FileSystem> {
  return yield* wholeSession(file, yield* readPrivate(file))
})

/** The session that the parts make; `file` is where they came from. */
export const wholeSession = (
  file: string,
  parts: SessionParts
): Effect.Effect<SessionValue, SessionFileError> =>
  Effect.gen(function* () {
    const malformed = (why: string) =>
      new SessionFileError({
        kind: "Malformed",
        file,
        message: `session file is malformed: ${file}: ${why}`
      })
    const fields = yield* Effect.mapError(Effect.fromResult(fieldsOf(joined(parts))), malformed)
    const checked = yield* Effect.mapError(decode(fields), ({ issue }) =>
      malformed(
        differencesOf(issue)
          .map(({ message, path }) => `${path === "" ? "the file" : path}: ${message}`)
          .join("; ")
      )
    )
    return sessionOf(checked)
  })

const decode = Schema.decodeUnknownEffect(SessionFields, { errors: "all" })

/** What a private file tells. */
export const readPrivate = Effect.fn("SessionFile.readPrivate")(function* (file: string, host?: string) {
  const fs = yield* FileSystem.FileSystem
  const failure = (kind: SessionFileError["kind"], message: string) =>
    new SessionFileError({ kind, file, message })
  const unreadable = () =>
    failure("Unreadable", `session file cannot be read: ${file}; check its owner and permissions`)
  const { mode } = yield* Effect.mapError(fs.stat(file), (error) =>
    error.reason._tag === "NotFound" ? failure("Missing", `there is no session file ${file}`) : unreadable()
  )
  if ((mode & groupAndOthers) !== 0)
    return yield* failure("TooOpen", `session file is readable by others: ${file}; run: chmod 600 ${file}`)
  const text = yield* Effect.mapError(fs.readFileString(file), unreadable)
  const parts = readParts(text, host)
  return Result.isSuccess(parts)
    ? parts.success
    : yield* failure("Malformed", `session file is malformed: ${file}: ${parts.failure}`)
})

/** Writes the session beside the file and puts it in its place: a reader finds the old one or the new one, readable by its owner only. */
export const writeSession = Effect.fn("SessionFile.write")(function* (file: string, fields: SessionFields) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* fs.makeDirectory(path.dirname(file), { recursive: true })
  yield* Effect.scoped(
    Effect.gen(function* () {
      const folder = yield* fs.makeTempDirectoryScoped({ directory: path.dirname(file), prefix: ".session-" })
      const fresh = path.join(folder, "session.json")
      yield* fs.writeFileString(fresh, `${JSON.stringify(fields, undefined, 2)}\n`, { mode: 0o600 })
      yield* fs.rename(fresh, file)
    })
  )
})
