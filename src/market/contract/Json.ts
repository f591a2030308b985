/** JSON as it travels. */
import { Option } from "effect"

export interface JsonObject {
  readonly [key: string]: Json
}
export type Json = string | number | boolean | null | ReadonlyArray<Json> | JsonObject

/** No body of the interface is nested nearly as deep; whatever walks one may call itself. */
const deepest = 200

/** The value of a text, with or without a byte order mark; None when it is not JSON or nested deeper than any body is. */
export const parseJson = (text: string): Option.Option<Json> =>
  isTooDeep(text) ? Option.none() : parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

const parse: (text: string) => Option.Option<Json> = Option.liftThrowable(
  (text: string): Json => JSON.parse(text) as Json
)

const isTooDeep = (text: string): boolean => {
  if (!opensMore(text, "[", "{")) return false
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfString(text, index)
    else if (code === openBracket || code === openBrace) {
      depth += 1
      if (depth > deepest) return true
    } else if (code === closeBracket || code === closeBrace) depth -= 1
  }
  return false
}

/** Whether there are more than `deepest` of both: most bodies are wide, not deep, and searching is much faster than counting depth. */
const opensMore = (text: string, ...opening: ReadonlyArray<string>): boolean => {
  let count = 0
  for (const one of opening)
    for (let at = text.indexOf(one); at >= 0; at = text.indexOf(one, at + 1))
      if (++count > deepest) return true
  return false
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [34, 92, 91, 93, 123, 125]

/** Index of the quotation mark that ends the string which begins at the index, or of the text's end. */
export const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1
    if (slashes % 2 === 0) return end
  }
  return text.length
}

export const isJsonArray = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
