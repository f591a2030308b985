/**
 * What the Date headers of answers tell about the market's clock against ours.
 * Invariants: 1. an answer bounds the offset by its round trip; a slow one tells nothing. 2. the offset is the median of the last
 * samples, so that one wrong header does not move it. 3. while samples contradict it by more than `jumpMillis` it is not trusted; only
 * `agreeing` samples in a row that agree with each other replace it.
 */

/** A Date header and when, on our clock, its request left and its answer was there; milliseconds. */
export interface Sample {
  readonly serverMillis: number
  readonly sentAt: number
  readonly receivedAt: number
}

export interface MarketClock {
  /** The last samples that agree, oldest first. */
  readonly believed: ReadonlyArray<Sample>
  /** Samples in a row that say something else. */
  readonly contrary: ReadonlyArray<Sample>
}

/** What to add to our clock, and how far off that may be; milliseconds. */
export interface Offset {
  readonly millis: number
  readonly uncertaintyMillis: number
}

export const unknownClock: MarketClock = { believed: [], contrary: [] }

const samplesKept = 9
/** Samples that must agree before a jump of the clock is believed. */
const agreeing = 3
/** Answers that took longer are no clock. */
export const longestRoundTripMillis = 10_000
/** Clocks drift by less than this between two answers; a difference beyond it is a jump, ours or the market's. */
export const jumpMillis = 15_000
/** A Date header is cut to the second. */
const resolutionMillis = 1_000

/** The clock after one more answer. */
export const observed = (clock: MarketClock, sample: Sample): MarketClock => {
  if (sample.receivedAt - sample.sentAt > longestRoundTripMillis) return clock
  if (agrees(clock.believed, sample))
    return { believed: [...clock.believed, sample].slice(-samplesKept), contrary: [] }
  const contrary = agrees(clock.contrary, sample) ? [...clock.contrary, sample] : [sample]
  return contrary.length >= agreeing ? { believed: contrary, contrary: [] } : { ...clock, contrary }
}

/** Undefined before the first answer: our own clock is all there is then. */
export const offsetOf = ({ believed }: MarketClock): Offset | undefined =>
  believed.length === 0
    ? undefined
    : { millis: median(believed.map(middle)), uncertaintyMillis: median(believed.map(halfWidth)) }

const agrees = (samples: ReadonlyArray<Sample>, sample: Sample): boolean =>
  samples.length === 0 || Math.abs(middle(sample) - median(samples.map(middle))) <= jumpMillis

/** The market's time lay between the header's second and the next one, at some moment of the round trip. */
const middle = ({ receivedAt, sentAt, serverMillis }: Sample): number =>
  serverMillis + resolutionMillis / 2 - (sentAt + receivedAt) / 2

const halfWidth = ({ receivedAt, sentAt }: Sample): number => (resolutionMillis + receivedAt - sentAt) / 2

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
