/** `haggle tape info`: what is on tapes, item by item, and what is missing of a torn one. */
import { Console, DateTime, Effect } from "effect"

import { currencyOf } from "../../domain/Currency.ts"
import { spanOf, type Tape, type TapeItem } from "../../tape/Tape.ts"
import { moment } from "../text/Format.ts"
import { fields, table } from "../text/Table.ts"
import { lossOf, opened } from "./Tapes.ts"

export interface TapeInfoFlags {
  readonly json: boolean
  readonly files: ReadonlyArray<string>
}

const booksOf = ({ batches }: TapeItem): number => batches.reduce((sum, { count }) => sum + count, 0)
const iso = (at: number | undefined): string | null =>
  at === undefined ? null : DateTime.formatIso(DateTime.makeUnsafe(at))

const describe = Effect.fnUntraced(function* (tape: Tape) {
  const items = yield* Effect.forEach(tape.items, (one) =>
    Effect.gen(function* () {
      return {
        item: one.item,
        books: booksOf(one),
        from: one.batches[0]?.from,
        to: one.batches.at(-1)?.to,
        bytes: one.batches.reduce((sum, { bytes }) => sum + bytes, 0),
        points: (yield* one.histories).reduce((sum, { points }) => sum + points.length, 0),
        overviews: (yield* one.overviews).length,
        activities: (yield* one.activities).reduce((sum, { entries }) => sum + entries.length, 0),
        histograms: (yield* one.histograms).length
      }
    })
  )
  return { ...spanOf(tape), tape, items }
})
type Description = Effect.Success<ReturnType<typeof describe>>

const asData = ({ books, from, items, tape, to }: Description) => ({
  file: tape.file,
  bytes: tape.bytes,
  sealed: tape.sealed,
  ...tape.meta,
  currency: currencyOf(tape.meta.currency).code,
  createdAt: iso(tape.meta.createdAt),
  books,
  from: iso(from),
  to: iso(to),
  bytesPerBook: books === 0 ? null : Number((tape.bytes / books).toFixed(2)),
  items: items.map((one) => ({ ...one, from: iso(one.from), to: iso(one.to) })),
  lost: tape.lost === undefined ? null : { ...tape.lost, after: iso(tape.lost.after) }
})

const asText = ({ books, from, items, tape, to }: Description): string =>
  [
    fields([
      ["tape", tape.file],
      ["market", `${tape.meta.market} (${tape.meta.source})`],
      ["currency", currencyOf(tape.meta.currency).code],
      ["state", tape.sealed ? "sealed" : "open: it has no index, because it is being recorded or was cut"],
      ["books", `${books}, ${books === 0 ? 0 : (tape.bytes / books).toFixed(1)} bytes each`],
      ["from", from === undefined ? "–" : `${moment(from)} UTC`],
      ["to", to === undefined ? "–" : `${moment(to)} UTC`],
      ...(tape.meta.synthetic === undefined ? [] : [["derived", tape.meta.synthetic] as const]),
      ...(tape.lost === undefined ? [] : [["lost", lossOf(tape) ?? ""] as const])
    ]),
    table<Description["items"][number]>(
      [
        { title: "ITEM", cell: ({ item }) => item },
        { title: "BOOKS", align: "right", cell: (row) => String(row.books) },
        { title: "FROM", cell: (row) => (row.from === undefined ? "–" : moment(row.from)) },
        { title: "TO", cell: (row) => (row.to === undefined ? "–" : moment(row.to)) },
        { title: "SALES POINTS", align: "right", cell: (row) => String(row.points) },
        { title: "OVERVIEWS", align: "right", cell: (row) => String(row.overviews) },
        { title: "ACTIVITY", align: "right", cell: (row) => String(row.activities) },
        { title: "HISTOGRAMS", align: "right", cell: (row) => String(row.histograms) }
      ],
      items,
      "nothing was recorded"
    )
  ].join("\n\n")

export const run = Effect.fn("cli.tapeInfo")(function* (flags: TapeInfoFlags) {
  yield* Effect.forEach(flags.files, (file) =>
    Effect.scoped(
      Effect.gen(function* () {
        for (const tape of yield* opened([file])) {
          const description = yield* describe(tape)
          yield* Console.log(flags.json ? JSON.stringify(asData(description)) : asText(description))
        }
      })
    )
  )
})
