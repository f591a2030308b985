/**
 * Fields of bodies and parameters together with what the interface says of them: the descriptions end up in OpenAPI and in
 * docs/interface.md. They belong to the key, so a shared schema may be described differently in each place.
 * Invariant: an absent `expected` field does not make a body undecodable, but it is counted as drift (Drift.ts).
 */
import { Schema, type SchemaAST } from "effect"

/** Annotation of fields that the interface names without calling them optional, and that a body may lack all the same. */
export const expectedAnnotation = "x-expected"

/** A field that must be there. */
export const field = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotateKey({ description })

/** A field that is there in some bodies only. */
export const optional = <S extends Schema.Top>(
  schema: S,
  description: string
): Schema.optionalKey<S["Rebuild"]> => Schema.optionalKey(field(schema, description))

/** A field that should be there, but whose absence is borne. */
export const expected = <S extends Schema.Top>(
  schema: S,
  description: string
): Schema.optionalKey<S["Rebuild"]> =>
  Schema.optionalKey(schema.annotateKey({ description, [expectedAnnotation]: true }))

/** Whether the interface expects the field of this AST. */
export const isExpected = (ast: SchemaAST.AST): boolean =>
  ast.context?.annotations?.[expectedAnnotation] === true

/** What the interface says of the field or parameter of this AST. */
export const descriptionOf = (ast: SchemaAST.AST): string => {
  const description = ast.context?.annotations?.["description"]
  return typeof description === "string" ? description : ""
}
