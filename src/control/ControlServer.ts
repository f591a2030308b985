/** The running daemon's side of the control interface: on a free port of the loopback, for whoever has the key. */
import { createServer } from "node:http"
import { pid } from "node:process"

import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Scope } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

import { Control } from "../engine/Control.ts"
import type { Desk } from "../engine/Desk.ts"
import { Journal, marketNow } from "../engine/Journal.ts"
import { Contradicted, ControlApi, NotWritten } from "./ControlApi.ts"
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
      return handlers.handleAll({
        status: Effect.fnUntraced(function* () {
          const state = yield* journal.state
          return {
            pid,
            now: yield* marketNow,
            control: state.control,
            started: lent.desk !== undefined,
            loops: [...(lent.desk?.progress ?? [])].map(([loop, { at, boundMillis }]) => ({
              loop,
              at,
              boundMillis
            }))
          }
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
        )
      })
    })
  )

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
