/** The bodies that the interface's tables describe, and what must not pass for one of them. */
import { assert, describe, it } from "@effect/vitest"

import { operations } from "../../../src/domain/Operation.ts"
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
const pathsOf = (result: CheckResult) =>
  result._tag === "Ok" ? [] : result.differences.map(({ path }) => path)

const book = {
  amtMaxBuyOrder: 2063,
  amtMinSellOrder: 2100,
  eCurrency: 1,
  cBuyOrders: 10,
  cSellOrders: 4,
  rgCompactBuyOrders: [2063, 7, 2060, 3],
  rgCompactSellOrders: [2100, 4]
}
const page = {
  success: true,
  pagesize: 10,
  total_count: 0,
  start: 0,
  assets: [],
  hovers: "",
  results_html: ""
}
const wallet = { success: 1, wallet_currency: 1, wallet_country: "US", wallet_balance: "10412" }
const billing = {
  billing_address: {
    firstname: "A",
    lastname: "B",
    address1: "1",
    address2: "",
    city: "C",
    state: "",
    countrycode: "US",
    postcode: "1",
    phone: ""
  },
  require_billing_info: false,
  country_code: "US",
  billing_states: { CA: { state_code: "CA", state_name: "California" } },
  localized_country: "United States",
  wallet_info: wallet,
  account_name: "a",
  ssa: { last_update: 1, latest_accepted: true, eu_ssa: false },
  confirmation_type: 2,
  tax_rate: { success: true, tradefee_addtax: 0, tradefee_taxrate: 0, tax_region: "" }
}
const status = { success: 1, active: 1, purchased: 3, quantity: 10, quantity_remaining: 7, purchases: [] }

describe("the interface's own bodies", () => {
  const samples: ReadonlyArray<readonly [string, string, unknown]> = [
    ["orderbook", "success", { data: { success: true, data: book } }],
    ["orderbook", "bare", { success: true, data: book }],
    ["orderbook", "null", null],
    ["orderbook", "html", "<!DOCTYPE html><html></html>"],
    [
      "orderbook",
      "success",
      { data: { success: true, data: { ...book, amtMaxBuyOrder: null, rgCompactBuyOrders: [] } } }
    ],
    [
      "priceoverview",
      "success",
      { success: true, lowest_price: "$1.00", median_price: "$0.90", volume: "1,204" }
    ],
    ["priceoverview", "success", { success: true, lowest_price: "$1.00", median_price: "$0.90" }],
    [
      "pricehistory",
      "success",
      { success: true, price_prefix: "$", price_suffix: "", prices: [["Dec 06 2018 01: +0", 0.1, "5"]] }
    ],
    ["pricehistory", "success", { success: true, price_prefix: "$", price_suffix: "", prices: false }],
    ["billing", "success", billing],
    ["billing", "success", { ...billing, billing_states: [] }],
    ["mylistings", "success", { ...page, num_active_listings: 0 }],
    [
      "mylistings",
      "success",
      {
        ...page,
        num_active_listings: 0,
        listings: [],
        listings_on_hold: [],
        listings_to_confirm: [],
        buy_orders: []
      }
    ],
    ["myhistory", "success", page],
    ["myhistory", "success", { ...page, events: [], purchases: [], listings: [] }],
    ["create-buyorder", "placed", { success: 1 }],
    ["create-buyorder", "placed", { success: 1, buy_orderid: "6579193752" }],
    ["create-buyorder", "failed (error in the body)", { success: 25, message: "no" }],
    ["create-buyorder", "empty-array", []],
    ["buyorder-status", "success", status],
    ["buyorder-status", "success", { ...status, quantity: "10", quantity_remaining: "7" }],
    ["cancel-buyorder", "cancelled", { success: 1 }],
    ["cancel-buyorder", "failed (error in the body)", { success: 79, error: null }],
    [
      "sellitem",
      "staged",
      {
        success: true,
        requires_confirmation: 1,
        needs_mobile_confirmation: true,
        needs_email_confirmation: false,
        email_domain: "x"
      }
    ],
    ["removelisting", "removed", []],
    [
      "confirmations",
      "success",
      { success: true, conf: [{ id: "1", nonce: "2", creator_id: "3", type: 3, headline: "h", extra: 1 }] }
    ],
    ["confirmations", "success", { success: true }],
    ["confirmation-details", "success", { success: true, html: "<div></div>" }],
    ["confirmation-op", "done", { success: true }],
    ["confirmation-op", "failed (error in the body)", { success: false, message: "no" }]
  ]
  for (const [operation, shape, body] of samples)
    it(`${operation}: ${JSON.stringify(body).slice(0, 60)} is ${shape}`, () => {
      assert.strictEqual(shapeOf(check(operation, body)), shape)
    })

  it("need_confirmation comes with HTTP 406", () => {
    const body = { need_confirmation: true, confirmation: { confirmation_id: "9" }, success: 22 }
    assert.strictEqual(shapeOf(check("create-buyorder", body, 406)), "needConfirmation")
  })

  it("an empty array of HTTP 400 is not a removal", () => {
    assert.strictEqual(shapeOf(check("removelisting", [], 400)), "empty-array")
  })
})

