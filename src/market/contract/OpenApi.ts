/**
 * The whole contract as an OpenAPI 3.1 document, for `haggle contract openapi` and the generated reference.
 * Invariants: 1. derived from the same schemas that decode; nothing is written twice. 2. extra fields are allowed everywhere: the
 * interface changes without notice. 3. numbers in a query are integers, however they travel.
 */
import { OpenApi } from "effect/http-api"

import { expectedAnnotation } from "./Field.ts"
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "./Json.ts"
import { MarketApi } from "./MarketApi.ts"
import { type OperationInfo } from "./OperationInfo.ts"
import { registry } from "./Operations.ts"
import { type Parameter } from "./Parameter.ts"

export interface OpenApiDocument extends JsonObject {
  readonly openapi: string
  readonly paths: JsonObject
  readonly components: JsonObject
}

/** Made anew on every call; it takes some tens of milliseconds. */
export const openApi = (): OpenApiDocument => {
  const document = OpenApi.fromApi(MarketApi, { includeAnnotationKey: (key) => key === expectedAnnotation })
  const plain = JSON.parse(JSON.stringify(document)) as OpenApiDocument
  const paths = new Map(Object.entries(plain.paths))
  for (const info of registry) {
    const path = info.path.replaceAll(/:(\w+)/g, "{$1}")
    const item = paths.get(path)
    if (isJsonObject(item)) paths.set(path, withOperation(item, info))
  }
  return tidy({
    ...plain,
    components: { ...plain.components, securitySchemes: security },
    paths: Object.fromEntries(paths)
  }) as OpenApiDocument
}

const security = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "platformLoginSecure",
    description: "Authenticated community cookies; the name derives from the platform's."
  },
  csrf: {
    type: "apiKey",
    in: "cookie",
    name: "sessionid",
    description: "CSRF value; repeated in the form, or in the query of getbuyorderstatus."
  },
  signature: {
    type: "apiKey",
    in: "query",
    name: "k",
    description:
      "Base64 HMAC-SHA1 of time and tag, keyed by the authenticator's identity_secret; with p, a, t, m and tag."
  }
} as const

const credentials = {
  none: [],
  session: [{ session: [] }],
  csrf: [{ session: [], csrf: [] }],
  signature: [{ session: [], signature: [] }]
} as const

const withOperation = (item: JsonObject, info: OperationInfo): JsonObject => {
  const method = info.method.toLowerCase()
  const operation = item[method]
  if (!isJsonObject(operation)) return item
  return {
    ...item,
    [method]: {
      ...operation,
      operationId: info.operation,
      summary: info.purpose,
      security: credentials[info.credential],
      parameters: info.parameters.flatMap((parameter) => parameterOf(parameter) ?? [])
    }
  }
}

/** Undefined for fields of forms and bodies, which stand in the request body. */
const parameterOf = (parameter: Parameter): JsonObject | undefined => {
  const { description, in: place, kind, name, required, values } = parameter
  if (place === "form" || place === "body") return undefined
  return {
    name,
    in: place,
    required,
    description,
    schema: {
      type: kind === "strings" ? "array" : kind === "json" ? "string" : kind,
      ...(kind === "strings" ? { items: { type: "string" } } : {}),
      ...(kind === "json" ? { contentMediaType: "application/json" } : {}),
      ...(values.length > 0 ? { enum: kind === "integer" ? values.map(Number) : values } : {})
    }
  }
}

/** What is said of a key stands beside its type, and objects are open. */
const tidy = (value: Json): Json => {
  if (isJsonArray(value)) return value.map(tidy)
  if (!isJsonObject(value)) return value
  const { additionalProperties, allOf, ...rest } = value
  const members = allOf !== undefined && isJsonArray(allOf) ? allOf.map(tidy).filter(isJsonObject) : []
  const [notes, others] = [members.filter(isNote), members.filter((member) => !isNote(member))]
  const [reference, ...more] = others
  return {
    ...Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, tidy(one)])),
    ...(more.length === 0 ? reference : { allOf: others }),
    ...Object.assign({}, ...notes),
    ...(additionalProperties === undefined || additionalProperties === false
      ? {}
      : { additionalProperties: tidy(additionalProperties) })
  }
}

const isNote = (member: JsonObject): boolean =>
  Object.keys(member).every((key) => key === "description" || key === expectedAnnotation)
