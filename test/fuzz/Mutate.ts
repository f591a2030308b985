/** One hostile change after the other: of the structure of JSON, and of the text of anything. */
import { Option } from "effect"

import { isJsonArray, isJsonObject, type Json, parseJson } from "../../src/market/contract/Json.ts"
import { type Rng } from "./Random.ts"

const deep = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth)

/** Values that no field is. */
const values: ReadonlyArray<Json> = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  1e15,
  9_007_199_254_740_991,
  1e308,
  -1e308,
  "",
  "0",
  "1",
  "-5",
  "999999999999999",
  "9".repeat(400),
  "NaN",
  "Infinity",
  "null",
  "[]",
  "<html><title>Sign In</title></html>",
  "<script>BuildHover('x', {\"id\":1}, a);</script>",
  "\u0000\uffff\ud800",
  "x".repeat(20_000),
  [],
  {},
  [[]],
  [null],
  [{}],
  { success: true },
  { success: 1 },
  { data: { success: true, data: {} } },
  Array.from({ length: 300 }, () => 1)
]

const keys = [
  "__proto__",
  "constructor",
  "toString",
  "success",
  "data",
  "message",
  "need_confirmation",
  "hasOwnProperty",
  "",
  "0"
]

/** Keys of the shape `__proto__` are own properties, as JSON.parse makes them. */
const withKey = (object: object, key: string, value: Json): Json =>
  Object.defineProperty({ ...object }, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true
  }) as Json

/** The body with one node changed; walks down at random. */
const changed = (body: Json, rng: Rng, depth = 0): Json => {
  if (rng.chance(depth === 0 ? 0.03 : 0.15)) return leaf(body, rng)
  if (isJsonArray(body)) {
    if (body.length === 0 || rng.chance(0.2)) return arrayOf(body, rng)
    const at = rng.below(body.length)
    return body.map((one, index) => (index === at ? changed(one, rng, depth + 1) : one))
  }
  if (isJsonObject(body)) {
    const names = Object.keys(body)
    if (names.length === 0 || rng.chance(0.2)) return withKey(body, rng.pick(keys), rng.pick(values))
    const name = rng.pick(names)
    if (rng.chance(0.15)) return Object.fromEntries(Object.entries(body).filter(([one]) => one !== name))
    return withKey(body, name, changed(body[name] ?? null, rng, depth + 1))
  }
  return leaf(body, rng)
}

const arrayOf = (body: ReadonlyArray<Json>, rng: Rng): Json => {
  const [first = null] = body
  return rng.pick<Json>([[], [...body, rng.pick(values)], [first, first, first], body.slice(1), { ...body }])
}

/** A value of another type, or the same as a string or a number. */
const leaf = (value: Json, rng: Rng): Json => {
  if (typeof value === "number" && rng.chance(0.4))
    return rng.pick<Json>([String(value), -value, value + 0.5, value * 1e12])
  if (typeof value === "string" && rng.chance(0.4))
    return rng.pick<Json>([
      Number(value),
      value.slice(0, rng.below(value.length + 1)),
      `${value}${value}`,
      [value]
    ])
  return rng.pick(values)
}

const texts: ReadonlyArray<string> = [
  "",
  " ",
  "null",
  "[]",
  "{}",
  "true",
  "1",
  '""',
  "\ufeff",
  "<",
  "<html></html>",
  "<!DOCTYPE html><html><head><title>Sign In</title></head><body></body></html>",
  "<html><script>g_accountID = false;</script></html>",
  "<html>502 Bad Gateway</html>",
  "undefined",
  '{"success":true}',
  '{"success":1}',
  '{"success":false}',
  '{"success":84}',
  '{"success":16}',
  '{"success":104}',
  '{"success":1,"message":"no"}',
  '{"need_confirmation":true,"confirmation":{"confirmation_id":"9"},"success":22}',
  '{"success":1,"success":2}',
  '{"message":"somebody else has already purchased it"}',
  deep("[", "]", 5000),
  deep('{"a":', "}", 3000),
  "[".repeat(100_000),
  `{"success":true,"x":${"9".repeat(5000)}}`,
  `{"success":true,"html":"${"<div>".repeat(20_000)}"}`,
  `{"success":true,"html":"${'BuildHover({\\"'.repeat(8000)}"}`,
  `<html>${"<div>".repeat(5000)}`,
  `<html>${"</div>".repeat(20_000)}`,
  `<html><script>${'BuildHover({\\"'.repeat(10_000)}</script></html>`,
  `<html><script>var g_rgAssets = ${"[".repeat(10_000)}</script></html>`,
  `<html><script>window.SSR.renderContext=JSON.parse(${'"\\"'.repeat(5000)})</script></html>`,
  `<html><script>var line1=${"[[".repeat(300)}`,
  `<a ${"x=y ".repeat(20_000)}>`,
  `<!--${"-".repeat(50_000)}`
]

/** Characters that mean something to a parser. */
const marks = [
  '"',
  "\\",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "<",
  ">",
  "/",
  "'",
  "&",
  "&quot;",
  "\u0000",
  "\ud83d",
  ";",
  "-",
  "e9",
  "(",
  ")"
]

const cut = (text: string, rng: Rng): string => text.slice(0, rng.below(text.length + 1))
const inserted = (text: string, rng: Rng): string => {
  const at = rng.below(text.length + 1)
  return text.slice(0, at) + rng.pick(marks) + text.slice(at + rng.below(3))
}
const spliced = (text: string, rng: Rng): string => {
  const [from, to] = [rng.below(text.length + 1), rng.below(text.length + 1)]
  return text.slice(0, from) + text.slice(to)
}

const ofText = (text: string, rng: Rng): string => {
  switch (rng.below(8)) {
    case 0:
      return cut(text, rng)
    case 1:
      return inserted(text, rng)
    case 2:
      return spliced(text, rng)
    case 3:
      return `\ufeff ${text}`
    case 4:
      return text + text
    case 5:
      return `<html>${text}</html>`
    case 6:
      return JSON.stringify(text)
    default:
      return rng.chance(0.3) ? rng.pick(texts) : text
  }
}

/** How many changes a case gets; many cases get few, so that most of the body still says what it said. */
const changes = [0, 1, 1, 1, 1, 2, 2, 3]

/** The text after some changes. */
export const mutated = (text: string, rng: Rng): string => {
  let current = text
  for (let left = rng.pick(changes); left > 0; left -= 1) {
    const parsed = rng.chance(0.85) ? parseJson(current) : Option.none()
    if (Option.isSome(parsed)) {
      const next = changed(parsed.value, rng)
      current = JSON.stringify(next)
    } else if (rng.chance(0.85)) current = ofText(current, rng)
  }
  return current
}
