/**
 * The operators of the expression language over Money, numbers, durations and timestamps.
 * Invariants: 1. an operator that does not fit its types does not exist here: the caller explains. 2. Unknown on either side gives
 * Unknown, but for `&&` and `||`, which follow Kleene's logic. 3. `/` is exact division, also of ints; by zero it is Unknown.
 * 4. amounts that differ by less than a millionth of a minor unit are equal: binary noise never decides.
 */
import type { Run } from "./Scope.ts"
import { isNumber, isUnknown, noise, type Type, unify, type Unknown, unknown, type Value } from "./Value.ts"

export interface Operator {
  readonly type: Type
  readonly of: (left: Run, right: Run) => Run
}

const arithmetic =
  (of: (left: number, right: number) => number) =>
  (left: Run, right: Run): Run =>
  (scope) => {
    const a = left(scope)
    if (typeof a === "object") return a
    const b = right(scope)
    return typeof b === "object" ? b : of(a as number, b as number)
  }

const byZero: Unknown = unknown(() => "division by zero")

const dividing =
  (of: (left: number, right: number) => number) =>
  (left: Run, right: Run): Run =>
  (scope) => {
    const a = left(scope)
    if (typeof a === "object") return a
    const b = right(scope)
    if (typeof b === "object") return b
    return b === 0 ? byZero : of(a as number, b as number)
  }

const comparing =
  (of: (left: Value, right: Value) => boolean) =>
  (left: Run, right: Run): Run =>
  (scope) => {
    const a = left(scope)
    if (typeof a === "object") return a
    const b = right(scope)
    return typeof b === "object" ? b : of(a, b)
  }

const plus = arithmetic((a, b) => a + b)
const minus = arithmetic((a, b) => a - b)
const by = arithmetic((a, b) => a * b)
const over = dividing((a, b) => a / b)
const concatenated = comparing as unknown as (of: (left: Value, right: Value) => Value) => Operator["of"]

const isSpan = (type: Type): boolean => type === "Money" || type === "duration"

/** The type of a number computed of two numbers by + or −. */
const sumType = (left: Type, right: Type): Type => {
  if (left === "percent" || right === "percent") return "percent"
  return left === "int" && right === "int" ? "int" : "double"
}

const additive = (symbol: "+" | "-", left: Type, right: Type): Operator | undefined => {
  const of = symbol === "+" ? plus : minus
  if (isSpan(left) && left === right) return { type: left, of }
  if (isNumber(left) && isNumber(right)) return { type: sumType(left, right), of }
  if (left === "timestamp" && right === "duration") return { type: "timestamp", of }
  if (symbol === "-") return left === "timestamp" && right === left ? { type: "duration", of } : undefined
  if (left === "duration" && right === "timestamp") return { type: "timestamp", of }
  return left === "string" && right === "string"
    ? { type: "string", of: concatenated((a, b) => `${String(a)}${String(b)}`) }
    : undefined
}

const multiplicative = (symbol: "*" | "/" | "%", left: Type, right: Type): Operator | undefined => {
  const ints = left === "int" && right === "int"
  if (symbol === "%") return ints ? { type: "int", of: dividing((a, b) => a % b) } : undefined
  if (symbol === "/") {
    if ((isSpan(left) && left === right) || (isNumber(left) && isNumber(right)))
      return { type: "double", of: over }
    return isSpan(left) && isNumber(right) ? { type: left, of: over } : undefined
  }
  if (isNumber(left) && isNumber(right)) return { type: ints ? "int" : "double", of: by }
  if (isSpan(left) && isNumber(right)) return { type: left, of: by }
  return isNumber(left) && isSpan(right) ? { type: right, of: by } : undefined
}

type Comparison = "<" | "<=" | ">" | ">=" | "==" | "!="

const orders: Readonly<Record<Comparison, (difference: number) => boolean>> = {
  "<": (difference) => difference < 0,
  "<=": (difference) => difference <= 0,
  ">": (difference) => difference > 0,
  ">=": (difference) => difference >= 0,
  "==": (difference) => difference === 0,
  "!=": (difference) => difference !== 0
}

const comparison = (symbol: Comparison, left: Type, right: Type): Operator | undefined => {
  if (unify(left, right) === undefined) return undefined
  const holds = orders[symbol]
  if (left === "Money") {
    const steady = (difference: number): number => (Math.abs(difference) < noise ? 0 : difference)
    return { type: "bool", of: comparing((a, b) => holds(steady((a as number) - (b as number)))) }
  }
  if (left === "bool" || left === "string") {
    if (symbol !== "==" && symbol !== "!=") return undefined
    return { type: "bool", of: comparing((a, b) => (a === b) === (symbol === "==")) }
  }
  return { type: "bool", of: comparing((a, b) => holds((a as number) - (b as number))) }
}

/** Kleene: one false decides, else one Unknown does. */
const and =
  (left: Run, right: Run): Run =>
  (scope) => {
    const a = left(scope)
    if (a === false) return false
    const b = right(scope)
    return b === false || !isUnknown(a) ? b : a
  }

/** Kleene: one true decides, else one Unknown does. */
const or =
  (left: Run, right: Run): Run =>
  (scope) => {
    const a = left(scope)
    if (a === true) return true
    const b = right(scope)
    return b === true || !isUnknown(a) ? b : a
  }

/** The operator for operands of these types; undefined when there is none. */
export const operator = (symbol: string, left: Type, right: Type): Operator | undefined => {
  switch (symbol) {
    case "+":
    case "-":
      return additive(symbol, left, right)
    case "*":
    case "/":
    case "%":
      return multiplicative(symbol, left, right)
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "==":
    case "!=":
      return comparison(symbol, left, right)
    case "&&":
    case "||":
      return left === "bool" && right === "bool"
        ? { type: "bool", of: symbol === "&&" ? and : or }
        : undefined
    default:
      return undefined
  }
}

export const not =
  (of: Run): Run =>
  (scope) => {
    const value = of(scope)
    return isUnknown(value) ? value : value !== true
  }

export const negated =
  (of: Run): Run =>
  (scope) => {
    const value = of(scope)
    return isUnknown(value) ? value : -(value as number)
  }

/** An Unknown condition is Unknown, whatever the branches are; the branch that is not taken is never looked at. */
export const conditional =
  (condition: Run, yes: Run, no: Run): Run =>
  (scope) => {
    const value = condition(scope)
    if (isUnknown(value)) return value
    return value === true ? yes(scope) : no(scope)
  }
