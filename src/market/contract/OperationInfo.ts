/** What the registry knows of one operation, derived from its endpoint and its schemas. */
import { type Schema } from "effect"

import { type Operation } from "../../domain/Operation.ts"
import { type Parameter, type ParameterPlace, parameters } from "./Parameter.ts"
import { type Due, type Shapes } from "./Shape.ts"

/** What a caller must show: nothing, the session's cookies, the CSRF value as well, or a signature as well. */
type Credential = "none" | "session" | "csrf" | "signature"

export interface OperationInfo {
  readonly operation: Operation
  readonly group: string
  readonly method: string
  /** Path with `:name` for path parameters. */
  readonly path: string
  readonly purpose: string
  readonly credential: Credential
  /** Whether it changes something; such a request is sent once. */
  readonly mutation: boolean
  /** Of path, query, header and form; of a JSON body's one object (place "body") after them. */
  readonly parameters: ReadonlyArray<Parameter>
  /** Whether the body is a JSON array of exactly one object. */
  readonly jsonBody: boolean
  readonly shapes: Shapes
  /** What else it answers without being wrong. */
  readonly due: ReadonlyArray<Due>
}

interface Group {
  readonly identifier: string
  readonly endpoints: Readonly<Record<string, { readonly method: string; readonly path: string }>>
}

type Fields = Readonly<Record<string, Schema.Top>> | Schema.Top

interface Rest {
  readonly takes?: Partial<Readonly<Record<ParameterPlace, Fields>>>
  readonly shapes: Shapes
  readonly due?: ReadonlyArray<Due>
  readonly credential?: Credential
  readonly mutation?: boolean
}

/** The entry of an operation; its method and path are those of its endpoint. */
export const entry = (group: Group, operation: Operation, purpose: string, rest: Rest): OperationInfo => {
  const endpoint = group.endpoints[operation]
  if (endpoint === undefined) throw new Error(`no endpoint ${operation} in group ${group.identifier}`)
  const { takes = {} } = rest
  const places: ReadonlyArray<ParameterPlace> = ["path", "query", "header", "form", "body"]
  return {
    operation,
    group: group.identifier,
    method: endpoint.method,
    path: endpoint.path,
    purpose,
    credential: rest.credential ?? "none",
    mutation: rest.mutation ?? false,
    parameters: places.flatMap((place) => {
      const fields = takes[place]
      return fields === undefined ? [] : parameters(place, fields)
    }),
    jsonBody: takes.body !== undefined,
    shapes: rest.shapes,
    due: rest.due ?? []
  }
}
