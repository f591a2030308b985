/**
 * Which operation a request is, by the contract's own table of methods and paths.
 * Invariants: 1. a trailing slash more or less is the same path. 2. nothing is listed here twice: the table is the contract's.
 */
import { Option, Schema } from "effect"

import { Operation } from "../domain/Operation.ts"
import { MarketApi } from "../market/contract/MarketApi.ts"

interface Route {
  readonly operation: Operation
  readonly method: string
  readonly path: RegExp
  /** Whether the contract's path ends with a slash. */
  readonly slash: boolean
}

const decodeOperation = Schema.decodeUnknownOption(Operation)

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\/$/, "").replaceAll(/:\w+/g, "[^/]+")}/?$`)

interface Endpoint {
  readonly identifier: string
  readonly method: string
  readonly path: string
}

const groups: ReadonlyArray<{ readonly endpoints: Readonly<Record<string, Endpoint>> }> = Object.values(
  MarketApi.groups
)

const named: ReadonlyArray<Route & { readonly contractPath: string }> = groups.flatMap(({ endpoints }) =>
  Object.entries(endpoints).flatMap(([name, { method, path }]) =>
    Option.toArray(decodeOperation(name)).map((operation) => ({
      operation,
      method,
      path: patternOf(path),
      contractPath: path,
      slash: path.endsWith("/")
    }))
  )
)

/** Allows or cancels several confirmations at once; not one of the thirty, but clients of this family send it. */
export const multiPath = "/mobileconf/multiajaxop"
const multi: Route = {
  operation: "confirmation-op",
  method: "POST",
  path: patternOf(multiPath),
  slash: false
}

/** Addresses without a part that varies are looked up, the others tried in turn. */
const fixed: ReadonlyMap<string, Route> = new Map(
  named
    .filter(({ contractPath }) => !contractPath.includes(":"))
    .map((route) => [`${route.method} ${route.contractPath.replace(/\/$/, "")}`, route])
)
const varying: ReadonlyArray<Route> = [
  ...named.filter(({ contractPath }) => contractPath.includes(":")),
  multi
]

export interface Known {
  readonly operation: Operation
  /** Path and query with the slash at the end, or without, as the contract writes it. */
  readonly url: string
}

/** The operation of a request, undefined when the market has no such address. */
export const operationOf = (method: string, url: string): Known | undefined => {
  const mark = url.search(/[?#]/)
  const [path, rest] = mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark)]
  const bare = path.endsWith("/") ? path.slice(0, -1) : path
  const found =
    fixed.get(`${method} ${bare}`) ??
    varying.find((route) => route.method === method && route.path.test(path))
  if (found === undefined) return undefined
  return { operation: found.operation, url: (found.slash ? `${bare}/` : bare) + rest }
}
