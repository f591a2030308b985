/** The wall clock, shifted and stretched: for an embedded market that serves real clients. Invariant: it never stands still or jumps. */
import { Clock, Duration, Effect } from "effect"

const nanosPerMilli = 1_000_000n

/** A clock that shows `startAtMillis` now and then runs `speed` times as fast as the wall. */
export const pacedClock = Effect.fnUntraced(function* (startAtMillis: number, speed: number) {
  const wall = yield* Clock.clockWith(Effect.succeed)
  const origin = wall.currentTimeMillisUnsafe()
  const currentTimeMillisUnsafe = () =>
    Math.floor(startAtMillis + (wall.currentTimeMillisUnsafe() - origin) * speed)
  const currentTimeNanosUnsafe = () => BigInt(currentTimeMillisUnsafe()) * nanosPerMilli
  return {
    ...wall,
    currentTimeMillisUnsafe,
    currentTimeNanosUnsafe,
    currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
    currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
    sleep: (duration: Duration.Duration) => wall.sleep(Duration.millis(Duration.toMillis(duration) / speed))
  } satisfies Clock.Clock
})
