/** The generated reference and the OpenAPI document: they list the thirty, with every parameter and field. */
import { readFileSync } from "node:fs"

import { assert, describe, it } from "@effect/vitest"

import { operations } from "../../../src/domain/Operation.ts"
import { isJsonObject, type Json, type JsonObject } from "../../../src/market/contract/Json.ts"
import { openApi } from "../../../src/market/contract/OpenApi.ts"
import { registry } from "../../../src/market/contract/Operations.ts"
import { reference } from "../../../src/market/contract/Reference.ts"

const document = openApi()

const operationsOf = (paths: JsonObject): ReadonlyArray<JsonObject> =>
  Object.values(paths).flatMap((item) => (isJsonObject(item) ? Object.values(item).filter(isJsonObject) : []))

describe("docs/interface.md", () => {
  it("is what the contract says; regenerate it by: node test/market/contract/interface.ts", () => {
    assert.strictEqual(readFileSync("docs/interface.md", "utf8"), reference())
  })

  it("has a section for each of the thirty operations, with its parameters", () => {
    const text = reference()
    for (const { operation, parameters } of registry) {
      const section = text.split(`\n### ${operation}\n`)[1]?.split("\n### ")[0]
      assert.isDefined(section, operation)
      for (const { name } of parameters) assert.include(section, `\`${name}\``)
    }
  })

  it("describes every parameter and every field of every body", () => {
    const bare = reference()
      .split("\n")
      .filter((line) => line.startsWith("| `") && /\|\s+\|$/.test(line))
    assert.deepStrictEqual(bare, [])
  })
})

describe("the OpenAPI document", () => {
  it("has the thirty operations under their names", () => {
    const ids = operationsOf(document.paths).map(({ operationId }) => operationId)
    assert.sameMembers(ids, [...operations])
  })

  it("resolves every reference", () => {
    const schemas = document.components["schemas"]
    const missing: Array<string> = []
    const waiting: Array<Json> = [document]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (typeof next !== "object" || next === null) continue
      if (isJsonObject(next) && typeof next["$ref"] === "string") {
        const name = next["$ref"].replace("#/components/schemas/", "")
        if (!isJsonObject(schemas) || schemas[name] === undefined) missing.push(name)
      }
      waiting.push(...Object.values(next))
    }
    assert.deepStrictEqual(missing, [])
  })

  it("allows extra fields and writes numbers of a query as integers", () => {
    assert.notInclude(JSON.stringify(document), '"additionalProperties":false')
    const overview = operationsOf(document.paths).find(({ operationId }) => operationId === "priceoverview")
    const parameters = (overview?.["parameters"] ?? []) as unknown as ReadonlyArray<JsonObject>
    const appid = parameters.find(({ name }) => name === "appid")
    assert.deepStrictEqual(appid, {
      name: "appid",
      in: "query",
      required: true,
      description: "Application id.",
      schema: { type: "integer" }
    })
  })

  it("tells what a purchase may answer: done, refused with 502, to be confirmed with 406", () => {
    const purchase = operationsOf(document.paths).find(({ operationId }) => operationId === "buylisting")
    const responses = purchase?.["responses"]
    assert.includeMembers(isJsonObject(responses) ? Object.keys(responses) : [], [
      "200",
      "302",
      "400",
      "401",
      "406",
      "429",
      "502",
      "503"
    ])
    assert.deepStrictEqual(purchase?.["security"], [{ session: [], csrf: [] }])
  })
})
