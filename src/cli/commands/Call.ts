/**
 * `haggle call OPERATION`: sends one request and prints the decoded answer on stdout; what it was is told on stderr.
 * Exit code: 0 when the market said yes (also `null`, its way to say "nothing"), 1 when it said no, 5 when it said nothing in time.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Clock, Console, Effect, Layer, Option, Redacted } from "effect"

import { type Operation, operations } from "../../domain/Operation.ts"
import { call, type CallResult } from "../../market/Call.ts"
import { parseJson, type Json } from "../../market/contract/Json.ts"
import { type OperationInfo, operationInfo } from "../../market/contract/Operations.ts"
import type { Parameter } from "../../market/contract/Parameter.ts"
import { layer as httpLayer, type NoAnswer } from "../../market/Http.ts"
import { MarketConfig } from "../../market/MarketConfig.ts"
import { Session, type SessionValue } from "../../market/Session.ts"
import { layer as signerLayer } from "../../market/Signer.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { marketOptions } from "../config/Options.ts"
import { cliError, failed, Reported, timedOut } from "../Exit.ts"
import { limiterFor, marketUrl } from "../run/LiveMarket.ts"
import { table } from "../text/Table.ts"
import { layerSession, type SessionFlags } from "./CallSession.ts"
import { covered } from "./ContractCheck.ts"

export interface CallFlags extends SessionFlags {
  readonly json: boolean
  readonly list: boolean
  readonly operation: Option.Option<Operation>
  readonly param: Readonly<Record<string, string>>
  readonly body: Option.Option<string>
}

/** Bodies in which there is no answer to the question. */
const useless: ReadonlySet<string> = new Set(["rate-limited", "not-json", "differs", "empty"])

const saidYes = ({ shape, status, value }: CallResult, { shapes }: OperationInfo): boolean => {
  const meaning = shapes[shape]?.meaning
  if (meaning !== undefined) return meaning !== "failure"
  if (shape === "redirect" && typeof value === "string" && /\/login|lostauth/.test(value)) return false
  return !useless.has(shape) && status < 400
}

const noAnswer = ({ detail, noPermit, sent, timedOut: late }: NoAnswer) => {
  if (noPermit === true)
    return cliError(
      failed,
      `not sent: ${detail}`,
      "wait, or stop what else asks this market; market.budgets holds the limits"
    )
  const doubt = sent ? "; whether it had an effect is unknown" : ""
  return late
    ? cliError(timedOut, `no answer in time: ${detail}${doubt}`, "try a read again, or raise market.timeout")
    : cliError(failed, `the market cannot be reached: ${detail}${doubt}`, "check the address after --url")
}

const bodyOf = (body: Option.Option<string>) =>
  Effect.gen(function* () {
    if (Option.isNone(body)) return undefined
    const parsed = parseJson(body.value)
    return Option.isSome(parsed) && isObject(parsed.value)
      ? parsed.value
      : yield* cliError(
          failed,
          "--body is neither a JSON object nor an array of one",
          `write --body '{"name": "value"}'`
        )
  })

const isObject = (value: Json): boolean =>
  typeof value === "object" && value !== null && (!Array.isArray(value) || value.length === 1)

/** Shorter values stand in texts by chance. */
const shortestSecret = 8

/** Takes the session's own values out of a text: the market's pages repeat them, and what is printed is pasted into reports. */
const withoutSession =
  ({ cookies, identitySecret, sessionid }: SessionValue) =>
  (text: string): string => {
    const tokens = Object.values(Redacted.value(cookies)).flatMap((cookie) => [
      cookie,
      cookie.split("%7C%7C").at(-1) ?? ""
    ])
    const secrets = [...tokens, Redacted.value(sessionid)].concat(
      identitySecret === undefined ? [] : Redacted.value(identitySecret)
    )
    return secrets
      .filter(({ length }) => length >= shortestSecret)
      .reduce((left, secret) => left.replaceAll(secret, "<redacted>"), text)
  }

