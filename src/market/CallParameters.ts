/**
 * Sorts the parameters of a call into path, query and form, checks them, and fills in what a person should not have to give.
 * Fields left undefined are filled in from the session or the signature at the moment of sending.
 */
import { Effect, Option, Schema } from "effect"

import { parseJson } from "./contract/Json.ts"
import { type OperationInfo } from "./contract/Operations.ts"
import { type Parameter } from "./contract/Parameter.ts"
import { type MarketSettings } from "./MarketConfig.ts"

/** The call was not sent; the message says what to change. */
export class CallRefused extends Schema.TaggedError<CallRefused>()("CallRefused", {
  message: Schema.String
}) {}

export interface CallParameters {
  /** Path with its parameters in place. */
  readonly path: string
  readonly query: ReadonlyMap<string, string | undefined>
  readonly form: ReadonlyMap<string, string | undefined>
  /** What to sign, when the operation is signed and the caller brought no signature. */
  readonly tag: string | undefined
}

type Given = Readonly<Record<string, string>>

export const callParameters = Effect.fnUntraced(function* (
  info: OperationInfo,
  params: Given,
  settings: MarketSettings
): Effect.fn.Return<CallParameters, CallRefused> {
  const given = withShorthands(info, params)
  const names = info.parameters.map(({ name }) => name)
  const foreign = Object.keys(given).find((name) => !names.includes(name))
  if (foreign !== undefined)
    return yield* refuse(info, `has no parameter ${foreign}; it takes ${names.join(", ") || "none"}`)
  const isSigned =
    info.parameters.some(({ filledIn }) => filledIn === "signature") && given["k"] === undefined
  const tag = isSigned ? (given["tag"] ?? tagOf(given)) : undefined
  const [query, form] = [new Map<string, string | undefined>(), new Map<string, string | undefined>()]
  let { path } = info
  for (const parameter of info.parameters) {
    const value = given[parameter.name] ?? filled(parameter, settings)
    if (value === undefined && !isFilledLater(parameter, isSigned)) {
      if (!parameter.required) continue
      return yield* refuse(info, `needs --param ${parameter.name}=…`)
    }
    const wrong = value === undefined ? undefined : problem(parameter, value)
    if (wrong !== undefined) return yield* refuse(info, `${parameter.name}: ${wrong}`)
    if (parameter.in === "path") path = path.replace(`:${parameter.name}`, encodeURIComponent(value ?? ""))
    else (parameter.in === "query" ? query : form).set(parameter.name, value)
  }
  return { path, query, form, tag }
})

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
  return kind === "json" && Option.isNone(parseJson(value)) ? "expected JSON" : undefined
}
