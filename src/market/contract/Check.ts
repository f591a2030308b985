/**
 * Decodes a body that was recorded elsewhere with the very schemas that the client uses, and says which shape it was or
 * where it differs. Invariant: a value is never repeated in a finding, only its path.
 */
import { Option } from "effect"

import { type Difference } from "./Difference.ts"
import { type Drift, driftOf, joined, noDrift } from "./Drift.ts"
import { isJsonObject, type Json, type JsonObject, parseJson } from "./Json.ts"
import { type OperationInfo } from "./Operations.ts"
import { type Names, namesOf } from "./Platform.ts"
import { type Answer, readerOf, type Shaped } from "./Reading.ts"
import { type Shapes } from "./Shape.ts"

export interface CheckInput {
  readonly operation: OperationInfo
  readonly platformName: string
  readonly text: string
  /** HTTP status, 200 when absent: a file alone does not tell. */
  readonly status?: number
}

export type CheckResult =
  /**
   * `shape` names the body: one of the operation's shapes, or null, html, payload, empty-array, empty, rate-limited, redirect,
   * not-modified. `drift`: fields that the contract does not name, and fields that it expects but that are not there.
   */
  | { readonly _tag: "Ok"; readonly shape: string; readonly value: Json; readonly drift: Drift }
  | { readonly _tag: "Differs"; readonly differences: ReadonlyArray<Difference> }

/** Checks one body, or each body of a bundle `{key: {status, body}}`. */
export const checkBody = (input: CheckInput): CheckResult => {
  const names = namesOf(input.platformName)
  const bundle = bundleOf(input.text)
  if (bundle === undefined) return checkOne(input.operation, input.text, input.status ?? 200, names)
  const results = bundle.map(([key, { body, status }]): readonly [string, CheckResult] => [
    key,
    checkOne(input.operation, JSON.stringify(body), status, names)
  ])
  const differences = results.flatMap(([key, result]) =>
    result._tag === "Ok" ? [] : result.differences.map((one) => inside(`${key}.body`, one))
  )
  if (differences.length > 0) return { _tag: "Differs", differences }
  const shapes = [...new Set(results.map(([, result]) => (result._tag === "Ok" ? result.shape : "")))]
  return {
    _tag: "Ok",
    shape: `bundle of ${results.length} (${shapes.join(", ")})`,
    drift: joined(results.map(([, result]) => (result._tag === "Ok" ? result.drift : noDrift))),
    value: Object.fromEntries(
      results.map(([key, result]) => [key, result._tag === "Ok" ? result.value : null])
    )
  }
}

interface Bundled {
  readonly status: number
  readonly body: Json
}

/** A file of several bodies with their statuses; undefined for anything else. */
const bundleOf = (text: string): ReadonlyArray<readonly [string, Bundled]> | undefined => {
  const parsed = parseObject(text)
  if (parsed === undefined) return undefined
  const entries = Object.entries(parsed)
  if (entries.length === 0 || !entries.every(([, value]) => isBundled(value))) return undefined
  return entries.flatMap(([key, value]) => (isBundled(value) ? [[key, value] as const] : []))
}

const parseObject = (text: string): JsonObject | undefined => {
  if (!text.trimStart().startsWith("{")) return undefined
  const parsed = Option.getOrUndefined(parseJson(text))
  return isJsonObject(parsed) ? parsed : undefined
}

const isBundled = (value: Json | undefined): value is Json & Bundled =>
  isJsonObject(value) && typeof value["status"] === "number" && value["body"] !== undefined

const inside = (path: string, { message, path: inner }: Difference): Difference => ({
  path: inner === "" ? path : inner.startsWith("[") ? path + inner : `${path}.${inner}`,
  message
})

const checkOne = (operation: OperationInfo, text: string, status: number, names: Names): CheckResult =>
  resultOf(operation, readerOf(operation)({ status, location: undefined, notLoggedIn: false, text }, names))

const differs = (message: string): CheckResult => ({ _tag: "Differs", differences: [{ path: "", message }] })

const ok = (shape: string, value: Json = null): CheckResult => ({ _tag: "Ok", shape, value, drift: noDrift })

const resultOf = ({ shapes }: OperationInfo, answer: Answer<Shapes>): CheckResult => {
  switch (answer._tag) {
    case "Shaped": {
      const value = answer.value as Json
      const schema = shapes[answer.shape]?.schema
      const drift = schema === undefined ? noDrift : driftOf(schema.ast, answer.body, value)
      return { _tag: "Ok", shape: shapeName(answer), value, drift }
    }
    case "Null":
      return ok("null")
    case "EmptyArray":
      return ok("empty-array", [])
    case "Html":
      return ok(answer.signIn ? "html (sign-in page)" : "html")
    case "Payload":
      return ok("payload")
    case "TooFast":
      return ok("rate-limited")
    case "Redirect":
      return ok("redirect")
    case "NotModified":
      return ok("not-modified")
    case "Empty":
      return differs("empty body")
    case "NotJson":
      return differs("neither JSON nor HTML")
    case "Differs":
      return { _tag: "Differs", differences: answer.differences }
  }
}

const shapeName = ({ meaning, shape }: Shaped<Shapes>): string =>
  meaning === "failure" ? `${shape} (error in the body)` : shape