const print = (result: CallResult, flags: CallFlags, masked: (text: string) => string) =>
  Effect.gen(function* () {
    yield* Console.error(`haggle: ${result.operation} answered HTTP ${result.status}, ${result.shape}`)
    for (const { message, path } of result.differences)
      yield* Console.error(`  ${path === "" ? "(the body)" : path}: ${message}`)
    if (result.shape === "differs") return
    const { value } = result
    const text = flags.json
      ? JSON.stringify(value)
      : typeof value === "string"
        ? value
        : JSON.stringify(value, undefined, 2)
    yield* Console.log(masked(text))
  })

/** A signature is good once per second and tag: a call that begins on a new second never repeats that of the call before it. */
const nextSecond = Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.sleep(1_000 - (now % 1_000)))

const send = Effect.fnUntraced(function* (flags: CallFlags, operation: Operation, config: ResolvedConfig) {
  const { settings } = config
  const info = yield* covered(operation)
  const url = yield* marketUrl(settings)
  const body = yield* bodyOf(flags.body)
  const needed = info.parameters.some(({ filledIn }) => filledIn !== undefined)
  if (info.parameters.some(({ filledIn }) => filledIn === "signature")) yield* nextSecond
  const services = httpLayer.pipe(
    Layer.provideMerge(signerLayer),
    Layer.provideMerge(Layer.succeed(MarketConfig, marketOptions(settings, url))),
    Layer.provide(yield* limiterFor(settings, url)),
    Layer.provideMerge(layerSession(flags, config, needed)),
    Layer.provide(NodeHttpClient.layerUndici)
  )
  const asked = call({ operation, params: flags.param, ...(body === undefined ? {} : { body }) })
  const { masked, result } = yield* Effect.gen(function* () {
    const session = yield* Session
    return { result: yield* asked, masked: withoutSession(yield* session.current) }
  }).pipe(
    // a command is an entry point
    Effect.provide(services),
    Effect.catchTag("NoAnswer", (error) => Effect.fail(noAnswer(error)))
  )
  yield* print(result, flags, masked)
  if (!saidYes(result, info)) return yield* new Reported({ exitCode: failed })
})

/** What a caller must give; the rest is counted, `--json` names it. */
const takes = (parameters: ReadonlyArray<Parameter>): string => {
  const open = parameters.filter(({ filledIn, values }) => filledIn === undefined && values.length !== 1)
  const needed = open.filter(({ required }) => required).map(({ name }) => name)
  const more = open.length - needed.length
  return [...needed, ...(more === 0 ? [] : [`[${more} more]`])].join(" ")
}

const listed = operations.map((operation) => ({ operation, info: operationInfo(operation) }))

const listAsData = listed.map(({ info, operation }) =>
  info === undefined
    ? { operation, covered: false }
    : {
        operation,
        covered: true,
        method: info.method,
        path: info.path,
        mutation: info.mutation,
        purpose: info.purpose,
        parameters: info.parameters
      }
)

const listAsText = () =>
  table<(typeof listed)[number]>(
    [
      { title: "OPERATION", cell: (row) => row.operation },
      { title: "REQUEST", cell: ({ info }) => (info === undefined ? "" : `${info.method} ${info.path}`) },
      { title: "PARAMETERS", cell: ({ info }) => takes(info?.parameters ?? []) },
      { title: "", cell: ({ info }) => info?.purpose ?? "not covered by this version" }
    ],
    listed,
    ""
  )

export const run = Effect.fn("cli.call")(function* (flags: CallFlags, config: ResolvedConfig) {
  if (flags.list)
    return yield* Console.log(flags.json ? JSON.stringify({ operations: listAsData }) : listAsText())
  if (Option.isNone(flags.operation))
    return yield* cliError(failed, "which operation?", "`haggle call --list` lists the thirty")
  yield* send(flags, flags.operation.value, config)
})
