/**
 * Looks at a price history on a tape: the points that each showed first, packed until somebody asks for them.
 * Invariant: a look that nobody asks for costs the bytes that it has on the tape, and no more.
 */
import type { Millis } from "../domain/Ids.ts"
import type { SalesPoint } from "../domain/Sales.ts"
import { ByteReader, ByteWriter } from "./Bytes.ts"

/** Points that a look at the price history showed for the first time, or with other figures than before. */
export interface HistoryAt {
  readonly at: Millis
  readonly points: ReadonlyArray<SalesPoint>
}

/** Medians have at most one decimal of a minor unit. */
const tenth = 10

export const encodeHistory = (index: number, { at, points }: HistoryAt): Uint8Array => {
  const out = new ByteWriter()
  out.natural(index)
  out.natural(at)
  out.natural(points.length)
  let [time, median] = [0, 0]
  for (const point of points) {
    const tenths = Math.round(point.median * tenth)
    out.integer(point.at - time)
    out.integer(tenths - median)
    out.natural(point.units)
    time = point.at
    median = tenths
  }
  return out.view().slice()
}

export const decodeHistory = (from: ByteReader): HistoryAt => {
  const at = from.natural() as Millis
  const count = from.natural()
  let [time, tenths] = [0, 0]
  const points = Array.from({ length: count }, (): SalesPoint => {
    time += from.integer()
    tenths += from.integer()
    return { at: time as Millis, median: tenths / tenth, units: from.natural() }
  })
  return { at, points }
}

/** One look whose points are decoded when somebody asks: a year of an item's looks is thousands, and each is asked for once. */
class PackedHistory implements HistoryAt {
  private readonly bytes: Uint8Array
  private readonly start: number

  constructor(bytes: Uint8Array, start: number) {
    this.bytes = bytes
    this.start = start
  }

  get at(): Millis {
    return new ByteReader(this.bytes, this.start).natural() as Millis
  }

  get points(): ReadonlyArray<SalesPoint> {
    return decodeHistory(new ByteReader(this.bytes, this.start)).points
  }
}

const packBytes = 64 * 1024

/** A reader of many looks, which keeps their bytes close together. */
export const packedHistories = (): ((from: ByteReader) => HistoryAt) => {
  let [pack, used] = [new Uint8Array(), 0]
  return (from) => {
    const bytes = from.rest()
    if (used + bytes.length > pack.length)
      [pack, used] = [new Uint8Array(Math.max(packBytes, bytes.length)), 0]
    pack.set(bytes, used)
    used += bytes.length
    return new PackedHistory(pack, used - bytes.length)
  }
}
