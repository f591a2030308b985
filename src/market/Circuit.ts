/**
 * Whether requests of one kind may go at all: a breaker that opens when the market says "too fast" or fails again and again.
 * Invariants: 1. after a rest one request goes to try; the others wait for its answer. 2. rests double until a try succeeds, and a
 * success brings the old pace back in steps. 3. answers to requests that were under way when a rest began change nothing.
 * 4. it is a function of what was sent and answered, so that every process and every restart arrives at the same.
 */
import { fractionOf } from "../domain/Chance.ts"

type Cause = "refused" | "failed"

/** Rests in a row, by what brought them about: an answer that does not come says nothing of the pace. */
type Rests = Readonly<Record<Cause, number>>
const none: Rests = { refused: 0, failed: 0 }

interface Closed {
  readonly _tag: "Closed"
  /** In a row. */
  readonly failures: number
}
interface Resting {
  readonly _tag: "Resting"
  readonly rests: Rests
  readonly until: number
  /** When the one request that tries was sent. */
  readonly triedAt: number | undefined
}
interface Recovering {
  readonly _tag: "Recovering"
  readonly rests: Rests
  readonly since: number
  readonly successes: number
  readonly sentAt: number
}
export type Circuit = Closed | Resting | Recovering

export const closed: Circuit = { _tag: "Closed", failures: 0 }

/** First and longest rest. No Retry-After can be trusted; a minute was seen to be enough after a short burst. */
const lengths: Readonly<Record<Cause, { readonly first: number; readonly longest: number }>> = {
  refused: { first: 60_000, longest: 3_600_000 },
  failed: { first: 15_000, longest: 120_000 }
}
/** Rests are up to this part longer, so that processes and operations do not come back in step. */
const restJitter = 0.25
/** Failures in a row that open the circuit: fewer happen to everybody. */
const failuresToOpen = 5
/** A try without an answer is given up after this: its process may be dead. */
const tryMillis = 60_000
/** So much time in which a recovering circuit is not refused takes one rest back: most windows are of a minute. */
const calmMillis = 120_000
/** The pace of a recovering circuit: so many times the usual distance between requests, for so many successes each. */
const recovery: ReadonlyArray<number> = [4, 2]
const successesPerStep = 5

/** How long until a request may go; `spacingMillis` is the usual distance between two. */
export const waitFor = (circuit: Circuit, now: number, spacingMillis: number): number => {
  switch (circuit._tag) {
    case "Closed":
      return 0
    case "Resting":
      return (circuit.triedAt === undefined ? circuit.until : circuit.triedAt + tryMillis) - now
    case "Recovering": {
      const step = recovery[Math.floor(circuit.successes / successesPerStep)] ?? 1
      return circuit.sentAt + spacingMillis * step - now
    }
  }
}

export const sent = (circuit: Circuit, at: number): Circuit => {
  if (circuit._tag === "Resting") return at < circuit.until ? circuit : { ...circuit, triedAt: at }
  return circuit._tag === "Recovering" ? { ...circuit, sentAt: at } : circuit
}

/** After an answer that means "too fast". */
export const refused = (circuit: Circuit, at: number): Circuit =>
  circuit._tag === "Resting" && circuit.triedAt === undefined ? circuit : rest("refused", circuit, at)

/** After no answer, or one that is the market's own failure. */
export const failed = (circuit: Circuit, at: number): Circuit => {
  if (circuit._tag === "Closed") {
    const failures = circuit.failures + 1
    return failures < failuresToOpen ? { _tag: "Closed", failures } : rest("failed", circuit, at)
  }
  return circuit._tag === "Resting" && circuit.triedAt === undefined ? circuit : rest("failed", circuit, at)
}

/** What it rested for is over: its one request may try now. */
export const eased = (circuit: Circuit, at: number): Circuit =>
  circuit._tag === "Resting" && circuit.until > at ? { ...circuit, until: at } : circuit

export const succeeded = (circuit: Circuit, at: number): Circuit => {
  switch (circuit._tag) {
    case "Closed":
      return closed
    case "Resting":
      return circuit.triedAt === undefined
        ? circuit
        : { _tag: "Recovering", rests: circuit.rests, since: at, successes: 0, sentAt: at }
    case "Recovering": {
      const successes = circuit.successes + 1
      return successes >= recovery.length * successesPerStep ? closed : { ...circuit, successes }
    }
  }
}

/** What is seldom asked has hardly any successes: calm counts, too. */
const restsBefore = (circuit: Circuit, at: number): Rests => {
  if (circuit._tag === "Closed") return none
  if (circuit._tag === "Resting") return circuit.rests
  const forgiven = Math.floor((at - circuit.since) / calmMillis)
  const { failed, refused } = circuit.rests
  return { refused: Math.max(0, refused - forgiven), failed: Math.max(0, failed - forgiven) }
}

const rest = (cause: Cause, circuit: Circuit, at: number): Circuit => {
  const before = restsBefore(circuit, at)
  const rests = { ...before, [cause]: before[cause] + 1 }
  return { _tag: "Resting", rests, until: at + restMillis(cause, rests[cause], at), triedAt: undefined }
}

/** Milliseconds of the n-th rest in a row. */
const restMillis = (cause: Cause, level: number, at: number): number => {
  const { first, longest } = lengths[cause]
  const base = Math.min(longest, first * 2 ** (level - 1))
  return Math.round(base * (1 + restJitter * fractionOf(at, level)))
}
