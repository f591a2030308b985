/** `--history [ITEM=]FILE`: recorded price histories, each for an item of the embedded market. */
import { Effect, FileSystem, Option } from "effect"

import { type Item, itemKey } from "../../domain/Item.ts"
import { catalogue } from "../../exchange/Catalogue.ts"
import { defaultPeriodDays, parseRecording, type Recording } from "../../exchange/History.ts"
import { badConfig, cliError, notFound } from "../Exit.ts"
import type { HistoryFile } from "./RunFlags.ts"

const keys = catalogue.map(({ app, name }) => `${app}/${name}`)

/** `app/name` of an item that is named by its key or by its name alone. */
const keyOf = (named: string): string | undefined =>
  keys.find((key) => key === named || key.slice(key.indexOf("/") + 1) === named)

/** The recordings by `app/name`; one without an item is for `fallback`. The market opens `periodDays` before their ends. */
export const readRecordings = Effect.fn("cli.readRecordings")(function* (
  histories: ReadonlyArray<HistoryFile>,
  fallback: Item,
  periodDays: number = defaultPeriodDays
) {
  const fs = yield* FileSystem.FileSystem
  const recordings = new Map<string, Recording>()
  for (const { file, item } of histories) {
    const key = keyOf(item ?? itemKey(fallback))
    if (key === undefined)
      return yield* cliError(
        badConfig,
        `--history: the embedded market has no item ${item ?? itemKey(fallback)}`,
        `its items: ${keys.join(", ")}`
      )
    if (recordings.has(key))
      return yield* cliError(badConfig, `--history: ${key} has two files`, "give one per item")
    const text = yield* fs
      .readFileString(file)
      .pipe(Effect.mapError(() => cliError(notFound, `--history: ${file} cannot be read`, "check the path")))
    const recording = parseRecording(text, periodDays)
    if (Option.isNone(recording))
      return yield* cliError(
        badConfig,
        `--history: ${file} is no price history with at least two points`,
        "save a body of the operation pricehistory; `haggle contract check pricehistory FILE` says what differs"
      )
    recordings.set(key, recording.value)
  }
  return recordings as ReadonlyMap<string, Recording>
})
