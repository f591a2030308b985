/** Commands about tapes: what is on one, a part of one, several as one, other programs' formats, price histories as tapes. */
import { DateTime, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"

import type { Millis } from "../../domain/Ids.ts"
import { parseDuration } from "../../rules/Strategy.ts"
import { formats, parts } from "../../tape/Formats.ts"
import { forTime, onOff, optionalText, platformName, state, strategies } from "./Flags.ts"
import { handler } from "./Handler.ts"

const file = Argument.String("file").pipe(
  Argument.withMetavar("FILE"),
  Argument.withDescription("A tape, such as haggle record writes")
)
const files = file.pipe(Argument.atLeast(1))
const out = Flag.String("out").pipe(
  Flag.withMetavar("FILE"),
  Flag.withDescription("File to write; it must not exist")
)
const items = Flag.String("item").pipe(
  Flag.withMetavar("ITEM"),
  Flag.withDescription("Only this item, by its name or as app/name; may be repeated"),
  Flag.atLeast(0)
)

const moment = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("TIME"),
    Flag.withDescription(`${description}, such as 2026-01-05 or 2026-01-05T12:00:00Z`),
    Flag.filterMap(
      (text) => Option.map(DateTime.make(text), (at) => DateTime.toEpochMillis(at) as Millis),
      (text) => `Expected: a moment such as 2026-01-05T12:00:00Z, not "${text}"`
    ),
    Flag.optional
  )

/** Which part of tapes. */
export const selection = {
  item: items,
  from: moment("from", "Only what was seen from this moment on"),
  to: moment("to", "Only what was seen before this moment")
}

export const tape = Command.make("tape").pipe(
  Command.withDescription("Recorded markets: look into them, cut, merge, convert"),
  Command.withSubcommands([
    Command.make(
      "info",
      { files },
      handler(() => import("../commands/TapeInfo.ts"))
    ).pipe(Command.withDescription("What is on a tape: items, times, books, bytes, and what is missing")),
    Command.make(
      "cut",
      { file, out, ...selection },
      handler(() => import("../commands/TapeCut.ts"))
    ).pipe(Command.withDescription("Write a part of a tape; without flags all that is whole of a torn one")),
    Command.make(
      "merge",
      { files, out },
      handler(() => import("../commands/TapeMerge.ts"))
    ).pipe(Command.withDescription("Write several tapes of one market as one; what two have is kept once")),
    Command.make(
      "export",
      {
        file,
        out: optionalText("out", "FILE", "File to write; without it csv and ndjson go to stdout"),
        format: Flag.Literals("format", formats).pipe(
          Flag.withMetavar("FORMAT"),
          Flag.withDescription(`${formats.join(", ")} (default csv)`),
          Flag.withDefault("csv" as const)
        ),
        part: Flag.Literals("part", parts).pipe(
          Flag.withMetavar("PART"),
          Flag.withDescription(`${parts.join(", ")} (default books: best prices and totals)`),
          Flag.withDefault("books" as const)
        )
      },
      handler(() => import("../commands/TapeExport.ts"))
    ).pipe(Command.withDescription("Convert a tape; amounts are minor units, times UTC")),
    Command.make(
      "import",
      {
        file: Argument.String("file").pipe(
          Argument.withMetavar("FILE"),
          Argument.withDescription("A recorded body of the operation pricehistory")
        ),
        item: Flag.String("item").pipe(
          Flag.withMetavar("APP/NAME"),
          Flag.withDescription("The item whose history it is, such as '730/Glove Case'")
        ),
        currency: Flag.String("currency").pipe(
          Flag.withMetavar("CODE"),
          Flag.withDescription("Currency of the prices (default: the configured one)"),
          Flag.optional
        ),
        spread: Flag.Finite("spread").pipe(
          Flag.withMetavar("FRACTION"),
          Flag.withDescription("Also make books around the medians, this far apart: 0.1 is 10 %"),
          Flag.filter(
            (spread) => spread > 0 && spread <= 1,
            (spread) => `Expected: a fraction above 0, at most 1, not ${spread}`
          ),
          Flag.optional
        ),
        platformName,
        out
      },
      handler(() => import("../commands/TapeImport.ts"))
    ).pipe(Command.withDescription("Make a tape of a recorded price history"))
  ]),
  Command.withExamples([
    { command: "haggle tape info state/tapes/*.tape", description: "What was recorded so far" },
    {
      command: "haggle tape export week.tape --format parquet --out week.parquet",
      description: "For a notebook"
    }
  ])
)

/** A length of market time. */
export const every = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("TIME"),
    Flag.withDescription(description),
    Flag.filterMap(
      (text) => Option.fromUndefinedOr(parseDuration(text)).pipe(Option.filter((millis) => millis > 0)),
      (text) => `Expected: a time such as 60s or 1h, not "${text}"`
    ),
    Flag.optional
  )

export const record = Command.make(
  "record",
  {
    item: Flag.String("item").pipe(
      Flag.withMetavar("APP/NAME"),
      Flag.withDescription("Item to record; may be repeated (default: those that the strategies name)"),
      Flag.atLeast(0)
    ),
    every: every("every", "Time between two order books of an item (default 1m)"),
    historyEvery: every("history-every", "Time between two price histories of an item (default 1h)"),
    activity: onOff("activity", "Also record the orders of others as the market tells them"),
    histogram: onOff("histogram", "Also record order histograms: about ten items an hour may be asked for"),
    for: forTime,
    out: optionalText("out", "DIR", "Folder of the tapes (default: tapes in the state folder)"),
    strategies,
    state,
    session: optionalText("session", "FILE", "Session file of the account that reads"),
    url: optionalText("url", "URL", "Address of the market"),
    platformName
  },
  handler(() => import("../commands/Record.ts"))
).pipe(
  Command.withDescription("Record a market onto tapes without trading, until a signal or --for ends it"),
  Command.withExamples([
    {
      command: "haggle record --item '730/Glove Case' --every 30s --for 7d",
      description: "A week of one item's order book"
    }
  ])
)
