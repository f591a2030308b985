/**
 * What a body must be to be a success, written down a second time without the contract's schemas: few lines per operation, each the
 * least that the interface demands. A reader that calls anything else a success is wrong.
 */
import { Option } from "effect"

import { type Operation } from "../../src/domain/Operation.ts"
import { isJsonArray, isJsonObject, type JsonObject, parseJson } from "../../src/market/contract/Json.ts"

/** An answer as it is sent. */
export interface Sent {
  readonly status: number
  readonly location: string | undefined
  readonly text: string
}

const yes = (body: JsonObject): boolean => body["success"] === true || body["success"] === 1
const hasMessage = ({ message }: JsonObject): boolean => typeof message === "string" && message !== ""
const ofData = (body: JsonObject): JsonObject | undefined =>
  isJsonObject(body["data"]) ? body["data"] : undefined

/** In either envelope. */
const isBook = (body: JsonObject): boolean => {
  const inner = ofData(body)
  const data = inner === undefined ? undefined : ofData(inner)
  const isBare = yes(body) && typeof inner?.["eCurrency"] === "number"
  return isBare || (inner !== undefined && yes(inner) && typeof data?.["eCurrency"] === "number")
}

const rules: Readonly<Partial<Record<Operation, (body: JsonObject) => boolean>>> = {
  search: (body) => isJsonArray(body["results"] ?? null) || isJsonArray(body["listings"] ?? null),
  listings: (body) => isJsonArray(body["listings"] ?? null),
  suggestions: (body) => isJsonArray(body["results"] ?? null),
  orderbook: isBook,
  billing: (body) => isJsonObject(body["wallet_info"]) || body["wallet_currency"] !== undefined,
  buylisting: (body) =>
    isJsonObject(body["wallet_info"]) && body["wallet_info"]["success"] === 1 && !hasMessage(body),
  "create-buyorder": (body) =>
    body["success"] === 1 &&
    !hasMessage(body) &&
    (typeof body["buy_orderid"] === "string"
      ? body["buy_orderid"] !== ""
      : typeof body["buy_orderid"] === "number"),
  "cancel-buyorder": (body) => body["success"] === 1,
  "buyorder-status": (body) => body["success"] === 1,
  "confirmation-op": (body) => body["success"] === true
}

/** Pages, whose success is a page. */
const pages: ReadonlySet<Operation> = new Set(["home", "search-page", "listing-page"])

/** Whether an answer may be taken for a success of the operation. */
export const mayBeSuccess = (operation: Operation, { location, status, text }: Sent): boolean => {
  if (operation === "removelisting" && status >= 300 && status < 400)
    return location !== undefined && /\/market\/?$/.test(location)
  if (operation === "eligibility") return status >= 300 && status < 400
  if (status !== 200) return false
  const body = Option.getOrUndefined(parseJson(text))
  if (operation === "removelisting") return body !== undefined && isJsonArray(body) && body.length === 0
  if (pages.has(operation)) return text.trim() !== "" && body !== null
  // `null` is an empty result.
  if (body === null)
    return ["search", "listings", "search-render", "suggestions", "popular", "recent"].includes(operation)
  return isJsonObject(body) && (rules[operation] ?? yes)(body)
}

/** Whether a body may have a shape that says yes; what contradicts it next to that is the port's to see. */
export const mayBeShape = (operation: Operation, sent: Sent): boolean => {
  if (operation !== "create-buyorder" && operation !== "buylisting") return mayBeSuccess(operation, sent)
  const body = Option.getOrUndefined(parseJson(sent.text))
  if (sent.status !== 200 || !isJsonObject(body)) return false
  return operation === "create-buyorder"
    ? body["success"] === 1
    : isJsonObject(body["wallet_info"]) && body["wallet_info"]["success"] === 1
}

/** Paths of numbers in a result that cannot be calculated with. */
export const wrongNumbers = (result: unknown): ReadonlyArray<string> => {
  const found: Array<string> = []
  const waiting: Array<readonly [string, unknown]> = [["", result]]
  for (let next = waiting.pop(); next !== undefined && found.length < 3; next = waiting.pop()) {
    const [path, value] = next
    if (typeof value === "number" && !Number.isFinite(value)) found.push(path)
    else if (typeof value === "object" && value !== null)
      for (const [key, one] of value instanceof Map ? value : Object.entries(value))
        waiting.push([`${path}.${String(key)}`, one])
  }
  return found
}
