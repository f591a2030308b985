/**
 * A column of whole numbers as differences: what stays the same for a while takes two bytes, however long it stays.
 * Invariant: what is decoded is what was encoded, number by number.
 */
import type { ByteReader, ByteWriter } from "./Bytes.ts"

/** Differences to the number before; the first one to 0. A zero difference is followed by how many more of them there are. */
export const writeColumn = (out: ByteWriter, values: ArrayLike<number>, count: number): void => {
  let before = 0
  let index = 0
  while (index < count) {
    const value = values[index] as number
    if (value !== before) {
      out.integer(value - before)
      before = value
      index++
      continue
    }
    let run = 1
    while (index + run < count && values[index + run] === before) run++
    out.integer(0)
    out.natural(run - 1)
    index += run
  }
}

/** `into` has room for as many. */
export const readColumn = (from: ByteReader, count: number, into?: Float64Array): Float64Array => {
  const values = into === undefined ? new Float64Array(count) : into.subarray(0, count)
  let value = 0
  let index = 0
  while (index < count) {
    const difference = from.integer()
    if (difference !== 0) {
      value += difference
      values[index++] = value
      continue
    }
    const end = Math.min(count, index + from.natural() + 1)
    values.fill(value, index, end)
    index = end
  }
  return values
}

/** Times tend to keep their distance: differences of differences. */
export const writeTimes = (out: ByteWriter, times: ArrayLike<number>, count: number): void => {
  const distances = new Float64Array(count)
  let before = 0
  for (let index = 0; index < count; index++) {
    distances[index] = (times[index] as number) - before
    before = times[index] as number
  }
  writeColumn(out, distances, count)
}

export const readTimes = (from: ByteReader, count: number, into?: Float64Array): Float64Array => {
  const times = readColumn(from, count, into)
  for (let index = 1; index < count; index++)
    times[index] = (times[index] as number) + (times[index - 1] as number)
  return times
}
