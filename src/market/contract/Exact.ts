/**
 * Recognises at a glance a body that is exactly what a schema of this contract says: then the body itself is what the schema would make of
 * it, and nothing departs from the contract. Most answers are of this kind, and decoding them costs more than parsing.
 * Invariants: 1. the recogniser is made of the schema's own tree, so there is one truth. 2. it may say no where the schema would say yes
 * (then the schema decides), never yes where the schema would say no or make another value of the body. 3. nothing is allocated.
 */
import { SchemaAST } from "effect"

import { isExpected } from "./Field.ts"
import { type Json, type JsonObject } from "./Json.ts"

export type Recognise = (body: Json) => boolean

/** The recogniser of this AST; undefined when it transforms what it reads or is of a kind that bodies are not made of. */
export const recogniser = (ast: SchemaAST.AST): Recognise | undefined => partOf(ast)?.is

type Kind = "array" | "boolean" | "null" | "number" | "object" | "string"

interface Part {
  readonly kinds: ReadonlyArray<Kind>
  readonly is: Recognise
  /** It is a whole number between these and nothing else. */
  readonly whole?: Bounds
}

interface Bounds {
  readonly minimum: number
  readonly maximum: number
}

const anyKind: ReadonlyArray<Kind> = ["array", "boolean", "null", "number", "object", "string"]
const literalKinds: Readonly<Record<string, Kind>> = {
  boolean: "boolean",
  number: "number",
  string: "string"
}

const partOf = (ast: SchemaAST.AST): Part | undefined => {
  if (ast.encoding !== undefined) return undefined
  if ("encodingChecks" in ast && ast.encodingChecks !== undefined) return undefined
  const part = bareOf(ast)
  if (part === undefined || ast.checks === undefined) return part
  return SchemaAST.isNumber(ast)
    ? numberOf(ast, ast.checks)
    : { kinds: part.kinds, is: both(part.is, checksOf(ast, ast.checks)) }
}

const bareOf = (ast: SchemaAST.AST): Part | undefined => {
  switch (ast._tag) {
    case "Null":
      return { kinds: ["null"], is: (body) => body === null }
    case "Boolean":
      return { kinds: ["boolean"], is: (body) => typeof body === "boolean" }
    case "String":
      return { kinds: ["string"], is: (body) => typeof body === "string" }
    case "Number":
      return { kinds: ["number"], is: (body) => typeof body === "number" }
    case "Literal": {
      const kind = literalKinds[typeof ast.literal]
      return kind === undefined ? undefined : { kinds: [kind], is: (body) => body === ast.literal }
    }
    case "Declaration":
      return representationOf(ast) === "effect/schema/Json" ? { kinds: anyKind, is: isPlain } : undefined
    case "Arrays":
      return arrayOf(ast)
    case "Objects":
      return objectOf(ast)
    case "Union":
      return unionOf(ast)
    default:
      return undefined
  }
}

/** JSON's text can say numbers that are too large to be one. */
const isPlain = (body: Json): boolean => {
  if (typeof body === "number") return Number.isFinite(body)
  if (typeof body !== "object" || body === null) return true
  for (const key in body) if (!isPlain((body as JsonObject)[key] as Json)) return false
  return true
}

const arrayOf = (ast: SchemaAST.Arrays): Part | undefined => {
  const elements = ast.elements.map(partOf)
  const [rest, ...more] = ast.rest.map(partOf)
  const isKnown = !elements.includes(undefined) && (ast.rest.length === 0 || rest !== undefined)
  if (!isKnown || more.length > 0 || ast.elements.some(SchemaAST.isOptional)) return undefined
  const first = elements.map((one) => (one as Part).is)
  if (first.length === 0 && rest?.whole !== undefined)
    return { kinds: ["array"], is: wholeNumbers(rest.whole) }
  const [least, isMore] = [first.length, rest?.is]
  const is: Recognise = (body) => {
    if (!Array.isArray(body) || body.length < least) return false
    if (isMore === undefined && body.length > least) return false
    for (let index = 0; index < least; index++) if (first[index]?.(body[index]) !== true) return false
    if (isMore !== undefined)
      for (let index = least; index < body.length; index++) if (!isMore(body[index])) return false
    return true
  }
  return { kinds: ["array"], is }
}

/** Levels are thousands of numbers: one loop, no call per number. */
const wholeNumbers =
  ({ maximum, minimum }: Bounds): Recognise =>
  (body) => {
    if (!Array.isArray(body)) return false
    for (let index = 0; index < body.length; index++) {
      const one: unknown = body[index]
      if (typeof one !== "number" || !(one >= minimum && one <= maximum) || !Number.isSafeInteger(one))
        return false
    }
    return true
  }

interface Named {
  readonly is: Recognise
  /** It must be there, or its absence would be noticed. */
  readonly due: boolean
}

