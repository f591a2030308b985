/** What widespread clients of this family expect of a market beyond its document, each as those clients read it. */
import { createHash } from "node:crypto"

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpClientRequest } from "effect/http"

import { signatureOf } from "../../src/exchange/Auth.ts"
import { Exchange } from "../../src/exchange/Exchange.ts"
import { applications } from "../../src/exchange/Vocabulary.ts"
import { create, get, glove, jsonOf, optionsOf, send, signed, visiting } from "./Visitor.ts"

const rifle = "AK-47 | Copperline (Field-Tested)"
const itemPath = (name: string): string => `/market/listings/730/${encodeURIComponent(name)}`
const nobody = {}
const german = { account: 1 }
/** The second account pays in euros. */
const withGerman = optionsOf({ accounts: 2, currencies: [1, 3] })

/** Operations that want a reader's country, language and currency, with the rest of their query. */
const area = { country: "US", language: "english" }
const nameId = Effect.map(
  get(itemPath(glove)),
  ({ text }) => /Market_LoadOrderSpread\( (\d+) \)/.exec(text)![1]!
)
const priced: ReadonlyArray<readonly [string, Readonly<Record<string, string | number>>, string?]> = [
  ["/market/priceoverview/", { appid: 730, market_hash_name: glove }],
  [`${itemPath(rifle)}/render/`, { start: 0, count: 2 }],
  ["/market/itemordershistogram", {}, "item"],
  ["/market/itemordersactivity", { norender: 1 }, "item"],
  ["/market/popular", { norender: 1 }],
  ["/market/recent", { norender: 1 }]
]

describe("a request for prices", () => {
  for (const [path, rest, needs] of priced)
    it.effect(`may leave out country, language and currency: ${path}`, () =>
      visiting(
        () =>
          Effect.gen(function* () {
            const query = needs === undefined ? rest : { ...rest, item_nameid: yield* nameId }
            for (const [as, currency] of [
              [nobody, 1],
              [{ account: 0 }, 1],
              [german, 3]
            ] as const) {
              const bare = yield* get(path, query, as)
              const whole = yield* get(path, { ...query, ...area, currency }, as)
              assert.deepStrictEqual([bare.status, whole.status], [200, 200])
              assert.strictEqual(bare.text, whole.text)
            }
          }),
        undefined,
        withGerman
      )
    )

  it.effect("is answered in the wallet's own currency, and in the one that it names", () =>
    visiting(
      () =>
        Effect.gen(function* () {
          const ask = (query: Record<string, string | number>, as: typeof german | typeof nobody) =>
            Effect.map(
              get("/market/priceoverview", { appid: 730, market_hash_name: glove, ...query }, as),
              ({ json }): string => json.lowest_price
            )
          assert.include(yield* ask({}, nobody), "$")
          assert.include(yield* ask({}, german), "€")
          assert.include(yield* ask({ currency: 1 }, german), "$")
        }),
      undefined,
      withGerman
    )
  )

  it.effect("is still refused where what it says is empty or wrong", () =>
    visiting(() =>
      Effect.gen(function* () {
        const item = { appid: 730, market_hash_name: glove }
        for (const wrong of [{ country: "" }, { country: "USA" }, { currency: "" }, { currency: 36 }]) {
          const { status, text } = yield* get("/market/priceoverview/", { ...item, ...wrong })
          assert.deepStrictEqual([status, text], [400, "[]"], JSON.stringify(wrong))
        }
        assert.strictEqual((yield* get("/market/priceoverview/", { appid: 730 })).status, 400)
        assert.strictEqual((yield* get("/market/search/render/", { norender: 1 })).status, 400)
      })
    )
  )

  it.effect("for the older rows needs no query, and may name a format", () =>
    visiting(() =>
      Effect.gen(function* () {
        const query = { start: 0, count: 1, currency: 1, format: "json" }
        const { json, status } = yield* get(`${itemPath(rifle)}/render`, query)
        assert.strictEqual(status, 200)
        assert.lengthOf(Object.keys(json.listinginfo), 1)
      })
    )
  )
})

describe("an address with several slashes at its beginning", () => {
  it.effect("is the one with a single slash", () =>
    visiting(() =>
      Effect.gen(function* () {
        const query = { country: "US", currency: 1, appid: 730, market_hash_name: glove }
        const one = yield* get("/market/priceoverview", query)
        assert.strictEqual(one.json.success, true)
        for (const front of ["/", "//"]) {
          const { status, text } = yield* get(`${front}/market/priceoverview`, query)
          assert.deepStrictEqual([status, text], [200, one.text])
        }
        const home = yield* get("//market", {}, nobody)
        assert.deepStrictEqual([home.status, (yield* get("//nothing")).status], [200, 404])
      })
    )
  )
})

