/**
 * The params of a strategy: their types, and their values per item with the overrides applied.
 * Invariant: every value lies within the param's min and max, and has its type.
 */
import { Option } from "effect"

import { item, type ItemKey, itemKey } from "../domain/Item.ts"
import { fromDecimal } from "../domain/Money.ts"
import type { NamedParam } from "./Expression.ts"
import type { Decoded, Path } from "./Source.ts"
import { didYouMean, type SourceError } from "./SourceError.ts"
import { type Param, type ParamValue, parseDuration, type StrategyFile } from "./Strategy.ts"
import { isOpen, namedItems, type UniverseEntry } from "./Universe.ts"
import { type Scalar, type Type } from "./Value.ts"

type Kind = "number" | "percent" | "money" | "duration" | "bool"

export interface Params {
  readonly names: ReadonlyMap<string, NamedParam>
  /** Values in order of the params, for an item without overrides. */
  readonly defaults: ReadonlyArray<Scalar>
  readonly byItem: ReadonlyMap<ItemKey, ReadonlyArray<Scalar>>
}

const percentPattern = /^-?\d{1,9}(?:\.\d{1,6})?\s?%$/

const readers: Readonly<Record<Kind, (written: ParamValue) => Scalar | undefined>> = {
  number: (written) => (typeof written === "number" ? written : undefined),
  percent: (written) => {
    if (typeof written === "number") return written
    return typeof written === "string" && percentPattern.test(written)
      ? Number(written.replace(/[%\s]/g, "")) / 100
      : undefined
  },
  money: (written) =>
    typeof written === "boolean" ? undefined : Option.getOrUndefined(fromDecimal(String(written))),
  duration: (written) => (typeof written === "string" ? parseDuration(written) : undefined),
  bool: (written) => (typeof written === "boolean" ? written : undefined)
}

const examples: Readonly<Record<Kind, string>> = {
  number: "a number",
  percent: "a percentage such as 12%",
  money: "an amount such as 5.00",
  duration: "a time such as 6h",
  bool: "true or false"
}

const kindOf = ({ default: value, type }: Param): Kind | undefined => {
  if (type !== undefined) return type
  if (typeof value === "number") return "number"
  if (typeof value === "boolean") return "bool"
  if (percentPattern.test(value)) return "percent"
  return parseDuration(value) === undefined ? undefined : "duration"
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
  const value = readers[kind](written)
  if (value === undefined) {
    const message = `this param takes ${examples[kind]}, not ${JSON.stringify(written)}`
    reading.errors.push(reading.file.errorAt(path, { code: "type", message }))
    return 0
  }
  const [low, high] = [of.min, of.max].map((bound) =>
    bound === undefined ? undefined : readers[kind](bound)
  )
  if ((low !== undefined && value < low) || (high !== undefined && value > high)) {
    const bounds = [
      low === undefined ? "" : `at least ${of.min}`,
      high === undefined ? "" : `at most ${of.max}`
    ]
    const message = `this param is ${bounds.filter((bound) => bound !== "").join(" and ")}, not ${written}`
    reading.errors.push(reading.file.errorAt(path, { code: "value", message }))
  }
  return value
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
  const defaults = entries.map(([name, param], index): Scalar => {
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
      return 0
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
    return readValue(reading, [...path, "default"], kind, param.default, param)
  })
  return { names, defaults, byItem: readOverrides(reading, universe, kinds, defaults) }
}

const readOverrides = (
  reading: Reading,
  entries: ReadonlyArray<UniverseEntry>,
  kinds: ReadonlyMap<string, Kind>,
  defaults: ReadonlyArray<Scalar>
): Params["byItem"] => {
  const { errors, file } = reading
  const items = namedItems({ entries }).map(itemKey)
  const order = Object.keys(file.value.params ?? {})
  const byItem = new Map<ItemKey, Array<Scalar>>()
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
        const own = byItem.get(key) ?? [...defaults]
        own[order.indexOf(name)] = value
        byItem.set(key, own)
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
export const paramsFor = (params: Params, of: Parameters<typeof itemKey>[0]): ReadonlyArray<Scalar> =>
  params.byItem.size === 0 ? params.defaults : (params.byItem.get(itemKey(of)) ?? params.defaults)
