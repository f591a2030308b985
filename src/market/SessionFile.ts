/**
 * Reads a session from a JSON or YAML file that only its owner may read.
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
 * `haggle exchange --json`'s `accounts` is such a file as it is. In YAML the account id needs quotes.
 * Invariants: 1. a file that group or others may read is refused. 2. a message names keys, never values.
 */
import { Effect, FileSystem, Layer, Schema } from "effect"
import { Yaml } from "effect/encoding"

import { differencesOf } from "./contract/Difference.ts"
import { Session, SessionFields, sessionOf, type SessionValue } from "./Session.ts"

export class SessionFileError extends Schema.TaggedError<SessionFileError>()("SessionFileError", {
  kind: Schema.Literals(["Missing", "Unreadable", "TooOpen", "Malformed"]),
  file: Schema.String,
  message: Schema.String
}) {}

/** The session of a file. */
export const layerFile = (file: string): Layer.Layer<Session, SessionFileError, FileSystem.FileSystem> =>
  Layer.effect(Session, readSession(file))

const groupAndOthers = 0o077

export const readSession = Effect.fn("SessionFile.read")(function* (
  file: string
): Effect.fn.Return<SessionValue, SessionFileError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const failure = (kind: SessionFileError["kind"], message: string) =>
    new SessionFileError({ kind, file, message })
  const { mode } = yield* fs
    .stat(file)
    .pipe(
      Effect.mapError((error) =>
        error.reason._tag === "NotFound"
          ? failure(
              "Missing",
              `session file not found: ${file}; save one or name another with --session FILE`
            )
          : failure("Unreadable", `session file cannot be read: ${file}; check its owner and permissions`)
      )
    )
  if ((mode & groupAndOthers) !== 0)
    return yield* failure("TooOpen", `session file is readable by others: ${file}; run: chmod 600 ${file}`)
  const text = yield* fs
    .readFileString(file)
    .pipe(
      Effect.mapError(() =>
        failure("Unreadable", `session file cannot be read: ${file}; check its owner and permissions`)
      )
    )
  const value = yield* parse(text).pipe(
    Effect.mapError((why) => failure("Malformed", `session file is malformed: ${file}: ${why}`))
  )
  return sessionOf(value)
})

const decode = Schema.decodeUnknownEffect(SessionFields, { errors: "all" })

/** JSON is YAML, but its own parser is stricter and does not read large numbers as anything else. */
const parse = (text: string): Effect.Effect<SessionFields, string> =>
  Effect.try({
    try: (): unknown => (text.trimStart().startsWith("{") ? JSON.parse(text) : Yaml.parse(text)),
    // The parser's own message would quote the text, which is secret.
    catch: () => "neither JSON nor YAML"
  }).pipe(
    Effect.flatMap((parsed) =>
      decode(parsed).pipe(
        Effect.mapError(({ issue }) =>
          differencesOf(issue)
            .map(({ message, path }) => `${path === "" ? "the file" : path}: ${message}`)
            .join("; ")
        )
      )
    )
  )
