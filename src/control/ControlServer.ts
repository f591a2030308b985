/** The running daemon's side of the control interface: on a free port of the loopback, for whoever has the key. */
import { createServer } from "node:http"
import { pid } from "node:process"

import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Result, Scope } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

import type { Event } from "../domain/Event.ts"
import type { Millis } from "../domain/Ids.ts"
import { zero } from "../domain/Money.ts"
import { released, taken } from "../domain/Operator.ts"
import type { State } from "../domain/State.ts"
import { settleByHand } from "../engine/ByHand.ts"
import { Control } from "../engine/Control.ts"
import type { Desk } from "../engine/Desk.ts"
import { explain, NotThere } from "../engine/Explain.ts"
import { Journal, marketNow } from "../engine/Journal.ts"
import { Market, type MarketError } from "../market/Market.ts"
import { Contradicted, ControlApi, NotAnswered, NotWritten } from "./ControlApi.ts"
import { hang, newKey, opens } from "./Door.ts"

const host = "127.0.0.1"
/** A stop does not wait longer for a client that keeps its connection. */
const farewell = "200 millis"

/** What the daemon lends to its visitors; the desk is there once it has started. */
export interface Lent {
  desk: Desk | undefined
}

const handlersOf = (lent: Lent) =>
  HttpApiBuilder.group(
    ControlApi,
    "daemon",
    Effect.fnUntraced(function* (handlers) {
      const journal = yield* Journal
      const control = yield* Control
      const market = yield* Market
      const written = writtenTo(journal)
      return handlers.handleAll({
        status: Effect.fnUntraced(function* () {
          const state = yield* journal.state
          const now = yield* marketNow
          return {
            pid,
            now,
            control: state.control,
            started: lent.desk !== undefined,
            loops: [...(lent.desk?.progress ?? [])].map(([loop, { at, boundMillis, restsUntil }]) => ({
              loop,
              // while it rests it owes no sign
              at: Math.max(at, Math.min(restsUntil, now)) as Millis,
              boundMillis
            }))
          }
        }),
        explain: Effect.fnUntraced(function* ({ query }) {
          if (lent.desk === undefined)
            return yield* new NotThere({
              message: "the daemon has not read the account yet",
              remedy: "ask again in a moment"
            })
          return yield* explain(lent.desk, query)
        }),
        control: Effect.fnUntraced(
          function* ({ payload }) {
            return yield* control.command(payload)
          },
          Effect.mapError((error) =>
            error._tag === "Contradiction"
              ? new Contradicted({ message: error.message })
              : new NotWritten({ message: error.reason._tag })
          )
        ),
        drift: () => market.drift.departures,
        release: Effect.fnUntraced(function* ({ payload }) {
          const events = yield* written((state, at) => released(state, payload.target, payload, at))
          return events.flatMap((event) => (event._tag === "Released" ? [event.intent] : []))
        }),
        take: Effect.fnUntraced(function* ({ payload }) {
          const [event] = yield* written((state, at) => taken(state, payload, at))
          return event?._tag === "LedgerAdjusted" ? event.difference : zero
        }),
        confirmations: () => Effect.mapError(market.confirmations, notAnswered),
        settle: ({ payload }) =>
          settleByHand(payload.id, payload.op, payload.who).pipe(
            Effect.provideService(Market, market),
            Effect.provideService(Journal, journal),
            Effect.mapError((error) => {
              if (error._tag === "MarketError") return notAnswered(error)
              return error._tag === "StoreError"
                ? new NotWritten({ message: error.reason._tag })
                : new Contradicted({ message: error.message })
            })
          )
      })
    })
  )

/** Writes what a word makes of the state. */
const writtenTo =
  (journal: Journal["Service"]) =>
  (event: (state: State, at: Millis) => Result.Result<ReadonlyArray<Event>, string>) =>
    Effect.gen(function* () {
      const made = event(yield* journal.state, yield* marketNow)
      const events = yield* Effect.fromResult(
        Result.mapError(made, (message) => new Contradicted({ message }))
      )
      yield* Effect.mapError(journal.append(events), ({ reason }) => new NotWritten({ message: reason._tag }))
      return events
    })

const notAnswered = ({ message }: MarketError) => new NotAnswered({ message })

/** Serves until the scope ends; returns the address, which is also written beside the database together with the key. */
export const serveControl = Effect.fn("ControlServer.serve")(function* (database: string, lent: Lent) {
  const key = yield* newKey
  const scope = yield* Scope.Scope
  const routes = HttpApiBuilder.layer(ControlApi).pipe(
    Layer.provide(handlersOf(lent)),
    Layer.provide(NodeHttpServer.layerHttpServices)
  )
  const router = yield* HttpRouter.toHttpEffect(routes)
  const guarded = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    opens(key, headers["authorization"]) ? router : Effect.succeed(HttpServerResponse.empty({ status: 401 }))
  )
  const server = yield* NodeHttpServer.make(createServer, {
    port: 0,
    host,
    gracefulShutdownTimeout: farewell
  })
  yield* Scope.provide(
    Effect.provideService(HttpServer.serveEffect(guarded), HttpServer.HttpServer, server),
    scope
  )
  const url = `http://${host}:${"port" in server.address ? server.address.port : 0}`
  yield* hang(database, { url, key, pid })
  return url
})
