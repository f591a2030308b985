/**
 * The file of a tape: a head, then frames one behind the other, each with its kind, length and check sum.
 * Invariants: 1. a frame is whole or it is not there: reading stops before the first one that is cut or damaged. 2. what a reader of this
 * version does not know (another version, another kind) is said, never guessed.
 */
import { type ByteWriter, checkSum } from "./Bytes.ts"

/** `HAGTAPE` and the version of the layout. */
const magic = new TextEncoder().encode("HAGTAPE")
const version = 1
export const headLength = magic.length + 1
/** Kind (1), length of the payload (4), check sum of kind, length and payload (4). */
export const frameHeadLength = 9
/** Far more than a batch of books takes; a longer one is a damaged length. */
const longestPayload = 64 * 1024 * 1024

/** Kinds are only ever added. */
export const kinds = {
  /** JSON: what the tape is about. */
  meta: 1,
  /** Index and key of an item; comes before its first record. */
  item: 2,
  /** One book as changes to the item's book before it. */
  book: 3,
  /** Many books of one item as columns. */
  books: 4,
  history: 5,
  overview: 6,
  activity: 7,
  /** Where the frames are: the last one of a sealed tape. */
  index: 8,
  /** Where orders of ours stood, and what they traded. */
  own: 9,
  /** A book as the order histogram showed it. */
  histogram: 10
} as const
export type Kind = (typeof kinds)[keyof typeof kinds]
const known: ReadonlySet<number> = new Set(Object.values(kinds))

export const head = (): Uint8Array => Uint8Array.from([...magic, version])

/** A tape's own version, or undefined when the bytes are no tape. */
export const versionOf = (bytes: Uint8Array): number | undefined =>
  bytes.length >= headLength && magic.every((byte, index) => bytes[index] === byte)
    ? bytes[magic.length]
    : undefined
export const isReadable = (found: number): boolean => found === version

export const writeFrame = (out: ByteWriter, kind: Kind, payload: Uint8Array): void => {
  const frame = new Uint8Array(frameHeadLength)
  const view = new DataView(frame.buffer)
  view.setUint8(0, kind)
  view.setUint32(1, payload.length, true)
  view.setUint32(5, checkSum(payload, checkSum(frame.subarray(0, 5))), true)
  out.append(frame)
  out.append(payload)
}

export interface FrameHead {
  readonly kind: number
  /** Bytes of the payload. */
  readonly length: number
  readonly sum: number
}

/** Undefined when the bytes cannot be the head of a frame. */
export const frameHead = (bytes: Uint8Array, at = 0): FrameHead | undefined => {
  if (bytes.length - at < frameHeadLength) return undefined
  const kind = bytes[at] as number
  const length = uint32(bytes, at + 1)
  return known.has(kind) && length <= longestPayload
    ? { kind, length, sum: uint32(bytes, at + 5) }
    : undefined
}

/** By hand: a view for each of a tape's hundred thousands of small frames is garbage that V8 is slow to see. */
const uint32 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)) >>>
  0

/** Kind and length of the frame that is looked at, as they are summed. */
const begin = new Uint8Array(5)

/** Whether the payload is what the head says. */
export const isWhole = ({ kind, length, sum }: FrameHead, payload: Uint8Array): boolean => {
  if (payload.length !== length) return false
  begin.set([kind, length, length >>> 8, length >>> 16, length >>> 24])
  return checkSum(payload, checkSum(begin)) === sum
}
