import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

import { derivedDeviceId } from "../../src/exchange/Accounts.ts"
import { withDefaults, withoutDoubleSlash } from "../../src/exchange/Defaults.ts"
import { Exchange } from "../../src/exchange/Exchange.ts"
import { deviceIdOf } from "../../src/market/DeviceId.ts"
import { get, glove, listingPath, post, rifle, withMarket } from "./Asking.ts"

describe("what clients of others leave out", () => {
  it.effect("is filled in where prices are asked for, and never where it is wrong", () =>
    withMarket(
      Effect.gen(function* () {
        const item = { appid: 730, market_hash_name: glove }
        const whole = { ...item, country: "US", currency: 1 }
        const overview = yield* get("/market/priceoverview/", whole)
        for (const query of [item, { ...item, currency: 1 }, { ...item, country: "DE" }])
          assert.deepStrictEqual((yield* get("/market/priceoverview/", query)).json, overview.json)
        assert.deepStrictEqual((yield* get("//market/priceoverview/", item)).json, overview.json)
        for (const query of [{ ...whole, country: "USA" }, { ...whole, currency: 36 }, { country: "US" }])
          assert.strictEqual((yield* get("/market/priceoverview/", query)).status, 400)
        const { json } = yield* get(`${listingPath(730, rifle)}/render/`, { start: 0, count: 2 })
        assert.strictEqual(Object.keys(json.listinginfo).length, 2)
      })
    )
  )

  it("leaves every other address alone", () => {
    const url = "/market/search?q=1"
    const page = { operation: "search-page", url } as const
    assert.deepStrictEqual(withDefaults(page, 3), page)
    const bare = withDefaults({ operation: "popular", url: "/market/popular" }, 3)
    assert.strictEqual(bare.url, "/market/popular?country=US&language=english&currency=3")
    const marked = withDefaults(
      { operation: "priceoverview", url: "/market/priceoverview/?appid=5#there" },
      1
    )
    assert.strictEqual(marked.url, "/market/priceoverview/?appid=5&country=US&currency=1")
    assert.strictEqual(withoutDoubleSlash("/market//listings"), "/market//listings")
  })
})

describe("what clients of others read", () => {
  it.effect("stands on pages and in rows", () =>
    withMarket(
      Effect.gen(function* () {
        const exchange = yield* Exchange
        const { sessionid } = exchange.accounts[0]!
        assert.include((yield* get(listingPath(730, rifle))).text, `var g_sessionID = "${sessionid}";`)
        const home = (yield* get("/market/")).text
        assert.match(home, /class="game_button" href="\/market\/search\?appid=440">.*Bastion</)
        const order = {
          currency: "1",
          appid: "730",
          market_hash_name: glove,
          price_total: "500",
          quantity: "1"
        }
        yield* post("/market/createbuyorder/", order)
        const { buy_orders } = (yield* get("/market/mylistings", { norender: 1 })).json
        assert.deepInclude(buy_orders[0].description, { appid: 730, market_hash_name: glove, tradable: 1 })
      })
    )
  )

  it.effect("is the device id that haggle itself derives, besides the stored one", () =>
    withMarket(
      Effect.gen(function* () {
        for (const { accountId, deviceId } of (yield* Exchange).accounts) {
          assert.strictEqual(derivedDeviceId(accountId), deviceIdOf(accountId))
          assert.notStrictEqual(deviceId, deviceIdOf(accountId))
        }
      })
    )
  )
})
