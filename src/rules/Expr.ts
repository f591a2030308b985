/**
 * A checked expression as plain data: every node has its type and its place in the text, and names are resolved to indexes. The interpreter
 * explains it, the closures run it; both read the same facts, functions and operators. Invariants: 1. the operands of a node fit its
 * operator, so running it never throws. 2. `id` counts the nodes of one expression from 0, so that an array can hold a value per node.
 */
import type { Arithmetic, Comparison, TextTest } from "./Operators.ts"
import type { Scalar, Type } from "./Value.ts"

/** Functions that are run; the others are read when the file is checked. */
export type NumberCall = "min" | "max" | "tick" | "abs" | "floor" | "ceil" | "round" | "int" | "double"
export type CallName = NumberCall | "percent" | "string"

/** A piece of the expression's text, end exclusive. */
export interface Place {
  readonly start: number
  readonly end: number
}

interface Node extends Place {
  readonly id: number
  readonly type: Type
}

interface Literal extends Node {
  readonly op: "Literal"
  readonly value: Scalar
}

/** A value under `params` or `let`, by its index in the file. */
interface Named extends Node {
  readonly op: "Param" | "Let"
  readonly index: number
}

/** A fact by its index in the vocabulary, with its arguments. */
export interface Fact extends Node {
  readonly op: "Fact"
  readonly fact: number
  readonly args: ReadonlyArray<Expr>
}

export interface Call extends Node {
  readonly op: "Call"
  readonly name: CallName
  readonly args: ReadonlyArray<Expr>
}

interface Unary extends Node {
  readonly op: "Not" | "Negate"
  readonly of: Expr
}

export interface Logic extends Node {
  readonly op: "And" | "Or"
  readonly left: Expr
  readonly right: Expr
}

interface Sum extends Node {
  readonly op: "Arithmetic"
  readonly symbol: Arithmetic
  readonly left: Expr
  readonly right: Expr
}

interface Join extends Node {
  readonly op: "Join"
  readonly left: Expr
  readonly right: Expr
}

export interface Compare extends Node {
  readonly op: "Compare"
  readonly symbol: Comparison
  readonly left: Expr
  readonly right: Expr
}

export interface Choose extends Node {
  readonly op: "Choose"
  readonly condition: Expr
  readonly yes: Expr
  readonly no: Expr
}

interface Member extends Node {
  readonly op: "In"
  readonly item: Expr
  readonly members: ReadonlyArray<Expr>
}

interface TextMethod extends Node {
  readonly op: "TextTest"
  readonly test: TextTest
  readonly text: Expr
  readonly part: Expr
}

export type Expr =
  | Literal
  | Named
  | Fact
  | Call
  | Unary
  | Logic
  | Sum
  | Join
  | Compare
  | Choose
  | Member
  | TextMethod

export const partsOf = (expr: Expr): ReadonlyArray<Expr> => {
  switch (expr.op) {
    case "Literal":
    case "Param":
    case "Let":
      return []
    case "Fact":
    case "Call":
      return expr.args
    case "Not":
    case "Negate":
      return [expr.of]
    case "Choose":
      return [expr.condition, expr.yes, expr.no]
    case "In":
      return [expr.item, ...expr.members]
    case "TextTest":
      return [expr.text, expr.part]
    default:
      return [expr.left, expr.right]
  }
}

/** Every node, parts before what they are part of, each as often as it stands there. */
export const nodesOf = (expr: Expr): ReadonlyArray<Expr> => [...partsOf(expr).flatMap(nodesOf), expr]
