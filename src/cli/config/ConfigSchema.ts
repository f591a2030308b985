/**
 * The configuration file as a JSON Schema, for editors; `config/schema/config.schema.json` is pinned to it by a test.
 * Invariant: every key has a description and its default or an example.
 */
import { type JsonSchema, Predicate, Schema } from "effect"

import { ConfigFile } from "./Config.ts"
import { defaults, descriptions, Settings } from "./Settings.ts"

type Node = JsonSchema.JsonSchema

/** Where the default is none, or says too little. */
const examples: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  "session.command": [["renew-session", "main"]],
  "market.url": ["https://market.example.com"],
  "market.headers": [{ "user-agent": "Mozilla/5.0" }],
  "market.budgets": [{ orderbook: { requests: 20, per: "1m" } }],
  "market.ledger": ["state/requests.db"],
  "exchange.startAt": ["2026-01-05T00:00:00Z"],
  "recording.folder": ["tapes"],
  "notify.channels": [["log", { webhook: "https://ntfy.example.com/topic", as: "ntfy" }]],
  "notify.summaryEvery": ["24h"],
  "limits.spendPerDay": [100],
  "limits.exposure": [500],
  "limits.openOrders": [50]
}

const encoded: unknown = Schema.encodeSync(Settings)(defaults)

const valueAt = (path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((inner, name) => (Predicate.hasProperty(inner, name) ? inner[name] : undefined), encoded)

const described = (node: Node, path: string): Node => {
  const description = descriptions[path]
  if (description !== undefined) {
    const value = valueAt(path)
    return { ...node, description, default: value, examples: examples[path] ?? [value] }
  }
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