describe("bodies that are not the interface's", () => {
  it("a wrong type is told by its path", () => {
    const body = {
      data: { success: true, data: { ...book, cBuyOrders: "10", rgCompactSellOrders: [2100, 4.5] } }
    }
    assert.deepStrictEqual(pathsOf(check("orderbook", body)), [
      "data.data.cBuyOrders",
      "data.data.rgCompactSellOrders[1]"
    ])
  })

  it("a missing field is told by its path", () => {
    const { quantity: _, ...rest } = status
    assert.deepStrictEqual(pathsOf(check("buyorder-status", rest)), ["quantity"])
  })

  it("half a pair of the order book is no order book", () => {
    const body = { success: true, data: { ...book, rgCompactBuyOrders: [2063] } }
    assert.deepStrictEqual(pathsOf(check("orderbook", body)), ["data.rgCompactBuyOrders"])
  })

  it("a truncated body is neither JSON nor HTML", () => {
    const result = check("orderbook", '{"data":{"success":tr')
    assert.strictEqual(result._tag === "Differs" && result.differences[0]?.message, "neither JSON nor HTML")
  })

  it("an empty body is not taken for null", () => {
    assert.strictEqual(check("orderbook", "  ")._tag, "Differs")
  })

  it("no finding repeats a value", () => {
    const secret = "75-private-balance"
    const result = check("billing", { ...billing, wallet_info: { ...wallet, wallet_balance: secret } })
    assert.strictEqual(result._tag, "Differs")
    assert.notInclude(JSON.stringify(result), secret)
  })
})

describe("the registry", () => {
  it("knows the thirty operations, each with a group, a path and a success", () => {
    assert.deepStrictEqual(registry.map(({ operation }) => operation).toSorted(), operations.toSorted())
    for (const one of registry) {
      assert.match(one.path, /^\/(?:market|mobileconf)\//)
      const bodies = Object.values(one.shapes).filter(({ meaning }) => meaning === "success")
      assert.isAbove(bodies.length + one.due.length, 0)
    }
  })

  it("derives parameters from the contract", () => {
    const parameters = operationInfo("priceoverview")?.parameters ?? []
    assert.deepStrictEqual(
      parameters.map(({ kind, name, required }) => [name, kind, required]),
      [
        ["country", "string", true],
        ["currency", "integer", true],
        ["appid", "integer", true],
        ["market_hash_name", "string", true],
        ["if-none-match", "string", false],
        ["if-modified-since", "string", false]
      ]
    )
    const op = operationInfo("confirmation-op")?.parameters ?? []
    assert.deepStrictEqual(op.find(({ name }) => name === "op")?.values, ["allow", "cancel"])
    assert.strictEqual(op.find(({ name }) => name === "k")?.filledIn, "signature")
    assert.isFalse(operationInfo("mylistings")?.parameters.find(({ name }) => name === "start")?.required)
  })
})
