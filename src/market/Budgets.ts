/**
 * All that decides whether a request may go now: windows, spacing, circuits and the ban, as a fold of the ledger's entries.
 * Invariants: 1. the fold is a function of the entries and the quotas: nothing else is remembered. 2. requests of other accounts count
 * where the market counts addresses, and nowhere else.
 */
import { fractionOf } from "../domain/Chance.ts"
import { type Operation, perOperation } from "../domain/Operation.ts"
import {
  type Ban,
  isBanned,
  noBan,
  refusedUnderBan,
  sentUnderBan,
  succeededUnderBan,
  waitForBan
} from "./Ban.ts"
import { type Circuit, closed, eased, failed, refused, sent, succeeded, waitFor } from "./Circuit.ts"
import { type Budget, laneOf, type Quotas, restingTogether } from "./Quotas.ts"
import { type Entry } from "./RateLedger.ts"
import { emptyWindow, record, waitMillis, type Window } from "./Window.ts"

interface Meter {
  readonly windows: ReadonlyArray<Window>
  readonly spacing: Quotas[number]["spacing"]
  readonly reserved: number
  sentAt: number
}

/** A circuit of one operation or of several. */
interface Holder {
  circuit: Circuit
}

interface Lane {
  readonly meters: ReadonlyArray<Meter>
  /** Opened by "too fast", for all that rest together. */
  readonly pace: Holder
  /** Opened by failures, of this operation alone. */
  readonly health: Holder
  readonly spacingMillis: number
  /** Windows that count this operation alone, as the configuration has them. */
  readonly own: ReadonlyArray<Window>
}

export interface Budgets {
  readonly lanes: Readonly<Record<Operation, Lane>>
  readonly ban: Ban
}

export const makeBudgets = (quotas: Quotas): Budgets => {
  const meters = quotas.map((of) => ({
    operations: of.operations,
    meter: {
      windows: of.budgets.map(emptyWindow),
      spacing: of.spacing,
      reserved: of.reserved ?? 0,
      sentAt: -Infinity
    } satisfies Meter
  }))
  const paces = new Map<Operation, Holder>()
  const paceOf = (operation: Operation): Holder => {
    const [first = operation] = restingTogether(operation)
    const known = paces.get(first) ?? { circuit: closed }
    paces.set(first, known)
    return known
  }
  const lane = (operation: Operation): Lane => {
    const mine = meters.filter((one) => one.operations.includes(operation))
    const own = mine.flatMap((one) => (one.operations.length === 1 ? one.meter.windows : []))
    return {
      meters: mine.map(({ meter }) => meter),
      pace: paceOf(operation),
      health: { circuit: closed },
      spacingMillis: spacingOf(own.map(({ budget }) => budget)),
      own
    }
  }
  return { lanes: perOperation(lane), ban: noBan() }
}

const spacingOf = (budgets: ReadonlyArray<Budget>): number => {
  const [shortest] = budgets.toSorted((a, b) => a.windowMillis - b.windowMillis)
  return shortest === undefined ? 0 : shortest.windowMillis / shortest.requests
}

/** How long until a request may go; zero or less when it may now. */
export const waitOf = (
  { ban, lanes }: Budgets,
  operation: Operation,
  now: number,
  item: string | undefined
): number => {
  const lane = lanes[operation]
  let wait = Math.max(
    waitFor(lane.pace.circuit, now, lane.spacingMillis),
    waitFor(lane.health.circuit, now, lane.spacingMillis),
    waitForBan(ban, operation, now)
  )
  const isRead = laneOf(operation) === "read"
  for (const { reserved, sentAt, spacing, windows } of lane.meters) {
    if (spacing !== undefined) wait = Math.max(wait, sentAt + gapAfter(sentAt, spacing) - now)
    for (const window of windows) wait = Math.max(wait, waitMillis(window, now, item, isRead ? reserved : 0))
  }
  return wait
}

/** The jitter of a distance follows from the moment at which it begins. */
const gapAfter = (sentAt: number, { jitter, millis }: NonNullable<Meter["spacing"]>): number =>
  Math.round(millis * (1 - jitter + 2 * jitter * fractionOf(sentAt)))

/** Whether an answer of this kind changes anything: what does not need not be written down. */
export const tells = ({ ban, lanes }: Budgets, { kind, operation }: Entry): boolean => {
  if (kind !== "succeeded") return true
  const { health, pace } = lanes[operation]
  return (
    isBanned(ban) || [health, pace].some(({ circuit }) => circuit._tag !== "Closed" || circuit.failures > 0)
  )
}

/** Takes an entry into account. */
export const apply = (budgets: Budgets, entry: Entry): void => {
  const { operation } = entry
  // The market counts reads of its data by address, everything else by account.
  const counts = entry.mine || laneOf(operation) === "read"
  if (counts || entry.kind === "refused") {
    const wasBanned = isBanned(budgets.ban)
    applyToBan(budgets.ban, entry)
    // The refusals that opened these were the ban's: it is over for all of them.
    if (wasBanned && !isBanned(budgets.ban))
      for (const { pace } of Object.values(budgets.lanes)) pace.circuit = eased(pace.circuit, entry.at)
  }
  if (!counts) return
  const lane = budgets.lanes[operation]
  if (entry.kind === "sent") count(lane, entry)
  // Somewhere between leaving and now the market has counted it: only a request at either end keeps the windows.
  if (entry.kind === "late") for (const { windows } of lane.meters) countIn(windows, entry.at)
  applyToCircuits(lane, entry)
}

const count = (lane: Lane, { at, item }: Entry): void => {
  for (const meter of lane.meters) {
    meter.sentAt = at
    countIn(meter.windows, at, item)
  }
}

const countIn = (windows: ReadonlyArray<Window>, at: number, item?: string): void => {
  for (const window of windows) record(window, at, item)
}

const applyToBan = (ban: Ban, { at, kind, operation }: Entry): void => {
  if (kind === "sent") sentUnderBan(ban, operation, at)
  else if (kind === "refused") refusedUnderBan(ban, operation, at)
  else if (kind === "succeeded") succeededUnderBan(ban)
}

const applyToCircuits = ({ health, pace }: Lane, { at, kind }: Entry): void => {
  switch (kind) {
    case "sent":
    case "succeeded": {
      const step = kind === "sent" ? sent : succeeded
      pace.circuit = step(pace.circuit, at)
      health.circuit = step(health.circuit, at)
      return
    }
    case "refused":
      pace.circuit = refused(pace.circuit, at)
      return
    case "failed":
      if (pace.circuit._tag !== "Closed") pace.circuit = failed(pace.circuit, at)
      health.circuit = failed(health.circuit, at)
      return
    case "late":
  }
}
