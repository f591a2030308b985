/**
 * Calls one operation by name with parameters as text, for `haggle call`: the session's CSRF value, the signature and constants are
 * filled in, the answer comes back decoded.
 * Invariants: 1. a call with a wrong or missing parameter is not sent. 2. it goes through the same permits, cookies and time-outs as
 * trading. 3. it is sent once.
 */
import { Effect } from "effect"
import { HttpClientRequest } from "effect/http"

import { callParameters, CallRefused, type Values } from "./CallParameters.ts"
import { type Difference } from "./contract/Difference.ts"
import { type Json } from "./contract/Json.ts"
import { type OperationInfo, operationInfo } from "./contract/Operations.ts"
import { type Answer, readerOf } from "./contract/Reading.ts"
import { type Shapes } from "./contract/Shape.ts"
import { CountedItem, Http, type NoAnswer, Referer } from "./Http.ts"
import { MarketConfig } from "./MarketConfig.ts"
import { formData } from "./Multipart.ts"
import { Signer } from "./Signer.ts"

export { CallRefused } from "./CallParameters.ts"

export interface CallInput {
  readonly operation: string
  readonly params: Readonly<Record<string, string>>
  /**
   * A JSON object. Of an operation with a JSON body it is that body's one object (an array of it will do, too); otherwise its fields
   * are more parameters, as text or as JSON.
   */
  readonly body?: Json
}

export interface CallResult {
  readonly operation: string
  readonly status: number
  /**
   * Which body it was: a shape of the operation, or null, html, payload, redirect, not-modified, rate-limited, empty, empty-array,
   * not-json, differs.
   */
  readonly shape: string
  /** The decoded body; the location of a redirect, the text of a page. */
  readonly value: Json
  readonly differences: ReadonlyArray<Difference>
}

export const call = Effect.fn("Call.call")(function* (
  input: CallInput
): Effect.fn.Return<CallResult, CallRefused | NoAnswer, Http | MarketConfig | Signer> {
  const http = yield* Http
  const config = yield* MarketConfig
  const signer = yield* Signer
  const info = operationInfo(input.operation)
  if (info === undefined)
    return yield* new CallRefused({
      message: `unknown operation: ${input.operation}; see: haggle call --list`
    })
  const { body, form, headers, path, query, tag } = yield* callParameters(
    info,
    input.params,
    config,
    input.body
  )

  const request = Effect.gen(function* () {
    const sessionid = yield* http.sessionid
    const signature = tag === undefined ? {} : yield* Effect.map(signer.sign(tag), textOf)
    const fill = (fields: Values) =>
      Object.fromEntries(
        [...fields].map(([name, value]) => [
          name,
          value ?? (name === "sessionid" ? sessionid : signature[name]) ?? ""
        ])
      )
    const asked = HttpClientRequest.make(info.method === "POST" ? "POST" : "GET")(path).pipe(
      HttpClientRequest.setUrlParams(fill(query)),
      HttpClientRequest.setHeaders(headers)
    )
    if (info.method !== "POST") return yield* http.client.execute(asked)
    if (body !== undefined) return yield* http.client.execute(HttpClientRequest.bodyJsonUnsafe(asked, body))
    const texts = Object.fromEntries(Object.entries(fill(form)).map(([name, value]) => [name, String(value)]))
    const isMultipart = info.operation === "create-buyorder" && config.buyOrderEncoding === "multipart"
    return yield* http.client.execute(
      isMultipart
        ? HttpClientRequest.bodyFormData(asked, formData(texts))
        : HttpClientRequest.bodyUrlParams(asked, texts)
    )
  }).pipe(Effect.provideService(Referer, info.mutation ? "/market/" : undefined))

  const raw = yield* Effect.provideService(
    http.send(info.operation, request),
    CountedItem,
    input.params["item_nameid"]
  )
  return resultOf(info, readerOf(info)(raw, http.names))
})

const textOf = (signature: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(signature).map(([name, value]) => [name, String(value)]))

const resultOf = ({ operation }: OperationInfo, answer: Answer<Shapes>): CallResult => {
  const result = (shape: string, value: Json, differences: ReadonlyArray<Difference> = []): CallResult => ({
    operation,
    status: answer.status,
    shape,
    value,
    differences
  })
  switch (answer._tag) {
    case "Shaped":
      return result(answer.shape, answer.value as Json)
    case "TooFast":
      return result("rate-limited", null)
    case "Redirect":
      return result("redirect", answer.location)
    case "Null":
      return result("null", null)
    case "EmptyArray":
      return result("empty-array", [])
    case "Empty":
      return result("empty", null)
    case "Html":
      return result("html", answer.text)
    case "Payload":
      return result("payload", answer.text)
    case "NotModified":
      return result("not-modified", null)
    case "NotJson":
      return result("not-json", null)
    case "Differs":
      return result("differs", null, answer.differences)
  }
}
