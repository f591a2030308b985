/** How the request budgets stand, in words for `status`: what is used, what rests and until when, and whether the market refuses us altogether. */
import { DateTime, Effect } from "effect"

import type { Operation } from "../domain/Operation.ts"
import { RateLimiter, type Usage } from "../market/RateLimiter.ts"
import { showDuration } from "../rules/Strategy.ts"

const moment = (at: number): string => DateTime.formatIso(DateTime.makeUnsafe(at)).slice(0, 19)

const usedText = (operation: Operation, { budgets }: Usage): ReadonlyArray<string> =>
  budgets
    .filter(({ used }) => used > 0)
    .map(
      ({ budget, used }) =>
        `${operation} ${used} of ${budget.requests}${budget.distinct === true ? " items" : ""} in ${showDuration(budget.windowMillis)}`
    )

const restText = (operation: Operation, { state, until }: Usage): ReadonlyArray<string> => {
  if (state === "open") return []
  return [state === "resting" ? `${operation} until ${moment(until ?? 0)}` : `${operation} is coming back`]
}

export const rateNotes: Effect.Effect<Readonly<Record<string, string>>, never, RateLimiter> = Effect.gen(
  function* () {
    const limiter = yield* RateLimiter
    const usage = [...(yield* limiter.usage)]
    const banned = yield* limiter.banned
    const budgets = usage.flatMap(([operation, of]) => usedText(operation, of))
    const resting = usage.flatMap(([operation, of]) => restText(operation, of))
    return {
      ...(budgets.length === 0 ? {} : { budgets: budgets.join(", ") }),
      ...(resting.length === 0 ? {} : { resting: resting.join(", ") }),
      ...(banned === undefined
        ? {}
        : {
            banned: `the market refuses requests since ${moment(banned.since)}: no market data and nothing new until ${moment(banned.until)} at least; exits and confirmations go on`
          })
    }
  }
)
