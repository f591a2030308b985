/**
 * The resolved configuration: each value from the first of flag, environment, file and default, and where it came from.
 * Invariants: 1. precedence is flag > environment > file > default, per value. 2. a file is read strictly and every error has its line.
 * 3. a bad variable is named. 4. a file that was asked for must exist; without `config/haggle.yaml` the defaults apply and stderr says so.
 */
import { Config as Variable, Console, Effect, FileSystem, Option, Predicate, Result, Schema } from "effect"

import { decodeYaml, type Path, renderErrors, type SourceError } from "../../rules/Source.ts"
import { badConfig, cliError, type CliError } from "../Exit.ts"
import { masked, withoutValue } from "./ConfigMask.ts"
import { defaults, hiddenWhenWrong, Settings } from "./Settings.ts"

export const defaultFile = "config/haggle.yaml"

/** Where a value came from, e.g. `--seed`, `HAGGLE_EXCHANGE_SEED`, `config/haggle.yaml:7`, `default`. */
export type ValueOrigin = string

export interface ResolvedConfig {
  readonly settings: Settings
  /** By dotted path, e.g. `market.platformName`. */
  readonly origins: ReadonlyMap<string, ValueOrigin>
  /** The file that was read; undefined when there is none. */
  readonly file: string | undefined
  /** What is wrong with the file; only when it was read with tolerance, and the defaults stand in its place. */
  readonly errors: ReadonlyArray<SourceError>
}

/** A value that a flag sets: undecoded, as a person wrote it. */
export interface Override {
  readonly path: string
  readonly flag: string
  readonly value: string
}

export interface ResolveOptions {
  /** `--config FILE`. */
  readonly file: Option.Option<string>
  readonly overrides: ReadonlyArray<Override>
  /** A wrong file does not fail but is told with the result. */
  readonly tolerant?: boolean
}

interface Leaf {
  readonly path: Path
  readonly key: string
  readonly schema: Schema.ConstraintDecoder<unknown>
}

interface Found {
  readonly value: unknown
  readonly origin: ValueOrigin
}

interface FileReading {
  readonly file: string | undefined
  readonly errors: ReadonlyArray<SourceError>
  readonly foundAt: (leaf: Leaf) => Found | undefined
}

type AnyField = Schema.ConstraintDecoder<unknown>
const isSection = (field: AnyField): field is Schema.Struct<Record<string, AnyField>> =>
  "fields" in field && Predicate.isObject(field.fields)

/** `market.budgets` is a leaf although it is a mapping: it is replaced as a whole. */
const sections = Object.entries(Settings.fields) as ReadonlyArray<readonly [string, AnyField]>

export const leaves: ReadonlyArray<Leaf> = sections.flatMap(([name, field]) =>
  isSection(field)
    ? Object.entries(field.fields).map(([leaf, schema]) => ({
        path: [name, leaf],
        key: `${name}.${leaf}`,
        schema
      }))
    : [{ path: [name], key: name, schema: field }]
)

const optionalKeys = (fields: Readonly<Record<string, AnyField>>) =>
  Schema.Struct(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, Schema.optionalKey(field)]))
  )

/** The file: every section and every value may be left out. */
export const ConfigFile = optionalKeys(
  Object.fromEntries(
    sections.map(([name, field]) => [name, isSection(field) ? optionalKeys(field.fields) : field])
  )
)

/** `market.platformName` → `HAGGLE_MARKET_PLATFORM_NAME`. */
export const variableOf = (key: string): string =>
  `HAGGLE_${key
    .replaceAll(/([A-Z])/g, "_$1")
    .replaceAll(".", "_")
    .toUpperCase()}`

/** A setting that is no secret, or a part of one. */
const mayBeShown = (path: string): boolean =>
  leaves.some(({ key }) => !hiddenWhenWrong.has(key) && (path === key || path.startsWith(`${key}.`)))

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (Predicate.hasProperty(inner, key) ? inner[key] : undefined), value)

const nothingRead: FileReading = { file: undefined, errors: [], foundAt: () => undefined }

