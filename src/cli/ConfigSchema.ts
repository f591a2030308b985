/** The configuration file as a JSON Schema, for editors; `config/schema/config.schema.json` is pinned to it by a test. */
import { type JsonSchema, Schema } from "effect"

import { ConfigFile } from "./Config.ts"
import { descriptions } from "./Settings.ts"

type Node = JsonSchema.JsonSchema

const described = (node: Node, path: string): Node => {
  const description = descriptions[path]
  if (description !== undefined) return { ...node, description }
  const properties = node["properties"] as Readonly<Record<string, Node>> | undefined
  if (properties === undefined) return node
  const inside = Object.entries(properties).map(([name, child]) => [
    name,
    described(child, path === "" ? name : `${path}.${name}`)
  ])
  return { ...node, properties: Object.fromEntries(inside) }
}

const configJsonSchema = (): Node => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(ConfigFile, { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "haggle configuration",
    ...described(schema, ""),
    $defs: definitions
  }
}

/** The text of the committed file. */
export const configJsonSchemaText = (): string => `${JSON.stringify(configJsonSchema(), undefined, 2)}\n`
