/** How long something takes: medians of repetitions that alternate between what is measured and what it is held against. */
import { Effect } from "effect"

export interface Row {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** How many times as long (or as much) as the other thing, in the same run. */
  readonly against: Readonly<Record<string, number>>
  /** The most, or of what is counted per second the least, that is good enough; null where none is set. */
  readonly bar: number | null
  readonly ok: boolean
}

export const row = (
  of: Omit<Row, "ok" | "bar"> & { readonly bar?: number; readonly atLeast?: number }
): Row => ({
  name: of.name,
  value: rounded(of.value),
  unit: of.unit,
  against: Object.fromEntries(Object.entries(of.against).map(([name, ratio]) => [name, rounded(ratio)])),
  bar: of.bar ?? of.atLeast ?? null,
  ok: (of.bar === undefined || of.value <= of.bar) && (of.atLeast === undefined || of.value >= of.atLeast)
})

/** Three digits are more than a busy machine can promise. */
const rounded = (value: number): number => Number(value.toPrecision(3))

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const warmUpMillis = 80
const sliceMillis = 40
const repetitions = 9

/** Nanoseconds per call of each, in the order given. */
export const nanosEach = (...runs: ReadonlyArray<() => unknown>): ReadonlyArray<number> => {
  const calls = runs.map(callsPerSlice)
  const times = runs.map((): Array<number> => [])
  for (let repetition = 0; repetition < repetitions; repetition++)
    for (const [index, run] of runs.entries()) {
      const count = calls[index] ?? 1
      const began = performance.now()
      for (let call = 0; call < count; call++) sink = run()
      times[index]?.push(((performance.now() - began) * 1e6) / count)
    }
  return times.map(median)
}

/** Slices so short that the machine's other work leaves some of them alone, and so long that each collects its own garbage. */
const shortSliceMillis = 10
const shortSlices = 60

/** Nanoseconds per call of each in the slice that was disturbed least, for what is quick and held to a ratio. */
export const leastNanosEach = (...runs: ReadonlyArray<() => unknown>): ReadonlyArray<number> => {
  const calls = runs.map((run) => Math.ceil((callsPerSlice(run) * shortSliceMillis) / sliceMillis))
  const least = runs.map(() => Number.POSITIVE_INFINITY)
  for (let repetition = 0; repetition < shortSlices; repetition++)
    for (const [index, run] of runs.entries()) {
      const count = calls[index] ?? 1
      const began = performance.now()
      for (let call = 0; call < count; call++) sink = run()
      const nanos = ((performance.now() - began) * 1e6) / count
      least[index] = Math.min(least[index] ?? nanos, nanos)
    }
  return least
}

/** Keeps what was computed, so that nothing is optimised away. */
let sink: unknown
export const kept = (): unknown => sink

const callsPerSlice = (run: () => unknown): number => {
  const began = performance.now()
  let calls = 0
  while (performance.now() - began < warmUpMillis) {
    sink = run()
    calls++
  }
  return Math.max(1, Math.round((calls * sliceMillis) / warmUpMillis))
}

/** Milliseconds of wall that an effect takes. */
export const millisOf = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<number, E, R> =>
  Effect.gen(function* () {
    const began = performance.now()
    yield* self
    return performance.now() - began
  })

/** Median milliseconds of each, alternating, after one round that does not count. */
export const millisEach = Effect.fnUntraced(function* <E, R>(
  rounds: number,
  ...runs: ReadonlyArray<Effect.Effect<unknown, E, R>>
) {
  const times = runs.map((): Array<number> => [])
  for (let round = 0; round <= rounds; round++)
    for (const [index, run] of runs.entries()) {
      const millis = yield* millisOf(run)
      if (round > 0) times[index]?.push(millis)
    }
  return times.map(median)
})
