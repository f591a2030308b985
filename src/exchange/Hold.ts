/**
 * How the shell runs a handler's work: a shell in virtual time holds the clock meanwhile. What a fault waits is never inside, or time
 * would stand still for ever.
 */
import { Context, type Effect } from "effect"

type HoldWork = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Runs the work as it is, unless a shell says otherwise. */
export const Hold = Context.Reference<HoldWork>("haggle/exchange/Hold", {
  defaultValue: () => (work) => work
})
