/**
 * A recorded price history as an item's price path: log prices and volumes by time, shifted onto the market's clock.
 * Invariants: 1. points ascend by time. 2. between two points the log price is interpolated, so that no step is larger than recorded.
 */
import { countBefore } from "../domain/Ordered.ts"
import { hourMillis } from "./Process.ts"

export interface Tape {
  /** When the recording ends on the market's clock; the simulated process goes on from there. */
  readonly endsAt: number
  /** Median prices in minor units, ascending by time. */
  readonly points: ReadonlyArray<readonly [at: number, median: number, unitsPerHour: number]>
}

/** Index of the last point not later than the time, −1 before the first. */
const indexAt = ({ points }: Tape, at: number): number =>
  countBefore(points.length, (index) => (points[index]?.[0] ?? Infinity) <= at) - 1

/** Log of the recorded median at a time; a point stands for the middle of its hour. */
export const tapeLogPrice = (tape: Tape, at: number): number => {
  const index = indexAt(tape, at - hourMillis / 2)
  const before = tape.points[Math.max(0, index)]
  const after = tape.points[Math.min(tape.points.length - 1, index + 1)] ?? before
  if (before === undefined || after === undefined) return 0
  const [from, to] = [Math.log(before[1]), Math.log(after[1])]
  const length = after[0] - before[0]
  if (index < 0 || length <= 0) return from
  const part = Math.min(1, Math.max(0, (at - hourMillis / 2 - before[0]) / length))
  return from + (to - from) * part
}

/** Units that were sold per hour around a time. */
export const tapeUnitsPerHour = (tape: Tape, at: number): number => tape.points[indexAt(tape, at)]?.[2] ?? 0
