/** `haggle tape import`: a recorded price history as a tape, if wanted with books around its medians. */
import { Clock, Console, Effect, FileSystem, Option } from "effect"

import { currencyOf, currencyOfCode } from "../../domain/Currency.ts"
import type { Millis } from "../../domain/Ids.ts"
import { item, itemKey } from "../../domain/Item.ts"
import { priceHistory } from "../../domain/Sales.ts"
import { parseRecording } from "../../exchange/History.ts"
import { recordsOfHistory, syntheticWords } from "../../tape/Import.ts"
import { writeSealed } from "../../tape/Sealed.ts"
import type { TapeMeta } from "../../tape/Tape.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { badConfig, cliError, notFound } from "../Exit.ts"
import { mustBeNew } from "./Tapes.ts"

export interface TapeImportFlags {
  readonly json: boolean
  readonly file: string
  readonly item: string
  readonly currency: Option.Option<string>
  readonly spread: Option.Option<number>
  readonly out: string
}

const named = Effect.fnUntraced(function* (text: string) {
  const [, app, name] = /^(\d+)\/(.+)$/.exec(text) ?? []
  return app === undefined || name === undefined
    ? yield* cliError(
        badConfig,
        `--item: ${text} is no item`,
        "write it as app/name, such as '730/Glove Case'"
      )
    : item(Number(app), name)
})

const currencyFor = Effect.fnUntraced(function* (flags: TapeImportFlags, { settings }: ResolvedConfig) {
  const code = Option.getOrUndefined(flags.currency)
  if (code === undefined) return settings.exchange.currency
  const known = currencyOfCode(code.toUpperCase())
  return Option.isSome(known)
    ? known.value.id
    : yield* cliError(badConfig, `--currency: ${code} is no currency`, "write its code, such as USD or EUR")
})

const historyIn = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs
    .readFileString(file)
    .pipe(Effect.mapError(() => cliError(notFound, `${file} cannot be read`, "check the path")))
  const recording = parseRecording(text)
  return Option.isSome(recording)
    ? priceHistory(recording.value.points.map(([at, median, units]) => ({ at: at as Millis, median, units })))
    : yield* cliError(
        badConfig,
        `${file} is no price history with at least two points`,
        "save a body of the operation pricehistory; `haggle contract check pricehistory FILE` says what differs"
      )
})

export const run = Effect.fn("cli.tapeImport")(function* (flags: TapeImportFlags, config: ResolvedConfig) {
  const key = itemKey(yield* named(flags.item))
  const currency = yield* currencyFor(flags, config)
  const history = yield* historyIn(flags.file)
  yield* mustBeNew(flags.out)
  const spread = Option.getOrUndefined(flags.spread)
  const books = spread === undefined ? undefined : { currency, spreadFraction: spread }
  const meta: TapeMeta = {
    currency,
    market: "a recorded price history",
    source: "imported",
    createdAt: (yield* Clock.currentTimeMillis) as Millis,
    ...(books === undefined ? {} : { synthetic: syntheticWords(books) })
  }
  const records = recordsOfHistory(key, history, books)
  yield* writeSealed(flags.out, meta, records)
  const { code } = currencyOf(currency)
  const data = { file: flags.out, item: key, points: history.length, currency: code }
  yield* Console.log(
    flags.json
      ? JSON.stringify(data)
      : `${flags.out}: ${history.length} points of ${key} in ${code}${books === undefined ? "" : ", with books around them"}`
  )
})