const readFile = Effect.fnUntraced(function* (wanted: Option.Option<string>) {
  const fs = yield* FileSystem.FileSystem
  const file = Option.getOrElse(wanted, () => defaultFile)
  const text = yield* fs.readFileString(file).pipe(
    Effect.asSome,
    Effect.catchTag("PlatformError", (error) =>
      error.reason._tag === "NotFound" && Option.isNone(wanted)
        ? Effect.as(
            Console.error(
              `haggle: there is no ${defaultFile} here, so the defaults apply (\`haggle config\` shows them)`
            ),
            Option.none<string>()
          )
        : Effect.fail(unreadable(file, error.reason._tag))
    )
  )
  if (Option.isNone(text)) return nothingRead
  // a file in which every line is commented out says nothing, which is not wrong
  if (text.value.replaceAll(/^\s*(?:#.*)?$/gm, "").trim() === "") return { ...nothingRead, file }
  const decoded = decodeYaml(file, text.value, ConfigFile)
  if (Result.isFailure(decoded))
    return { ...nothingRead, file, errors: masked(decoded.failure, text.value, mayBeShown) }
  const { positionOf, value } = decoded.success
  return {
    file,
    errors: [],
    foundAt: ({ path }: Leaf) => {
      const found = at(value, path)
      return found === undefined ? undefined : { value: found, origin: `${file}:${positionOf(path).line}` }
    }
  }
})

const unreadable = (file: string, why: string): CliError =>
  why === "NotFound"
    ? cliError(
        badConfig,
        `there is no configuration file ${file}`,
        "check the path after --config, or leave it out"
      )
    : cliError(badConfig, `the configuration file ${file} cannot be read (${why})`, "check its permissions")

/** A text as the leaf wants it: as it stands, else as the file would read it, so that errors say the same. */
const decodeText = (leaf: Leaf, text: string): Result.Result<unknown, string> => {
  const asIs = Schema.decodeUnknownResult(leaf.schema)(text as unknown)
  if (Result.isSuccess(asIs)) return Result.succeed(asIs.success)
  const nested = leaf.path.reduceRight<AnyField>(
    (inner, name) => Schema.Struct({ [name]: inner }),
    leaf.schema
  )
  const indents = leaf.path.map((name, depth) => `${"  ".repeat(depth)}${String(name)}:`)
  const decoded = decodeYaml(leaf.key, `${indents.join("\n")} ${text}`, nested)
  return Result.isSuccess(decoded)
    ? Result.succeed(at(decoded.success.value, leaf.path))
    : // an error repeats the value
      Result.fail(
        hiddenWhenWrong.has(leaf.key)
          ? notThat(leaf, decoded.failure[0]?.message)
          : (decoded.failure[0]?.message ?? notThat(leaf))
      )
}

/** What it takes, without what it was given. */
const notThat = ({ key }: Leaf, message = ""): string =>
  withoutValue(message) ?? `\`${key}\` takes another value, such as {"name": "text"}`

const fromEnvironment = Effect.fnUntraced(function* (leaf: Leaf) {
  const name = variableOf(leaf.key)
  const text = yield* Variable.String(name).pipe(
    Variable.option,
    Effect.mapError((error) => cliError(badConfig, `the variable ${name} cannot be read: ${error.message}`))
  )
  if (Option.isNone(text)) return undefined
  const decoded = decodeText(leaf, text.value)
  if (Result.isSuccess(decoded)) return { value: decoded.success, origin: name }
  return yield* cliError(
    badConfig,
    `the environment variable ${name}: ${decoded.failure}`,
    `correct it, or run \`unset ${name}\``
  )
})

const fromFlag = Effect.fnUntraced(function* (leaf: Leaf, overrides: ReadonlyArray<Override>) {
  const override = overrides.find((one) => one.path === leaf.key)
  if (override === undefined) return undefined
  const decoded = decodeText(leaf, override.value)
  if (Result.isSuccess(decoded)) return { value: decoded.success, origin: override.flag }
  return yield* cliError(badConfig, `the flag ${override.flag}: ${decoded.failure}`)
})

/** Resolves every value; fails with exit code 4 and all errors of the file, or the one bad variable or flag. */
export const resolve = Effect.fn("Config.resolve")(function* (options: ResolveOptions) {
  const read = yield* readFile(options.file)
  if (read.errors.length > 0 && options.tolerant !== true)
    return yield* cliError(badConfig, renderErrors(read.errors))
  const origins = new Map<string, ValueOrigin>()
  const settings: Record<string, unknown> = {}
  for (const leaf of leaves) {
    const found =
      (yield* fromFlag(leaf, options.overrides)) ?? (yield* fromEnvironment(leaf)) ?? read.foundAt(leaf)
    origins.set(leaf.key, found?.origin ?? "default")
    put(settings, leaf.path, found === undefined ? at(defaults, leaf.path) : found.value)
  }
  // every leaf was decoded by its own schema, or is a default
  const resolved: ResolvedConfig = {
    settings: settings as unknown as Settings,
    origins,
    file: read.file,
    errors: read.errors
  }
  return resolved
})

const put = (target: Record<string, unknown>, [section, leaf]: Path, value: unknown): void => {
  if (section === undefined) return
  if (leaf === undefined) target[String(section)] = value
  else {
    const inside = target[String(section)]
    target[String(section)] = { ...(Predicate.isObject(inside) ? inside : {}), [leaf]: value }
  }
}