const objectOf = (ast: SchemaAST.Objects): Part | undefined => {
  const named = new Map<string, Named>()
  for (const { name, type } of ast.propertySignatures) {
    const part = partOf(type)
    if (part === undefined || typeof name !== "string") return undefined
    named.set(name, { is: part.is, due: !SchemaAST.isOptional(type) || isExpected(type) })
  }
  const [signature, ...more] = ast.indexSignatures
  if (signature !== undefined) return more.length > 0 || named.size > 0 ? undefined : recordOf(signature)
  const due = [...named.values()].filter((one) => one.due).length
  const is: Recognise = (body) => {
    if (typeof body !== "object" || body === null || Array.isArray(body)) return false
    let found = 0
    for (const key in body) {
      const field = named.get(key)
      if (field?.is((body as JsonObject)[key] as Json) !== true) return false
      if (field.due) found++
    }
    return found === due
  }
  return { kinds: ["object"], is }
}

const recordOf = ({ parameter, type }: SchemaAST.IndexSignature): Part | undefined => {
  const value = partOf(type)
  const takesAnyKey = parameter._tag === "String" && parameter.checks === undefined
  if (value === undefined || !takesAnyKey) return undefined
  const is: Recognise = (body) => {
    if (typeof body !== "object" || body === null || Array.isArray(body)) return false
    for (const key in body)
      if (key === "__proto__" || !value.is((body as JsonObject)[key] as Json)) return false
    return true
  }
  return { kinds: ["object"], is }
}

/** Of the members for objects and arrays only the first is recognised: the schema takes it when it can, however loosely. */
const unionOf = (ast: SchemaAST.Union): Part | undefined => {
  const members = ast.types.map(partOf)
  if (members.includes(undefined) || ast.options?.mode === "oneOf") return undefined
  const known = members as ReadonlyArray<Part>
  const kinds = [...new Set(known.flatMap((one) => one.kinds))]
  const firstFor = (kind: Kind) => known.find((one) => one.kinds.includes(kind))?.is
  const [array, object] = [firstFor("array"), firstFor("object")]
  const scalars = known.filter((one) => one.kinds.some((kind) => kind !== "array" && kind !== "object"))
  const [a, b, ...others] = scalars.map((one) => one.is)
  const is: Recognise = (body) => {
    if (typeof body === "object" && body !== null)
      return (Array.isArray(body) ? array : object)?.(body) === true
    return a?.(body) === true || b?.(body) === true || others.some((one) => one(body))
  }
  return { kinds, is }
}

const both =
  (first: Recognise, second: Recognise): Recognise =>
  (body) =>
    first(body) && second(body)

/** Numbers are most of a body; their usual checks are made without the schema's machinery. Infinity is left to the schema. */
const numberOf = (ast: SchemaAST.AST, checks: SchemaAST.Checks): Part => {
  const kinds: Part["kinds"] = ["number"]
  const others: Array<Check> = []
  let [isWhole, minimum, maximum] = [false, -Number.MAX_VALUE, Number.MAX_VALUE]
  for (const check of checks) {
    const id = representationOf(check)
    const between = betweenOf(check)
    if (id === "effect/schema/isInt") isWhole = true
    else if (between !== undefined)
      [minimum, maximum] = [Math.max(minimum, between.minimum), Math.min(maximum, between.maximum)]
    else if (id !== "effect/schema/isFinite") others.push(check)
  }
  const usual: Recognise = isWhole
    ? (body) => typeof body === "number" && body >= minimum && body <= maximum && Number.isSafeInteger(body)
    : (body) => typeof body === "number" && body >= minimum && body <= maximum
  if (others.length > 0) return { kinds, is: both(usual, checksOf(ast, others)) }
  return isWhole ? { kinds, is: usual, whole: { minimum, maximum } } : { kinds, is: usual }
}

type Check = SchemaAST.Checks[number]

const representationOf = ({ annotations }: { readonly annotations: unknown }): string | undefined =>
  represented(annotations)?.id

const represented = (annotations: unknown) =>
  (annotations as { representation?: { readonly id: string; readonly payload: unknown } } | undefined)
    ?.representation

/** The bounds of a check that is nothing but two inclusive bounds. */
const betweenOf = ({ annotations }: Check) => {
  const found = represented(annotations)
  if (found?.id !== "effect/schema/isBetween") return undefined
  const payload = found.payload as Bounds
  return Object.keys(payload).length === 2 ? payload : undefined
}

const checksOf = (ast: SchemaAST.AST, checks: ReadonlyArray<Check>): Recognise => {
  const [first, ...others] = checks.map((check): Recognise =>
    check._tag === "FilterGroup"
      ? checksOf(ast, check.checks)
      : (body) => check.run(body, ast, options) === undefined
  )
  return first === undefined ? () => true : others.reduce(both, first)
}

const options = {}