describe("pages for clients that cut them up", () => {
  it.effect("name the applications on buttons of the home page", () =>
    visiting(() =>
      Effect.gen(function* () {
        const { text } = yield* get("/market/", {}, nobody)
        const [, group = ""] =
          /<div class="market_search_game_button_group">([\s\S]*?)<\/div>/.exec(text) ?? []
        const button =
          /<a class="game_button" href="([^"]*)">[\s\S]*?game_button_game_name">([^<]*)<[\s\S]*?<\/a>/g
        const found = [...group.matchAll(button)].map(([, href = "", name]) => [
          Number(href.slice(href.indexOf("=") + 1)),
          name
        ])
        assert.deepStrictEqual(
          found,
          applications.map(({ app, name }) => [app, name])
        )
      })
    )
  )

  it.effect("have the price of a found item inside the value of its cell", () =>
    visiting(() =>
      Effect.gen(function* () {
        const rows = (yield* get("/market/search/render/", { query: "", appid: 730 })).json.results_html
        const cell =
          /market_listing_their_price"><span class="market_table_value">[^<]*<span class="normal_price" data-price="(\d+)"[^>]*>([^<]+)</g
        const prices = [...String(rows).matchAll(cell)].map(([, cents, shown = ""]) => [
          Number(cents),
          Number(shown.replaceAll(/\D/g, ""))
        ])
        assert.lengthOf(prices, 10)
        for (const [cents, shown] of prices) assert.strictEqual(shown, cents)
      })
    )
  )

  for (const pages of ["legacy", "rendered"] as const)
    it.effect(`tell session, country and language, the listing page in its ${pages} form, too`, () =>
      visiting(
        () =>
          Effect.gen(function* () {
            const { sessionid } = (yield* Exchange).accounts[0]!
            const listing = (yield* get(itemPath(glove))).text
            assert.strictEqual(listing.includes("window.SSR"), pages === "rendered")
            for (const text of [listing, (yield* get("/market/")).text]) {
              assert.strictEqual(/g_sessionID = "([^"]*)";/.exec(text)?.[1], sessionid)
              assert.strictEqual(/g_strCountryCode = "([^"]*)";/.exec(text)?.[1], "US")
              assert.strictEqual(/g_strLanguage = "([^"]*)";/.exec(text)?.[1], "english")
            }
            assert.include((yield* get(itemPath(glove), {}, nobody)).text, 'g_sessionID = "";')
          }),
        undefined,
        { pages }
      )
    )

  it.effect("end the inline state of a listing page where the shortest match looks for its end", () =>
    visiting(() =>
      Effect.gen(function* () {
        for (const name of [glove, rifle]) {
          const { text } = yield* get(itemPath(name))
          const state = (pattern: RegExp) => jsonOf(pattern.exec(text)?.[1] ?? "")
          const listings = state(/var g_rgListingInfo = (\{.*?\});/)
          const assets = state(/var g_rgAssets = (\{.*?\}\}\}\});/)
          const wallet = state(/var g_rgWalletInfo = (\{.*?\});/)
          const [first] = Object.values<{ readonly asset: { readonly id: string } }>(listings)
          assert.strictEqual(assets["730"]["2"][first!.asset.id].market_hash_name, name)
          assert.strictEqual(wallet.wallet_currency, 1)
        }
      })
    )
  )
})

describe("rows of own buy orders", () => {
  it.effect("describe what is wanted", () =>
    visiting(() =>
      Effect.gen(function* () {
        yield* create({ price_total: "3" })
        const { json } = yield* get("/market/mylistings", { norender: 1 })
        const [row] = json.buy_orders
        const { description } = row
        assert.deepInclude(description, {
          appid: 730,
          currency: 0,
          instanceid: "0",
          name: glove,
          market_name: glove,
          market_hash_name: glove,
          commodity: 1,
          marketable: 1,
          tradable: 1
        })
        const listed = (yield* get(itemPath(glove))).text
        const [asset] = Object.values<Record<string, unknown>>(
          jsonOf(/var g_rgAssets = (.*);/.exec(listed)?.[1] ?? "")["730"]["2"]
        )
        assert.strictEqual(description.classid, asset!["classid"])
        assert.match(description.type, /Container/)
      })
    )
  )
})

describe("the device of a signature", () => {
  const listed = Effect.fnUntraced(function* (p: string | undefined) {
    const own = yield* signed("conf")
    return (yield* get("/mobileconf/getlist", p === undefined ? own : { ...own, p })).json
  })
  const derivedOf = (accountId: string): string => {
    const hex = createHash("sha1").update(accountId).digest("hex")
    const [, ...parts] = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(hex)!
    return `android:${parts.join("-")}`
  }

  it.effect("is the stored one or the one derived from the account, nothing else", () =>
    visiting(() =>
      Effect.gen(function* () {
        const [first, second] = (yield* Exchange).accounts
        const derived = derivedOf(first!.accountId)
        assert.notStrictEqual(first!.deviceId, derived)
        assert.deepStrictEqual(yield* listed(undefined), { success: true, conf: [] })
        assert.deepStrictEqual(yield* listed(derived), { success: true, conf: [] })
        const others = [
          second!.deviceId,
          derivedOf(second!.accountId),
          derived.toUpperCase(),
          derived.slice(0, -1),
          derived.slice("android:".length),
          "",
          "android:"
        ]
        for (const p of others)
          assert.deepStrictEqual(yield* listed(p), { success: false, needauth: true }, p)
      })
    )
  )

  it.effect("does not stand for the key", () =>
    visiting(() =>
      Effect.gen(function* () {
        const own = yield* signed("conf")
        const k = signatureOf(own.k, Number(own.t), "conf")
        const request = HttpClientRequest.get("/mobileconf/getlist").pipe(
          HttpClientRequest.setUrlParams({ ...own, p: derivedOf(own.a), k })
        )
        assert.deepStrictEqual((yield* send(request)).json, { success: false, needauth: true })
      })
    )
  )
})
