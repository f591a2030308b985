/** What a confirmation's details are about: the asset and listing ids that their HTML names. */

import { Option } from "effect"

import { isJsonObject, parseJson } from "./contract/Json.ts"

/** A script call or attribute that carries the asset as JSON, its quotes possibly escaped for HTML. */
const call = /BuildHover\(\s*(?:'[^']*'|"[^"]*"|&quot;[^&]*&quot;)\s*,\s*/g
/** An object with descriptions is some kilobytes; more is no asset. */
const longestObject = 200_000
const listingPattern = /(?:mylisting_|market_listing_|data-listingid="|listingid["':=\s]+)(\d{6,20})/g

/** Ids in the order in which they are named, each once. */
export const subjectsOf = (html: string): ReadonlyArray<string> => {
  const text = html.replaceAll("&quot;", '"')
  const assets = [...text.matchAll(call)].flatMap((match) => assetIds(text, match.index + match[0].length))
  const listings = [...text.matchAll(listingPattern)].flatMap(([, id]) => (id === undefined ? [] : [id]))
  return [...new Set([...assets, ...listings])]
}

const assetIds = (text: string, start: number): ReadonlyArray<string> =>
  Option.match(Option.flatMap(objectAt(text, start), parseJson), {
    onNone: () => [],
    onSome: (value) => {
      if (!isJsonObject(value)) return []
      return [value["id"], value["assetid"]].flatMap((id) =>
        typeof id === "string" ? [id] : typeof id === "number" ? [String(id)] : []
      )
    }
  })

/** The JSON object that begins at the index: braces inside strings do not count. */
const objectAt = (text: string, start: number): Option.Option<string> => {
  if (text[start] !== "{") return Option.none()
  let depth = 0
  let quoted = false
  const end = Math.min(text.length, start + longestObject)
  for (let index = start; index < end; index += 1) {
    const character = text[index]
    if (quoted && character === "\\") index += 1
    else if (character === '"') quoted = !quoted
    else if (!quoted && character === "{") depth += 1
    else if (!quoted && character === "}") {
      depth -= 1
      if (depth === 0) return Option.some(text.slice(start, index + 1))
    }
  }
  return Option.none()
}
