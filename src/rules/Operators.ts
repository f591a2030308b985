/**
 * The operators of the expression language over Money, numbers, durations and timestamps: which types they take, and what they compute.
 * Invariants: 1. an operator that does not fit its types does not exist here: the caller explains. 2. what is Unknown is NaN on the
 * way in and out, and a condition of it is `maybe`. 3. `/` is exact division, also of ints; by zero it is Unknown.
 * 4. amounts that differ by less than a millionth of a minor unit are equal: binary noise never decides.
 */
import { isNumber, maybe, no, noise, type Tri, type Type, unify, yes } from "./Value.ts"

export type Arithmetic = "+" | "-" | "*" | "/" | "%"
export type Comparison = "<" | "<=" | ">" | ">=" | "==" | "!="
export type TextTest = "contains" | "startsWith" | "endsWith"

export const isComparison = (symbol: string): symbol is Comparison => Object.hasOwn(turned, symbol)
export const isArithmetic = (symbol: string): symbol is Arithmetic => Object.hasOwn(arithmetic, symbol)

export const arithmetic: Readonly<Record<Arithmetic, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => (right === 0 ? Number.NaN : left / right),
  "%": (left, right) => left % right
}

/** Why an operation on two known numbers gave none. */
export const whyNoNumber = (symbol: Arithmetic, right: number): string =>
  (symbol === "/" || symbol === "%") && right === 0
    ? "division by zero"
    : "the numbers are beyond every number"

/** The comparison with its sides exchanged. */
export const turned: Readonly<Record<Comparison, Comparison>> = {
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
  "==": "==",
  "!=": "!="
}

const opposite = (of: Tri): Tri => (of === maybe ? maybe : of === yes ? no : yes)

/** Of two numbers; NaN on either side gives `maybe`. */
export const compareNumbers = (symbol: Comparison, left: number, right: number): Tri => {
  switch (symbol) {
    case "<":
      return left < right ? yes : left >= right ? no : maybe
    case "<=":
      return left <= right ? yes : left > right ? no : maybe
    case ">":
      return left > right ? yes : left <= right ? no : maybe
    case ">=":
      return left >= right ? yes : left < right ? no : maybe
    case "==":
      return left === right ? yes : Number.isNaN(left) || Number.isNaN(right) ? maybe : no
    case "!=":
      return opposite(compareNumbers("==", left, right))
  }
}

/** Of two amounts: within the noise they are equal. */
export const compareAmounts = (symbol: Comparison, left: number, right: number): Tri => {
  const difference = left - right
  return compareNumbers(symbol, Math.abs(difference) < noise ? 0 : difference, 0)
}

export const textTests: Readonly<Record<TextTest, (text: string, part: string) => boolean>> = {
  contains: (text, part) => text.includes(part),
  startsWith: (text, part) => text.startsWith(part),
  endsWith: (text, part) => text.endsWith(part)
}

const isSpan = (type: Type): boolean => type === "Money" || type === "duration"

/** The type of a number computed of two numbers by + or −. */
const sumType = (left: Type, right: Type): Type => {
  if (left === "percent" || right === "percent") return "percent"
  return left === "int" && right === "int" ? "int" : "double"
}

const additive = (symbol: "+" | "-", left: Type, right: Type): Type | undefined => {
  if (isSpan(left) && left === right) return left
  if (isNumber(left) && isNumber(right)) return sumType(left, right)
  if (left === "timestamp" && right === "duration") return "timestamp"
  if (symbol === "-") return left === "timestamp" && right === left ? "duration" : undefined
  if (left === "duration" && right === "timestamp") return "timestamp"
  return left === "string" && right === "string" ? "string" : undefined
}

const multiplicative = (symbol: "*" | "/" | "%", left: Type, right: Type): Type | undefined => {
  const ints = left === "int" && right === "int"
  if (symbol === "%") return ints ? "int" : undefined
  if (symbol === "/") {
    if ((isSpan(left) && left === right) || (isNumber(left) && isNumber(right))) return "double"
    return isSpan(left) && isNumber(right) ? left : undefined
  }
  if (isNumber(left) && isNumber(right)) return ints ? "int" : "double"
  if (isSpan(left) && isNumber(right)) return left
  return isNumber(left) && isSpan(right) ? right : undefined
}

/** Whether the comparison takes values of these types. */
const compares = (symbol: Comparison, left: Type, right: Type): boolean =>
  unify(left, right) !== undefined &&
  ((left !== "bool" && left !== "string") || symbol === "==" || symbol === "!=")

/** The type of what the operator makes of operands of these types; undefined when it does not take them. */
export const typeOfOperator = (symbol: string, left: Type, right: Type): Type | undefined => {
  switch (symbol) {
    case "+":
    case "-":
      return additive(symbol, left, right)
    case "*":
    case "/":
    case "%":
      return multiplicative(symbol, left, right)
    case "&&":
    case "||":
      return left === "bool" && right === "bool" ? "bool" : undefined
    default:
      return isComparison(symbol) && compares(symbol, left, right) ? "bool" : undefined
  }
}
