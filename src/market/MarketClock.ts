/**
 * What the Date headers of answers tell about the market's clock against ours.
 * Invariants: 1. an answer bounds the offset by its round trip; a slow one tells nothing. 2. the offset is the median of the last
 * samples, so that one wrong header does not move it. 3. while samples contradict it by more than `jumpMillis` it is not trusted; only
 * `agreeing` samples in a row that agree with each other replace it. 4. a clock that runs at another pace, as a practice market's does,
 * is followed along a line.
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
const longestRoundTripMillis = 10_000
/** Clocks drift by less than this between two answers; a difference beyond it is a jump, ours or the market's. */
export const jumpMillis = 15_000
/** A Date header is cut to the second. */
const resolutionMillis = 1_000
/** A pace is told by samples that lie this far apart; a market that hurries does so by more than half. */
const paceSpanMillis = 2_000
const leastPace = 0.5

/** The clock after one more answer. */
export const observed = (clock: MarketClock, sample: Sample): MarketClock => {
  if (sample.receivedAt - sample.sentAt > longestRoundTripMillis) return clock
  const { believed, contrary } = clock
  if (believed.length === 0 || isNear(offsetAlong(believed), sample))
    return { believed: [...believed, sample].slice(-samplesKept), contrary: [] }
  const against = [...contrary, sample].slice(-agreeing)
  if (against.length < agreeing) return { believed, contrary: against }
  const together = [...believed, ...against].slice(-samplesKept)
  const agreed = [together, against].find(isConsistent)
  return agreed === undefined ? { believed, contrary: against } : { believed: agreed, contrary: [] }
}

/** At a moment of our clock; undefined before the first answer: our own clock is all there is then. */
export const offsetOf = ({ believed }: MarketClock, now: number): Offset | undefined =>
  believed.length === 0
    ? undefined
    : { millis: offsetAlong(believed)(now), uncertaintyMillis: median(believed.map(halfWidth)) }

type Line = (at: number) => number

const isNear = (line: Line, sample: Sample): boolean =>
  Math.abs(offsetIn(sample) - line(middle(sample))) <= jumpMillis

const isConsistent = (samples: ReadonlyArray<Sample>): boolean => {
  const line = offsetAlong(samples)
  return samples.every((sample) => isNear(line, sample))
}

/** The median offset, along the line through the samples when the market's clock has a pace of its own. */
const offsetAlong = (samples: ReadonlyArray<Sample>): Line => {
  const pace = paceOf(samples)
  const base = median(samples.map((sample) => offsetIn(sample) - pace * middle(sample)))
  return (at) => base + pace * at
}

/** Milliseconds that the market's clock gains per millisecond of ours (least squares); 0 for one that goes as ours does. */
const paceOf = (samples: ReadonlyArray<Sample>): number => {
  const times = samples.map(middle)
  if (Math.max(...times) - Math.min(...times) < paceSpanMillis) return 0
  const [meanTime, meanOffset] = [mean(times), mean(samples.map(offsetIn))]
  const spread = mean(times.map((time) => (time - meanTime) ** 2))
  const joint = mean(samples.map((sample) => (middle(sample) - meanTime) * (offsetIn(sample) - meanOffset)))
  const pace = joint / spread
  const along = samples.map((sample) => offsetIn(sample) - pace * middle(sample))
  // One late header is no pace: the line must explain every sample, to what a header can be off.
  const isLine = Math.max(...along) - Math.min(...along) <= 2 * Math.max(...samples.map(halfWidth))
  return isLine && Math.abs(pace) >= leastPace ? pace : 0
}

/** The middle of the round trip, on our clock. */
const middle = ({ receivedAt, sentAt }: Sample): number => (sentAt + receivedAt) / 2
/** The market's time lay between the header's second and the next one, at some moment of the round trip. */
const offsetIn = (sample: Sample): number => sample.serverMillis + resolutionMillis / 2 - middle(sample)
const halfWidth = ({ receivedAt, sentAt }: Sample): number => (resolutionMillis + receivedAt - sentAt) / 2

const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
