/**
 * Sorts the parameters of a call into path, query, headers, form and JSON body, checks them, and fills in what a person should not have
 * to give. Fields left undefined are filled in from the session or the signature at the moment of sending.
 */
import { Effect, Option, Schema } from "effect"

import { isJsonArray, isJsonObject, type Json, type JsonObject, parseJson } from "./contract/Json.ts"
import { type OperationInfo } from "./contract/Operations.ts"
import { type Parameter, takes } from "./contract/Parameter.ts"
import { type MarketSettings } from "./MarketConfig.ts"
import { emptyFilter, type FilterQuery, ofQuery, toBody, toListingsBody } from "./SearchFilter.ts"

/** The call was not sent; the message says what to change. */
export class CallRefused extends Schema.TaggedError<CallRefused>()("CallRefused", {
  message: Schema.String
}) {}

/** A value, the values of a repeated parameter, or undefined for one that is filled in later. */
export type Values = ReadonlyMap<string, string | ReadonlyArray<string> | undefined>

export interface CallParameters {
  /** Path with its parameters in place. */
  readonly path: string
  readonly query: Values
  readonly headers: Readonly<Record<string, string>>
  readonly form: Values
  /** The array of one object that an operation with a JSON body is sent. */
  readonly body: readonly [JsonObject] | undefined
  /** What to sign, when the operation is signed and the caller brought no signature. */
  readonly tag: string | undefined
}

type Given = Readonly<Record<string, string>>

export const callParameters = Effect.fnUntraced(function* (
  info: OperationInfo,
  params: Given,
  settings: MarketSettings,
  body: Json | undefined
): Effect.fn.Return<CallParameters, CallRefused> {
  const given = withShorthands(info, info.jsonBody ? params : { ...fieldsOf(body), ...params })
  const foreign = Object.keys(given).find((name) => !info.parameters.some((one) => takes(one, name)))
  if (foreign !== undefined) {
    const names = new Set(info.parameters.map(({ name }) => name))
    return yield* refuse(info, `has no parameter ${foreign}; it takes ${[...names].join(", ") || "none"}`)
  }
  const isSigned =
    info.parameters.some(({ filledIn }) => filledIn === "signature") && given["k"] === undefined
  const tag = isSigned ? (given["tag"] ?? tagOf(given)) : undefined
  const sorted: Sorted = {
    path: new Map(),
    query: new Map(),
    header: new Map(),
    form: new Map(),
    body: new Map()
  }
  for (const parameter of info.parameters) {
    // What stands in the path is not repeated in the query.
    if (parameter.in === "query" && sorted.path.has(parameter.name)) continue
    for (const [name, value] of valuesOf(parameter, given, settings)) {
      if (value === undefined && !isFilledLater(parameter, isSigned)) {
        if (!parameter.required || parameter.in === "body") continue
        return yield* refuse(
          info,
          `needs --param ${name}=…; \`haggle call --list\` tells what each operation takes`
        )
      }
      const wrong = value === undefined ? undefined : problem(parameter, value)
      if (wrong !== undefined) return yield* refuse(info, `${name}: ${wrong}`)
      sorted[parameter.in].set(name, { parameter, value })
    }
  }
  const path = [...sorted.path].reduce(
    (text, [name, { value }]) => text.replace(`:${name}`, () => encodeURIComponent(value ?? "")),
    info.path
  )
  const sent = info.jsonBody ? bodyOf(info, sorted, body) : undefined
  if (typeof sent === "string") return yield* refuse(info, sent)
  return {
    path,
    query: textsOf(sorted.query),
    headers: Object.fromEntries([...sorted.header].map(([name, { value }]) => [name, value ?? ""])),
    form: textsOf(sorted.form),
    body: sent,
    tag
  }
})

interface Sortable {
  readonly parameter: Parameter
  readonly value: string | undefined
}
type Sorted = Readonly<Record<Parameter["in"], Map<string, Sortable>>>

/** The fields of a JSON object as parameters: text as it is, anything else as JSON. */
const fieldsOf = (body: Json | undefined): Given =>
  isJsonObject(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]) => [
          name,
          typeof value === "string" ? value : JSON.stringify(value)
        ])
      )
    : {}

const textsOf = (fields: ReadonlyMap<string, Sortable>): Values =>
  new Map(
    [...fields].map(([name, { parameter, value }]) => [
      name,
      parameter.kind === "strings" && value !== undefined ? severalOf(value) : value
    ])
  )

