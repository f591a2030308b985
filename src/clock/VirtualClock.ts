/**
 * Virtual time: a Clock whose sleepers wait in an ordered queue, and a driver that jumps to the next due moment once everything that can
 * run has run. The same seed thus gives the same order of events at any speed.
 * Invariants: 1. time moves only when no task of the scheduler is pending and nobody holds it. 2. sleepers wake one at a time, by
 * due moment and then in the order they fell asleep. 3. pacing against the wall delays a jump, it never changes its order. 4. moments are
 * whole milliseconds, as the wall's are.
 */
import { Clock, Context, Duration, Effect, Exit, Layer, Scheduler } from "effect"

export interface VirtualClockOptions {
  /** Market time at which the clock starts, epoch milliseconds. */
  readonly startAtMillis: number
  /** Market seconds per wall second; undefined runs as fast as the machine can. */
  readonly speed?: number
}

export class VirtualClock extends Context.Service<
  VirtualClock,
  {
    /** Runs work that leaves the scheduler (a promise, a file) while time stands still. It must not sleep inside. */
    readonly held: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Market seconds per wall second from now on; undefined means unpaced. */
    readonly pace: (speed: number | undefined) => Effect.Effect<void>
  }
>()("haggle/clock/VirtualClock") {}

interface Sleeper {
  readonly dueMillis: number
  readonly order: number
  wake: (() => void) | undefined
}

/** Provides Clock, Scheduler and VirtualClock together: one without the others would let time run away. */
export const layer = (options: VirtualClockOptions): Layer.Layer<VirtualClock> =>
  Layer.effectContext(
    Effect.map(Clock.clockWith(Effect.succeed), (wall) => {
      const driver = new Driver(wall, options)
      return Context.make(Clock.Clock, driver.clock).pipe(
        Context.add(Scheduler.Scheduler, driver.scheduler),
        Context.add(VirtualClock, driver.service)
      )
    })
  )

class Driver {
  private readonly wall: Clock.Clock
  private readonly parent = new Scheduler.MixedScheduler()
  private readonly queue = new SleepQueue()
  private nowMillis: number
  private pending = 0
  private holds = 0
  private checking = false
  private cancelPace: (() => void) | undefined
  private pacedUntilMillis = Number.POSITIVE_INFINITY
  private speed: number | undefined
  private wallOriginMillis: number
  private marketOriginMillis: number

  readonly clock: Clock.Clock
  readonly scheduler: Scheduler.Scheduler
  readonly service: VirtualClock["Service"]

  constructor(wall: Clock.Clock, options: VirtualClockOptions) {
    this.wall = wall
    this.nowMillis = Math.ceil(options.startAtMillis)
    this.speed = options.speed
    this.wallOriginMillis = this.wallMillis()
    this.marketOriginMillis = this.nowMillis
    this.clock = this.makeClock()
    this.scheduler = this.makeScheduler()
    this.service = VirtualClock.of({
      held: (self) =>
        Effect.suspend(() => {
          this.holds++
          return Effect.onExit(self, () => Effect.sync(() => this.release()))
        }),
      pace: (speed) =>
        Effect.sync(() => {
          this.speed = speed
          this.wallOriginMillis = this.wallMillis()
          this.marketOriginMillis = this.nowMillis
        })
    })
  }

  private wallMillis(): number {
    return Number(this.wall.monotonicTimeNanosUnsafe() / 1_000n) / 1_000
  }

  private makeClock(): Clock.Clock {
    const nanos = () => BigInt(Math.round(this.nowMillis * 1_000)) * 1_000n
    return {
      currentTimeMillisUnsafe: () => this.nowMillis,
      currentTimeNanosUnsafe: nanos,
      monotonicTimeNanosUnsafe: nanos,
      currentTimeMillis: Effect.sync(() => this.nowMillis),
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanos: Effect.sync(nanos),
      sleep: (duration) => this.sleep(Duration.toMillis(duration))
    }
  }

