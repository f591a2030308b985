/** docs/interface.md: every operation with its parameters, answers and fields, written out of the OpenAPI document. */
import { expectedAnnotation } from "./Field.ts"
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "./Json.ts"
import { openApi } from "./OpenApi.ts"
import { type OperationInfo } from "./OperationInfo.ts"
import { registry } from "./Operations.ts"
import { type Due } from "./Shape.ts"

/** The whole document as Markdown. */
export const reference = (): string => {
  const document = openApi()
  const schemas = objectAt(document.components["schemas"])
  const groups = [...new Set(registry.map(({ group }) => group))]
  const used = Object.keys(schemas)
    .filter((name) => !name.endsWith("Encoded"))
    .toSorted()
  return [
    "# The market's interface",
    "",
    "Generated from the contract (`src/market/contract`) by `node test/market/contract/interface.ts`; a test keeps it in step.",
    "Names of fields are those of the platform name `platform`. Extra fields are allowed in every body; fields marked *expected* are",
    "counted as drift when they are missing, and are borne.",
    "",
    ...groups.flatMap((group) => groupText(group, schemas)),
    "## Any operation",
    "",
    "may also answer 302 (Location), 400 `[]`, 401, 403, 404, 500 and 503 with a page, and 429 with the body `null`.",
    "",
    "## Bodies",
    "",
    ...used.flatMap((name) => bodyText(name, objectAt(schemas[name])))
  ].join("\n")
}

const groupText = (group: string, schemas: JsonObject): ReadonlyArray<string> => {
  const operations = registry.filter((info) => info.group === group)
  return [
    `## ${capital(group)}`,
    "",
    operations.map((info) => operationText(info, schemas).join("\n")).join("\n")
  ]
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const objectAt = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})

const credentialTexts = {
  none: "nothing",
  session: "the session's cookies",
  csrf: "the session's cookies and `sessionid`",
  signature: "the session's cookies and a signature"
} as const

const dueTexts: Readonly<Record<Due, string>> = {
  html: "an HTML page",
  payload: "the loader's payload",
  redirect: "HTTP 302",
  null: "`null`",
  "not-modified": "HTTP 304"
}

const operationText = (info: OperationInfo, schemas: JsonObject): ReadonlyArray<string> => {
  const parameters = info.parameters.map(
    ({ description, in: place, kind, name, required, values }) =>
      `| \`${name}\` | ${place} | ${cell(values.length > 0 ? values.join(", ") : kind)} | ${required ? "yes" : "no"} | ${cell(description)} |`
  )
  const answers = Object.entries(info.shapes).map(([name, { meaning, schema, status }]) => {
    const identifier = identifierOf(schema)
    const body = identifier === undefined || schemas[identifier] === undefined ? "" : `: ${link(identifier)}`
    return `- \`${name}\` (${meaning}${status === undefined ? "" : `, HTTP ${status}`})${body}`
  })
  return [
    `### ${info.operation}`,
    "",
    `\`${info.method} ${info.path.replaceAll(/:(\w+)/g, "{$1}")}\`. ${info.purpose} Needs ${credentialTexts[info.credential]}.${info.mutation ? " Changes something: sent once." : ""}`,
    "",
    ...(parameters.length === 0
      ? []
      : [
          "| parameter | in | type | required | meaning |",
          "| --- | --- | --- | --- | --- |",
          ...parameters,
          ""
        ]),
    ...(info.jsonBody ? ["The fields of the body are those of the one object of a JSON array.", ""] : []),
    ...answers,
    ...(info.due.length === 0 ? [] : [`- also: ${info.due.map((due) => dueTexts[due]).join(", ")}`]),
    ""
  ]
}

const identifierOf = (schema: {
  readonly ast: { readonly annotations?: object | undefined }
}): string | undefined => {
  const annotations: { readonly identifier?: unknown } = schema.ast.annotations ?? {}
  return typeof annotations.identifier === "string" ? annotations.identifier : undefined
}

const link = (name: string): string => `[${name}](#${name.toLowerCase()})`

const bodyText = (name: string, schema: JsonObject): ReadonlyArray<string> => {
  const properties = Object.entries(objectAt(schema["properties"]))
  const required = schema["required"]
  const isRequired = (key: string) =>
    required !== undefined && isJsonArray(required) && required.includes(key)
  const rows = properties.map(([key, value]) => {
    const property = objectAt(value)
    const kind = isRequired(key) ? "yes" : property[expectedAnnotation] === true ? "expected" : "no"
    return `| \`${key}\` | ${cell(typeText(property))} | ${kind} | ${cell(String(property["description"] ?? ""))} |`
  })
  return [
    `### ${name}`,
    "",
    ...(typeof schema["description"] === "string" ? [schema["description"], ""] : []),
    ...(rows.length === 0
      ? [`Type: ${typeText(schema)}.`]
      : ["| field | type | required | meaning |", "| --- | --- | --- | --- |", ...rows]),
    ""
  ]
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

/** `integer or string`, `array of SellListing`, `map of Facet`. */
const typeText = (schema: JsonObject): string => {
  const {
    $ref,
    additionalProperties,
    anyOf,
    enum: values,
    items,
    oneOf,
    prefixItems,
    properties,
    type
  } = schema
  if (typeof $ref === "string") return link($ref.slice($ref.lastIndexOf("/") + 1))
  const members = anyOf ?? oneOf
  if (members !== undefined && isJsonArray(members))
    return [...new Set(members.map((one) => typeText(objectAt(one))))].join(" or ")
  if (values !== undefined && isJsonArray(values))
    return values.map((value) => JSON.stringify(value)).join(" or ")
  if (type === "array") return arrayText(items, prefixItems)
  if (type === "object" && additionalProperties !== undefined)
    return `map of ${grouped(typeText(objectAt(additionalProperties)))}`
  if (type === "object" && properties !== undefined)
    return `object: ${Object.entries(objectAt(properties))
      .map(([key, one]) => `\`${key}\` ${typeText(objectAt(one))}`)
      .join(", ")}`
  if (type === "string" && typeof schema["pattern"] === "string") return "string of digits"
  if (isJsonArray(type ?? null)) return (type as ReadonlyArray<string>).join(" or ")
  return typeof type === "string" ? type : "JSON"
}

const grouped = (text: string): string => (text.includes(" or ") ? `(${text})` : text)

const arrayText = (items: Json | undefined, prefixItems: Json | undefined): string => {
  if (prefixItems !== undefined && isJsonArray(prefixItems))
    return `tuple of ${prefixItems.map((one) => typeText(objectAt(one))).join(", ")}`
  return isJsonObject(items) ? `array of ${grouped(typeText(items))}` : "empty array"
}
