/**
 * The params of a strategy: their types, and their values per item with the overrides applied.
 * Invariant: every value lies within the param's min and max, and has its type.
 */
import { Result } from "effect"

import { item, type ItemKey, itemKey } from "../domain/Item.ts"
import type { NamedParam } from "./Names.ts"
import { type Kind, kindOf, readParamValue } from "./ParamValues.ts"
import type { Decoded, Path } from "./Source.ts"
import { didYouMean, type SourceError } from "./SourceError.ts"
import type { Param, ParamValue, StrategyFile } from "./Strategy.ts"
import { isOpen, namedItems, type UniverseEntry } from "./Universe.ts"
import { type Scalar, type Type } from "./Value.ts"

/** A param as its file declares it; the values are in the language's units (fraction, minor units, milliseconds). */
export interface DeclaredParam {
  readonly name: string
  readonly kind: Kind
  readonly description: string
  /** The file's own value, and the bounds as written there. */
  readonly default: Scalar
  /** What it is set to: the default, or what a sweep put in its place. */
  readonly value: Scalar
  readonly min: ParamValue | undefined
  readonly max: ParamValue | undefined
}

export interface Params {
  readonly names: ReadonlyMap<string, NamedParam>
  readonly declared: ReadonlyArray<DeclaredParam>
  /** Values in order of the params, for an item without overrides. */
  readonly values: ReadonlyArray<Scalar>
  /** What an item has instead, by the param's index. */
  readonly overrides: ReadonlyMap<ItemKey, ReadonlyMap<number, Scalar>>
}

const typeOf = (kind: Kind, values: ReadonlyArray<ParamValue>): Type => {
  switch (kind) {
    case "number":
      return values.every((value) => Number.isInteger(value)) ? "int" : "double"
    case "money":
      return "Money"
    default:
      return kind
  }
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

interface Reading {
  readonly file: Decoded<StrategyFile>
  readonly errors: Array<SourceError>
}

/** Reads one value of a param and checks it against the bounds. */
const readValue = (reading: Reading, path: Path, kind: Kind, written: ParamValue, of: Param): Scalar => {
  const value = readParamValue(kind, written, of)
  if (Result.isSuccess(value)) return value.success
  reading.errors.push(reading.file.errorAt(path, value.failure))
  return 0
}

const overridesOf = (file: StrategyFile, name: string): ReadonlyArray<ParamValue> =>
  Object.values(file.overrides ?? {}).flatMap((values) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? [] : [value]
  })

/** Reads the params and overrides of a file; complaints go to `errors`. */
export const readParams = (
  file: Decoded<StrategyFile>,
  universe: ReadonlyArray<UniverseEntry>,
  errors: Array<SourceError>
): Params => {
  const reading: Reading = { file, errors }
  const entries = Object.entries(file.value.params ?? {})
  const names = new Map<string, NamedParam>()
  const kinds = new Map<string, Kind>()
  const declared: Array<DeclaredParam> = []
  for (const [index, [name, param]] of entries.entries()) {
    const path = ["params", name]
    if (!identifier.test(name))
      errors.push(
        file.errorAtKey(path, {
          code: "value",
          message: `a param's name has letters, digits and _, not \`${name}\``
        })
      )
    const kind = kindOf(param)
    if (kind === undefined) {
      const remedy = "write a number, 12%, 6h, true, or an amount with `type: money`"
      errors.push(
        file.errorAt([...path, "default"], { code: "type", message: `\`${name}\` has no type`, remedy })
      )
      continue
    }
    for (const bound of ["min", "max"] as const) {
      const written = param[bound]
      if (written !== undefined)
        readValue(reading, [...path, bound], kind, written, { default: param.default })
    }
    kinds.set(name, kind)
    const written = [param.default, param.min ?? 0, param.max ?? 0, ...overridesOf(file.value, name)]
    const type = typeOf(kind, written)
    names.set(name, { type, index })
    const value = readValue(reading, [...path, "default"], kind, param.default, param)
    declared.push({
      name,
      kind,
      description: param.description ?? "",
      default: value,
      value,
      min: param.min,
      max: param.max
    })
  }
  const values = declared.map((one) => one.default)
  return { names, declared, values, overrides: readOverrides(reading, universe, kinds) }
}

