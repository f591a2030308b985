/** Listings bought outright on the embedded market: the engine, the adapter and the exchange as they run, the strategy by hand. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { HttpClient } from "effect/http"

import { layer as virtualClock, VirtualClock } from "../../src/clock/VirtualClock.ts"
import { noLimits, type Reason } from "../../src/domain/Decision.ts"
import { type Item, item, itemKey } from "../../src/domain/Item.ts"
import { totalOf } from "../../src/domain/Offer.ts"
import { units } from "../../src/domain/Position.ts"
import { positionOf } from "../../src/domain/State.ts"
import { defaultOptions } from "../../src/engine/Desk.ts"
import { start } from "../../src/engine/Loop.ts"
import { Exchange, type ExchangeOptions, layer as exchange } from "../../src/exchange/Exchange.ts"
import { Hold } from "../../src/exchange/Hold.ts"
import { layerInProcess } from "../../src/exchange/Server.ts"
import { settings } from "../../src/market/MarketConfig.ts"
import { defaultQuotas } from "../../src/market/Quotas.ts"
import { layerMemory as ledgerMemory } from "../../src/market/RateLedger.ts"
import { layerOf as sessionOf } from "../../src/market/Session.ts"
import type { CompiledStrategy } from "../../src/rules/Strategies.ts"
import { layerOf } from "../../src/rules/StrategiesYaml.ts"
import { universeOf } from "../../src/rules/Universe.ts"
import { Store } from "../../src/store/Store.ts"
import { layerMemory } from "../../src/store/StoreMemory.ts"
import { engine } from "../../src/Wiring.ts"

const startAtMillis = 1_767_571_200_000
const wearProperty = 2
const origin = { strategy: "sniper", revision: "00112233", rule: "snipe" }
const reason: Reason = { origin, because: "little wear", saw: {} }

/** Buys the cheapest listings with so little wear until `stock` are held. */
const sniper = (of: Item, wear: number, stock: number): CompiledStrategy => ({
  name: origin.strategy,
  file: "sniper.yaml",
  revision: origin.revision,
  description: "",
  mode: "inherit",
  onRemove: "cancel",
  rules: [],
  params: [],
  withParams: () => Result.fail([]),
  universe: universeOf(of),
  priority: 0,
  reads: new Map([
    ["book", 90_000],
    ["offers", 60_000]
  ]),
  limits: noLimits,
  protections: [],
  evaluate: (facts) => {
    const offers = facts.offers._tag === "Seen" && facts.position.units < stock ? facts.offers.value : []
    const good = offers.filter(({ properties }) => Number(properties.get(wearProperty)) <= wear)
    return {
      held: new Map(),
      decision: {
        strategy: origin.strategy,
        revision: origin.revision,
        item: facts.item,
        at: facts.now,
        verdicts: [],
        bid: undefined,
        ask: undefined,
        trace: () => [],
        buys: good.map((offer) => ({ _tag: "Buy", offer, limit: totalOf(offer), reason })),
        signals: [],
        limits: noLimits,
        yields: []
      }
    }
  }
})

/** Travels to the exchange and back; the answer to the first purchase is lost where the test says so. */
const lineTo = (losesFirst: boolean) =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => {
      let purchases = 0
      return HttpClient.transformResponse(client, (answer) =>
        Effect.flatMap(Effect.andThen(Effect.sleep(60), answer), (response) =>
          response.request.url.includes("/buylisting/") && ++purchases === 1 && losesFirst
            ? Effect.never
            : Effect.as(Effect.sleep(60), response)
        )
      )
    })
  ).pipe(
    Layer.provide(layerInProcess),
    Layer.provide(
      Layer.effect(
        Hold,
        Effect.map(VirtualClock, ({ held }) => held)
      )
    )
  )

