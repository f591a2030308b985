/**
 * What a schema did not like about a value, said at its place in the file and in words of the file instead of the schema.
 * Invariant: every leaf of the schema's issue becomes one error.
 */
import { SchemaAST, type SchemaIssue } from "effect"

import { didYouMean, nearest, type Path, type Positions, type SourceError } from "./SourceError.ts"

export const issueErrors = (issue: SchemaIssue.Issue, at: Positions): ReadonlyArray<SourceError> =>
  walk(issue, [], at)

/** The value as the file says it, short. */
const show = (value: unknown): string => {
  if (value === null || value === undefined) return "nothing"
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`
  if (typeof value === "object") return "a mapping"
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** What a schema node takes, in a person's words; `expected` or `description` annotations win. */
const expected = (ast: SchemaAST.AST): string => {
  const said = ast.annotations?.["expected"] ?? ast.annotations?.["title"]
  if (typeof said === "string") return said
  // a transformation takes what its encoded side takes
  const encoded = ast.encoding === undefined ? ast : SchemaAST.toEncoded(ast)
  if (encoded !== ast) return expected(encoded)
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return "a text"
    case "Number":
      return "a number"
    case "Boolean":
      return "true or false"
    case "Literal":
      return JSON.stringify(ast.literal)
    case "Arrays":
      return "a list"
    case "Objects":
      return "a mapping (key: value)"
    case "Union":
      if (ast.types.length > 1 && ast.types.every(({ _tag }) => _tag === "Literal"))
        return `one of ${literalsOf(ast).join(", ")}`
      return [...new Set(ast.types.map(expected))].join(" or ")
    default:
      return "another value"
  }
}

const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (ast._tag === "Literal") return [String(ast.literal)]
  return ast._tag === "Union" ? ast.types.flatMap(literalsOf) : []
}

const keysOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const encoded = SchemaAST.toEncoded(ast)
  return encoded._tag === "Objects" ? encoded.propertySignatures.map((one) => String(one.name)) : []
}

/** The keys from the last list on: a list's index says less than the line does. */
const dotted = (path: Path): string => {
  const index = path.findLastIndex((step) => typeof step === "number")
  return (index === path.length - 1 ? path : path.slice(index + 1)).map(String).join(".")
}
const said = (
  annotations: Readonly<Record<string, unknown>> | undefined,
  key: string
): string | undefined => {
  const text = annotations?.[key]
  return typeof text === "string" ? text : undefined
}

/** What was probably meant by a value of the wrong kind. */
const meant = (path: Path, takes: string, value: unknown): string | undefined => {
  const key = path.at(-1)
  if (key === "version") return "this haggle reads `version: 1`"
  if (key === "mode" && value === "live") return "a file cannot turn trading on: `haggle run --live` does"
  if (takes.includes("a list") && typeof value === "object") return "begin each member with `- `"
  if (typeof value !== "number") return undefined
  if (takes.includes("a time such")) return `write it with its unit, such as ${value}s`
  if (takes.includes("a percentage such"))
    return `write it as ${Number((value < 1 ? value * 100 : value).toFixed(4))}%`
  return undefined
}

const wrongType = (ast: SchemaAST.AST, path: Path, at: Positions): ReadonlyArray<SourceError> => {
  const value = at.plainAt(path)
  const name = dotted(path)
  const literals = literalsOf(ast)
  const remedy =
    typeof value === "string" && literals.length > 0 && nearest(value, literals) !== undefined
      ? didYouMean(value, literals)
      : meant(path, expected(ast), value)
  const subject = name === "" ? "this file" : `\`${name}\``
  return [
    at.errorAt(path, {
      code: "type",
      message: `${subject} takes ${expected(ast)}, not ${show(value)}`,
      remedy
    })
  ]
}

const unexpectedKey = (ast: SchemaAST.AST, path: Path, at: Positions): ReadonlyArray<SourceError> => {
  const key = String(path.at(-1))
  const remedy = didYouMean(key, keysOf(ast), "keys here")
  return [at.errorAtKey(path, { code: "unknown-key", message: `unknown key \`${key}\``, remedy })]
}

const walk = (issue: SchemaIssue.Issue, path: Path, at: Positions): ReadonlyArray<SourceError> => {
  switch (issue._tag) {
    case "Pointer":
      return walk(issue.issue, [...path, ...issue.path], at)
    case "Composite":
      return issue.issues.flatMap((one) => walk(one, path, at))
    case "Encoding":
      return walk(issue.issue, path, at)
    case "UnexpectedKey":
      return unexpectedKey(issue.ast, path, at)
    case "MissingKey": {
      const missing = String(path.at(-1))
      const remedy = said(issue.annotations, "messageMissingKey") ?? meant(path, "", undefined)
      return [
        at.errorAt(path.slice(0, -1), { code: "missing-key", message: `\`${missing}\` is missing`, remedy })
      ]
    }
    case "Filter": {
      const message =
        (issue.issue._tag === "InvalidValue" ? said(issue.issue.annotations, "message") : undefined) ??
        said(issue.filter.annotations, "message") ??
        `takes ${(said(issue.filter.annotations, "expected") ?? "another value").replace("an integer", "a whole number")}`
      return [
        at.errorAt(path, {
          code: "value",
          message: `\`${dotted(path)}\` ${message}, not ${show(at.plainAt(path))}`
        })
      ]
    }
    case "InvalidValue": {
      const message = said(issue.annotations, "message") ?? "takes another value"
      return [
        at.errorAt(path, {
          code: "value",
          message: `\`${dotted(path)}\` ${message}, not ${show(at.plainAt(path))}`
        })
      ]
    }
    case "AnyOf": {
      // a member that took the value's kind but not the value itself knows better what is wrong
      const inside = issue.issues.filter((one) => one._tag !== "InvalidType")
      return inside.length === 1 && inside[0] !== undefined
        ? walk(inside[0], path, at)
        : wrongType(issue.ast, path, at)
    }
    case "InvalidType":
    case "OneOf":
      return wrongType(issue.ast, path, at)
    case "Forbidden":
      return [at.errorAt(path, { code: "value", message: `\`${dotted(path)}\` is not allowed` })]
  }
}
