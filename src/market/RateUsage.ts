/** What the budgets look like from outside: requests of this process, what is used, and what rests until when. */
import { type Operation, operations, perOperation } from "../domain/Operation.ts"
import { type Budgets } from "./Budgets.ts"
import { type Budget } from "./Quotas.ts"
import { used } from "./Window.ts"

/** Requests of this process since it began, those among them that were told "too fast", and those that failed. */
export interface Counter {
  requests: number
  rateLimited: number
  failed: number
}

export interface Usage extends Readonly<Counter> {
  /** `resting` after "too fast" or failures, `recovering` at a slower pace after that. */
  readonly state: "open" | "resting" | "recovering"
  /** Until when at least it rests. */
  readonly until: number | undefined
  /** The budgets of the operation alone, and how much of each is used. */
  readonly budgets: ReadonlyArray<{ readonly budget: Budget; readonly used: number }>
}

export const makeCounters = (): Readonly<Record<Operation, Counter>> =>
  perOperation(() => ({ requests: 0, rateLimited: 0, failed: 0 }))

export const usageOf = (
  { lanes }: Budgets,
  counters: Readonly<Record<Operation, Counter>>,
  now: number
): ReadonlyMap<Operation, Usage> =>
  new Map(
    operations.map((operation) => {
      const { health, own, pace } = lanes[operation]
      const resting = [pace.circuit, health.circuit].flatMap((one) =>
        one._tag === "Resting" ? [one.until] : []
      )
      const recovering = [pace, health].some(({ circuit }) => circuit._tag === "Recovering")
      const usage: Usage = {
        ...counters[operation],
        state: resting.length > 0 ? "resting" : recovering ? "recovering" : "open",
        until: resting.length > 0 ? Math.max(...resting) : undefined,
        budgets: own.map((window) => ({ budget: window.budget, used: used(window, now) }))
      }
      return [operation, usage]
    })
  )
