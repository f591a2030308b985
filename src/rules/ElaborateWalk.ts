/**
 * What the walk over one expression collects, and how it complains. Invariant: a node that was complained about has the type `error`,
 * and whatever holds it is not complained about again.
 */
import type { ASTNode } from "@marcbachmann/cel-js"

import type { Expr, Place } from "./Expr.ts"
import type { ExpressionError, Names } from "./Names.ts"
import type { Scalar, Type } from "./Value.ts"

export interface Walk {
  readonly text: string
  readonly names: Names
  readonly typed: (node: ASTNode) => Expr
  readonly errors: Array<ExpressionError>
  /** The id of the next node. */
  next: number
}

/** What every node has: its own id, its type and its place. */
export const nodeOf = ({ end, start }: Place, type: Type, walk: Walk) => ({
  id: walk.next++,
  type,
  start,
  end
})

export const literal = (at: Place, type: Type, value: Scalar, walk: Walk): Expr => ({
  op: "Literal",
  ...nodeOf(at, type, walk),
  value
})

/** What was complained about. */
export const failed: Expr = { op: "Literal", id: 0, type: "error", start: 0, end: 0, value: 0 }

export const complain = (
  walk: Walk,
  at: Place,
  message: string,
  remedy?: string,
  code = "expression"
): Expr => {
  walk.errors.push({ code, message, remedy, start: at.start, end: at.end })
  return failed
}

export const textOf = (node: Place, walk: Walk): string => walk.text.slice(node.start, node.end)

/** The own entry of a table; never what every object inherits, such as `constructor`. */
export const own = <A>(table: Readonly<Record<string, A>>, key: string): A | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
