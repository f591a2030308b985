/**
 * The strategies of a directory of YAML files, read at once and again whenever a file changes.
 * Invariants: 1. the first reading is all or nothing: any error fails the layer with every message. 2. later a set is swapped whole,
 * before its changes are told. 3. a file counts as removed only when the system says so, it is not there and its directory is. 4. only a
 * file that has come to rest is read.
 */
import {
  Cause,
  Deferred,
  Effect,
  FileSystem,
  Layer,
  Option,
  Path,
  type PlatformError,
  PubSub,
  type Queue,
  Queue as Queues,
  Ref,
  Schema,
  type Scope,
  Stream
} from "effect"

import { renderErrors, type SourceError } from "./Source.ts"
import { type CompiledStrategy, Strategies, type StrategyChange, type Target } from "./Strategies.ts"
import { setOf, type Step, type StrategyFiles, without, withText, withUnreadable } from "./StrategyFiles.ts"
import { type FileEvent, fileEvents } from "./Watch.ts"

/** The strategies cannot be loaded; `message` is what a person reads: every error with its place. */
export class StrategiesError extends Schema.TaggedError<StrategiesError>()("StrategiesError", {
  message: Schema.String,
  errors: Schema.Array(
    Schema.Struct({
      file: Schema.String,
      line: Schema.Natural,
      column: Schema.Natural,
      code: Schema.String,
      message: Schema.String,
      remedy: Schema.UndefinedOr(Schema.String),
      frame: Schema.String
    })
  )
}) {}

export interface Options {
  readonly directory: string
  readonly target: Target
  /** Read again when a file changes; default true. */
  readonly watch?: boolean
  /** Who tells of changes; default the operating system. */
  readonly events?: Effect.Effect<Queue.Dequeue<FileEvent>, never, Scope.Scope>
}

/** Changes that nobody has taken yet; more than a person edits in one go. */
const changesKept = 256

const unread = (path: string, { reason }: PlatformError.PlatformError): string =>
  reason._tag === "NotFound"
    ? `${path} does not exist`
    : reason._tag === "BadResource"
      ? `${path} is not a folder`
      : `${path} cannot be read: ${reason._tag}`

const isStrategyFile = (path: string): boolean => /\.ya?ml$/i.test(path) && !/(?:^|[/\\])\./.test(path)

/** Reads one file into the state; a file that vanished is left as it was. */
const readInto = Effect.fnUntraced(function* (files: StrategyFiles, file: string, target: Target) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(file).pipe(
    Effect.map((text): Step => withText(files, file, text, target)),
    Effect.catch((error) =>
      Effect.succeed<Step>(
        error.reason._tag === "NotFound"
          ? { files, changes: [], errors: [] }
          : withUnreadable(files, file, `${file} cannot be read: ${error.reason._tag}`)
      )
    )
  )
})

const readAll = Effect.fnUntraced(function* (paths: ReadonlyArray<string>, target: Target) {
  let files: StrategyFiles = new Map()
  const errors: Array<SourceError> = []
  for (const path of paths) {
    const step = yield* readInto(files, path, target)
    files = step.files
    errors.push(...step.errors)
  }
  return { files, errors }
})

const listed = Effect.fnUntraced(function* (directory: string) {
  const [fs, path] = [yield* FileSystem.FileSystem, yield* Path.Path]
  const names = yield* fs
    .readDirectory(directory)
    .pipe(Effect.mapError((error) => new StrategiesError({ message: unread(directory, error), errors: [] })))
  return names
    .filter(isStrategyFile)
    .toSorted()
    .map((name) => path.join(directory, name))
})

/**
 * Checks files without running them, for `haggle check`: every strategy that is good and every error of the others. A directory stands
 * for its strategy files; a path that does not exist is a StrategiesError.
 */
export const checkFiles = Effect.fn("Strategies.checkFiles")(function* (
  paths: ReadonlyArray<string>,
  target: Target
) {
  const fs = yield* FileSystem.FileSystem
  const files = yield* Effect.forEach(paths, (path) =>
    fs.stat(path).pipe(
      Effect.mapError((error) => new StrategiesError({ message: unread(path, error), errors: [] })),
      Effect.flatMap(({ type }) => (type === "Directory" ? listed(path) : Effect.succeed([path])))
    )
  )
  const result = yield* readAll([...new Set(files.flat())], target)
  return { strategies: setOf(result.files).strategies, errors: result.errors }
})

const service = (
  files: Ref.Ref<StrategyFiles>,
  hub: PubSub.PubSub<StrategyChange>,
  end: Deferred.Deferred<never>
): Strategies["Service"] =>
  Strategies.of({
    current: Effect.map(Ref.get(files), setOf),
    changes: Stream.fromPubSub(hub),
    failed: Deferred.await(end)
  })

