/**
 * One process's life in a simulated world: the layers of the daemon as the wiring puts them together, with mortal ways to the store and
 * the exchange, and what becomes of them when it dies.
 */
import { type Context, Effect, Exit, type Fiber, Layer, Scope, Stream } from "effect"
import { HttpClient } from "effect/http"

import type { VirtualClock } from "../../src/clock/VirtualClock.ts"
import type { Event } from "../../src/domain/Event.ts"
import { Activity } from "../../src/engine/Activity.ts"
import type { Desk, EngineOptions } from "../../src/engine/Desk.ts"
import { marketNow } from "../../src/engine/Journal.ts"
import { start } from "../../src/engine/Loop.ts"
import { Exchange } from "../../src/exchange/Exchange.ts"
import { type FaultPlayer, Faults } from "../../src/exchange/Faults.ts"
import { Hold } from "../../src/exchange/Hold.ts"
import { layerInProcess } from "../../src/exchange/Server.ts"
import { settings } from "../../src/market/MarketConfig.ts"
import { defaultQuotas } from "../../src/market/Quotas.ts"
import type { RateLedger } from "../../src/market/RateLedger.ts"
import { makeSession, Session, type SessionFields, sessionOf } from "../../src/market/Session.ts"
import { Store } from "../../src/store/Store.ts"
import { type Engine, engine } from "../../src/Wiring.ts"
import { type Fate, type Life, mortalClient, mortalStore, newLife } from "./Line.ts"
import type { Referee } from "./Referee.ts"
import type { Shelf } from "./Shelf.ts"

/** 2026-01-05T00:00:00Z. */
export const startAtMillis = 1_767_571_200_000
const latencyMillis = 60

type Execute = Exchange["Service"]["execute"]

/** Ways to make the bot break its promises, to see that the referee notices. */
export interface Tamper {
  readonly written?: (events: ReadonlyArray<Event>) => ReadonlyArray<Event>
  readonly client?: (client: HttpClient.HttpClient) => HttpClient.HttpClient
  readonly execute?: (execute: Execute, exchange: Exchange["Service"]) => Execute
}

/** What outlives a process. */
export interface Running {
  readonly tamper: Tamper
  readonly exchange: Exchange["Service"]
  readonly clock: VirtualClock["Service"]
  readonly referee: Referee
  /** What goes wrong at the market, and when the daemon dies. */
  readonly faults: FaultPlayer
  readonly fate: Fate
  readonly shelf: Shelf
  /** Requests of all its lives. */
  readonly ledger: Layer.Layer<RateLedger>
  readonly engine: EngineOptions
  /** The one that runs now, and its session. */
  daemon: Daemon | undefined
  session: Session["Service"] | undefined
  /** The store of one process's life: SQLite is opened anew, memory is what outlives it. */
  readonly store: Effect.Effect<Store["Service"], never, Scope.Scope>
}

export interface Daemon {
  readonly life: Life
  readonly fiber: Fiber.Fiber<unknown, unknown>
  readonly loop: Scope.Closeable
  readonly layers: Scope.Closeable
  readonly files: Scope.Closeable
  readonly context: Context.Context<Engine>
  readonly desk: () => Desk | undefined
}

export const boot = Effect.fnUntraced(function* (running: Running) {
  const { clock, engine, fate, referee } = running
  const life = yield* newLife(fate.deaths)
  const [loop, layers, files] = [
    yield* Scope.make("parallel"),
    yield* Scope.make("parallel"),
    yield* Scope.make()
  ]
  const store = yield* clock.held(Scope.provide(running.store, files))
  const context = yield* clock.held(
    Layer.buildWithScope(Layer.fresh(daemonLayer(running, life, store)), layers)
  )
  let desk: Desk | undefined
  const living = Effect.gen(function* () {
    const activity = yield* Activity
    yield* activity.happenings.pipe(
      Stream.runForEach((happening) =>
        Effect.sync(() => {
          if (happening._tag !== "PollFailed") return
          referee.see({ _tag: "Said", where: "a failed poll", text: JSON.stringify(happening) })
        })
      ),
      Effect.forkScoped
    )
    const started = yield* start(engine, "embedded")
    desk = started.desk
    referee.see({ _tag: "Up", now: yield* marketNow })
    return yield* started.failed
  }).pipe(Scope.provide(loop), Effect.provideContext(context))
  const fiber = yield* Effect.forkIn(living, layers)
  const daemon: Daemon = { life, fiber, loop, layers, files, context, desk: () => desk }
  return daemon
})

const daemonLayer = (running: Running, life: Life, inner: Store["Service"]) => {
  const { clock, exchange, fate, faults, ledger, referee, shelf, tamper } = running
  const { client: tamperClient, execute: tamperExecute, written } = tamper
  const watched: Execute = Effect.fnUntraced(function* (command) {
    // Somebody else's, set off by a fault.
    if (command.account !== 0) return yield* exchange.execute(command)
    const [world, now] = [yield* exchange.world, yield* marketNow]
    referee.see({ _tag: "Commanded", command, world, now, life: life.number })
    const reply = yield* exchange.execute(command)
    referee.see({ _tag: "Replied", command, reply })
    return reply
  })
  const seen = Exchange.of({ ...exchange, execute: tamperExecute?.(watched, exchange) ?? watched })
  const line = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => {
      const whole = tamperClient?.(client) ?? client
      return mortalClient(whole, life, fate, { clock, faults, latencyMillis, referee })
    })
  ).pipe(
    Layer.provide(layerInProcess),
    Layer.provide([
      Layer.succeed(Exchange, seen),
      Layer.succeed(Faults, faults),
      Layer.succeed(Hold, clock.held)
    ])
  )
  const store = mortalStore(
    inner,
    life,
    fate,
    Effect.fnUntraced(function* (events) {
      const [world, now] = [yield* Effect.orDie(exchange.world), yield* marketNow]
      const seen = written?.(events) ?? events
      referee.see({ _tag: "Journaled", events: seen, now, world, life: life.number })
    })
  )
  const market = settings({ baseUrl: "http://embedded.invalid" })
  return engine({ market, quotas: defaultQuotas }, shelf.layer).pipe(
    Layer.provideMerge(Layer.succeed(Store, store)),
    Layer.provide(Layer.fresh(ledger)),
    Layer.provide(
      Layer.effect(
        Session,
        Effect.tap(makeSession(sessionOf(fieldsOf(exchange))), (session) =>
          Effect.sync(() => {
            running.session = session
          })
        )
      )
    ),
    Layer.provide(line)
  )
}

/** The session of the account that is traded, as a file would hold it. */
export const fieldsOf = ({ accounts: [account] }: Exchange["Service"]): SessionFields => {
  if (account === undefined) return noAccount()
  const { accountId, cookies, deviceId, identitySecret, sessionid } = account
  return { accountId, cookies, sessionid, identitySecret, deviceId }
}

/** What a killed process leaves: its files closed by the system, and fibers that nobody waits for. */
export const bury = Effect.fnUntraced(function* ({ files, layers, life, loop }: Daemon) {
  life.dead = true
  yield* Effect.forkDetach(Scope.close(loop, Exit.void))
  yield* Effect.forkDetach(Scope.close(layers, Exit.void))
  yield* Scope.close(files, Exit.void)
})

export const noAccount = (): never => {
  throw new Error("the exchange has no account")
}
