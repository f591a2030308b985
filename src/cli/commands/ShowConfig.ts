/** `haggle config`: each value and where it came from. Invariant: what may carry a credential is shown by name only. */
import { Console, Effect, Predicate, Schema } from "effect"

import { leaves, type ResolvedConfig, variableOf } from "../config/Config.ts"
import { secretPaths, Settings } from "../config/Settings.ts"
import { table } from "../text/Table.ts"

interface ShownValue {
  readonly path: string
  readonly value: unknown
  readonly origin: string
  readonly variable: string
}

const redacted = (value: unknown): unknown =>
  Predicate.isObject(value)
    ? Object.fromEntries(Object.keys(value).map((name) => [name, "<redacted>"]))
    : value === null
      ? null
      : "<redacted>"

const valueAt = (encoded: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>((inner, key) => (Predicate.hasProperty(inner, key) ? inner[key] : undefined), encoded)

/** The values as the file would say them, in the file's order. */
export const shown = (config: ResolvedConfig): ReadonlyArray<ShownValue> => {
  const encoded = Schema.encodeSync(Settings)(config.settings)
  return leaves.map(({ key, path }) => {
    const value = valueAt(encoded, path)
    return {
      path: key,
      value: secretPaths.has(key) ? redacted(value) : value,
      origin: config.origins.get(key) ?? "default",
      variable: variableOf(key)
    }
  })
}

const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

export const run = Effect.fn("cli.config")(function* (
  flags: { readonly json: boolean },
  config: ResolvedConfig
) {
  const values = shown(config)
  if (flags.json) {
    const entries = values.map(({ path, ...rest }) => [path, rest] as const)
    return yield* Console.log(
      JSON.stringify({ file: config.file ?? null, values: Object.fromEntries(entries) })
    )
  }
  yield* Console.log(
    table<ShownValue>(
      [
        { title: "SETTING", cell: (row) => row.path },
        { title: "VALUE", cell: (row) => text(row.value) },
        { title: "FROM", cell: (row) => row.origin }
      ],
      values,
      ""
    )
  )
})
