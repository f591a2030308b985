/**
 * The strategy file as a JSON Schema, for editors; `config/schema/strategy.schema.json` is pinned to it by a test.
 * Invariant: every key has a description and examples.
 */
import { type JsonSchema, Schema } from "effect"

import { StrategyFile } from "./Strategy.ts"
import { strategyWords } from "./StrategyWords.ts"

type Node = JsonSchema.JsonSchema

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null

/** The schema with the words of each key; a list's members stand under `path[]`, names of the author's choice under `path.*`. */
const worded = (node: Node, path: string): Node => {
  const inside: Record<string, unknown> = { ...node, ...strategyWords[path] }
  const below = (name: string): string => (path === "" ? name : `${path}.${name}`)
  const { additionalProperties, items, properties } = node
  if (isNode(properties))
    inside["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, child]) => [
        name,
        isNode(child) ? worded(child, below(name)) : child
      ])
    )
  if (isNode(items)) inside["items"] = worded(items, `${path}[]`)
  if (isNode(additionalProperties)) inside["additionalProperties"] = worded(additionalProperties, below("*"))
  return inside
}

const strategyJsonSchema = (): Node => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(StrategyFile, { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...worded(schema, ""),
    $defs: definitions
  }
}

/** The text of the committed file. */
export const strategyJsonSchemaText = (): string => `${JSON.stringify(strategyJsonSchema(), undefined, 2)}\n`
