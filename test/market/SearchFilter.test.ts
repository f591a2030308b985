import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

import { searchPayload, searchQuery } from "../../src/market/contract/Discovery.ts"
import { listingsPayload } from "../../src/market/contract/Listings.ts"
import {
  anyAccessory,
  emptyFilter,
  groupedPage,
  listingPage,
  lostInQuery,
  nextStart,
  noAccessory,
  ofBody,
  ofQuery,
  type SearchFilter,
  toBody,
  toListingsBody,
  toQuery
} from "../../src/market/SearchFilter.ts"

const whole: SearchFilter = {
  app: 730,
  text: "dragon",
  inDescriptions: true,
  tags: { Weapon: ["weapon_ak47", "weapon_awp"], Exterior: ["WearCategory0"], "Any Category": ["x y"] },
  accessories: { GAME_Tool_Sticker: [anyAccessory], GAME_Tool_Keychain: [noAccessory, "Charm | A"] },
  properties: [
    { _tag: "Whole", id: 3, min: 1, max: 9 },
    { _tag: "Continuous", id: 2, min: 0.07, max: 0.15 }
  ],
  price: { currency: 1, min: 100, max: 2063 },
  sort: "Price",
  direction: "Ascending",
  start: 30
}

describe("a search filter", () => {
  it("is repeated parameters in a query: values ORed, categories ANDed", () => {
    assert.deepStrictEqual(toQuery(whole), {
      appid: 730,
      q: "dragon",
      descriptions: 1,
      sort: 3,
      dir: "1",
      category_Weapon: ["weapon_ak47", "weapon_awp"],
      category_Exterior: ["WearCategory0"],
      "category_Any Category": ["x y"],
      accessory_GAME_Tool_Sticker: ["$any$"],
      accessory_GAME_Tool_Keychain: ["$none$", "Charm | A"]
    })
    assert.isTrue(Schema.is(searchQuery)(toQuery(whole)))
  })

  it("says what a query cannot express", () => {
    assert.deepStrictEqual(lostInQuery(whole), ["price", "properties", "start"])
    assert.deepStrictEqual(lostInQuery({ ...emptyFilter, text: "x" }), [])
  })

  it("is one object in a body, with property ranges and price bounds", () => {
    const body = toBody(whole)
    assert.deepStrictEqual(body, {
      appid: 730,
      filters: {
        Weapon: ["weapon_ak47", "weapon_awp"],
        Exterior: ["WearCategory0"],
        "Any Category": ["x y"]
      },
      accessoryFilters: {
        accessory_GAME_Tool_Sticker: ["$any$"],
        accessory_GAME_Tool_Keychain: ["$none$", "Charm | A"]
      },
      propertyFilters: {
        "3": { property_id: 3, int_min: "1", int_max: "9" },
        "2": { property_id: 2, float_min: "0.07", float_max: "0.15" }
      },
      price: { eCurrency: 1, unMin: 100, unMax: 2063 },
      start: 30,
      strQuery: "dragon",
      bSearchDescriptions: true,
      sort: 3,
      direction: 1
    })
    assert.isTrue(Schema.is(searchPayload)([body]))
    assert.isFalse(Schema.is(searchPayload)([body, body]))
  })

  it("comes back from both encodings", () => {
    const { price: _price, ...rest } = whole
    assert.deepStrictEqual(ofQuery(toQuery(whole)), { ...rest, properties: [], start: 0 })
    const back = ofBody(toBody(whole))
    assert.deepStrictEqual({ ...back, properties: back.properties.toSorted((a, b) => b.id - a.id) }, whole)
  })

  it("leaves out what filters nothing: empty lists, open bounds, the default order", () => {
    const filter: SearchFilter = {
      ...emptyFilter,
      tags: { Weapon: [] },
      price: { currency: 3, min: 5 },
      direction: "Ascending"
    }
    assert.deepStrictEqual(toQuery(filter), {})
    assert.deepStrictEqual(toBody(filter), {
      filters: {},
      accessoryFilters: {},
      propertyFilters: {},
      price: { eCurrency: 3, unMin: 5 },
      start: 0,
      strQuery: "",
      bSearchDescriptions: false,
      sort: 0
    })
  })

  it("reads 4 as popularity, too", () => {
    assert.strictEqual(ofQuery({ sort: 4 }).sort, "Popularity")
    assert.strictEqual(ofBody({ sort: 4 }).sort, "Popularity")
    assert.deepStrictEqual(
      ([1, 2, 3] as const).map((sort) => ofBody({ sort, direction: 2 }).sort),
      ["Name", "Quantity", "Price"]
    )
  })

  it("is the body of a listings request without text and order", () => {
    const body = toListingsBody(whole, 730, "AK-47 | A")
    assert.isTrue(Schema.is(listingsPayload)([body]))
    assert.sameMembers(Object.keys(body), [
      "appid",
      "strItemName",
      "filters",
      "accessoryFilters",
      "propertyFilters",
      "price",
      "start"
    ])
  })

  it("asks for listing rows when told to", () => {
    assert.isTrue(toBody(whole, { grouped: false }).disableGrouping)
    assert.isUndefined(toBody(whole, { grouped: true }).disableGrouping)
  })

  it("pages by 10 or 30 until the total, or until a page is empty", () => {
    assert.strictEqual(nextStart(0, groupedPage, 25), 10)
    assert.strictEqual(nextStart(10, groupedPage, 25), 20)
    assert.isUndefined(nextStart(20, 5, 25))
    assert.strictEqual(nextStart(30, listingPage, 61), 60)
    assert.isUndefined(nextStart(30, 0, 61))
  })
})
