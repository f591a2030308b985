import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

import { Exchange } from "../../src/exchange/Exchange.ts"
import {
  ask,
  get,
  glove,
  listingPath,
  listingsBody,
  post,
  priced,
  purchaseForm,
  rifle,
  settle,
  withMarket
} from "./Asking.ts"

const firstRow = (name: string, account = 0) =>
  Effect.map(ask(listingPath(730, name), listingsBody(name), {}, { account }), ({ json }) => json.listings[0])
const buy = (row: { readonly listingid: string }, form: Readonly<Record<string, string>>, account = 0) =>
  post(`/market/buylisting/${row.listingid}`, form, { account })

const truthOf = (account: number) => Effect.flatMap(Exchange, (exchange) => exchange.truth(account))

describe("buying a listing outright", () => {
  it.effect("charges exactly what the row said and shows everywhere", () =>
    withMarket(
      Effect.gen(function* () {
        const before = yield* truthOf(0)
        const overview = { country: "US", currency: 1, appid: 730, market_hash_name: rifle }
        const volume = (yield* get("/market/priceoverview/", overview)).json.volume
        const counted = (yield* ask(listingPath(730, rifle), listingsBody(rifle))).json.total_count
        const row = yield* firstRow(rifle)
        const { json, status } = yield* buy(row, purchaseForm(row))
        const paid = row.unPrice + row.unFee
        assert.strictEqual(status, 200)
        assert.strictEqual(json.wallet_info.success, 1)
        assert.strictEqual(json.wallet_info.wallet_balance, String(before.balance - paid))
        assert.isUndefined(json.message)
        const { wallet_info } = (yield* get("/market/userbillinginfo")).json
        assert.strictEqual(wallet_info.wallet_balance, json.wallet_info.wallet_balance)
        const history = (yield* get("/market/myhistory", { norender: 1 })).json
        const [event] = history.events
        const purchase = history.purchases[`${event.listingid}_${event.purchaseid}`]
        assert.deepStrictEqual([event.event_type, event.listingid], [4, row.listingid])
        assert.deepStrictEqual([purchase.paid_amount, purchase.paid_fee], [row.unPrice, row.unFee])
        assert.strictEqual(purchase.asset.id, row.asset.assetid)
        assert.strictEqual((yield* truthOf(0)).units.get(`730/${rifle}`), 5)
        const after = (yield* ask(listingPath(730, rifle), listingsBody(rifle))).json
        assert.strictEqual(after.total_count, counted - 1)
        const sold = (yield* get("/market/priceoverview/", overview)).json.volume
        assert.strictEqual(Number(sold), Number(volume) + 1)
        const prices = (yield* get("/market/pricehistory/", { appid: 730, market_hash_name: rifle })).json
          .prices
        assert.isAtLeast(Number(prices.at(-1)[2]), 1)
        const { text } = yield* get(listingPath(730, rifle))
        const item_nameid = /Market_LoadOrderSpread\( (\d+) \)/.exec(text)![1]!
        const { activity } = (yield* get("/market/itemordersactivity", {
          ...priced,
          item_nameid,
          norender: 1
        })).json
        assert.deepInclude(activity[0], { type: "BuyOrder", quantity: "1", persona_buyer: "trader1" })
      })
    )
  )

  it.effect("takes several units of one listing where they do not differ", () =>
    withMarket(
      Effect.gen(function* () {
        const { listings } = (yield* ask(listingPath(730, "Meridian Case"), listingsBody("Meridian Case")))
          .json
        const row = listings.find(({ asset }: { asset: { amount: number } }) => asset.amount >= 3)
        const before = yield* truthOf(0)
        const form = purchaseForm(row)
        assert.strictEqual((yield* buy(row, { ...form, quantity: "9999" })).status, 502)
        assert.strictEqual((yield* buy(row, { ...form, quantity: "2" })).status, 200)
        const paid = row.unPricePerUnit + row.unFeePerUnit
        const after = yield* truthOf(0)
        assert.strictEqual(before.balance - after.balance, 2 * paid)
        assert.strictEqual(after.units.get("730/Meridian Case")! - before.units.get("730/Meridian Case")!, 2)
        const again = (yield* ask(listingPath(730, "Meridian Case"), listingsBody("Meridian Case"))).json
        const left = again.listings.find((one: { listingid: string }) => one.listingid === row.listingid)
        assert.strictEqual(left.asset.amount, row.asset.amount - 2)
        const { assets, events } = (yield* get("/market/myhistory", { norender: 1 })).json
        assert.strictEqual(events.length, 2)
        assert.strictEqual(Object.keys(assets[730][2]).length, 2)
      })
    )
  )

  it.effect("keeps wear and stickers with the unit when it is listed again", () =>
    withMarket(
      Effect.gen(function* () {
        const row = yield* firstRow(rifle)
        yield* buy(row, purchaseForm(row))
        const { new_id } = Object.values<{ new_id: string }>(
          (yield* get("/market/myhistory", { norender: 1 })).json.assets[730][2]
        )[0]!
        const form = { appid: "730", contextid: "2", assetid: new_id, amount: "1", price: "9000" }
        yield* post("/market/sellitem/", form)
        yield* settle("allow")
        const { listings } = (yield* ask(listingPath(730, rifle), listingsBody(rifle))).json
        const again = listings.find((one: { bMine: boolean }) => one.bMine)
        assert.strictEqual(again.asset.assetid, new_id)
        assert.deepStrictEqual(again.asset.asset_properties, row.asset.asset_properties)
        assert.deepStrictEqual(again.asset.asset_accessories, row.asset.asset_accessories)
      })
    )
  )

  it.effect(
    "fails alike, with 502 and a message, for a mismatch, another currency and a listing that is gone",
    () =>
      withMarket(
        Effect.gen(function* () {
          const row = yield* firstRow(rifle)
          const form = purchaseForm(row)
          const before = yield* truthOf(0)
          const wrong = [
            { ...form, subtotal: String(row.unPrice - 1) },
            { ...form, total: String(Number(form.total) + 1) },
            { ...form, fee: String(row.unFee + 1), total: String(Number(form.total) + 1) },
            { ...form, currency: "3" },
            { ...form, quantity: "2" },
            { ...form, tradefee_tax: "5" },
            { ...form, total: "" }
          ]
          const answers = yield* Effect.forEach(wrong, (one) => buy(row, one))
          yield* buy(row, form, 1)
          answers.push(yield* buy(row, form))
          answers.push(yield* buy({ listingid: "4999999999999999999" }, form))
          for (const { json, status } of answers) {
            assert.strictEqual(status, 502)
            assert.strictEqual(json.message, answers[0]!.json.message)
            assert.isUndefined(json.wallet_info)
          }
          assert.deepStrictEqual(yield* truthOf(0), before)
        })
      )
  )

  it.effect("says when the caller has bought it already, owns it, or cannot pay", () =>
    withMarket(
      Effect.gen(function* () {
        const cheap = yield* firstRow("Meridian Case")
        const once = yield* buy(cheap, purchaseForm(cheap))
        assert.strictEqual(once.json.wallet_info.success, 1)
        const row = yield* firstRow(rifle)
        const poor = yield* buy(row, purchaseForm(row))
        assert.deepStrictEqual(
          [poor.status, poor.json.message],
          [502, "Cannot purchase this item because your wallet does not have sufficient funds."]
        )
        const rich = yield* buy(row, purchaseForm(row), 1)
        assert.strictEqual(rich.json.wallet_info.success, 1)
        const twice = yield* buy(row, purchaseForm(row), 1)
        assert.match(twice.json.message, /already purchased this item\.$/)
        const exchange = yield* Exchange
        const asset = exchange.accounts[0]!.assets.find(({ item }) => item.name === glove)!.asset
        const form = { appid: "730", contextid: "2", assetid: asset, amount: "1", price: "90000" }
        yield* post("/market/sellitem/", form)
        yield* settle("allow")
        const listing = (yield* exchange.world).accounts[0]!.listings[0]!
        const own = {
          listingid: listing.id,
          eCurrency: 1,
          unPricePerUnit: listing.take,
          unFeePerUnit: listing.price - listing.take
        }
        assert.match((yield* buy(own, purchaseForm(own))).json.message, /your own listing/)
      }),
      { balance: 500 }
    )
  )

  it.effect("needs the session and its form value", () =>
    withMarket(
      Effect.gen(function* () {
        const row = yield* firstRow(rifle)
        const form = purchaseForm(row)
        assert.strictEqual((yield* buy(row, { ...form, sessionid: "other" })).text, "[]")
        assert.strictEqual(
          (yield* post(`/market/buylisting/${row.listingid}`, form, { account: null })).text,
          "[]"
        )
        assert.strictEqual((yield* truthOf(0)).balance, 10_000)
      })
    )
  )

  it.effect(
    "asks for a confirmation where the market is set so, and buys when the same form comes again",
    () =>
      withMarket(
        Effect.gen(function* () {
          const row = yield* firstRow(rifle)
          const form = { ...purchaseForm(row), confirmation: "0" }
          const asked = yield* buy(row, form)
          assert.deepStrictEqual(
            [asked.status, asked.json.need_confirmation, asked.json.success],
            [406, true, 22]
          )
          const confirmation = asked.json.confirmation.confirmation_id
          assert.strictEqual((yield* buy(row, { ...form, confirmation })).status, 406)
          assert.strictEqual((yield* settle("allow")).json.success, true)
          assert.strictEqual((yield* truthOf(0)).balance, 10_000)
          const bought = yield* buy(row, { ...form, confirmation })
          assert.strictEqual(bought.json.wallet_info.success, 1)
          const next = yield* firstRow(rifle)
          const other = yield* buy(next, { ...purchaseForm(next), confirmation })
          assert.strictEqual(other.status, 502)
        }),
        { confirmPurchases: true }
      )
  )
})

