/**
 * The exchange of a soak behind a socket, in another process than the daemon's so that it does not weigh on it. Every request names its
 * market time, so the exchange needs no clock of its own.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"

import { Clock, Effect, Layer } from "effect"
import { HttpClient, HttpClientRequest, type HttpMethod } from "effect/http"

import { catalogue } from "../../src/exchange/Catalogue.ts"
import { Exchange, layer as exchangeLayer } from "../../src/exchange/Exchange.ts"
import { layerInProcess } from "../../src/exchange/Server.ts"
import { startAtMillis } from "./Daemon.ts"
import { timeHeader } from "./SoakWords.ts"

const host = "127.0.0.1"
/** Of each account's wallet, minor units. */
const balance = 100_000
/** The items that the soak trades cost less than this, minor units. */
const tradableBelow = 2_000

/** Market time of the request that is being answered; it never goes back. */
const movedClock = (): { readonly clock: Clock.Clock; readonly moveTo: (millis: number) => void } => {
  let now = startAtMillis
  const nanos = () => BigInt(now) * 1_000_000n
  return {
    moveTo: (millis) => {
      now = Math.max(now, Math.round(millis))
    },
    clock: {
      currentTimeMillisUnsafe: () => now,
      currentTimeNanosUnsafe: nanos,
      monotonicTimeNanosUnsafe: nanos,
      currentTimeMillis: Effect.sync(() => now),
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanos: Effect.sync(nanos),
      sleep: () => Effect.void
    }
  }
}

/** Of one connection, the node server says these itself. */
const ofTheConnection = new Set(["connection", "content-length", "keep-alive", "transfer-encoding"])

const asked = (request: IncomingMessage, body: Buffer): HttpClientRequest.HttpClientRequest => {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === "string" && !ofTheConnection.has(name) && name !== "host" ? [[name, value]] : []
  )
  const bare = HttpClientRequest.make(request.method as HttpMethod.HttpMethod)(
    `http://${host}${realNames(request.url ?? "/")}`
  ).pipe(HttpClientRequest.setHeaders(Object.fromEntries(headers)))
  return body.length === 0
    ? bare
    : HttpClientRequest.bodyUint8Array(
        bare,
        body,
        request.headers["content-type"] ?? "application/x-www-form-urlencoded"
      )
}

/** The embedded market has some hundred items: more are the same under other names, which are read and never traded. */
const alias = " ~ "
const realNames = (url: string): string => url.replaceAll(/(?:\+|%20)(?:~|%7E)(?:\+|%20)\d+/gi, "")

const aliases = (app: number, count: number): ReadonlyArray<string> => {
  const real = catalogue.filter((item) => item.app === app).map(({ name }) => name)
  return Array.from({ length: count }, (_, index) => `${real[index % real.length] ?? ""}${alias}${index}`)
}

/** Serves until the scope ends: its address, an account, names to trade and names to watch, and how often it answered "too fast". */
export const soakMarket = Effect.fnUntraced(function* (options: { app: number; items: number }) {
  const { clock, moveTo } = movedClock()
  const context = yield* Layer.build(
    layerInProcess.pipe(
      Layer.provideMerge(exchangeLayer({ seed: 1, startAtMillis, balance })),
      Layer.provideMerge(Layer.succeed(Clock.Clock, clock))
    )
  )
  const counts = { requests: 0, tooFast: 0 }
  const answer = Effect.fnUntraced(function* (request: IncomingMessage, response: ServerResponse) {
    const body = yield* Effect.promise(() => buffer(request))
    moveTo(Number(request.headers[timeHeader]))
    const client = yield* HttpClient.HttpClient
    const answered = yield* client.execute(asked(request, body))
    const text = yield* answered.text
    counts.requests++
    if (answered.status === 429) counts.tooFast++
    for (const [name, value] of Object.entries(answered.headers))
      if (!ofTheConnection.has(name)) response.setHeader(name, value)
    response.writeHead(answered.status).end(text)
  })
  const run = Effect.runForkWith(context)
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    run(Effect.catchCause(answer(request, response), () => Effect.sync(() => response.destroy())))
  })
  const port = yield* Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, host, () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    }),
    () =>
      Effect.sync(() => server.closeAllConnections()).pipe(Effect.andThen(Effect.sync(() => server.close())))
  )
  const [account] = yield* Effect.provideContext(
    Effect.map(Exchange, ({ accounts }) => accounts),
    context
  )
  if (account === undefined) return yield* Effect.die("the market has no account")
  const traded = catalogue
    .filter(({ app, commodity, price }) => app === options.app && commodity && price < tradableBelow)
    .map(({ name }) => name)
  const watched = aliases(options.app, Math.max(0, options.items - traded.length))
  return { url: `http://${host}:${port}`, account, traded, watched, counts }
})