const played = Effect.fnUntraced(function* (losesFirst: boolean, stock: number) {
  const { accounts, truth, world } = yield* Exchange
  const [account] = accounts
  const target = (yield* world).items.find(
    ({ asks, of }) =>
      !of.commodity && of.tags["Exterior"] !== undefined && asks.length > 8 && (asks[0]?.price ?? 0) < 50_000
  )
  if (account === undefined || target === undefined) return yield* Effect.die(new Error("nothing to snipe"))
  const of = item(target.of.app, target.of.name)
  const stamp = { account: account.accountId, mode: "embedded", market: "snipe" } as const
  const market = settings({ baseUrl: "http://embedded.invalid" })
  return yield* Effect.scoped(
    Effect.gen(function* () {
      yield* start(defaultOptions, "embedded")
      yield* Effect.sleep("20 minutes")
      const store = yield* Store
      const state = yield* store.state
      return {
        state,
        key: itemKey(of),
        events: (yield* store.journal({})).map(({ event }) => event),
        truth: yield* truth(0)
      }
    })
  ).pipe(
    Effect.provide(
      engine({ market, quotas: defaultQuotas }, layerOf([sniper(of, 1, stock)])).pipe(
        Layer.provideMerge(layerMemory(stamp)),
        Layer.provide(sessionOf(account)),
        Layer.provide(ledgerMemory()),
        Layer.provide(lineTo(losesFirst))
      )
    )
  )
})

const play = (
  options: Partial<ExchangeOptions>,
  { losesFirst = false, stock = 2 }: { readonly losesFirst?: boolean; readonly stock?: number } = {}
) =>
  played(losesFirst, stock).pipe(
    Effect.provide(
      Layer.provideMerge(
        exchange({ seed: 3, startAtMillis, balance: 200_000, ...options }),
        virtualClock({ startAtMillis })
      )
    )
  )

type Played = Effect.Success<ReturnType<typeof play>>

/** Both sides agree on the units and on the money, and nothing is on its way. */
const isEven = ({ key, state, truth }: Played, stock: number): void => {
  assert.deepStrictEqual(state.buys, {})
  assert.strictEqual(units(positionOf(state, key)), stock)
  assert.strictEqual(truth.units.get(key), stock)
  assert.strictEqual(state.ledger, truth.balance)
}

const tagsOf = ({ events }: Played): ReadonlyArray<string> =>
  events.flatMap(({ _tag }) =>
    /^(?:IntentRecorded|Sent|Pended|Confirming|Confirmed|Accepted|OutcomeUnknown|Settled|Filled|BuyClosed)$/.test(
      _tag
    )
      ? [_tag]
      : []
  )

describe("buying listings outright", () => {
  it.live(
    "buys the listing that the rule meant, books it to its intent, and stops when the rule has enough",
    () =>
      Effect.gen(function* () {
        const run = yield* play({})
        isEven(run, 2)
        const one = ["IntentRecorded", "Sent", "Accepted", "Filled", "BuyClosed"]
        assert.deepStrictEqual(tagsOf(run), [...one, ...one])
        const meant = run.events.flatMap((event) =>
          event._tag === "IntentRecorded" && event.intent._tag === "BuyListing" ? [event.intent] : []
        )
        const filled = run.events.flatMap((event) => (event._tag === "Filled" ? [event] : []))
        assert.deepStrictEqual(
          filled.map(({ fill, intent }) => [intent, fill.listing, fill.amount]),
          meant.map((intent) => [intent.id, intent.listing, totalOf(intent)])
        )
      })
  )

  it.live("allows the confirmation that the market asks for, and posts the same form once more", () =>
    Effect.gen(function* () {
      const run = yield* play({ confirmPurchases: true }, { stock: 1 })
      isEven(run, 1)
      assert.deepStrictEqual(tagsOf(run), [
        "IntentRecorded",
        "Sent",
        "Pended",
        "Confirming",
        "Confirmed",
        "Accepted",
        "Filled",
        "BuyClosed"
      ])
    })
  )

  it.live("buys nothing twice when the answer to a purchase that happened is lost", () =>
    Effect.gen(function* () {
      const run = yield* play({}, { losesFirst: true, stock: 1 })
      isEven(run, 1)
      assert.deepStrictEqual(tagsOf(run), [
        "IntentRecorded",
        "Sent",
        "OutcomeUnknown",
        "Filled",
        "Settled",
        "BuyClosed"
      ])
    })
  )
})
