/**
 * The small records of a sealed tape: looks at sales and overviews, activity, orders of ours. There may be hundreds of thousands.
 * Invariants: 1. a record costs two numbers until it is asked for. 2. records that lie near one another are read in one go: a read each
 * would cost far more than what lies between them.
 */
import { Effect } from "effect"

import type { ByteReader } from "./Bytes.ts"
import { frameHead, frameHeadLength, isWhole } from "./Frames.ts"
import { behindItem } from "./Records.ts"
import type { ReadAt } from "./Scan.ts"
import { type TapeError } from "./Tape.ts"

const stretchBytes = 1 << 20
const gapBytes = 1 << 14

/** Where frames are: offsets of their heads, ascending, and bytes of their payloads. */
export interface Frames {
  readonly offsets: Array<number>
  readonly lengths: Array<number>
}

/** A frame's payload out of its bytes; undefined when it is not what its head says. */
export const payloadIn = (bytes: Uint8Array): Uint8Array | undefined => {
  const head = frameHead(bytes)
  const payload = bytes.subarray(frameHeadLength)
  return head !== undefined && isWhole(head, payload) ? payload : undefined
}

/** What the frames hold, each checked and decoded; `damaged` says that the one at an offset is not whole. */
export const recordsAt = Effect.fnUntraced(function* <A>(
  { lengths, offsets }: Frames,
  read: ReadAt,
  damaged: (offset: number) => TapeError,
  decode: (from: ByteReader) => A
) {
  const endOf = (index: number) => (offsets[index] as number) + frameHeadLength + (lengths[index] as number)
  const records: Array<A> = []
  while (records.length < offsets.length) {
    const first = records.length
    const from = offsets[first] as number
    let next = first + 1
    while (
      next < offsets.length &&
      (offsets[next] as number) - endOf(next - 1) <= gapBytes &&
      endOf(next) - from <= stretchBytes
    )
      next++
    const bytes = yield* read(from, endOf(next - 1) - from)
    for (let index = first; index < next; index++) {
      const offset = offsets[index] as number
      const payload = payloadIn(bytes.subarray(offset - from, endOf(index) - from))
      if (payload === undefined) return yield* damaged(offset)
      records.push(decode(behindItem(payload)))
    }
  }
  return records
})
