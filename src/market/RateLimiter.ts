/**
 * Request budgets per operation. Invariants: 1. no request leaves without a permit. 2. a budget counts requests per sliding window,
 * so a burst at a window's edge cannot exceed it. 3. mutations and confirmations have budgets of their own and never wait for reads.
 */
import { Context, type Duration, type Effect } from "effect"
import type { Operation } from "../domain/Operation.ts"

export interface Usage {
  readonly requests: number
  readonly rateLimited: number
}

export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** Waits until the operation's budget has room, then takes it. */
    readonly take: (operation: Operation) => Effect.Effect<void>
    /** How long `take` would wait now; zero when it would not. */
    readonly delay: (operation: Operation) => Effect.Effect<Duration.Duration>
    /** The market said "too fast": the operation cools down, longer each time until a request succeeds again. */
    readonly refused: (operation: Operation) => Effect.Effect<void>
    readonly succeeded: (operation: Operation) => Effect.Effect<void>
    /** Requests so far, per operation. */
    readonly usage: Effect.Effect<ReadonlyMap<Operation, Usage>>
  }
>()("haggle/market/RateLimiter") {}
