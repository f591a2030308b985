/**
 * The strategies of a directory of YAML files, read at once and again whenever a file changes.
 * Invariants: 1. the first reading is all or nothing: any error fails the layer with every message. 2. later a set is swapped whole,
 * before its changes are told. 3. a file counts as removed only when the system says so and it is not there.
 */
import {
  Effect,
  FileSystem,
  Layer,
  Path,
  PubSub,
  type Queue,
  Queue as Queues,
  Ref,
  Schema,
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
}

/** Changes that nobody has taken yet; more than a person edits in one go. */
const changesKept = 256

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
    .pipe(
      Effect.mapError(
        (error) =>
          new StrategiesError({ message: `${directory} cannot be read: ${error.reason._tag}`, errors: [] })
      )
    )
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
      Effect.mapError(
        (error) =>
          new StrategiesError({ message: `${path} cannot be read: ${error.reason._tag}`, errors: [] })
      ),
      Effect.flatMap(({ type }) => (type === "Directory" ? listed(path) : Effect.succeed([path])))
    )
  )
  const result = yield* readAll([...new Set(files.flat())], target)
  return { strategies: setOf(result.files).strategies, errors: result.errors }
})

const service = (files: Ref.Ref<StrategyFiles>, hub: PubSub.PubSub<StrategyChange>): Strategies["Service"] =>
  Strategies.of({
    current: Effect.map(Ref.get(files), setOf),
    changes: Stream.fromPubSub(hub)
  })

/** Strategies from a directory. Fails with every error of every file when one of them is broken at the start. */
export const layer = (
  options: Options
): Layer.Layer<Strategies, StrategiesError, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    Strategies,
    Effect.gen(function* () {
      // watching begins before the first reading, so that no edit falls in between
      const events = options.watch === false ? undefined : yield* fileEvents(options.directory)
      const first = yield* readAll(yield* listed(options.directory), options.target)
      if (first.errors.length > 0)
        return yield* new StrategiesError({ message: renderErrors(first.errors), errors: first.errors })
      const files = yield* Ref.make(first.files)
      const hub = yield* PubSub.sliding<StrategyChange>(changesKept)
      if (events !== undefined) yield* Effect.forkScoped(follow(events, files, hub, options))
      return service(files, hub)
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
  const taken = Effect.fnUntraced(function* (event: FileEvent) {
    if (event._tag === "Failed") return yield* Effect.logWarning(`watching ${directory}: ${event.why}`)
    const file = path.join(directory, path.basename(event.path))
    if (!isStrategyFile(file)) return
    const before = yield* Ref.get(files)
    const there = yield* Effect.orElseSucceed(fs.exists(file), () => true)
    const step =
      event._tag === "Gone" && !there ? without(before, file) : yield* readInto(before, file, target)
    yield* Ref.set(files, step.files)
    yield* PubSub.publishAll(hub, step.changes)
  })
  return yield* Effect.forever(Effect.flatMap(Queues.take(events), taken))
})

/** A fixed set, for tests, backtests and anything that brings its own strategies; it never changes. */
export const layerOf = (strategies: ReadonlyArray<CompiledStrategy>): Layer.Layer<Strategies> =>
  Layer.succeed(Strategies, Strategies.of({ current: Effect.succeed({ strategies }), changes: Stream.empty }))