/** `["a","b"]` are two values, anything else is one. */
const severalOf = (text: string): ReadonlyArray<string> => {
  const parsed = text.startsWith("[") ? Option.getOrUndefined(parseJson(text)) : undefined
  return parsed !== undefined && isJsonArray(parsed) && parsed.every((one) => typeof one === "string")
    ? (parsed as ReadonlyArray<string>)
    : [text]
}

/** The body as it was given, or one made of the parameters; a text says what is wrong with it. */
const bodyOf = (
  info: OperationInfo,
  sorted: Sorted,
  body: Json | undefined
): readonly [JsonObject] | string => {
  if (body !== undefined) {
    const [only, ...others] = isJsonArray(body) ? body : [body]
    return isJsonObject(only) && others.length === 0
      ? [only]
      : "needs a body that is one JSON object, or an array of exactly one"
  }
  const filter = filterOf(sorted)
  const made =
    info.operation === "listings"
      ? toListingsBody(
          filter,
          Number(sorted.path.get("appid")?.value),
          sorted.path.get("market_hash_name")?.value ?? ""
        )
      : toBody(filter)
  const named = [...sorted.body].flatMap(([name, { parameter, value }]) =>
    value === undefined ? [] : [[name, jsonOf(parameter, value)] as const]
  )
  return [{ ...(made as unknown as JsonObject), ...Object.fromEntries(named) }]
}

const jsonOf = ({ kind }: Parameter, value: string): Json => {
  if (kind === "integer") return Number(value)
  if (kind === "boolean") return value === "true"
  return kind === "json" ? Option.getOrElse(parseJson(value), () => value) : value
}

/** The filter that the query's parameters say. */
const filterOf = ({ query }: Sorted) => {
  const value = (name: string) => query.get(name)?.value
  const fields = new Map<string, string | number | ReadonlyArray<string>>()
  for (const [name, { parameter, value }] of query) {
    if (value === undefined) continue
    if (parameter.kind === "strings") fields.set(name, severalOf(value))
    else fields.set(name, parameter.kind === "integer" ? Number(value) : value)
  }
  const [currency, min, max] = [value("price_currency"), value("price_min"), value("price_max")]
  return {
    ...emptyFilter,
    ...ofQuery(Object.fromEntries(fields) as FilterQuery),
    ...(currency === undefined
      ? {}
      : {
          price: {
            currency: Number(currency),
            ...(min === undefined ? {} : { min: Number(min) }),
            ...(max === undefined ? {} : { max: Number(max) })
          }
        })
  }
}

const refuse = ({ operation }: OperationInfo, message: string) =>
  Effect.fail(new CallRefused({ message: `${operation} ${message}` }))

/** `appid` and `market_hash_name` may be given for the order book, whose own parameter is both as JSON. */
const withShorthands = ({ operation }: OperationInfo, params: Given): Given => {
  const { appid, market_hash_name, ...rest } = params
  return operation === "orderbook" && appid !== undefined && market_hash_name !== undefined
    ? { ...rest, qp: `[${appid},${JSON.stringify(market_hash_name)}]` }
    : params
}

/** The tag of an operation is the decision, the confirmation, or the list (interface, Authentication rules). */
const tagOf = ({ confirmationid, op }: Given): string =>
  op ?? (confirmationid === undefined ? "conf" : `details${confirmationid}`)

const isFilledLater = ({ filledIn }: Parameter, isSigned: boolean): boolean =>
  filledIn === "session" || (filledIn === "signature" && isSigned)

/** What was given for a parameter; for `category_*` everything that begins so and has no parameter of its own. */
const valuesOf = (
  parameter: Parameter,
  given: Given,
  settings: MarketSettings
): ReadonlyArray<readonly [string, string | undefined]> =>
  parameter.name.endsWith("*")
    ? Object.entries(given).filter(([name]) => takes(parameter, name))
    : [[parameter.name, given[parameter.name] ?? filled(parameter, settings)]]

const filled = (parameter: Parameter, settings: MarketSettings): string | undefined => {
  const [only, ...others] = parameter.values
  if (only !== undefined && others.length === 0) return only
  if (parameter.name === "country") return settings.country
  if (parameter.name === "language") return settings.language
  // Without it the lists come as a rendered page.
  return parameter.name === "norender" ? "1" : undefined
}

const problem = ({ kind, values }: Parameter, value: string): string | undefined => {
  if (values.length > 0 && !values.includes(value)) return `one of ${values.join(", ")}`
  if (kind === "integer" && !/^-?\d{1,15}$/.test(value)) return "expected an integer"
  if (kind === "boolean" && value !== "true" && value !== "false") return "one of true, false"
  return kind === "json" && Option.isNone(parseJson(value)) ? "expected JSON" : undefined
}
