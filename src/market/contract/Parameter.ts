/** Parameters of an operation as a person fills them in, derived from the schemas that encode them. */
import { type Schema, SchemaAST } from "effect"

import { descriptionOf } from "./Field.ts"

export type ParameterPlace = "path" | "query" | "header" | "form" | "body"
/** `strings` may be repeated; `json` is any JSON. */
type ParameterKind = "string" | "integer" | "boolean" | "strings" | "json"

export interface Parameter {
  /** `category_*` stands for every name with that beginning. */
  readonly name: string
  readonly in: ParameterPlace
  readonly kind: ParameterKind
  readonly required: boolean
  /** The only values it may have; one value is filled in by itself. */
  readonly values: ReadonlyArray<string>
  /** Filled in from the session or its signature when not given. */
  readonly filledIn: "session" | "signature" | undefined
  readonly description: string
}

const ofSession: ReadonlySet<string> = new Set(["sessionid"])
const ofSignature: ReadonlySet<string> = new Set(["p", "a", "k", "t", "m", "tag"])

/** Parameters of a record of fields, or of a struct that takes other names by their beginning, too. */
export const parameters = (
  place: ParameterPlace,
  of: Readonly<Record<string, Schema.Top>> | Schema.Top
): ReadonlyArray<Parameter> =>
  isSchema(of)
    ? ofStruct(place, of.ast)
    : Object.entries(of).map(([name, { ast }]) => parameter(place, name, ast))

const isSchema = (of: Readonly<Record<string, Schema.Top>> | Schema.Top): of is Schema.Top =>
  "ast" in of && SchemaAST.isAST(of.ast)

const ofStruct = (place: ParameterPlace, ast: SchemaAST.AST): ReadonlyArray<Parameter> => {
  if (!SchemaAST.isObjects(ast)) return []
  const named = ast.propertySignatures.map(({ name, type }) => parameter(place, String(name), type))
  const open = ast.indexSignatures.map(({ parameter: key, type }): Parameter => ({
    ...parameter(place, `${beginningOf(key)}*`, type),
    required: false,
    description: `Any other ${beginningOf(key)}… of the application's vocabulary; repeatable.`
  }))
  return [...named, ...open]
}

const beginningOf = (key: SchemaAST.AST): string => {
  const [first] = SchemaAST.isTemplateLiteral(key) ? key.parts : []
  return first !== undefined && SchemaAST.isLiteral(first) ? String(first.literal) : ""
}

const parameter = (place: ParameterPlace, name: string, ast: SchemaAST.AST): Parameter => ({
  name,
  in: place,
  kind: kindOf(ast),
  required: !SchemaAST.isOptional(ast),
  values: valuesOf(ast),
  filledIn:
    place === "body"
      ? undefined
      : ofSession.has(name)
        ? "session"
        : ofSignature.has(name)
          ? "signature"
          : undefined,
  description: descriptionOf(ast)
})

/** Whether a parameter takes this name. */
export const takes = ({ name }: Parameter, given: string): boolean =>
  name.endsWith("*") ? given.startsWith(name.slice(0, -1)) : name === given

const kindOf = (ast: SchemaAST.AST): ParameterKind => {
  if (ast.encoding !== undefined) return "json"
  if (SchemaAST.isNumber(ast)) return "integer"
  if (SchemaAST.isArrays(ast)) return "strings"
  if (SchemaAST.isBoolean(ast)) return "boolean"
  if (SchemaAST.isObjects(ast)) return "json"
  return valuesOf(ast).length > 0 && valuesOf(ast).every((value) => /^\d+$/.test(value))
    ? "integer"
    : "string"
}

const valuesOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isLiteral(ast)) return [String(ast.literal)]
  return SchemaAST.isUnion(ast) ? ast.types.flatMap(valuesOf) : []
}
