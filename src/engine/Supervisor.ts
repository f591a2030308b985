/** Who looks after the process from outside, such as systemd; nobody unless a layer says so. Nothing here is waited for. */
import { Context, Effect } from "effect"

export const Supervisor = Context.Reference<{
  /** Every loop shows progress. */
  readonly alive: Effect.Effect<void>
  /** It trades from now on. */
  readonly ready: Effect.Effect<void>
  /** It ends in order from now on. */
  readonly stopping: Effect.Effect<void>
}>("haggle/engine/Supervisor", {
  defaultValue: () => ({ alive: Effect.void, ready: Effect.void, stopping: Effect.void })
})
