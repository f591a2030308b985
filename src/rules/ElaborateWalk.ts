/**
 * What the walk over one expression collects, and how it complains. Invariant: every fact, let and param that is read is noted with
 * its place, so that the polls of any part of the expression are known.
 */
import type { ASTNode } from "@marcbachmann/cel-js"

import type { PolledFact } from "../domain/Facts.ts"
import type { ExpressionError, Named, Names, Shown } from "./Expression.ts"
import type { Run } from "./Scope.ts"
import type { Type } from "./Value.ts"

export interface Typed {
  readonly type: Type
  readonly run: Run
  /** The text of a string literal. */
  readonly literal?: string
}

/** A piece of the expression's text, end exclusive. */
export interface Place {
  readonly start: number
  readonly end: number
}

export interface Walk {
  readonly text: string
  readonly names: Names
  readonly typed: (node: ASTNode) => Typed
  readonly errors: Array<ExpressionError>
  readonly reads: Array<Place & { readonly polled: ReadonlySet<PolledFact> }>
  readonly facts: Map<string, Shown>
  readonly lets: Set<string>
  readonly conditions: Array<Shown>
}

/** The type of what was complained about. */
export const failed: Typed = { type: "error", run: () => 0 }

export const complain = (
  walk: Walk,
  at: Place,
  message: string,
  remedy?: string,
  code = "expression"
): Typed => {
  walk.errors.push({ code, message, remedy, start: at.start, end: at.end })
  return failed
}

export const textOf = (node: Place, walk: Walk): string => walk.text.slice(node.start, node.end)

/** The polls that this part of the expression needs. */
export const polledIn = (walk: Walk, place: Place): ReadonlySet<PolledFact> => {
  const found = new Set<PolledFact>()
  for (const { end, polled, start } of walk.reads)
    if (start >= place.start && end <= place.end) for (const poll of polled) found.add(poll)
  return found
}

/** Notes a bool that is no `&&`, `||` or `!`, so that the trace can show it. */
export const conditionOf = (node: Place, of: Typed, walk: Walk): Typed => {
  if (of.type === "bool")
    walk.conditions.push({
      text: textOf(node, walk),
      type: of.type,
      run: of.run,
      polled: polledIn(walk, node)
    })
  return of
}

/** Notes a let or param that is read. */
export const use = (node: Place, named: Named, walk: Walk): Typed => {
  walk.reads.push({ start: node.start, end: node.end, polled: named.polled })
  return conditionOf(node, { type: named.type, run: named.run }, walk)
}

/** Notes a fact that is read and the polls that it needs. */
export const fact = (
  node: Place,
  of: Typed,
  polls: ReadonlyArray<PolledFact | undefined>,
  walk: Walk
): Typed => {
  const polled = new Set(polls.filter((poll) => poll !== undefined))
  walk.reads.push({ start: node.start, end: node.end, polled })
  const text = textOf(node, walk)
  walk.facts.set(text, { text, type: of.type, run: of.run, polled })
  return of
}

/** The own entry of a table; never what every object inherits, such as `constructor`. */
export const own = <A>(table: Readonly<Record<string, A>>, key: string): A | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
