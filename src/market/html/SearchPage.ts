/** The search page: rows of the older form, the query's answer of the newer form or of the loader's payload. */
import { Result, Schema } from "effect"

import { isJsonObject, type Json } from "../contract/Json.ts"
import { type Names } from "../contract/Platform.ts"
import { GroupedBody, ListingsBody } from "../contract/Search.ts"
import { decoderOf } from "./InlineState.ts"
import { parsePage, scriptOf } from "./Page.ts"
import { pageError, type Read } from "./PageError.ts"
import { type SearchRows, searchRowsOf } from "./SearchRows.ts"
import { isServerRendered, payloadQueries, type Query, renderedQueries } from "./ServerRendered.ts"

export type SearchPage =
  | { readonly _tag: "Rows"; readonly found: SearchRows }
  | { readonly _tag: "Data"; readonly found: GroupedBody | ListingsBody }

const readFound = decoderOf("search", Schema.Union([GroupedBody, ListingsBody]))

export const readSearchPage = (text: string, names: Names): Read<SearchPage> => {
  if (!/^[\s\ufeff]*</.test(text)) return Result.flatMap(payloadQueries(text, names), foundIn)
  return Result.flatMap(parsePage(text), (page) => {
    const script = scriptOf(page)
    if (isServerRendered(script)) return Result.flatMap(renderedQueries(script, names), foundIn)
    const found = searchRowsOf(page)
    return found.rows.length === 0 && found.message === ""
      ? pageError("search page", "Missing", "neither rows nor a message")
      : Result.succeed({ _tag: "Rows", found } as const)
  })
}

/** The first market query that looks like an answer to a search. */
const foundIn = (queries: ReadonlyArray<Query>): Read<SearchPage> => {
  const data = queries.map(({ data }) => innerOf(data)).find(isAnswer)
  return data === undefined
    ? pageError("search page", "Missing", "no search query")
    : Result.map(readFound(data), (found) => ({ _tag: "Data", found }) as const)
}

const innerOf = (data: Json): Json => (isJsonObject(data) && data["data"] !== undefined ? data["data"] : data)

const isAnswer = (data: Json): boolean =>
  isJsonObject(data) &&
  data["total_count"] !== undefined &&
  (data["results"] !== undefined || data["listings"] !== undefined)
