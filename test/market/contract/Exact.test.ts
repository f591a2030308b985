/** Recognising a body at a glance comes to what decoding it comes to. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { env } from "node:process"

import { assert, describe, it } from "@effect/vitest"
import { Option, Result, SchemaParser } from "effect"

import { driftOf, noDrift } from "../../../src/market/contract/Drift.ts"
import { recogniser } from "../../../src/market/contract/Exact.ts"
import { type Json, parseJson } from "../../../src/market/contract/Json.ts"
import { orderbookShapes } from "../../../src/market/contract/Listings.ts"
import { operationInfo, registry } from "../../../src/market/contract/Operations.ts"
import { makeFuzz } from "../../fuzz/Run.ts"

const shapes = registry.flatMap(({ operation, shapes }) =>
  Object.entries(shapes).map(([name, { schema }]) => ({
    operation,
    name: `${operation} ${name}`,
    ast: schema.ast,
    decode: SchemaParser.decodeUnknownResult(schema),
    recognise: recogniser(schema.ast)
  }))
)

/** Whether the body was recognised; a test fails when the schema makes something else of it. */
const agreed = ({ ast, decode, name, recognise }: (typeof shapes)[number], body: Json): boolean => {
  if (recognise?.(body) !== true) return false
  const decoded = decode(body)
  if (Result.isFailure(decoded)) return assert.fail(`${name}: ${JSON.stringify(body)}`)
  assert.deepStrictEqual(decoded.success, body, name)
  assert.deepStrictEqual(driftOf(ast, body, body), noDrift, name)
  return true
}

const recognised = (text: string): boolean => {
  const body = Option.getOrThrow(parseJson(text))
  return shapes.filter(({ operation }) => operation === "orderbook").some((shape) => agreed(shape, body))
}
const book = '"amtMaxBuyOrder":5,"amtMinSellOrder":null,"eCurrency":1,"cBuyOrders":3,"cSellOrders":0'
const enveloped = (data: string) => `{"data":{"success":1,"data":{${data}}}}`
const whole = `${book},"rgCompactBuyOrders":[5,2,4,1],"rgCompactSellOrders":[]`

describe("Recognising a body", () => {
  it("is possible for every shape of every operation", () => {
    assert.deepStrictEqual(
      shapes.filter(({ recognise }) => recognise === undefined).map(({ name }) => name),
      []
    )
  })

  it("says yes to an order book in either envelope", () => {
    assert.isTrue(recognised(enveloped(whole)))
    assert.isTrue(recognised(`{"success":true,"data":{${whole}}}`))
    assert.isTrue(recognised('{"success":false}'))
  })

  it("leaves to the schema what it does not name, what is missing and what is no book", () => {
    const others = [
      enveloped(book),
      enveloped(`${whole},"more":1`),
      enveloped(`${whole},"__proto__":{}`),
      enveloped(whole.replace("[5,2,4,1]", "[5,2,4]")),
      enveloped(whole.replace("[5,2,4,1]", "[5,2,4,1e999]")),
      enveloped(whole.replace("[5,2,4,1]", "[5,2,4,-1]")),
      enveloped(whole.replace("[5,2,4,1]", "[5,2,4,1.5]")),
      enveloped(whole.replace('"eCurrency":1,', "")),
      `${enveloped(whole).slice(0, -1)},"more":[]}`,
      "null",
      "[]",
      "5"
    ]
    for (const text of others) assert.isFalse(recognised(text), text)
    assert.strictEqual(operationInfo("orderbook")?.shapes, orderbookShapes)
  })

  it("agrees with the schema about every body that it says yes to", async () => {
    const fuzz = await makeFuzz(11)
    const yes = new Set<string>()
    for (let index = 0; index < 6_000; index++) {
      const { operation, text } = fuzz.caseOf(index)
      const body = parseJson(text)
      if (Option.isNone(body)) continue
      for (const shape of shapes)
        if (shape.operation === operation && agreed(shape, body.value)) yes.add(shape.name)
    }
    assert.isAbove(yes.size, shapes.length * 0.8, [...yes].join(", "))
  })

  it.skipIf(env["HAGGLE_RECORDED"] === undefined)("agrees about recorded bodies, too", () => {
    const folder = env["HAGGLE_RECORDED"] ?? ""
    const files = readdirSync(folder, { recursive: true }).filter((file) => String(file).endsWith(".json"))
    const bodies = files.map((file) => parseJson(readFileSync(join(folder, String(file)), "utf8")))
    const yes = bodies.filter((body) => Option.isSome(body) && shapes.some((one) => agreed(one, body.value)))
    assert.isAbove(yes.length, 5)
  })
})
