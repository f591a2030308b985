/**
 * The embedded market over HTTP: the same handlers behind an HttpClient without a socket, or on a port.
 * Invariants: 1. in process nothing waits for the outside: a request is answered by fibers of this process alone. 2. both shells carry
 * out the same faults; a lost answer is a reset connection on either. 3. the market may be asked as a proxy: `GET http://any.host/market/…`.
 */

import { createServer } from "node:http"

import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, FileSystem, Layer, Path, Schema, Scope } from "effect"
import {
  Etag,
  HttpClient,
  HttpClientError,
  type HttpClientRequest,
  HttpPlatform,
  HttpRouter,
  HttpServer,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

import { MarketApi } from "../market/contract/MarketApi.ts"
import { throughDoor } from "./Door.ts"
import { Exchange } from "./Exchange.ts"
import { Faults } from "./Faults.ts"
import { withFormBytes } from "./FormBytes.ts"
import { AccountHandlers } from "./handlers/AccountHandlers.ts"
import { ConfirmationsHandlers } from "./handlers/ConfirmationsHandlers.ts"
import { DiscoveryHandlers } from "./handlers/DiscoveryHandlers.ts"
import { ListingsHandlers } from "./handlers/ListingsHandlers.ts"
import { MutationsHandlers } from "./handlers/MutationsHandlers.ts"
import { PricingHandlers } from "./handlers/PricingHandlers.ts"
import { Hold } from "./Hold.ts"
import { MultiOperation } from "./MultiOperation.ts"

/** The port is taken, or may not be used. */
export class ServeError extends Schema.TaggedError<ServeError>()("ServeError", {
  port: Schema.Int,
  detail: Schema.String
}) {
  override get message(): string {
    return `cannot serve on port ${this.port}: ${this.detail}; choose another one, 0 picks a free one`
  }
}

/**
 * Reading a multipart form opens a folder for its files. No form of this market has any, and a real folder would let virtual time run
 * while the disk answers; so there is none, and a file in a form fails.
 */
const noFiles = FileSystem.layerNoop({ makeTempDirectoryScoped: () => Effect.succeed("/") })

const httpServices = Layer.mergeAll(HttpPlatform.layer, Path.layer, Etag.layerWeak).pipe(
  Layer.provideMerge(noFiles)
)

const Routes = Layer.mergeAll(
  HttpApiBuilder.layer(MarketApi).pipe(
    Layer.provide([
      DiscoveryHandlers,
      ListingsHandlers,
      PricingHandlers,
      AccountHandlers,
      MutationsHandlers,
      ConfirmationsHandlers
    ])
  ),
  MultiOperation
).pipe(Layer.provide(httpServices))

/** The whole market as one effect per request; it fails only where the connection breaks. */
const makeHandler = Effect.map(
  Effect.all([Effect.service(Exchange), HttpRouter.toHttpEffect(Routes)]),
  ([exchange, router]) => throughDoor(router, exchange)
)

const reset = (request: HttpClientRequest.HttpClientRequest) =>
  new HttpClientError.HttpClientError({
    reason: new HttpClientError.TransportError({
      request,
      cause: Object.assign(new Error("socket hang up"), { code: "ECONNRESET" })
    })
  })

/** An HttpClient whose every request is answered by the exchange, whatever host it names; it honours `Faults` and `Hold`. */
export const layerInProcess: Layer.Layer<HttpClient.HttpClient, never, Exchange> = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function* () {
    const handler = yield* makeHandler
    const [faults, hold] = [yield* Faults, yield* Hold]
    return HttpClient.make((request) =>
      Effect.gen(function* () {
        const asked = HttpServerRequest.fromClientRequest(withFormBytes(request))
        const response = yield* handler.pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, asked),
          Effect.provideService(Faults, faults),
          Effect.provideService(Hold, hold),
          Effect.scoped,
          Effect.catchTag("Lost", () => Effect.fail(reset(request)))
        )
        return HttpServerResponse.toClientResponse(response, { request })
      })
    )
  })
)

interface Serving {
  readonly url: string
  readonly port: number
}

/** Breaks the connection; the fiber of the request ends with it. */
const hangUp = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
  Effect.andThen(
    Effect.sync(() => NodeHttpServerRequest.toIncomingMessage(request).socket?.destroy()),
    Effect.interrupt
  )
)

/** Serves on a port of the loopback (or the given host) until the scope ends; port 0 picks a free one; it honours `Faults`. */
export const serve = Effect.fn("Server.serve")(function* (options: {
  readonly port: number
  readonly host?: string
}) {
  const host = options.host ?? "127.0.0.1"
  const handler = Effect.catchTag(yield* makeHandler, "Lost", () => hangUp)
  const scope = yield* Scope.Scope
  const server = yield* NodeHttpServer.make(createServer, { port: options.port, host }).pipe(
    Effect.mapError(({ cause }) => new ServeError({ port: options.port, detail: detailOf(cause) }))
  )
  yield* Scope.provide(
    Effect.provideService(HttpServer.serveEffect(handler), HttpServer.HttpServer, server),
    scope
  )
  const { address } = server
  const port = "port" in address ? address.port : options.port
  return { url: `http://${host}:${port}`, port } satisfies Serving
})

const detailOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE" ? "it is in use" : String(cause)