/** Strategies from a directory. Fails with every error of every file when one of them is broken at the start. */
export const layer = (
  options: Options
): Layer.Layer<Strategies, StrategiesError, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    Strategies,
    Effect.gen(function* () {
      // watching begins before the first reading, so that no edit falls in between
      const events =
        options.watch === false ? undefined : yield* options.events ?? fileEvents(options.directory)
      const first = yield* readAll(yield* listed(options.directory), options.target)
      if (first.errors.length > 0)
        return yield* new StrategiesError({ message: renderErrors(first.errors), errors: first.errors })
      const files = yield* Ref.make(first.files)
      const hub = yield* PubSub.sliding<StrategyChange>(changesKept)
      const end = yield* Deferred.make<never>()
      if (events !== undefined)
        yield* follow(events, files, hub, options).pipe(
          Effect.onError((cause) =>
            Cause.hasInterruptsOnly(cause) ? Effect.void : Deferred.failCause(end, cause)
          ),
          Effect.forkScoped
        )
      return service(files, hub, end)
    })
  )

/** Reads changed files one after the other for as long as the scope lives. */
const follow = Effect.fnUntraced(function* (
  events: Queue.Dequeue<FileEvent>,
  files: Ref.Ref<StrategyFiles>,
  hub: PubSub.PubSub<StrategyChange>,
  { directory, target }: Options
) {
  const [fs, path] = [yield* FileSystem.FileSystem, yield* Path.Path]
  const isThere = (file: string) => Effect.orElseSucceed(fs.exists(file), () => true)
  const missing = Effect.map(
    Effect.flatMap(Ref.get(files), (known) =>
      Effect.filter([...known.keys()], (file) => Effect.map(isThere(file), (there) => !there))
    ),
    (paths) => new Set(paths)
  )
  const took = Effect.fnUntraced(function* (step: Step) {
    yield* Ref.set(files, step.files)
    yield* PubSub.publishAll(hub, step.changes)
  })
  const taken = Effect.fnUntraced(function* (event: FileEvent) {
    switch (event._tag) {
      case "Failed":
        return yield* Effect.logWarning(`watching ${directory}: ${event.why}`)
      case "DirectoryGone": {
        const message = `${directory} is gone: the strategies that were read last go on until it is back`
        return yield* PubSub.publish(hub, { _tag: "Rejected", file: directory, message, kept: undefined })
      }
      case "DirectoryBack":
        for (const file of yield* missing) yield* took(without(yield* Ref.get(files), file, target))
        return yield* PubSub.publish(hub, { _tag: "Mended", file: directory })
      case "Gone": {
        const file = path.join(directory, path.basename(event.path))
        if (!isStrategyFile(file) || (yield* isThere(file)) || !(yield* isThere(directory))) return
        return yield* took(without(yield* Ref.get(files), file, target))
      }
      case "Written": {
        const file = path.join(directory, path.basename(event.path))
        if (!isStrategyFile(file)) return
        const text = yield* settled(file, event)
        if (text._tag === "Moving") return
        const known = yield* Ref.get(files)
        return yield* took(
          text._tag === "Unreadable"
            ? withUnreadable(known, file, text.why)
            : withText(known, file, text.text, target, yield* missing)
        )
      }
    }
  })
  return yield* Effect.forever(Effect.flatMap(Queues.take(events), taken))
})

/**
 * The file's text as it was when the file had come to rest. One that is being written again meanwhile is left to the event that will tell
 * of it: half a file may look like a whole one.
 */
const settled = Effect.fnUntraced(function* (
  file: string,
  { mtimeMillis, size }: Extract<FileEvent, { readonly _tag: "Written" }>
) {
  const fs = yield* FileSystem.FileSystem
  const asTold = Effect.map(
    fs.stat(file),
    (now) =>
      Number(now.size) === size &&
      Math.trunc(Option.getOrUndefined(now.mtime)?.getTime() ?? 0) === mtimeMillis
  )
  return yield* Effect.gen(function* () {
    if (!(yield* asTold)) return { _tag: "Moving" } as const
    const text = yield* fs.readFileString(file)
    return (yield* asTold) ? ({ _tag: "Settled", text } as const) : ({ _tag: "Moving" } as const)
  }).pipe(
    Effect.catch(({ reason }) =>
      Effect.succeed(
        reason._tag === "NotFound"
          ? ({ _tag: "Moving" } as const)
          : ({ _tag: "Unreadable", why: `${file} cannot be read: ${reason._tag}` } as const)
      )
    )
  )
})

/** A fixed set, for tests, backtests and anything that brings its own strategies; it never changes. */
export const layerOf = (strategies: ReadonlyArray<CompiledStrategy>): Layer.Layer<Strategies> =>
  Layer.succeed(
    Strategies,
    Strategies.of({ current: Effect.succeed({ strategies }), changes: Stream.empty, failed: Effect.never })
  )
