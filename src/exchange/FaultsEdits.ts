/**
 * Real answers, spoilt: the JSON of an answer with another currency, doubled or turned rows, held funds, hidden confirmations.
 * Invariants: 1. an edit that changes nothing says so (undefined), and then no fault was played. 2. only the named fields change.
 */
import { Option } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"

import { type CurrencyId, currencyOfCode } from "../domain/Currency.ts"
import { type Operation } from "../domain/Operation.ts"
import { isJsonArray, isJsonObject, type Json, type JsonObject, parseJson } from "../market/contract/Json.ts"
import { type FaultCall, type Play } from "./Faults.ts"
import { type FaultOf } from "./FaultsPlan.ts"
import { exchanged } from "./Rates.ts"
import { type Account, type World } from "./World.ts"

type Response = HttpServerResponse.HttpServerResponse

/** The text of a body that is held in memory, undefined of another. */
const textOf = ({ body }: Response): string | undefined =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : undefined

const typeOf = ({ body }: Response): string =>
  body._tag === "Uint8Array" ? body.contentType : "application/json"

/** The response with its JSON edited; undefined when it has none or the edit changes nothing. */
const editJson = (response: Response, edit: (body: JsonObject) => Json | undefined): Response | undefined => {
  const text = typeOf(response).startsWith("application/json") ? textOf(response) : undefined
  const parsed = text === undefined ? Option.none() : parseJson(text)
  if (Option.isNone(parsed) || !isJsonObject(parsed.value)) return undefined
  const edited = edit(parsed.value)
  if (edited === undefined) return undefined
  return HttpServerResponse.setBody(response, HttpBody.text(JSON.stringify(edited), typeOf(response)))
}

/** The first half of the body, complete as far as the transport can tell; a body of one character or none is lost whole. */
const truncated = (response: Response): Response | undefined => {
  const text = textOf(response)
  if (text === undefined || text === "") return undefined
  const half = text.slice(0, Math.floor(text.length / 2))
  return HttpServerResponse.setBody(response, HttpBody.text(half, typeOf(response)))
}

const flattened = /^rgCompact(?:Buy|Sell)Orders$/
const amounts = /^(?:un|amt)[A-Z]/

/** Pairs of price and quantity; levels whose prices fall together are one. */
const exchangedPairs = (
  pairs: ReadonlyArray<Json>,
  convert: (amount: number) => number
): ReadonlyArray<number> => {
  const levels = new Map<number, number>()
  for (let index = 0; index + 1 < pairs.length; index += 2) {
    const price = convert(Number(pairs[index]))
    levels.set(price, (levels.get(price) ?? 0) + Number(pairs[index + 1]))
  }
  return [...levels].flat()
}

const inCurrency = (value: Json, to: CurrencyId): Json => {
  if (isJsonArray(value)) return value.map((one) => inCurrency(one, to))
  if (!isJsonObject(value)) return value
  const from = value["eCurrency"]
  const convert = (amount: number): number =>
    typeof from === "number" ? exchanged(amount, from as CurrencyId, to) : amount
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, Json] => {
      if (typeof from === "number" && key === "eCurrency") return [key, to]
      if (flattened.test(key) && isJsonArray(inner)) return [key, exchangedPairs(inner, convert)]
      if (amounts.test(key) && typeof inner === "number") return [key, convert(inner)]
      return [key, inCurrency(inner, to)]
    })
  )
}

const euro: CurrencyId = 3
const dollar: CurrencyId = 1

/** Amounts and `eCurrency` in another currency: the rule's, or one that is not the wallet's. */
const inOtherCurrency = (response: Response, wallet: CurrencyId, { currency }: FaultOf<"currency">) => {
  const named = currency === undefined ? Option.none() : currencyOfCode(currency)
  const to = Option.match(named, {
    onNone: () => (wallet === dollar ? euro : dollar),
    onSome: ({ id }) => id
  })
  return editJson(response, (body) => {
    const edited = inCurrency(body, to)
    return JSON.stringify(edited) === JSON.stringify(body) ? undefined : edited
  })
}

/** Own history with every row twice, or oldest first. */
const spoiltHistory = (response: Response, { how }: FaultOf<"history">) =>
  editJson(response, (body) => {
    const events = body["events"] ?? null
    if (!isJsonArray(events) || events.length === 0) return undefined
    if (how === "reordered") return events.length < 2 ? undefined : { ...body, events: events.toReversed() }
    return { ...body, events: events.flatMap((event) => [event, event]) }
  })

const secondMillis = 1000

