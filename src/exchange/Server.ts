/**
 * The embedded market over HTTP: the same handlers behind an HttpClient without a socket, or on a port.
 * Invariants: 1. every answer carries the market's time in its Date header. 2. field names are those of the configured platform.
 * 3. in process nothing waits for the outside: a request is answered by fibers of this process alone.
 */

import { createServer } from "node:http"

import { NodeHttpServer } from "@effect/platform-node"
import { type Cause, DateTime, Effect, FileSystem, Layer, Option, Path, Schema, Scope } from "effect"
import {
  Etag,
  HttpBody,
  HttpClient,
  HttpPlatform,
  HttpRouter,
  HttpServer,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

import { parseJson } from "../market/contract/Json.ts"
import { MarketApi } from "../market/contract/MarketApi.ts"
import { namesOf } from "../market/contract/Platform.ts"
import { Exchange } from "./Exchange.ts"
import { withFormBytes } from "./FormBytes.ts"
import { AccountHandlers } from "./handlers/AccountHandlers.ts"
import { ConfirmationsHandlers } from "./handlers/ConfirmationsHandlers.ts"
import { ListingsHandlers } from "./handlers/ListingsHandlers.ts"
import { MutationsHandlers } from "./handlers/MutationsHandlers.ts"
import { PricingHandlers } from "./handlers/PricingHandlers.ts"

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

const Routes = HttpApiBuilder.layer(MarketApi).pipe(
  Layer.provide([
    ListingsHandlers,
    PricingHandlers,
    AccountHandlers,
    MutationsHandlers,
    ConfirmationsHandlers
  ]),
  Layer.provide(httpServices)
)

/** The date as HTTP writes it. */
const httpDate = (millis: number): string => DateTime.toDateUtc(DateTime.makeUnsafe(millis)).toUTCString()

/** JSON bodies with the platform's own field names. */
const renamed = (
  response: HttpServerResponse.HttpServerResponse,
  platformName: string
): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  if (body._tag !== "Uint8Array" || !body.contentType.startsWith("application/json")) return response
  const parsed = parseJson(new TextDecoder().decode(body.body))
  if (Option.isNone(parsed)) return response
  const text = JSON.stringify(namesOf(platformName).theirs(parsed.value))
  return HttpServerResponse.setBody(response, HttpBody.text(text, body.contentType))
}

const defaultName = namesOf("platform").word

/** An answer for everything that a route did not answer; a fault of our own is logged, the client sees a 500. */
const answered = Effect.catchCause((cause: Cause.Cause<unknown>) =>
  Effect.flatMap(HttpServerError.causeResponse(cause), ([response]) =>
    response.status < 500
      ? Effect.succeed(response)
      : Effect.as(Effect.logError("a handler failed", cause), response)
  )
)

const stamped = (exchange: Exchange["Service"], response: HttpServerResponse.HttpServerResponse) =>
  Effect.map(
    Effect.orElseSucceed(exchange.world, () => undefined),
    (world) => {
      const dated =
        world === undefined ? response : HttpServerResponse.setHeader(response, "date", httpDate(world.now))
      return exchange.platformName === defaultName ? dated : renamed(dated, exchange.platformName)
    }
  )

/** The whole market as one effect per request, which never fails. */
const makeHandler = Effect.map(
  Effect.all([Effect.service(Exchange), HttpRouter.toHttpEffect(Routes)]),
  ([exchange, router]) =>
    router.pipe(
      answered,
      Effect.flatMap((response) => stamped(exchange, response)),
      Effect.provideService(Exchange, exchange)
    )
)

/** An HttpClient whose every request is answered by the exchange, whatever host it names. */
export const layerInProcess: Layer.Layer<HttpClient.HttpClient, never, Exchange> = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function* () {
    const handler = yield* makeHandler
    return HttpClient.make((request) =>
      Effect.gen(function* () {
        const asked = HttpServerRequest.fromClientRequest(withFormBytes(request))
        const response = yield* Effect.scoped(
          Effect.provideService(handler, HttpServerRequest.HttpServerRequest, asked)
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

/** Serves on a port of the loopback (or the given host) until the scope ends; port 0 picks a free one. */
export const serve = Effect.fn("Server.serve")(function* (options: {
  readonly port: number
  readonly host?: string
}) {
  const host = options.host ?? "127.0.0.1"
  const handler = yield* makeHandler
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
