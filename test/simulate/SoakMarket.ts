/** The exchange of a soak, in a process of its own so that it does not weigh on the daemon's: answers messages at the time they name. */
// oxlint-disable-next-line import/no-unassigned-import
import "effect/schema/SchemaJITCompiler/enable"
import process from "node:process"

import { Clock, Effect, Layer, ManagedRuntime } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"

import { Exchange, layer as exchangeLayer } from "../../src/exchange/Exchange.ts"
import { layerInProcess } from "../../src/exchange/Server.ts"

export interface Asked {
  readonly id: number
  /** Market time, milliseconds. */
  readonly now: number
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface Answered {
  readonly id: number
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Opened {
  readonly account: Exchange["Service"]["accounts"][number]
  readonly items: Exchange["Service"]["items"]
}

/** Market time of the request that is being answered. */
let now = Number(process.argv[2])

const clock: Clock.Clock = {
  currentTimeMillisUnsafe: () => now,
  currentTimeNanosUnsafe: () => BigInt(Math.round(now)) * 1_000_000n,
  monotonicTimeNanosUnsafe: () => BigInt(Math.round(now)) * 1_000_000n,
  currentTimeMillis: Effect.sync(() => now),
  currentTimeNanos: Effect.sync(() => BigInt(Math.round(now)) * 1_000_000n),
  monotonicTimeNanos: Effect.sync(() => BigInt(Math.round(now)) * 1_000_000n),
  sleep: () => Effect.void
}

const layers = layerInProcess.pipe(
  Layer.provideMerge(exchangeLayer({ seed: 1, startAtMillis: now, balance: 100_000 })),
  Layer.provideMerge(Layer.succeed(Clock.Clock, clock))
)
const runtime = ManagedRuntime.make(layers)

const answer = Effect.fnUntraced(function* ({ body, headers, id, method, url }: Asked) {
  const client = yield* HttpClient.HttpClient
  const bare = HttpClientRequest.make(method)(url).pipe(HttpClientRequest.setHeaders(headers))
  const request =
    body === undefined
      ? bare
      : HttpClientRequest.bodyText(bare, body, headers["content-type"] ?? "application/x-www-form-urlencoded")
  const response = yield* client.execute(request)
  const answered: Answered = {
    id,
    status: response.status,
    headers: { ...response.headers },
    body: yield* response.text
  }
  return answered
})

const send = (message: Answered | Opened): void => {
  process.send?.(message)
}

process.on("message", (asked: Asked) => {
  now = Math.max(now, asked.now)
  void runtime.runPromise(answer(asked)).then(send)
})
void runtime
  .runPromise(
    Effect.map(Exchange, ({ accounts: [account], items }) =>
      account === undefined ? undefined : { account, items }
    )
  )
  .then((opened) => opened === undefined || send(opened))
