/** `haggle schema [strategy|config]`: the JSON Schemas of what a person writes, for editors; `--write` puts them where the files point at. */
import { Console, Effect, FileSystem, Option, Path } from "effect"

import { strategyJsonSchemaText } from "../../rules/StrategyJsonSchema.ts"
import { configJsonSchemaText } from "../config/ConfigSchema.ts"

export interface SchemaFlags {
  readonly json: boolean
  readonly write: boolean
  readonly what: Option.Option<"strategy" | "config">
}

/** The first line of each strategy file names it by this place. */
const folder = "config/schema"

const texts = { strategy: strategyJsonSchemaText, config: configJsonSchemaText } as const
const all = ["strategy", "config"] as const

export const run = Effect.fn("cli.schema")(function* ({ json, what, write }: SchemaFlags) {
  const wanted = Option.match(what, { onNone: () => all, onSome: (one) => [one] })
  if (!write)
    return yield* Console.log(
      wanted.length === 1
        ? wanted.map((one) => texts[one]().trimEnd()).join("")
        : `{${wanted.map((one) => `"${one}": ${texts[one]().trimEnd()}`).join(",\n")}}`
    )
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* fs.makeDirectory(folder, { recursive: true })
  const files = yield* Effect.forEach(wanted, (one) => {
    const file = path.join(folder, `${one}.schema.json`)
    return Effect.as(fs.writeFileString(file, texts[one]()), file)
  })
  yield* Console.log(
    json ? JSON.stringify({ written: files }) : files.map((file) => `wrote ${file}`).join("\n")
  )
})
