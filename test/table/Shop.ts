/** One market on a socket of the loopback and the real client in front of it, for the table of the thirty operations. */
import { NodeHttpClient } from "@effect/platform-node"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

import { type Operation, operations } from "../../src/domain/Operation.ts"
import { Exchange, type ExchangeOptions, layer as exchangeLayer } from "../../src/exchange/Exchange.ts"
import { FaultPlayer, Faults } from "../../src/exchange/Faults.ts"
import { type FaultPlan, type FaultRule } from "../../src/exchange/FaultsPlan.ts"
import { emptyMemory, type JournalError, type Memory } from "../../src/exchange/Journal.ts"
import { serve } from "../../src/exchange/Server.ts"
import { type World } from "../../src/exchange/World.ts"
import { call, type CallInput, type CallRefused, type CallResult } from "../../src/market/Call.ts"
import { layer as httpLayer, type NoAnswer } from "../../src/market/Http.ts"
import { MarketConfig, settings } from "../../src/market/MarketConfig.ts"
import { layerAlone as limiterLayer } from "../../src/market/RateLimiter.ts"
import { layerOf as sessionLayer, type SessionFields } from "../../src/market/Session.ts"
import { layer as signerLayer } from "../../src/market/Signer.ts"
import { startAt } from "../exchange/Fixture.ts"

export const glove = "Glove Case"
export const app = 730

/** How a call differs from the first account's own. */
export interface How {
  /** Index of the account, or nobody. */
  readonly as?: number | "nobody"
  readonly body?: NonNullable<CallInput["body"]>
  readonly accept?: string
}

type Params = Readonly<Record<string, string | number>>

/** Why there is no answer at all. */
export type AskError = CallRefused | NoAnswer | JournalError

export class Shop extends Context.Service<
  Shop,
  {
    readonly exchange: Exchange["Service"]
    readonly faults: FaultPlayer
    /** Calls the operation once through the client; time passes first, because a signature is good once. */
    readonly ask: (operation: Operation, params?: Params, how?: How) => Effect.Effect<CallResult, AskError>
  }
>()("haggle/test/table/Shop") {}

/** The client's own budgets would hide the market's. */
const quotas = operations.map((operation) => ({
  operations: [operation],
  budgets: [{ requests: 1_000_000, windowMillis: 1 }]
}))

const nobody: SessionFields = {
  accountId: "76561197960265728",
  cookies: {},
  sessionid: "0123456789abcdef01234567",
  identitySecret: "GQP46b73Ws7gr8GmZFR0sDuau5c="
}

const make = Effect.gen(function* () {
  const [exchange, faults] = [yield* Exchange, yield* Faults]
  const { url } = yield* serve({ port: 0 })
  const client = yield* Layer.build(NodeHttpClient.layerUndici)
  const ask = Effect.fnUntraced(function* (operation: Operation, params: Params = {}, how: How = {}) {
    const { accept, as = 0, body } = how
    const session = as === "nobody" ? nobody : (exchange.accounts[as] ?? nobody)
    const config = settings({ baseUrl: url, ...(accept === undefined ? {} : { headers: { accept } }) })
    const services = httpLayer.pipe(
      Layer.provideMerge(signerLayer),
      Layer.provideMerge(Layer.succeed(MarketConfig, config)),
      Layer.provide([sessionLayer(session), limiterLayer(quotas), Layer.succeedContext(client)])
    )
    if (operation.startsWith("confirmation")) yield* TestClock.adjust("2 seconds")
    const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
    const input = { operation, params: texts, ...(body === undefined ? {} : { body }) }
    return yield* Effect.provide(call(input), services)
  })
  return Shop.of({ exchange, faults, ask })
})

export interface Opening {
  readonly faults?: ReadonlyArray<FaultRule>
  readonly options?: Partial<ExchangeOptions>
  /** A change to the world before it opens. */
  readonly world?: (world: World) => World
}

const optionsOf = (change: Partial<ExchangeOptions> = {}): ExchangeOptions => ({
  seed: 11,
  startAtMillis: startAt,
  firstAccountHasItems: true,
  ...change
})

/** Opening a market takes a while; with a changed world it is opened twice, the second time from the first one's journal. */
const remembered = Effect.fnUntraced(function* (options: ExchangeOptions, change: (world: World) => World) {
  const memory: Memory = emptyMemory()
  yield* Effect.scoped(Layer.build(Layer.fresh(exchangeLayer({ ...options, memory }))))
  const { snapshot } = memory
  if (snapshot === undefined) return yield* Effect.die("a market that kept nothing")
  memory.snapshot = { ...snapshot, world: change(snapshot.world) }
  return { ...options, memory }
})

/** Runs against a market of its own. */
export const inShop = <A, E>(effect: Effect.Effect<A, E, Shop>, opening: Opening = {}) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(startAt)
    const plan: FaultPlan = { faults: opening.faults ?? [] }
    const given = optionsOf(opening.options)
    const options = opening.world === undefined ? given : yield* remembered(given, opening.world)
    const shop = Layer.effect(Shop, make).pipe(
      Layer.provide(Layer.succeed(Faults, new FaultPlayer(plan))),
      Layer.provide(Layer.fresh(exchangeLayer(options)))
    )
    return yield* Effect.provide(effect, shop)
  }).pipe(Effect.scoped)

/** A market on which nobody trades: empty books, no background. */
export const nothingOffered = (world: World): World => ({
  ...world,
  items: world.items.map((item) => Object.assign({}, item, { bids: [], asks: [], ...still }))
})

const still = { nextStepAt: Infinity, nextOrderAt: Infinity } as const

/** The item without orders, sales and traders. */
export const withoutTrade =
  (name = glove) =>
  (world: World): World => ({
    ...world,
    items: world.items.map((item) =>
      item.of.name === name
        ? Object.assign({}, item, {
            bids: [],
            asks: [],
            hourly: [],
            daily: [],
            activity: [],
            hour: { at: item.hour.at, trades: [] },
            ...still
          })
        : item
    )
  })

export const ask = (operation: Operation, params?: Params, how?: How) =>
  Effect.flatMap(Shop, (shop) => shop.ask(operation, params, how))

/** The answer's body, as loosely as the tests of the table need it. */
// eslint-disable-next-line typescript/no-explicit-any -- the contract has decoded it; rows look at single fields
export const bodyOf = ({ value }: CallResult): any => value
