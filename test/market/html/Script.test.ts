import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"

import { hoversOf, listingCalls } from "../../../src/market/html/Hovers.ts"
import { assigned, callsOf, isAssigned, jsonAt } from "../../../src/market/html/Script.ts"

describe("an inline script", () => {
  it("gives a variable's value cut where its JSON ends, not at a semicolon", () => {
    const script = 'var a = 1; var g_rgAssets = {"x":"a;b}\\"]","y":[1,{"z":";"}]}; var g_rgAssetsMore = 2;'
    assert.deepStrictEqual(assigned(script, "g_rgAssets"), Option.some({ x: 'a;b}"]', y: [1, { z: ";" }] }))
    assert.deepStrictEqual(assigned(script, "g_rgAssetsMore"), Option.some(2))
    assert.deepStrictEqual(assigned(script, "a"), Option.some(1))
  })

  it("knows a comparison and a longer name from an assignment", () => {
    assert.isTrue(Option.isNone(assigned("if (line1 == [1]) x(); my_line1 = 2; o.line1 = 3", "line1")))
    assert.isFalse(isAssigned("if (line1 === 1) {}", "line1"))
    assert.deepStrictEqual(assigned("window.x=1\nline1=[]", "line1"), Option.some([]))
  })

  it("says none of a value that is cut off or no JSON", () => {
    for (const script of [
      'var a = {"x":[1,2',
      "var a = function(){}",
      'var a = "open',
      "var a =",
      "var a = [1,]"
    ])
      assert.isTrue(Option.isNone(assigned(script, "a")), script)
    assert.isTrue(isAssigned('var a = {"x":[1,2', "a"))
  })

  it("gives the arguments of calls: quoted text, numbers, objects, names", () => {
    assert.deepStrictEqual(
      callsOf('f( \'it\\\'s\', 730, {"a":"),"}, UserYou ); f(); f(a+b); f("x" );', "f"),
      [["it's", 730, { a: ")," }, { name: "UserYou" }], [], ["x"]]
    )
    assert.deepStrictEqual(callsOf("$f(1); f(2)", "f"), [[2]])
  })

  it("ties rows to assets by hovers and by buttons", () => {
    const script =
      "CreateItemHoverFromContainer( g_rgAssets, 'mylisting_5_name', 730, '2', '34', 1 );\nCreateItemHoverFromContainer( g_rgAssets, 'mylisting_5_image', 730, '2', '34', 1 );"
    assert.deepStrictEqual(
      [...hoversOf(script)],
      [["mylisting_5", { app: 730, context: "2", asset: "34", amount: 1 }]]
    )
    const button = "javascript:BuyMarketListing('listing', '5', 730, '2', '34')"
    assert.deepStrictEqual([...listingCalls(button, "BuyMarketListing").keys()], ["5"])
    assert.strictEqual(hoversOf("CreateItemHoverFromContainer( g_rgAssets, 5, 'x' )").size, 0)
  })

  it("ends on hostile text", () => {
    const hostile = [
      'f({"\\'.repeat(20_000),
      "f([".repeat(50_000),
      `f("${'\\"'.repeat(100_000)}`,
      `var a = ${"[".repeat(100_000)}`,
      `var a = "${"\\".repeat(200_001)}`,
      "f('".repeat(50_000)
    ]
    for (const text of hostile) {
      assert.isArray(callsOf(text, "f"))
      assert.isTrue(Option.isNone(assigned(text, "a")))
      assert.isTrue(Option.isNone(jsonAt(text, 0)))
    }
  })
})
