/**
 * A recorded price-history body as an item's price path: strategies trade on real movement.
 * Invariants: 1. the market opens `periodDays` before the recording's end and follows it to the end; afterwards the simulated process
 * goes on from the last price. 2. what lies before the opening is served as the past, shifted by the same time. 3. recorded numbers are
 * units of the wallet's currency.
 */
import { Option, Schema } from "effect"

import { parseLabel } from "../domain/SalesLabel.ts"
import { dayMillis, hourMillis } from "./Process.ts"
import { foldDay, hoursKeptMillis } from "./SalesLog.ts"
import { type Tape } from "./Tape.ts"
import { type SalesEntry } from "./World.ts"

/** The body of the price history operation, as far as a replay needs it. */
const Body = Schema.Struct({
  prices: Schema.Array(Schema.Tuple([Schema.String, Schema.Finite, Schema.String]))
})

/** Sales in the recording's own time, ascending. */
export interface Recording {
  readonly points: ReadonlyArray<SalesEntry>
  /** How long before its end the market opens. */
  readonly periodDays: number
}

export const defaultPeriodDays = 30
/** Points fewer than these cannot be a price path. */
const fewestPoints = 2

const decodeBody = Schema.decodeUnknownOption(Schema.fromJsonString(Body))

/** Reads a recorded body; None when it is none or has too few points. */
export const parseRecording = (
  text: string,
  periodDays: number = defaultPeriodDays
): Option.Option<Recording> =>
  Option.flatMap(decodeBody(text), ({ prices }) => {
    const points = prices.flatMap(([label, price, units]): ReadonlyArray<SalesEntry> => {
      const at = parseLabel(label)
      const count = Number(units)
      const valid = Option.isSome(at) && price > 0 && Number.isSafeInteger(count) && count > 0
      return valid ? [[at.value, Math.round(price * 1000) / 10, count]] : []
    })
    const sorted = points.toSorted((a, b) => a[0] - b[0])
    return sorted.length < fewestPoints ? Option.none() : Option.some({ points: sorted, periodDays })
  })

/** Hours between a point and the next: 1 in the hourly part, 24 before. */
const hoursTo = (points: ReadonlyArray<SalesEntry>, index: number): number => {
  const [own, next] = [points[index], points[index + 1]]
  if (own === undefined) return 1
  if (next === undefined) return index > 0 ? hoursTo(points, index - 1) : 1
  return Math.min(24, Math.max(1, (next[0] - own[0]) / hourMillis))
}

/** The recording on the market's clock; whole hours are shifted, so that labels stay on the hour. */
export const tapeOf = (recording: Recording, startAt: number): Tape => {
  const last = recording.points.at(-1)?.[0] ?? 0
  const shift =
    Math.floor(startAt / hourMillis) * hourMillis - (last + hourMillis - recording.periodDays * dayMillis)
  return {
    endsAt: last + hourMillis + shift,
    points: recording.points.map(([at, median, units], index) => [
      at + shift,
      median,
      units / hoursTo(recording.points, index)
    ])
  }
}

/** What the tape says was sold before a moment: daily entries and the last thirty days by the hour, as far as it has hours. */
export const pastOf = (
  tape: Tape,
  until: number
): { readonly daily: ReadonlyArray<SalesEntry>; readonly hourly: ReadonlyArray<SalesEntry> } => {
  const hourly: Array<SalesEntry> = []
  const days = new Map<number, Array<SalesEntry>>()
  const daily: Array<SalesEntry> = []
  const firstHourly = Math.floor((until - hoursKeptMillis) / dayMillis) * dayMillis
  tape.points.forEach(([at, median, perHour], index) => {
    if (at >= until) return
    const hours = Math.min(
      24,
      Math.max(1, ((tape.points[index + 1]?.[0] ?? at + hourMillis) - at) / hourMillis)
    )
    const entry: SalesEntry = [at, Math.round(median), Math.max(1, Math.round(perHour * hours))]
    if (hours > 1) daily.push([...entry])
    else if (at >= firstHourly) hourly.push(entry)
    else {
      const day = Math.floor(at / dayMillis) * dayMillis
      days.set(day, [...(days.get(day) ?? []), entry])
    }
  })
  for (const [day, entries] of days) daily.push(foldDay(day, entries))
  return { daily: daily.toSorted((a, b) => a[0] - b[0]), hourly }
}
