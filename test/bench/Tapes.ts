/** Rows of tapes: how small a book becomes, how fast books are written and read, against JSON lines. */
import { Effect } from "effect"

import { decodeBooks, encodeBooks } from "../../src/tape/Books.ts"
import { RecordEncoder } from "../../src/tape/Writer.ts"
import { books, cases, start } from "../tape/Tapes.ts"
import { nanosEach, row } from "./Measure.ts"

const count = 2_000
const made = books(1, count, { levels: 40 })
const asLines = () => made.map((one) => JSON.stringify(one)).join("\n")

const size = Effect.sync(() => {
  const [bytes, json] = [encodeBooks(made).length, asLines().length]
  return row({
    name: "tape size",
    value: bytes / count,
    unit: "bytes per book of 80 levels, a tenth of which change",
    against: { "of JSON lines": bytes / json }
  })
})

const write = Effect.sync(() => {
  const [ours = 0, json = 0] = nanosEach(() => {
    const encoder = new RecordEncoder({ currency: 1, market: "", source: "recorded", createdAt: start })
    for (const { at, book } of made) encoder.add({ _tag: "Book", item: cases[0]!, at, book })
    return encoder.out.length
  }, asLines)
  return row({
    name: "tape write",
    value: count / (ours / 1e9) / 1e3,
    unit: "thousand books/s put into frames while recording",
    against: { "JSON.stringify, time": ours / json }
  })
})

const read = Effect.sync(() => {
  const payload = encodeBooks(made)
  const [lines] = [made.map((one) => JSON.stringify(one))]
  const [ours = 0, json = 0] = nanosEach(
    () => decodeBooks(payload, 1).bid[count - 1],
    () => lines.map((line) => JSON.parse(line) as unknown).length
  )
  return row({
    name: "tape read",
    value: count / (ours / 1e9) / 1e6,
    unit: "million books/s to columns of times, best prices and units",
    against: { "JSON.parse, time": ours / json }
  })
})

export const tapeRows = { "tape size": size, "tape write": write, "tape read": read }
