/**
 * A tape for other programs: comma separated values, one JSON object a line, or Parquet.
 * Invariants: 1. memory is bounded by one batch. 2. amounts are whole minor units of the tape's currency in every format, times ISO 8601 in UTC
 * (Parquet: milliseconds); an empty side is an empty field, `null` in JSON.
 */
import { DateTime, Effect } from "effect"
import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer"

import type { ItemKey } from "../domain/Item.ts"
import type { OrderBook } from "../domain/OrderBook.ts"
import type { Format, Part } from "./Formats.ts"
import type { Tape, TapeError, TapeItem } from "./Tape.ts"

type Cell = number | string | null
type Columns = Readonly<Record<string, "TIMESTAMP" | "STRING" | "INT64" | "DOUBLE">>
/** Values of one batch, column by column. */
type Rows = Readonly<Record<string, ReadonlyArray<Cell>>>

const levels = { time: "TIMESTAMP", item: "STRING", side: "STRING", price: "INT64", units: "INT64" } as const

const columnsOf: Readonly<Record<Part, Columns>> = {
  books: {
    time: "TIMESTAMP",
    item: "STRING",
    bid: "INT64",
    ask: "INT64",
    bid_units_at_best: "INT64",
    ask_units_at_best: "INT64",
    bid_units: "INT64",
    ask_units: "INT64"
  },
  levels,
  histogram: levels,
  history: { seen: "TIMESTAMP", item: "STRING", time: "TIMESTAMP", median: "DOUBLE", units: "INT64" },
  overview: { time: "TIMESTAMP", item: "STRING", lowest: "INT64", median: "INT64", volume: "INT64" },
  activity: {
    seen: "TIMESTAMP",
    item: "STRING",
    kind: "STRING",
    units: "INT64",
    price: "INT64",
    time: "TIMESTAMP"
  }
}

const table = (columns: Columns) => {
  const rows = Object.fromEntries(Object.keys(columns).map((name): [string, Array<Cell>] => [name, []]))
  const values = Object.values(rows)
  return { rows, add: (...cells: ReadonlyArray<Cell>) => cells.forEach((cell, at) => values[at]?.push(cell)) }
}

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

const addLevels = (
  add: ReturnType<typeof table>["add"],
  time: number,
  item: ItemKey,
  { asks, bids }: OrderBook
): void => {
  for (const { price, units } of bids) add(time, item, "bid", price, units)
  for (const { price, units } of asks) add(time, item, "ask", price, units)
}

/** Rows of one item, batch by batch. */
const each = Effect.fnUntraced(function* <E>(
  of: TapeItem,
  part: Part,
  use: (rows: Rows) => Effect.Effect<void, E>
) {
  const { item } = of
  if (part === "books" || part === "levels") {
    for (const batch of of.batches) {
      const books = yield* batch.read
      const { add, rows } = table(columnsOf[part])
      for (let row = 0; row < books.count; row++) {
        const time = books.at[row] as number
        const column = (name: "bid" | "ask" | "bidBest" | "askBest" | "bidUnits" | "askUnits") =>
          orNull(books[name][row] as number)
        if (part === "books")
          add(
            time,
            item,
            column("bid"),
            column("ask"),
            column("bidBest"),
            column("askBest"),
            column("bidUnits"),
            column("askUnits")
          )
        else addLevels(add, time, item, books.book(row))
      }
      yield* use(rows)
    }
    return
  }
  const { add, rows } = table(columnsOf[part])
  if (part === "history")
    for (const { at, points } of yield* of.histories)
      for (const point of points) add(at, item, point.at, point.median, point.units)
  else if (part === "overview")
    for (const { at, lowest, median, volume } of yield* of.overviews)
      add(at, item, lowest ?? null, median ?? null, volume)
  else if (part === "histogram")
    for (const { at, book } of yield* of.histograms) addLevels(add, at, item, book)
  else
    for (const { at, entries } of yield* of.activities)
      for (const one of entries) add(at, item, one.kind, one.units, one.price ?? null, one.at ?? null)
  yield* use(rows)
})

const isTime = (columns: Columns, name: string): boolean => columns[name] === "TIMESTAMP"
const iso = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

export const csvCell = (cell: Cell): string => {
  if (cell === null) return ""
  const text = String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const lines = (rows: Rows, columns: Columns, line: (cells: ReadonlyArray<Cell>) => string): string => {
  const names = Object.keys(columns)
  const count = rows[names[0] ?? ""]?.length ?? 0
  let text = ""
  for (let row = 0; row < count; row++) {
    const cells = names.map((name) => {
      const cell = rows[name]?.[row] ?? null
      return isTime(columns, name) && typeof cell === "number" ? iso(cell) : cell
    })
    text += `${line(cells)}\n`
  }
  return text
}

const asText = (columns: Columns, format: "csv" | "ndjson"): ((rows: Rows) => string) => {
  const names = Object.keys(columns)
  return format === "csv"
    ? (rows) => lines(rows, columns, (cells) => cells.map(csvCell).join(","))
    : (rows) =>
        lines(rows, columns, (cells) =>
          JSON.stringify(Object.fromEntries(names.map((name, at) => [name, cells[at]])))
        )
}

/** Hands the file's bytes to `write`, piece by piece. */
export const exportTape = Effect.fn("Tape.export")(function* <E>(
  tape: Tape,
  part: Part,
  format: Format,
  write: (bytes: Uint8Array) => Effect.Effect<void, E>
): Effect.fn.Return<void, E | TapeError> {
  const columns = columnsOf[part]
  if (format === "parquet") return yield* exportParquet(tape, part, write)
  const encoder = new TextEncoder()
  if (format === "csv") yield* write(encoder.encode(`${Object.keys(columns).join(",")}\n`))
  const text = asText(columns, format)
  for (const of of tape.items) yield* each(of, part, (rows) => write(encoder.encode(text(rows))))
})

const parquetColumn = (name: string, type: Columns[string], cells: ReadonlyArray<Cell>) => ({
  name,
  type,
  nullable: true,
  data: cells.map((cell) => {
    if (cell === null || type === "STRING" || type === "DOUBLE") return cell
    return type === "TIMESTAMP" ? DateTime.toDateUtc(DateTime.makeUnsafe(cell)) : BigInt(cell)
  })
})

const exportParquet = Effect.fnUntraced(function* <E>(
  tape: Tape,
  part: Part,
  write: (bytes: Uint8Array) => Effect.Effect<void, E>
) {
  const columns = Object.entries(columnsOf[part])
  const schema = schemaFromColumnData({
    columnData: columns.map(([name, type]) => parquetColumn(name, type, []))
  })
  const out = new ByteWriter()
  const file = new ParquetWriter({ writer: out, schema, createdBy: "haggle" })
  const put = Effect.suspend(() => {
    const bytes = out.getBytes().slice()
    out.index = 0
    return write(bytes)
  })
  for (const of of tape.items)
    yield* each(of, part, (rows) =>
      Effect.suspend(() => {
        const columnData = columns.map(([name, type]) => parquetColumn(name, type, rows[name] ?? []))
        if ((columnData[0]?.data.length ?? 0) === 0) return Effect.void
        file.write({ columnData, rowGroupSize: columnData[0]?.data.length ?? 1 })
        return put
      })
    )
  file.finish()
  yield* put
})