/** Own history with the money of the last sales held back. */
const heldHistory = (response: Response, account: Account, now: number, hold: number) => {
  const held = new Map<string, number>(
    account.history
      .filter(({ at, kind }) => kind === "Sold" && at > now - hold)
      .map(
        ({ at, listing, purchase }) =>
          [`${listing}_${purchase}`, Math.ceil((at + hold) / secondMillis)] as const
      )
  )
  return editJson(response, (body) => {
    const purchases = body["purchases"]
    if (!isJsonObject(purchases) || !Object.keys(purchases).some((key) => held.has(key))) return undefined
    const edited = Object.entries(purchases).map(([key, row]): [string, Json] => {
      const until = held.get(key)
      return until === undefined || !isJsonObject(row)
        ? [key, row]
        : [key, { ...row, funds_held: 1, time_funds_held_until: until }]
    })
    return { ...body, purchases: Object.fromEntries(edited) }
  })
}

/** The wallet without the money of the last sales, which it shows as delayed. */
const heldWallet = (response: Response, account: Account, now: number, hold: number) => {
  const sold = account.history.filter(({ at, kind }) => kind === "Sold" && at > now - hold)
  const held = Math.min(
    account.balance,
    sold.reduce((sum, { take }) => sum + take, 0)
  )
  return editJson(response, (body) => {
    const wallet = body["wallet_info"]
    if (held === 0 || !isJsonObject(wallet)) return undefined
    const amounts = { wallet_balance: String(account.balance - held), wallet_delayed_balance: String(held) }
    return { ...body, wallet_info: { ...wallet, ...amounts } }
  })
}

/** The list of confirmations without some, or with each twice. */
const spoiltConfirmations = (
  response: Response,
  now: number,
  { delay = 60_000, how }: FaultOf<"confirmations">
) =>
  editJson(response, (body) => {
    const rows = body["conf"] ?? null
    if (!isJsonArray(rows) || rows.length === 0) return undefined
    if (how === "twice") return { ...body, conf: rows.flatMap((row) => [row, row]) }
    const shown = rows.filter((row) => how === "late" && createdAt(row) <= now - delay)
    return shown.length === rows.length ? undefined : { ...body, conf: shown }
  })

const createdAt = (row: Json): number => {
  const created = isJsonObject(row) ? row["creation_time"] : undefined
  return typeof created === "number" ? created * secondMillis : -Infinity
}

/** Own lists as an expired session sees them where a market does not say so: success, and nothing in them. */
const emptied = (response: Response) =>
  editJson(response, (body) => {
    const lists = Object.entries(body).map(([key, value]): [string, Json] => {
      if (isJsonArray(value)) return [key, []]
      if (["assets", "purchases", "listings"].includes(key)) return [key, []]
      if (["total_count", "num_active_listings"].includes(key)) return [key, 0]
      return ["results_html", "hovers"].includes(key) ? [key, ""] : [key, value]
    })
    return body["success"] === true ? Object.fromEntries(lists) : undefined
  })

/** Operations that answer empty lists instead of saying that the session is gone. */
export const ownLists: ReadonlySet<Operation> = new Set(["mylistings", "myhistory"])

interface Scene {
  readonly call: FaultCall
  readonly world: World
}

interface Edited {
  readonly response: Response
  readonly detail: string
}

/** What a rule makes of the real answer, undefined when it leaves it as it is. */
export const edited = ({ rule }: Play, { call, world }: Scene, real: Response): Edited | undefined => {
  const account = call.account === undefined ? undefined : world.accounts[call.account]
  const made = (response: Response | undefined, detail: string): Edited | undefined =>
    response === undefined ? undefined : { response, detail }
  switch (rule.kind) {
    case "truncated":
      return made(truncated(real), "half of the body")
    case "currency":
      return made(
        inOtherCurrency(real, account?.currency ?? world.currency, rule),
        "amounts in another currency"
      )
    case "history":
      return made(spoiltHistory(real, rule), `rows ${rule.how}`)
    case "confirmations":
      return made(spoiltConfirmations(real, world.now, rule), `confirmations ${rule.how}`)
    case "funds-held": {
      if (account === undefined) return undefined
      const edit = call.operation === "billing" ? heldWallet : heldHistory
      return made(edit(real, account, world.now, rule.hold), "funds on hold")
    }
    case "session":
      if (account === undefined) return undefined
      if (rule.signal === "empty-lists" && ownLists.has(call.operation))
        return made(emptied(real), "the session is gone: empty lists")
      return rule.signal === "header"
        ? made(HttpServerResponse.setHeader(real, "x-notloggedin", "1"), "the session is gone: X-NotLoggedIn")
        : undefined
    default:
      return undefined
  }
}
