/**
 * A shape is one of the bodies that an operation answers with: its schema, the status it comes with, and what it means.
 * Endpoints declare the schemas of their shapes; the reader of answers and the check of recorded bodies try them in order.
 */
import { type Schema } from "effect"

export type Meaning = "success" | "failure" | "pending"

export interface Shape<S extends Schema.Top = Schema.Top, M extends Meaning = Meaning> {
  readonly schema: S
  /** Undefined when the body may come with any status. */
  readonly status: number | undefined
  readonly meaning: M
}

/** Shapes of one operation by name, the most frequent first. */
export type Shapes = Readonly<Record<string, Shape<Schema.Codec<unknown, unknown>>>>

/**
 * Answers without a shape that are no failure of an operation: an HTML page; a page's data in the loader's own form, which is no
 * conventional JSON; a redirect; `null` for an empty or transient result; "not modified".
 */
export type Due = "html" | "payload" | "redirect" | "null" | "not-modified"

/** A body of HTTP 200 that says yes. */
export const success = <S extends Schema.Top>(schema: S): Shape<S, "success"> => ({
  schema,
  status: 200,
  meaning: "success"
})
/** A body that says no; usually with HTTP 200 (interface, General rules 3). */
export const failure = <S extends Schema.Top>(schema: S): Shape<S, "failure"> => ({
  schema,
  status: undefined,
  meaning: "failure"
})
/** A body that asks for a confirmation first; usually with HTTP 406. */
export const pending = <S extends Schema.Top>(schema: S): Shape<S, "pending"> => ({
  schema,
  status: undefined,
  meaning: "pending"
})
