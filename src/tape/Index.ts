/**
 * Where the frames of a tape are: written at the end of a sealed one, gathered by a scan of any other.
 * Invariant: an index lists every frame but itself, in the order of the file.
 */
import type { Millis } from "../domain/Ids.ts"
import { ByteReader, ByteWriter } from "./Bytes.ts"
import type { Kind } from "./Frames.ts"

/** One frame of the file. */
export interface Place {
  readonly kind: Kind
  /** Index of the item; 0 for the frames that have none. */
  readonly item: number
  /** Offset of the frame's head, and bytes of its payload. */
  readonly offset: number
  readonly length: number
  readonly from: Millis
  readonly to: Millis
  /** Records in it. */
  readonly count: number
}

const trailerMagic = new TextEncoder().encode("HAGINDEX")
/** Offset of the index (8) and the magic (8). */
export const trailerLength = 16

export const encodeIndex = (places: ReadonlyArray<Place>): Uint8Array => {
  const out = new ByteWriter()
  out.natural(places.length)
  let [end, time] = [0, 0]
  for (const { count, from, item, kind, length, offset, to } of places) {
    out.byte(kind)
    out.natural(item)
    out.natural(offset - end)
    out.natural(length)
    out.integer(from - time)
    out.natural(to - from)
    out.natural(count)
    end = offset + length
    time = from
  }
  return out.view().slice()
}

/** Hands every place to `take`, in the order of the file. */
export const readIndex = (payload: Uint8Array, take: (place: Place) => void): void => {
  const from = new ByteReader(payload)
  let [end, time] = [0, 0]
  for (let left = from.natural(); left > 0; left--) {
    const kind = from.byte() as Kind
    const item = from.natural()
    const offset = end + from.natural()
    const length = from.natural()
    time += from.integer()
    const [first, last] = [time, time + from.natural()]
    end = offset + length
    take({ kind, item, offset, length, from: first as Millis, to: last as Millis, count: from.natural() })
  }
}

export const trailer = (indexOffset: number): Uint8Array => {
  const bytes = new Uint8Array(trailerLength)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(indexOffset), true)
  bytes.set(trailerMagic, 8)
  return bytes
}

/** Offset of the index, or undefined when these last bytes of a file are no trailer. */
export const indexOffset = (last: Uint8Array): number | undefined =>
  last.length === trailerLength && trailerMagic.every((byte, index) => last[8 + index] === byte)
    ? Number(new DataView(last.buffer, last.byteOffset).getBigUint64(0, true))
    : undefined
