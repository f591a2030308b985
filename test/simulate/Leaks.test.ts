import { assert, describe, it } from "@effect/vitest"

import { finderOf } from "./Leaks.ts"

const value = "Zx9/+kQ7=vb%20Pq"
const find = finderOf([
  { name: "the key", value },
  { name: "the token", value: "tok".repeat(40) }
])

/** Texts of programs that hide nothing. */
const disguises: Readonly<Record<string, string>> = {
  "as it is": `key=${value}`,
  "as JSON says it": JSON.stringify({ key: value }),
  "as the query of an address": `GET /x?${new URLSearchParams({ key: value })}`,
  "encoded twice": encodeURIComponent(encodeURIComponent(value)),
  "in hex": Buffer.from(value).toString("hex"),
  "in capital hex": `0x${Buffer.from(value).toString("hex").toUpperCase()}`,
  "in base64": btoa(value),
  "in base64 behind one byte": btoa(`:${value}`),
  "in base64 in the middle": btoa(`{"a":"${value}"}`),
  "in base64 for addresses": Buffer.from(`user:${value}`).toString("base64url"),
  "in JSON within JSON": JSON.stringify(JSON.stringify({ key: value })),
  "in escapes": [...value].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  "in some escapes": value.replace("/", String.raw`\/`).replace("+", String.raw`\u002b`),
  "in a string of two lines": `"${value.slice(0, 7)}" +\n  "${value.slice(7)}"`,
  "folded in a table": `| ${value.slice(0, 9)} |\n| ${value.slice(9)} |`,
  "in base64 of short lines": btoa(value).replaceAll(/.{6}/gu, "$&\n"),
  "as a page says it": value.replaceAll("+", "&#43;").replaceAll("=", "&#61;"),
  "cut off": `token ${"tok".repeat(40).slice(0, 70)}…`
}

describe("What finds secrets", () => {
  for (const [what, text] of Object.entries(disguises))
    it(`finds one ${what}, and names it without showing it`, () => {
      const names = find(`2026-11-20 level=Trace ${text} and so on`, true)
      assert.isNotEmpty(names)
      assert.match(names[0] ?? "", /^the (?:key|token) /u)
      assert.notInclude(names.join(" "), value)
    })

  it("finds none where none is", () => {
    assert.deepStrictEqual(
      find("placed a buy order for 3 × 730/Glove Case at 8.42 [maker@0011aabb#enter]", true),
      []
    )
    assert.deepStrictEqual(find(btoa("nothing of it")), [])
  })

  it("takes no word that texts hold by chance", () => {
    assert.throws(() => finderOf([{ name: "the door", value: "1234" }]), /too short/u)
  })
})
