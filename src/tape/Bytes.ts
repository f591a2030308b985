/**
 * Bytes of a tape: a growing buffer to write to, a cursor to read from, and a check sum.
 * Invariants: 1. a whole number up to 2^53 is written in groups of seven bits, the lowest first; small ones take one byte. 2. a cursor
 * never reads past its end: it throws TornBytes, which the reader of frames turns into "the tape ends here".
 */

import { Data } from "effect"

/** A number was cut in the middle; never leaves this folder. */
export class TornBytes extends Data.TaggedError("TornBytes")<{ readonly what: string }> {}

/** Every other multiple is negative: 0, -1, 1, -2, 2 … become 0, 1, 2, 3, 4 … */
const zigzag = (value: number): number => (value >= 0 ? value * 2 : -value * 2 - 1)
const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

const firstCapacity = 1024

export class ByteWriter {
  private bytes = new Uint8Array(firstCapacity)
  length = 0

  private room(count: number): void {
    if (this.length + count <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }

  byte(value: number): void {
    this.room(1)
    this.bytes[this.length++] = value
  }

  /** A whole number from 0 to 2^53. */
  natural(value: number): void {
    this.room(8)
    let rest = value
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.bytes[this.length++] = rest
  }

  /** A whole number of either sign, up to 2^52. */
  integer(value: number): void {
    this.natural(zigzag(value))
  }

  text(value: string): void {
    const encoded = new TextEncoder().encode(value)
    this.natural(encoded.length)
    this.append(encoded)
  }

  append(more: Uint8Array): void {
    this.room(more.length)
    this.bytes.set(more, this.length)
    this.length += more.length
  }

  /** Another writer's bytes behind their length. */
  section(of: ByteWriter): void {
    this.natural(of.length)
    this.append(of.view())
  }

  /** What was written so far; valid until the next write. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
  }
}

export class ByteReader {
  private readonly bytes: Uint8Array
  private readonly end: number
  position: number

  constructor(bytes: Uint8Array, position = 0, end = bytes.length) {
    this.bytes = bytes
    this.position = position
    this.end = end
  }

  get atEnd(): boolean {
    return this.position >= this.end
  }

  byte(): number {
    if (this.position >= this.end) throw new TornBytes({ what: "the bytes end too early" })
    return this.bytes[this.position++] as number
  }

  natural(): number {
    let next = this.byte()
    if (next < 0x80) return next
    let value = next & 0x7f
    let unit = 0x80
    for (;;) {
      next = this.byte()
      value += (next & 0x7f) * unit
      if (next < 0x80) return value
      unit *= 0x80
    }
  }

  integer(): number {
    return unzigzag(this.natural())
  }

  text(): string {
    return new TextDecoder().decode(this.section())
  }

  /** The bytes that were not read yet, without copying them; the cursor stays. */
  rest(): Uint8Array {
    return this.bytes.subarray(this.position, this.end)
  }

  /** The bytes behind a length, without copying them. */
  section(): Uint8Array {
    const length = this.natural()
    if (this.position + length > this.end) throw new TornBytes({ what: "the bytes end too early" })
    const section = this.bytes.subarray(this.position, this.position + length)
    this.position += length
    return section
  }
}

const polynomial = 0xedb88320
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ polynomial : rest >>> 1
  return rest
})

/** CRC-32 as zip and PNG use it; `before` goes on from the sum of earlier bytes. */
export const checkSum = (bytes: Uint8Array, before = 0): number => {
  let sum = ~before
  for (let index = 0; index < bytes.length; index++)
    sum = (table[(sum ^ (bytes[index] as number)) & 0xff] as number) ^ (sum >>> 8)
  return ~sum >>> 0
}
