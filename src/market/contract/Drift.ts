/**
 * How a body that decoded departs from the contract all the same: fields that no schema names, and fields that the interface names
 * but that are not there. An early sign that the interface changes.
 * Invariants: 1. values are never told, only paths; array positions and the keys of maps are left out of them (`[]`, `*`), so the
 * same change is one path. 2. pure and without calls beyond the body's own depth.
 */
import { SchemaAST } from "effect"

import { isExpected } from "./Field.ts"
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "./Json.ts"

export interface Drift {
  /** Paths of fields that were dropped. */
  readonly unknown: ReadonlyArray<string>
  /** Paths of fields that were expected. */
  readonly missing: ReadonlyArray<string>
}

export const noDrift: Drift = { unknown: [], missing: [] }

interface Found {
  readonly unknown: Set<string>
  readonly missing: Set<string>
}

/** `body` is what came, `value` what the schema of this AST made of it. */
export const driftOf = (ast: SchemaAST.AST, body: Json, value: Json): Drift => {
  const found: Found = { unknown: new Set(), missing: new Set() }
  walk(ast, body, value, "", found)
  return found.unknown.size + found.missing.size === 0
    ? noDrift
    : { unknown: [...found.unknown], missing: [...found.missing] }
}

/** All of several, each path once. */
export const joined = (drifts: ReadonlyArray<Drift>): Drift => ({
  unknown: [...new Set(drifts.flatMap(({ unknown }) => unknown))],
  missing: [...new Set(drifts.flatMap(({ missing }) => missing))]
})

const walk = (ast: SchemaAST.AST, body: Json, value: Json, path: string, found: Found): void => {
  if (isJsonArray(body)) {
    if (isJsonArray(value)) walkArray(ast, body, value, path, found)
  } else if (isJsonObject(body) && isJsonObject(value)) walkObject(ast, body, value, path, found)
}

const walkArray = (
  ast: SchemaAST.AST,
  body: ReadonlyArray<Json>,
  value: ReadonlyArray<Json>,
  path: string,
  found: Found
): void => {
  const arrays = membersOf(ast).find(SchemaAST.isArrays)
  if (arrays === undefined) return
  for (const [index, one] of body.entries()) {
    if (typeof one !== "object" || one === null) continue
    const element = arrays.elements[index] ?? arrays.rest[0]
    if (element !== undefined) walk(element, one, value[index] ?? null, `${path}[]`, found)
  }
}

const walkObject = (
  ast: SchemaAST.AST,
  body: JsonObject,
  value: JsonObject,
  path: string,
  found: Found
): void => {
  const objects = objectsFor(ast, body)
  if (objects === undefined) return
  const prefix = path === "" ? "" : `${path}.`
  const rest = objects.indexSignatures[0]
  const named = fieldsOf(objects)
  for (const [key, one] of Object.entries(body)) {
    const type = named.get(key)
    if (type !== undefined) walk(type, one, value[key] ?? null, prefix + key, found)
    else if (rest !== undefined) walk(rest.type, one, value[key] ?? null, `${prefix}*`, found)
    else if (!Object.hasOwn(value, key)) found.unknown.add(prefix + key)
  }
  for (const [key, type] of named)
    if (!Object.hasOwn(body, key) && isExpected(type)) found.missing.add(prefix + key)
}

/** The struct or record of a union that fits the object best: the most of its fields are there. */
const objectsFor = (ast: SchemaAST.AST, body: JsonObject): SchemaAST.Objects | undefined => {
  const candidates = membersOf(ast).filter(SchemaAST.isObjects)
  if (candidates.length < 2) return candidates[0]
  return candidates.find((one) =>
    one.propertySignatures.every(
      ({ name, type }) => SchemaAST.isOptional(type) || Object.hasOwn(body, String(name))
    )
  )
}

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(membersOf) : [ast]

const fields = new WeakMap<SchemaAST.Objects, ReadonlyMap<string, SchemaAST.AST>>()
const fieldsOf = (objects: SchemaAST.Objects): ReadonlyMap<string, SchemaAST.AST> => {
  const known = fields.get(objects)
  if (known !== undefined) return known
  const made = new Map(objects.propertySignatures.map(({ name, type }) => [String(name), type]))
  fields.set(objects, made)
  return made
}
