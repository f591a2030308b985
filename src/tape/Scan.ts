/**
 * Reads a tape from its head on, frame by frame, to the last whole one: the way into a tape that has no index, because it is being
 * recorded, was cut or was damaged.
 * Invariants: 1. memory is bounded by one stretch of the file, the longest frame and what the caller keeps. 2. everything before the first
 * frame that is cut or damaged is used, nothing after it.
 */
import { Effect, type FileSystem, Option } from "effect"

import { frameHead, frameHeadLength, headLength, isWhole, type Kind } from "./Frames.ts"
import type { Lost, TapeError } from "./Tape.ts"

export interface Frame {
  readonly kind: Kind
  /** Of the frame's head in the file. */
  readonly offset: number
  readonly payload: Uint8Array
}

const stretchBytes = 1 << 20

export type ReadAt = (offset: number, length: number) => Effect.Effect<Uint8Array, TapeError>
/** Fills the buffer; what is handed back is its part that was filled. */
export type ReadInto = (offset: number, buffer: Uint8Array) => Effect.Effect<Uint8Array, TapeError>

/** Bytes of an open file at an offset; fewer at its end. */
export const readingAt =
  (file: FileSystem.File, failed: (cause: { readonly message: string }) => TapeError): ReadAt =>
  (offset, length) =>
    file
      .readAlloc(length, { position: BigInt(offset) })
      .pipe(Effect.map(Option.getOrElse(() => new Uint8Array())), Effect.mapError(failed))

export const readingInto =
  (file: FileSystem.File, failed: (cause: { readonly message: string }) => TapeError): ReadInto =>
  (offset, buffer) =>
    file.read(buffer, { position: BigInt(offset) }).pipe(
      Effect.map((length) => buffer.subarray(0, length)),
      Effect.mapError(failed)
    )

/** Hands every whole frame to `take`, in order; the answer says what could not be used. `take` returns false for a frame that makes no sense. */
export const scan = Effect.fnUntraced(function* (
  read: ReadAt,
  size: number,
  take: (frame: Frame) => boolean
): Effect.fn.Return<Omit<Lost, "after"> | undefined, TapeError> {
  let offset = headLength
  let held: Uint8Array = new Uint8Array()
  let heldAt = headLength
  const bytes = Effect.fnUntraced(function* (at: number, length: number) {
    if (at < heldAt || at + length > heldAt + held.length) {
      held = yield* read(at, Math.max(length, stretchBytes))
      heldAt = at
    }
    return held.subarray(at - heldAt, at - heldAt + length)
  })
  while (offset < size) {
    const lost = (why: string) => ({ bytes: size - offset, offset, why })
    const head = frameHead(yield* bytes(offset, frameHeadLength))
    if (head === undefined)
      return lost(size - offset < frameHeadLength ? "it was cut inside a record" : "a record is damaged")
    const payload = yield* bytes(offset + frameHeadLength, head.length)
    if (payload.length < head.length) return lost("it was cut inside a record")
    if (!isWhole(head, payload) || !take({ kind: head.kind as Kind, offset, payload }))
      return lost("a record is damaged")
    offset += frameHeadLength + head.length
  }
  return undefined
})
