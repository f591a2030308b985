/**
 * State of the newer pages: `window.SSR.renderContext=JSON.parse("…")`, and the loader's payload, which is JSON values without being one
 * conventional object. Both carry queries: a key such as ['market','orderbook',730,'Name'] and the data behind it.
 * Invariant: JSON inside strings is unpacked a few levels deep only, and the number of visited values is bounded.
 */
import { Option, Result } from "effect"

import { isJsonArray, isJsonObject, type Json, type JsonObject, parseJson } from "../contract/Json.ts"
import { type Names } from "../contract/Platform.ts"
import { pageError, type Read } from "./PageError.ts"
import { jsonAt } from "./Script.ts"

/** What a page asked its server for, and the answer. */
export interface Query {
  readonly key: ReadonlyArray<Json>
  readonly data: Json
}

/** Renderings nest JSON in strings at most three times. */
const deepestString = 4
const mostValues = 500_000

const renderContext = /\brenderContext\s{0,9}=\s{0,9}(?:JSON\.parse\s{0,9}\(\s{0,9})?/

export const isServerRendered = (script: string): boolean => renderContext.test(script)

/** Queries of a server-rendered page. */
export const renderedQueries = (script: string, names: Names): Read<ReadonlyArray<Query>> => {
  const match = renderContext.exec(script)
  if (match === null) return pageError("renderContext", "Missing")
  const context = jsonAt(script, match.index + match[0].length)
  if (Option.isNone(context)) return pageError("renderContext", "NotJson")
  const value = unpacked(context.value.value)
  return value === undefined
    ? pageError("renderContext", "NotJson")
    : Result.succeed(queriesIn([value]).map((query) => ours(query, names)))
}

/** Queries of a loader's payload: one JSON value, or one per line with or without a short label before it. */
export const payloadQueries = (text: string, names: Names): Read<ReadonlyArray<Query>> => {
  const whole = Option.getOrUndefined(parseJson(text))
  const values = whole === undefined ? lines(text) : [whole]
  return values.length === 0
    ? pageError("payload", "NotJson")
    : Result.succeed(queriesIn(values).map((query) => ours(query, names)))
}

const mostLines = 10_000

const lines = (text: string): ReadonlyArray<Json> =>
  text
    .split("\n", mostLines)
    .flatMap((line) =>
      Option.getOrElse(
        Option.map(parseJson(line.replace(/^\s*\w{0,8}:/, "")), (value) => [value]),
        () => []
      )
    )
    .filter((value) => typeof value === "object" && value !== null)

const ours = ({ data, key }: Query, names: Names): Query => ({ key, data: names.ours(data) })

/** A string that holds JSON as that JSON; undefined when it does not. */
const unpacked = (value: Json): Json | undefined =>
  typeof value === "string" ? Option.getOrUndefined(parseJson(value)) : value

const queriesIn = (roots: ReadonlyArray<Json>): ReadonlyArray<Query> => {
  const found: Array<Query> = []
  const waiting: Array<readonly [value: Json, strings: number]> = roots.toReversed().map((root) => [root, 0])
  let visited = 0
  for (let next = waiting.pop(); next !== undefined && visited < mostValues; next = waiting.pop()) {
    const [value, strings] = next
    visited += 1
    if (typeof value === "string") {
      const inner = strings < deepestString && mayHoldQueries(value) ? unpacked(value) : undefined
      if (inner !== undefined && typeof inner === "object") waiting.push([inner, strings + 1])
      continue
    }
    const query = isJsonObject(value) ? queryOf(value) : undefined
    if (query !== undefined) found.push(query)
    else if (typeof value === "object" && value !== null)
      for (const inner of Object.values(value).toReversed()) waiting.push([inner, strings])
  }
  return found
}

const mayHoldQueries = (text: string): boolean => /^\s*[[{"]/.test(text) && text.includes("queryKey")

const queryOf = ({ queryKey, state }: JsonObject): Query | undefined =>
  queryKey !== undefined && isJsonArray(queryKey) && isJsonObject(state)
    ? { key: queryKey, data: state["data"] ?? null }
    : undefined

/** Data of the first query whose key names these parts, in this order, at its beginning. */
export const dataOf = (queries: ReadonlyArray<Query>, ...parts: ReadonlyArray<string>): Json | undefined =>
  queries.find(({ key }) => parts.every((part, index) => key[index] === part))?.data