  private sleep(millis: number): Effect.Effect<void> {
    if (!(millis > 0)) return Effect.yieldNow
    return Effect.callback<void>((resume) => {
      const sleeper = this.queue.add(this.nowMillis + Math.ceil(millis), () => resume(Effect.void))
      this.settle()
      return Effect.sync(() => {
        sleeper.wake = undefined
      })
    })
  }

  private makeScheduler(): Scheduler.Scheduler {
    const { parent } = this
    return {
      executionMode: parent.executionMode,
      shouldYield: (fiber) => parent.shouldYield(fiber),
      makeDispatcher: () => {
        const dispatcher = parent.makeDispatcher()
        return {
          scheduleTask: (task, priority) => {
            this.pending++
            dispatcher.scheduleTask(() => {
              try {
                task()
              } finally {
                this.pending--
                this.settle()
              }
            }, priority)
          },
          flush: () => dispatcher.flush()
        }
      }
    }
  }

  private release(): void {
    this.holds--
    this.settle()
  }

  /** Looks again after the microtasks of what just ran: only then is it certain that nothing more can run. */
  private settle(): void {
    if (this.pending > 0 || this.holds > 0 || this.checking) return
    this.checking = true
    this.parent.setImmediate(() => {
      this.checking = false
      if (this.pending === 0 && this.holds === 0) this.advance()
    })
  }

  private advance(): void {
    const next = this.queue.peek()
    if (next === undefined) return
    const waitMillis = this.paceMillis(next.dueMillis)
    if (waitMillis > 0.5) return this.waitForWall(next.dueMillis, waitMillis)
    this.queue.pop()
    this.nowMillis = Math.max(this.nowMillis, next.dueMillis)
    next.wake?.()
    this.settle()
  }

  private paceMillis(dueMillis: number): number {
    if (this.speed === undefined) return 0
    return this.wallOriginMillis + (dueMillis - this.marketOriginMillis) / this.speed - this.wallMillis()
  }

  private waitForWall(dueMillis: number, waitMillis: number): void {
    if (this.cancelPace !== undefined) {
      if (this.pacedUntilMillis <= dueMillis) return
      this.cancelPace()
    }
    this.pacedUntilMillis = dueMillis
    const stop = Effect.runCallback(this.wall.sleep(Duration.millis(waitMillis)), {
      onExit: (exit) => {
        if (!Exit.isSuccess(exit)) return
        this.cancelPace = undefined
        this.settle()
      }
    })
    this.cancelPace = () => {
      this.cancelPace = undefined
      stop()
    }
  }
}

/** A binary heap by due moment, then by the order of falling asleep; sleepers that were interrupted are dropped when they surface. */
class SleepQueue {
  private readonly heap: Array<Sleeper> = []
  private order = 0

  add(dueMillis: number, wake: () => void): Sleeper {
    const sleeper: Sleeper = { dueMillis, order: this.order++, wake }
    const { heap } = this
    let index = heap.length
    heap.push(sleeper)
    while (index > 0) {
      const above = (index - 1) >>> 1
      const parent = heap[above]
      if (parent === undefined || !before(sleeper, parent)) break
      heap[index] = parent
      index = above
    }
    heap[index] = sleeper
    return sleeper
  }

  peek(): Sleeper | undefined {
    while (this.heap[0] !== undefined && this.heap[0].wake === undefined) this.pop()
    return this.heap[0]
  }

  pop(): void {
    const { heap } = this
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let index = 0
    for (;;) {
      const left = heap[2 * index + 1]
      const right = heap[2 * index + 2]
      const smaller =
        left === undefined ? undefined : right !== undefined && before(right, left) ? right : left
      if (smaller === undefined || !before(smaller, last)) break
      heap[index] = smaller
      index = smaller === right ? 2 * index + 2 : 2 * index + 1
    }
    heap[index] = last
  }
}

const before = (left: Sleeper, right: Sleeper): boolean =>
  left.dueMillis < right.dueMillis || (left.dueMillis === right.dueMillis && left.order < right.order)