/**
 * The same params with other values, as a person writes them; an item's overrides stay. Fails with a sentence for each value that a param
 * does not take.
 */
export const rebound = (
  params: Params,
  written: Readonly<Record<string, ParamValue>>
): Result.Result<Params, ReadonlyArray<string>> => {
  const wrong: Array<string> = []
  const values = [...params.values]
  for (const [name, value] of Object.entries(written)) {
    const index = params.declared.findIndex((one) => one.name === name)
    const declared = params.declared[index]
    const read = declared === undefined ? undefined : readParamValue(declared.kind, value, declared)
    if (read === undefined) {
      const hint = didYouMean(name, [...params.names.keys()], "it has")
      wrong.push(`there is no param \`${name}\`${hint === undefined ? "" : `; ${hint}`}`)
    } else if (Result.isFailure(read)) wrong.push(`\`${name}\`: ${read.failure.message}`)
    else if (params.names.get(name)?.type === "int" && !Number.isInteger(read.success))
      wrong.push(`\`${name}\`: this param takes whole numbers, as its file does, not ${value}`)
    else values[index] = read.success
  }
  if (wrong.length > 0) return Result.fail(wrong)
  const declared = params.declared.map((one, index) => ({ ...one, value: values[index] ?? one.default }))
  return Result.succeed({ ...params, declared, values })
}

const readOverrides = (
  reading: Reading,
  entries: ReadonlyArray<UniverseEntry>,
  kinds: ReadonlyMap<string, Kind>
): Params["overrides"] => {
  const { errors, file } = reading
  const items = namedItems({ entries }).map(itemKey)
  const order = Object.keys(file.value.params ?? {})
  const byItem = new Map<ItemKey, Map<number, Scalar>>()
  for (const [wanted, values] of Object.entries(file.value.overrides ?? {})) {
    const matching = keysMeant(entries, items, wanted)
    if (matching.length === 0) {
      const known = items.map((key) => key.slice(key.indexOf("/") + 1))
      errors.push(
        file.errorAtKey(["overrides", wanted], {
          code: "unknown-item",
          message: `\`${wanted}\` is not an item of this strategy's universe`,
          remedy: isOpen({ entries })
            ? `write it with its application: \`730/${wanted}\``
            : didYouMean(wanted, known, "items")
        })
      )
    }
    for (const [name, written] of Object.entries(values)) {
      const path = ["overrides", wanted, name]
      const [kind, param] = [kinds.get(name), file.value.params?.[name]]
      if (kind === undefined || param === undefined) {
        const remedy = didYouMean(name, order, "params of this file")
        if (!order.includes(name))
          errors.push(
            file.errorAtKey(path, { code: "unknown-name", message: `unknown param \`${name}\``, remedy })
          )
        continue
      }
      const value = readValue(reading, path, kind, written, param)
      for (const key of matching) {
        const own = byItem.get(key) ?? new Map<number, Scalar>()
        byItem.set(key, own.set(order.indexOf(name), value))
      }
    }
  }
  return byItem
}

/** Items of that name: those of the file, and where others may come in (by search, inventory) the one that may be called so. */
const keysMeant = (
  entries: ReadonlyArray<UniverseEntry>,
  items: ReadonlyArray<ItemKey>,
  wanted: string
): ReadonlyArray<ItemKey> => {
  const named = items.filter((key) => key === wanted || key.slice(key.indexOf("/") + 1) === wanted)
  if (named.length > 0) return named
  if (/^\d+\//.test(wanted) && isOpen({ entries })) return [wanted as ItemKey]
  const apps = entries.flatMap((entry) => (entry._tag === "Names" ? [] : [entry.app]))
  return [...new Set(apps)].flatMap((app) => (app === undefined ? [] : [itemKey(item(app, wanted))]))
}

/** The values that hold for an item, in order of the params. */
export const paramsFor = (
  { overrides, values }: Params,
  of: Parameters<typeof itemKey>[0]
): ReadonlyArray<Scalar> => {
  const own = overrides.size === 0 ? undefined : overrides.get(itemKey(of))
  return own === undefined ? values : values.map((value, index) => own.get(index) ?? value)
}
