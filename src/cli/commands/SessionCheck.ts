/**
 * `haggle session check`: whose session it is, until when, how far the market's clock is from ours, and whether the market knows us.
 * Exit code: 0 when one can trade with it, 1 when it is over or the market does not know it. Invariant: no secret is printed.
 */
import { Clock, Console, Effect, Redacted } from "effect"

import { Market } from "../../market/Market.ts"
import { Session, type SessionValue } from "../../market/Session.ts"
import { readSession } from "../../market/SessionFile.ts"
import { Signer } from "../../market/Signer.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { failed, Reported } from "../Exit.ts"
import { layerLive } from "../run/LiveMarket.ts"
import { age, moment } from "../text/Format.ts"
import { fields } from "../text/Table.ts"

interface Asked {
  readonly known: boolean | undefined
  readonly why: string | undefined
  readonly offsetMillis: number | undefined
  readonly uncertaintyMillis: number | undefined
}

const notAsked: Asked = {
  known: undefined,
  why: undefined,
  offsetMillis: undefined,
  uncertaintyMillis: undefined
}

/** One read that only the account gets; its Date header tells the market's clock. */
const ask = Effect.gen(function* () {
  const market = yield* Market
  const session = yield* Session
  const signer = yield* Signer
  const answer = yield* Effect.result(market.wallet)
  const offset = yield* signer.offset
  const state = yield* session.state
  const asked: Asked = {
    known:
      answer._tag === "Success" ? true : answer.failure.reason._tag === "SessionExpired" ? false : undefined,
    why:
      answer._tag === "Failure" ? answer.failure.message : state._tag === "Alive" ? undefined : state.signal,
    offsetMillis: offset?.millis,
    uncertaintyMillis: offset?.uncertaintyMillis
  }
  return asked
})

const asData = (file: string, session: SessionValue, now: number, { known, ...asked }: Asked) => ({
  file,
  account: Redacted.value(session.accountId) as string,
  expiresAt: session.expiresAt ?? null,
  isOver: session.expiresAt !== undefined && session.expiresAt <= now,
  canConfirm: session.identitySecret !== undefined,
  known: known ?? null,
  why: asked.why ?? null,
  clockOffsetMillis: asked.offsetMillis ?? null,
  clockUncertaintyMillis: asked.uncertaintyMillis ?? null
})

type Data = ReturnType<typeof asData>

const until = ({ expiresAt, isOver }: Data, now: number): string => {
  if (expiresAt === null) return "not told by its cookie"
  return isOver
    ? `over since ${moment(expiresAt)}, ${age(expiresAt, now)} ago`
    : `until ${moment(expiresAt)}, ${age(now, expiresAt)} from now`
}

const text = (data: Data, now: number): string =>
  fields([
    ["file", data.file],
    ["account", data.account],
    ["valid", until(data, now)],
    [
      "authenticator",
      data.canConfirm
        ? "there"
        : "missing: listings cannot be confirmed; `haggle session import` takes its file"
    ],
    [
      "market",
      data.known === null
        ? (data.why ?? "not asked: market.url is not set")
        : data.known
          ? "knows this session"
          : `does not know this session: ${data.why ?? ""}`
    ],
    [
      "clock",
      data.clockOffsetMillis === null
        ? "not told"
        : `the market's is ${data.clockOffsetMillis} ms from ours, give or take ${data.clockUncertaintyMillis} ms`
    ]
  ])

export const run = Effect.fn("cli.sessionCheck")(function* (
  flags: { readonly json: boolean },
  { settings }: ResolvedConfig
) {
  const { file } = settings.session
  const session = yield* readSession(file)
  const { url } = settings.market
  const asked = url === null ? notAsked : yield* ask.pipe(Effect.provide(layerLive(settings, url, session)))
  const now = yield* Clock.currentTimeMillis
  const data = asData(file, session, now, asked)
  yield* Console.log(flags.json ? JSON.stringify(data) : text(data, now))
  if (data.isOver || data.known === false) return yield* new Reported({ exitCode: failed })
})
