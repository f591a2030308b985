/** Bodies of the operations beyond daily trading, as the interface's tables describe them, and what must not pass for one. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

import { checkBody, type CheckResult } from "../../../src/market/contract/Check.ts"
import { operationInfo, registry } from "../../../src/market/contract/Operations.ts"

const check = (operation: string, body: unknown, status?: number): CheckResult => {
  const info = operationInfo(operation)
  if (info === undefined) throw new Error(operation)
  const text = typeof body === "string" ? body : JSON.stringify(body)
  return checkBody({
    operation: info,
    platformName: "platform",
    text,
    ...(status === undefined ? {} : { status })
  })
}
const shapeOf = (result: CheckResult) =>
  result._tag === "Ok" ? result.shape : JSON.stringify(result.differences)

const entry = {
  strHash: "AK-47 | Slate (Field-Tested)",
  cSellOrders: 12,
  cBuyOrders: 30,
  unPlatformFee: 5,
  unPublisherFee: 10,
  eCurrency: 1,
  strMinSellSubtotal: "$20.63",
  asset_description: {
    appid: 730,
    classid: "1",
    market_hash_name: "AK-47 | Slate (Field-Tested)",
    marketable: true
  }
}
const row = {
  listingid: "549032738418292987",
  unPrice: 1794,
  unFee: 269,
  eCurrency: 1,
  strSubtotal: "$20.63",
  asset: { appid: 730, contextid: "2", assetid: "34", classid: "1", instanceid: "0", amount: 1 }
}
const facet = {
  appid: 730,
  name: "Weapon",
  localized_name: "Weapon",
  tags: { weapon_ak47: { localized_name: "AK-47", matches: "17" } }
}
const found = { start: 0, total_count: 61, facets: [] }
const listingInfo = {
  listingid: "5",
  price: 186,
  fee: 27,
  platform_fee: 9,
  publisher_fee: 18,
  currencyid: 1,
  asset: { appid: 730, contextid: "2", id: "34", amount: "1" }
}
const legacy = {
  success: true,
  results_html: "<div></div>",
  listinginfo: { "5": listingInfo },
  assets: { "730": { "2": { "34": { appid: 730, contextid: "2", id: "34", amount: "1" } } } }
}
const paging = { start: 0, pagesize: 10, total_count: 1 }
const histogram = {
  success: 1,
  highest_buy_order: "2063",
  lowest_sell_order: "2100",
  buy_order_graph: [[20.63, 7, "7 buy orders at $20.63 or higher"]],
  sell_order_graph: [[21, 4, "4 sell orders at $21.00 or lower"]],
  graph_max_y: 10,
  graph_min_x: 20.63,
  graph_max_x: 21,
  price_prefix: "$",
  price_suffix: "",
  buy_order_table: "<table></table>",
  buy_order_summary: "<span></span>",
  sell_order_table: "<table></table>",
  sell_order_summary: "<span></span>"
}
const suggestion = {
  market_name: "AK-47",
  market_hash_name: "AK-47",
  app_id: 730,
  app_name: "Game",
  icon_url: "abc",
  market_type: "Rifle",
  listing_count: 5,
  search_score: 100
}
const walletAfter = {
  success: 1,
  wallet_currency: 1,
  wallet_country: "US",
  wallet_balance: "10412",
  wallet_delayed_balance: "0",
  wallet_max_balance: "200000",
  wallet_trade_max_balance: "180000"
}
const page = "<!DOCTYPE html><html></html>"

const samples: ReadonlyArray<readonly [operation: string, shape: string, body: unknown, status?: number]> = [
  ["home", "html", page],
  ["search-page", "html", page],
  ["search-page", "payload", '[{"_1":2},"queryData"]'],
  ["search-page", "payload", 'P1:[1]\nP2:{"a":1}'],
  ["listing-page", "html", page],
  ["listing-page", "payload", "[1,2]"],
  ["search", "grouped", { ...found, grouping: 1, results: [entry] }],
  ["search", "grouped", { ...found, grouping: 1, facets: [facet], results: [] }],
  ["search", "listings", { ...found, more: true, listings: [row] }],
  ["search", "null", null],
  ["search-render", "rendered", { success: true, ...paging, tip: "", results_html: "<a></a>" }],
  ["search-render", "html", page],
  [
    "search-render",
    "rows",
    {
      success: true,
      ...paging,
      results: [
        {
          name: "A",
          hash_name: "A",
          sell_listings: 1,
          sell_price: 2063,
          sell_price_text: "$20.63",
          sale_price_text: "$17.94",
          asset_description: { appid: 730 }
        }
      ]
    }
  ],
  ["suggestions", "success", { results: [suggestion], apps: [{ appid: 730, name: "Game", icon: "abc" }] }],
  ["suggestions", "success", { results: [], apps: [] }],
  ["appfacets", "success", { success: true, facets: { Weapon: facet } }],
  ["appfacets", "success", { success: true, facets: [] }],
  ["appaccessories", "success", { success: true, facets: [] }],
  [
    "appaccessories",
    "success",
    {
      success: true,
      facets: [
        { internal_type: "GAME_Tool_Sticker", localized_type: "Sticker", facets: [{ name: "Sticker | A" }] },
        { something: "else" }
      ]
    }
  ],
  ["popular", "success", { ...legacy, stop: false }],
  ["popular", "null", null],
  ["recent", "success", { ...legacy, more: true }],
  ["recent", "success", { ...legacy, listinginfo: [], assets: [], more: false }],
  ["recent", "html", page],
  ["listings", "success", { ...found, more: false, listings: [{ ...row, bMine: false, unPlatformFee: 90 }] }],
  ["listings", "null", null],
  [
    "listings-render",
    "success",
    { ...legacy, ...paging, currency: [], hovers: "", app_data: { "730": { appid: 730, name: "Game" } } }
  ],
  ["listings-render", "html", '<div class="market_listing_row"></div>'],
  ["histogram", "success", histogram],
  [
    "histogram",
    "success",
    {
      ...histogram,
      lowest_sell_order: null,
      sell_order_graph: [],
      sell_order_table: null,
      sell_order_count: 0
    }
  ],
  ["histogram", "failed (error in the body)", { success: 16 }],
  ["activity", "success", { success: 1, activity: [], timestamp: 0 }],
  [
    "activity",
    "success",
    { success: 1, activity: [{ type: "BuyOrder", quantity: "1", price: "$20.63" }], timestamp: 1_700_000_000 }
  ],
  ["activity", "success", { success: 1, activity: ["<div></div>"], timestamp: 1_700_000_000 }],
  ["buylisting", "bought", { wallet_info: walletAfter }],
  ["buylisting", "failed (error in the body)", { message: "The listing may have been removed" }, 502],
  ["buylisting", "failed (error in the body)", { message: "no", wallet_info: { success: 2 } }],
  ["buylisting", "refused (error in the body)", { success: 107 }],
  [
    "buylisting",
    "needConfirmation",
    { need_confirmation: true, confirmation: { confirmation_id: "9" }, success: 22 },
    406
  ],
  ["eligibility", "failed (error in the body)", { success: false }],
  ["orderbook", "null", null, 429]
]

describe("the interface's other bodies", () => {
  for (const [operation, shape, body, status] of samples)
    it(`${operation}: ${JSON.stringify(body).slice(0, 60)} is ${shape}`, () => {
      assert.strictEqual(shapeOf(check(operation, body, status)), status === 429 ? "rate-limited" : shape)
    })

  it("every sample re-encodes to the JSON that it came from, less the fields that are not named", () => {
    for (const [operation, shape, body, status] of samples) {
      const result = check(operation, body, status)
      const schema = operationInfo(operation)?.shapes[shape.split(" ")[0] ?? ""]?.schema
      if (result._tag !== "Ok" || schema === undefined) continue
      assert.deepStrictEqual(Schema.encodeUnknownSync(schema)(result.value), result.value as never)
      assert.deepStrictEqual(result.value, body as never)
    }
  })

  it("unknown result codes survive as values", () => {
    for (const operation of ["orderbook", "create-buyorder", "sellitem", "histogram"]) {
      const result = check(operation, { success: 104_729 })
      assert.deepStrictEqual(result._tag === "Ok" && result.value, { success: 104_729 })
    }
  })
})

describe("bodies that are not those", () => {
  const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
    [
      "search",
      { ...found, grouping: 1, results: [{ ...entry, cSellOrders: "12" }] },
      "results[0].cSellOrders"
    ],
    ["listings", { ...found, listings: [{ ...row, unPrice: 1.5 }] }, "listings[0].unPrice"],
    ["listings", { ...found, listings: [{ ...row, unFee: -1 }] }, "listings[0].unFee"],
    ["listings", { ...found, listings: [{ ...row, unFee: 9_007_199_254_740_991 }] }, "listings[0].unFee"],
    ["histogram", { ...histogram, buy_order_graph: [[20.63, 7]] }, "buy_order_graph[0][2]"],
    ["activity", { success: 1, activity: null, timestamp: 0 }, "activity"],
    ["recent", { ...legacy, listinginfo: { "5": { ...listingInfo, price: null } } }, "listinginfo.5.price"],
    ["suggestions", { results: {}, apps: [] }, "results"],
    ["appfacets", { success: true, facets: { Weapon: { ...facet, tags: 5 } } }, "facets.Weapon.tags"],
    ["buylisting", { wallet_info: { ...walletAfter, wallet_balance: 1.5 } }, "wallet_info.wallet_balance"]
  ]
  for (const [operation, body, path] of wrong)
    it(`${operation} is told from ${path}`, () => {
      const result = check(operation, body)
      assert.strictEqual(result._tag, "Differs")
      assert.include(
        result._tag === "Differs" ? result.differences.map((one) => one.path).join(" ") : "",
        path
      )
    })

  it("a completed wallet does not make a failure, nor a message a success", () => {
    assert.strictEqual(shapeOf(check("buylisting", { wallet_info: walletAfter, message: "" })), "bought")
    assert.notStrictEqual(
      shapeOf(check("buylisting", { wallet_info: { ...walletAfter, success: 2 } })),
      "bought"
    )
  })

  it("success bodies of HTTP 500 are none", () => {
    const statuses = registry.flatMap(({ shapes }) =>
      Object.values(shapes).flatMap(({ meaning, status }) => (meaning === "success" ? [status] : []))
    )
    assert.deepStrictEqual([...new Set(statuses)], [200])
  })

  it("a body nested deeper than any of the interface is no JSON", () => {
    const deep = `{"success":true,"x":${"[".repeat(5000)}${"]".repeat(5000)}}`
    assert.strictEqual(shapeOf(check("recent", deep)), '[{"path":"","message":"neither JSON nor HTML"}]')
  })
})

describe("drift", () => {
  const driftOf = (operation: string, body: unknown) => {
    const result = check(operation, body)
    return result._tag === "Ok" ? result.drift : undefined
  }

  it("names fields that the contract does not, without positions and keys of maps", () => {
    const body = {
      ...found,
      grouping: 1,
      results: [
        { ...entry, newField: "private" },
        { ...entry, asset_description: { ...entry.asset_description, newInner: 1 } }
      ],
      top: 1
    }
    assert.deepStrictEqual(driftOf("search", body), {
      unknown: ["results[].newField", "results[].asset_description.newInner", "top"],
      missing: []
    })
    assert.deepStrictEqual(
      driftOf("recent", {
        ...legacy,
        more: true,
        assets: { "1": { "2": { "3": { ...legacy.assets["730"]["2"]["34"], shine: 1 } } } }
      }),
      {
        unknown: ["assets.*.*.*.shine"],
        missing: []
      }
    )
  })

  it("names fields that the interface does but the body does not", () => {
    const { eCurrency: _currency, ...less } = entry
    assert.deepStrictEqual(driftOf("search", { start: 0, total_count: 1, results: [less] }), {
      unknown: [],
      missing: ["results[].eCurrency", "facets", "grouping"]
    })
  })

  it("is nothing for the document's own bodies", () => {
    const drifts = samples
      .filter(([, shape]) => shape === "grouped" || shape === "bought" || shape === "success")
      .map(([operation, , body]) => driftOf(operation, body)?.unknown)
    assert.isAbove(drifts.length, 15)
    assert.deepStrictEqual(drifts.flat(), [])
  })

  it("never repeats a value", () => {
    assert.notInclude(
      JSON.stringify(driftOf("search", { ...found, results: [{ ...entry, x: "private" }] })),
      "private"
    )
  })
})
