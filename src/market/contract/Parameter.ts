/** Parameters of an operation as a person fills them in, derived from the schemas that encode them. */
import { type Schema, SchemaAST } from "effect"

export type ParameterPlace = "path" | "query" | "form"
export type ParameterKind = "string" | "integer" | "json"

export interface Parameter {
  readonly name: string
  readonly in: ParameterPlace
  readonly kind: ParameterKind
  readonly required: boolean
  /** The only values it may have; one value is filled in by itself. */
  readonly values: ReadonlyArray<string>
  /** Filled in from the session or its signature when not given. */
  readonly filledIn: "session" | "signature" | undefined
}

const ofSession: ReadonlySet<string> = new Set(["sessionid"])
const ofSignature: ReadonlySet<string> = new Set(["p", "a", "k", "t", "m", "tag"])

export const parameters = (
  place: ParameterPlace,
  fields: Readonly<Record<string, Schema.Top>>
): ReadonlyArray<Parameter> =>
  Object.entries(fields).map(([name, { ast }]) => ({
    name,
    in: place,
    kind: kindOf(ast),
    required: !SchemaAST.isOptional(ast),
    values: valuesOf(ast),
    filledIn: ofSession.has(name) ? "session" : ofSignature.has(name) ? "signature" : undefined
  }))

const kindOf = (ast: SchemaAST.AST): ParameterKind => {
  if (ast.encoding !== undefined) return "json"
  if (SchemaAST.isNumber(ast)) return "integer"
  return valuesOf(ast).length > 0 && valuesOf(ast).every((value) => /^\d+$/.test(value))
    ? "integer"
    : "string"
}

const valuesOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isLiteral(ast)) return [String(ast.literal)]
  return SchemaAST.isUnion(ast) ? ast.types.flatMap(valuesOf) : []
}
