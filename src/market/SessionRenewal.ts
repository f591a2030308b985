/**
 * A live session and how it is renewed while we trade: by its file, which is watched, or by a command that prints cookies.
 * Invariants: 1. a session that cannot be used is told and the old one goes on. 2. the command runs at most once at a time, within a
 * time-out, and less and less often while it fails. 3. neither its output nor its errors are ever shown: both may hold secrets.
 */
import { Clock, Duration, Effect, FileSystem, Layer, Option, Redacted, Result, Stream } from "effect"
import { ChildProcess, type ChildProcessSpawner } from "effect/process"

import { makeSession, Session, type SessionValue } from "./Session.ts"
import { readPrivate, SessionFileError, wholeSession } from "./SessionFile.ts"
import { joined, readParts, type SessionParts } from "./SessionText.ts"

export interface SessionSource {
  readonly file: string
  /** Program and arguments; its stdout are cookies, as JSON or as Netscape's table. */
  readonly command: ReadonlyArray<string> | undefined
  readonly commandTimeoutMillis: number
  /** The command is asked this long before the token is over. */
  readonly renewBeforeMillis: number
  /** The market's host, to choose among the cookies of several sites. */
  readonly host: string | undefined
}

/** How often the file and the session's state are looked at: a renewed file is in force within a second. */
const lookMillis = 500
/** First and longest rest of a command that failed. */
const firstRestMillis = 5_000
const longestRestMillis = 600_000
const mostDoublings = 20
/** More than any browser exports. */
const longestOutput = 1_000_000

type Platform = FileSystem.FileSystem | ChildProcessSpawner.ChildProcessSpawner

/** The session of a file or of the command, renewed while the layer lives. */
export const layer = (source: SessionSource): Layer.Layer<Session, SessionFileError, Platform> =>
  Layer.effect(
    Session,
    Effect.gen(function* () {
      const before = yield* stampOf(source.file)
      const session = yield* makeSession(yield* firstSession(source), {
        renewable: source.command !== undefined
      })
      yield* Effect.forkScoped(watchFile(session, source, before))
      if (source.command !== undefined) yield* Effect.forkScoped(watchExpiry(session, source))
      return session
    })
  )

/** The file's session; the command's where there is no file, or where its session is over. */
const firstSession = Effect.fnUntraced(function* (source: SessionSource) {
  const { command } = source
  const found = yield* Effect.result(fromFile(source))
  if (command === undefined) return yield* Effect.fromResult(found)
  if (Result.isSuccess(found) && !isOver(found.success, yield* Clock.currentTimeMillis)) return found.success
  if (Result.isFailure(found) && found.failure.kind === "TooOpen") return yield* found.failure
  return yield* Effect.mapError(
    fromCommand(source, command),
    (message) => new SessionFileError({ kind: "Malformed", file: source.file, message })
  )
})

const isOver = ({ expiresAt }: SessionValue, now: number): boolean =>
  expiresAt !== undefined && expiresAt <= now

const fromFile = Effect.fnUntraced(function* ({ file, host }: SessionSource) {
  return yield* wholeSession(file, yield* readPrivate(file, host))
})

/** A word for the file's contents as they are now; another word means that somebody wrote it. */
const stampOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.stat(file).pipe(
    Effect.map(({ ino, mtime, size }) =>
      [Option.getOrUndefined(ino), Option.getOrUndefined(mtime)?.getTime(), size].join(" ")
    ),
    Effect.orElseSucceed(() => "none")
  )
})

const watchFile = Effect.fnUntraced(function* (
  session: Session["Service"],
  source: SessionSource,
  first: string
) {
  let before = first
  for (;;) {
    yield* Effect.sleep(lookMillis)
    const now = yield* stampOf(source.file)
    if (now === before || now === "none") continue
    before = now
    yield* fromFile(source).pipe(
      Effect.flatMap((value) => session.replace(value, source.file)),
      Effect.catch(({ message }) => session.renewalFailed(message))
    )
  }
})

/** Asks the command before the token is over, and whenever the market no longer knows us. */
const watchExpiry = Effect.fnUntraced(function* (session: Session["Service"], source: SessionSource) {
  const { command = [], renewBeforeMillis } = source
  let tries = 0
  for (;;) {
    yield* Effect.sleep(lookMillis)
    const { expiresAt } = yield* session.current
    const now = yield* Clock.currentTimeMillis
    const early = expiresAt !== undefined && now >= expiresAt - renewBeforeMillis
    const { _tag: state } = yield* session.state
    if (!early && state === "Alive") tries = 0
    if (!early && state !== "Expired") continue
    yield* renew(session, source, command, now)
    // What was put in force has yet to be proven: one that is refused again is asked for less and less often.
    yield* Effect.sleep(Duration.millis(Math.min(longestRestMillis, firstRestMillis * 2 ** tries)))
    tries = Math.min(tries + 1, mostDoublings)
  }
})

const renew = (
  session: Session["Service"],
  source: SessionSource,
  command: ReadonlyArray<string>,
  now: number
) =>
  fromCommand(source, command).pipe(
    Effect.filterOrFail(
      (value) => !isOver(value, now + source.renewBeforeMillis),
      () => "session.command: the session that it prints is over, or nearly"
    ),
    Effect.flatMap((value) =>
      Effect.mapError(session.replace(value, "session.command"), ({ message }) => message)
    ),
    Effect.catch(session.renewalFailed)
  )

/** Cookies of the command; what they do not tell is the file's. Fails with a message without any of the output. */
const fromCommand = Effect.fnUntraced(function* (source: SessionSource, command: ReadonlyArray<string>) {
  const output = yield* run(command).pipe(
    Effect.timeoutOrElse({
      duration: source.commandTimeoutMillis,
      orElse: () => Effect.fail(`no answer within ${source.commandTimeoutMillis} ms`)
    }),
    Effect.mapError((why) => `session.command: ${why}`)
  )
  const parts = readParts(Redacted.value(output), source.host)
  if (Result.isFailure(parts)) return yield* Effect.fail(`session.command: its output: ${parts.failure}`)
  const beside = yield* readPrivate(source.file, source.host).pipe(
    Effect.orElseSucceed((): SessionParts => ({}))
  )
  const { cookies: _, sessionid: __, ...lasting } = beside
  return yield* Effect.mapError(
    wholeSession("session.command", joined(lasting, parts.success)),
    ({ message }) => message
  )
})

const run = ([program = "", ...args]: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const child = yield* ChildProcess.make(program, args, { stdin: "ignore", stderr: "ignore" })
      const text = yield* child.stdout.pipe(
        Stream.decodeText(),
        Stream.runFoldEffect(
          () => "",
          (before, part) =>
            before.length + part.length > longestOutput
              ? Effect.fail("it prints more than a session can be")
              : Effect.succeed(before + part)
        )
      )
      const code = yield* child.exitCode
      return Number(code) === 0
        ? Redacted.make(text, { label: "session" })
        : yield* Effect.fail(`it ended with code ${Number(code)}`)
    })
  ).pipe(
    Effect.mapError((error) =>
      typeof error === "string" ? error : `it could not be run (${error.reason._tag})`
    )
  )
