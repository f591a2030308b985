/** What checking an expression goes by and answers: the names that a file adds to the vocabulary, and an error at its place in the text. */
import type { PolledFact } from "../domain/Facts.ts"
import type { Type } from "./Value.ts"

export interface ExpressionError {
  readonly code: string
  readonly message: string
  readonly remedy: string | undefined
  /** Offsets into the expression's text. */
  readonly start: number
  readonly end: number
}

/** A name under `params`; the index is its place there. */
export interface NamedParam {
  readonly type: Type
  readonly index: number
}

/** A name under `let`; the index is its place there. */
export interface NamedLet extends NamedParam {
  readonly polled: ReadonlySet<PolledFact>
  readonly perListing: boolean
}

/** The names that a file adds to the vocabulary. */
export interface Names {
  readonly params: ReadonlyMap<string, NamedParam>
  readonly lets: ReadonlyMap<string, NamedLet>
  /** Let names that are defined further down. */
  readonly later: ReadonlySet<string>
  /** Whether the expression may look at single listings. */
  readonly listings: boolean
}
