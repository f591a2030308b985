import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { env } from "node:process"

/** Bodies that real markets of this family answered; the folder comes from HAGGLE_RECORDED, without it the tests are skipped. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"

import { checkBody } from "../../../src/market/contract/Check.ts"
import { isJsonArray, isJsonObject, type Json, parseJson } from "../../../src/market/contract/Json.ts"
import { operationInfo, type OperationInfo } from "../../../src/market/contract/Operations.ts"
import { namesOf } from "../../../src/market/contract/Platform.ts"

const folder = env["HAGGLE_RECORDED"] ?? ""
const word = "steam"

const info = (name: string): OperationInfo => {
  const found = operationInfo(name)
  if (found === undefined) throw new Error(name)
  return found
}

/** Folder, operation, and the shape of each file in the order of their names. */
const expected: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
  ["orderbook", "orderbook", ["success", "unknownItem (error in the body)", "bare", "success"]],
  [
    "priceoverview",
    "priceoverview",
    ["bundle of 13 (success)", "success", "success", "success", "success", "success", "success"]
  ],
  ["pricehistory", "pricehistory", ["success"]],
  ["myhistory", "myhistory", ["success", "success"]],
  ["createbuyorder", "create-buyorder", ["needConfirmation", "failed (error in the body)", "empty-array"]],
  ["getbuyorderstatus", "buyorder-status", ["success"]],
  ["cancelbuyorder", "cancel-buyorder", ["cancelled", "failed (error in the body)"]],
  ["sellitem", "sellitem", ["failed (error in the body)", "staged"]],
  ["mobileconf_getlist", "confirmations", ["failed (error in the body)", "success"]],
  ["mobileconf_details", "confirmation-details", ["html", "html"]],
  ["ratelimit_429", "orderbook", ["null"]],
  ["wallet_info", "billing", ["walletInfo"]],
  ["buylisting", "buylisting", ["bought", "failed (error in the body)", "bought"]],
  ["itemordersactivity", "activity", ["success"]],
  ["itemordershistogram", "histogram", ["success", "success"]],
  ["listing_page", "listing-page", ["html", "html", "html"]],
  ["listings_post", "listings", ["success"]],
  ["listings_render", "listings-render", ["success"]],
  ["market_home", "home", ["html", "html"]],
  ["recent", "recent", ["success"]],
  ["search_render", "search-render", ["rows", "rendered", "rows"]]
]

/** Paths at which what was re-encoded is not what was sent. */
const changed = (sent: Json, encoded: Json, path: string): ReadonlyArray<string> => {
  if (isJsonArray(encoded)) {
    if (!isJsonArray(sent) || sent.length !== encoded.length) return [path]
    return encoded.flatMap((value, index) => changed(sent[index] ?? null, value, `${path}[${index}]`))
  }
  if (isJsonObject(encoded)) {
    if (!isJsonObject(sent)) return [path]
    return Object.entries(encoded).flatMap(([key, value]) =>
      key in sent ? changed(sent[key] ?? null, value, `${path}.${key}`) : [`${path}.${key}`]
    )
  }
  return sent === encoded ? [] : [path]
}

describe.skipIf(folder === "" || !existsSync(folder))("recorded bodies", () => {
  for (const [name, operation, shapes] of expected) {
    it(`${name} decodes as ${operation} and re-encodes what it typed`, () => {
      const files = readdirSync(join(folder, name)).toSorted()
      const found = files.map((file) => {
        const text = readFileSync(join(folder, name, file), "utf8")
        const result = checkBody({ operation: info(operation), platformName: word, text })
        if (result._tag === "Differs") assert.fail(`${file}: ${JSON.stringify(result.differences)}`)
        const shape = info(operation).shapes[result.shape.split(" ")[0] ?? ""]
        if (shape !== undefined) {
          const encoded = Schema.encodeUnknownSync(shape.schema)(result.value) as Json
          const sent = namesOf(word).ours(Option.getOrThrow(parseJson(text)))
          assert.deepStrictEqual(changed(sent, encoded, ""), [])
        }
        return result.shape
      })
      assert.deepStrictEqual(found, shapes)
    })
  }

  it("every folder is named here", () => {
    const folders = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory())
    assert.sameMembers(
      folders.map(({ name }) => name),
      expected.map(([name]) => name)
    )
  })

  it("a recorded body with one value of another type is reported with its path", () => {
    const text = readFileSync(join(folder, "orderbook", "01.json"), "utf8").replace(
      '"eCurrency":23',
      '"eCurrency":"x"'
    )
    const result = checkBody({ operation: info("orderbook"), platformName: word, text })
    assert.deepStrictEqual(result._tag === "Differs" && result.differences.map(({ path }) => path), [
      "data.data.eCurrency"
    ])
  })
})