describe("wallets of other currencies", () => {
  const currencies = [1, 3, 8, 23] as const

  it.effect("see and pay prices of their own, to the minor unit", () =>
    withMarket(
      Effect.gen(function* () {
        for (const [account, currency] of currencies.entries()) {
          const { balance } = yield* truthOf(account)
          const { wallet_info } = (yield* get("/market/userbillinginfo", {}, { account })).json
          assert.deepStrictEqual(
            [wallet_info.wallet_currency, wallet_info.wallet_balance],
            [currency, String(balance)]
          )
          const row = yield* firstRow(rifle, account)
          assert.strictEqual(row.eCurrency, currency)
          const qp = JSON.stringify([730, rifle])
          const { data } = (yield* get("/market/orderbook", { q: "Load", qp }, { account })).json.data
          assert.deepStrictEqual([data.eCurrency, data.amtMinSellOrder], [currency, row.unPrice + row.unFee])
          const { json } = yield* buy(row, purchaseForm(row), account)
          assert.strictEqual(json.wallet_info.wallet_balance, String(balance - row.unPrice - row.unFee))
          const { purchases } = (yield* get("/market/myhistory", { norender: 1 }, { account })).json
          const [purchase] = Object.values<Record<string, number & string>>(purchases)
          assert.strictEqual(purchase!["currencyid"], String(2000 + currency))
          assert.strictEqual(purchase!["paid_amount"]! + purchase!["paid_fee"]!, row.unPrice + row.unFee)
        }
      }),
      { accounts: 4, currencies: [...currencies], balance: 20_000 }
    )
  )

  it.effect("trade with each other: the seller gets its price, the buyer pays no more than its limit", () =>
    withMarket(
      Effect.gen(function* () {
        const exchange = yield* Exchange
        const [euro, yen] = [1, 2]
        const asset = exchange.accounts[euro]!.assets.find(({ item }) => item.name === rifle)!.asset
        const form = { appid: "730", contextid: "2", assetid: asset, amount: "1", price: "1900" }
        const [before, after] = [yield* truthOf(euro), yield* truthOf(yen)]
        yield* post("/market/sellitem/", form, { account: euro })
        yield* settle("allow", euro)
        const listing = (yield* exchange.world).accounts[euro]!.listings[0]
        if (listing !== undefined) {
          const order = {
            currency: "8",
            appid: "730",
            market_hash_name: rifle,
            price_total: "370000",
            quantity: "1"
          }
          const placed = yield* post("/market/createbuyorder/", order, { account: yen })
          assert.strictEqual(placed.json.success, 1)
          const paid = after.balance - (yield* truthOf(yen)).balance
          assert.isTrue(paid > 0 && paid <= 370_000 && paid % 100 === 0)
        }
        assert.strictEqual((yield* truthOf(euro)).balance, before.balance + 1900)
      }),
      { accounts: 3, currencies: [1, 3, 8] }
    )
  )

  it.effect("are refused orders in any other currency", () =>
    withMarket(
      Effect.gen(function* () {
        const order = {
          currency: "1",
          appid: "730",
          market_hash_name: glove,
          price_total: "1000",
          quantity: "1"
        }
        const { json } = yield* post("/market/createbuyorder/", order, { account: 1 })
        assert.strictEqual(json.success, 8)
      }),
      { currencies: [1, 3] }
    )
  )
})
