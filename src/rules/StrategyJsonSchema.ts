/** The strategy file as a JSON Schema, for editors; `config/schema/strategy.schema.json` is pinned to it by a test. */
import { type JsonSchema, Schema } from "effect"

import { StrategyFile } from "./Strategy.ts"

const strategyJsonSchema = (): JsonSchema.JsonSchema => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(StrategyFile, { onExcessProperty: "error" })
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema, $defs: definitions }
}

/** The text of the committed file. */
export const strategyJsonSchemaText = (): string => `${JSON.stringify(strategyJsonSchema(), undefined, 2)}\n`
