/**
 * Tells a person who edits the configuration under a running daemon what becomes of it. Strategies take hold at once, everything in this file
 * at the next start: it decides which market, database and budgets there are. Invariant: what runs is not touched.
 */
import { Effect, Option, Path, Queue, Schema } from "effect"

import { fileEvents } from "../../rules/Watch.ts"
import { leaves, resolve, type ResolvedConfig } from "./Config.ts"
import { Settings } from "./Settings.ts"

/** Every value as the file would say it, by dotted path. */
const valuesOf = ({ settings }: ResolvedConfig): ReadonlyMap<string, string> => {
  const encoded = Schema.encodeSync(Settings)(settings)
  return new Map(
    leaves.map(({ key, path }) => {
      const value = path.reduce<unknown>(
        (inner, name) => (inner as Readonly<Record<PropertyKey, unknown>> | undefined)?.[name],
        encoded
      )
      return [key, JSON.stringify(value ?? null)]
    })
  )
}

/** Values that the file gives otherwise than what runs; what a flag had said is not the file's. */
const changedIn = (running: ResolvedConfig, now: ResolvedConfig): ReadonlyArray<string> => {
  const before = valuesOf(running)
  return [...valuesOf(now)]
    .filter(
      ([key, value]) => before.get(key) !== value && running.origins.get(key)?.startsWith("--") !== true
    )
    .map(([key]) => key)
}

/** Watches the file for as long as the scope lives; each of its changes is told in one sentence. */
export const watchConfig = Effect.fn("cli.watchConfig")(function* (
  running: ResolvedConfig,
  tell: (text: string) => Effect.Effect<void>
) {
  const { file } = running
  if (file === undefined) return
  const path = yield* Path.Path
  const events = yield* fileEvents(path.resolve(path.dirname(file)))
  const told = Effect.gen(function* () {
    const event = yield* Queue.take(events)
    if (event._tag !== "Written" || path.basename(event.path) !== path.basename(file)) return
    const read = yield* Effect.result(resolve({ file: Option.some(file), overrides: [] }))
    if (read._tag === "Failure")
      return yield* tell(`${file} cannot be used, what runs goes on without it:\n${read.failure.message}`)
    const changed = changedIn(running, read.success)
    yield* tell(
      changed.length === 0
        ? `${file} says what runs already`
        : `${file} was changed: ${changed.join(", ")} ${changed.length === 1 ? "takes" : "take"} hold when haggle is started again`
    )
  })
  yield* Effect.forkScoped(Effect.forever(told))
})
