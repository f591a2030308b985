/**
 * The notifier over any number of channels: a queue, a throttle and a patient worker for each.
 * Invariants: 1. a channel that hangs or fails holds up no other, nor who tells. 2. a queue that is full loses its oldest. 3. a notice is
 * tried a bounded number of times; then the log says that it was not told.
 */
import { Clock, Duration, Effect, Layer, Queue, Ref, Schedule, Scope } from "effect"

import { type Channel, type Notice, Notifier } from "./Notifier.ts"
import { quiet, throttled, type ThrottleRules } from "./Throttle.ts"

/** Notices that wait for one channel. */
const waiting = 100
/** 1, 2, 4, 8, 16 seconds: half a minute, then it is given up. */
const tries: Schedule.Schedule<unknown> = Schedule.exponential("1 second").pipe(Schedule.upTo({ times: 5 }))
const patience = "10 seconds"
/** How often a flush looks whether all is told, and how long a process that ends waits for it. */
const flushMillis = 20
const farewell = "2 seconds"

export const defaultRules: ThrottleRules = { perHour: 20, repeatMillis: 3_600_000 }

export const layer = (
  channels: ReadonlyArray<Channel>,
  rules: ThrottleRules = defaultRules
): Layer.Layer<Notifier> =>
  Layer.effect(
    Notifier,
    Effect.gen(function* () {
      const scope = yield* Scope.Scope
      const clock = yield* Clock.Clock
      const lanes = yield* Effect.forEach(channels, (channel) => Scope.provide(laneOf(channel, rules), scope))
      return Notifier.of({
        notify: (notice) => Effect.forEach(lanes, ({ offer }) => offer(notice), { discard: true }),
        flushed: Effect.forEach(lanes, ({ idle }) => idle, { discard: true }).pipe(
          Effect.timeoutOption(farewell),
          Effect.asVoid,
          Effect.provideService(Clock.Clock, clock)
        )
      })
    })
  )

const laneOf = Effect.fnUntraced(function* (channel: Channel, rules: ThrottleRules) {
  const queue = yield* Queue.sliding<Notice>(waiting)
  const throttle = yield* Ref.make(quiet)
  const busy = yield* Ref.make(false)
  const tell = (notice: Notice) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const out = yield* Ref.modify(throttle, (before) => {
        const [after, notified] = throttled(before, notice, now, rules)
        return [notified, after]
      })
      if (out === undefined) return
      yield* channel.send(out).pipe(
        Effect.timeout(patience),
        Effect.retry(tries),
        Effect.catch((error) =>
          Effect.logWarning(
            `notify: ${channel.name} was not told of ${notice.kind}: ${error._tag === "NotTold" ? error.detail : "no answer in time"}`
          )
        )
      )
    })
  // taking and being busy are one step, so that a flush never falls in between
  const take = Effect.tap(Queue.take(queue), () => Ref.set(busy, true))
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.flatMap(take, (notice) => Effect.ensuring(Effect.ignore(tell(notice)), Ref.set(busy, false)))
    )
  )
  const idle = Effect.gen(function* () {
    while ((yield* Ref.get(busy)) || (yield* Queue.size(queue)) > 0)
      yield* Effect.sleep(Duration.millis(flushMillis))
  })
  return { offer: (notice: Notice) => Queue.offer(queue, notice), idle }
})
