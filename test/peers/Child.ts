/**
 * Drives one peer in a process of its own, behind the guard, and prints a verdict per line as JSON.
 * Invariant: an expectation that takes too long is not met, and the next one is tried.
 */
import process from "node:process"
import { clearTimeout, setTimeout } from "node:timers"

import { peers } from "./Clients.ts"
import { asError, nameOf, stageOf, type Verdict } from "./Peer.ts"

const longestMillis = 60_000

const timely = <A>(work: Promise<A>): Promise<A> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error("no answer within a minute")), longestMillis)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

const short = (text: string): string => text.replace(/\s+/g, " ").slice(0, 300)

const { folder, greeting, name, proxy } = JSON.parse(process.env["PEER_TASK"] ?? "{}")
const peer = peers.find((peer) => nameOf(peer) === name)
if (peer === undefined) throw new Error(`there is no peer ${name}`)

// some clients leave promises without a handler; their expectations say what matters
process.on("unhandledRejection", (cause) =>
  process.stderr.write(`unhandled: ${short(asError(cause).message)}\n`)
)
process.on("uncaughtException", (cause) =>
  process.stderr.write(`uncaught: ${short(cause.stack ?? cause.message)}\n`)
)

for (const { beyond, check, expects, operation } of await peer.expectations(
  stageOf(greeting, folder, proxy)
)) {
  process.stdout.write(`${JSON.stringify({ mark: operation })}\n`)
  const [met, told] = await timely(check()).then(
    (told) => [true, told] as const,
    (cause: unknown) => [false, short(asError(cause).message)] as const
  )
  const verdict: Verdict = {
    client: nameOf(peer),
    operation,
    expects,
    met,
    ...(told === undefined ? {} : { told }),
    ...(beyond === undefined ? {} : { beyond })
  }
  process.stdout.write(`${JSON.stringify({ verdict })}\n`)
}
process.exit(0)
