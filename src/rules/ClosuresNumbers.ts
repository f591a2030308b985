/**
 * Closures of numbers and of comparisons between them; NaN is Unknown. A constant on the right, the usual case, saves a call.
 * Invariant: each form computes what `arithmetic`, `compareNumbers` and `compareAmounts` say.
 */
import type { Test } from "./ClosuresLogic.ts"
import { type Arithmetic, type Comparison, turned } from "./Operators.ts"
import type { Scope } from "./Scope.ts"
import { maybe, no, noise, yes } from "./Value.ts"

export type NumberRun = (scope: Scope) => number

/** An operand: how it is computed, and its value when that never changes. */
export interface Operand {
  readonly run: NumberRun
  readonly constant: number | undefined
}

export const computed = (symbol: Arithmetic, left: Operand, right: Operand): NumberRun => {
  const [a, b] = [left.run, right.run]
  const constant = right.constant
  switch (symbol) {
    case "+":
      return constant === undefined ? (scope) => a(scope) + b(scope) : (scope) => a(scope) + constant
    case "-":
      return constant === undefined ? (scope) => a(scope) - b(scope) : (scope) => a(scope) - constant
    case "*":
      return constant === undefined ? (scope) => a(scope) * b(scope) : (scope) => a(scope) * constant
    case "%":
      return (scope) => a(scope) % b(scope)
    case "/":
      if (constant !== undefined) return constant === 0 ? () => Number.NaN : (scope) => a(scope) / constant
      return (scope) => {
        const divisor = b(scope)
        return divisor === 0 ? Number.NaN : a(scope) / divisor
      }
  }
}

const unsure = (left: number, right: number): boolean => Number.isNaN(left) || Number.isNaN(right)

const numbersTo = (symbol: Comparison, a: NumberRun, constant: number): Test => {
  switch (symbol) {
    case "<":
      return (scope) => {
        const left = a(scope)
        return left < constant ? yes : left >= constant ? no : maybe
      }
    case "<=":
      return (scope) => {
        const left = a(scope)
        return left <= constant ? yes : left > constant ? no : maybe
      }
    case ">":
      return (scope) => {
        const left = a(scope)
        return left > constant ? yes : left <= constant ? no : maybe
      }
    case ">=":
      return (scope) => {
        const left = a(scope)
        return left >= constant ? yes : left < constant ? no : maybe
      }
    case "==":
      return (scope) => {
        const left = a(scope)
        return left === constant ? yes : unsure(left, constant) ? maybe : no
      }
    case "!=":
      return (scope) => {
        const left = a(scope)
        return left === constant ? no : unsure(left, constant) ? maybe : yes
      }
  }
}

const numbersOf = (symbol: Comparison, a: NumberRun, b: NumberRun): Test => {
  switch (symbol) {
    case "<":
      return (scope) => {
        const [left, right] = [a(scope), b(scope)]
        return left < right ? yes : left >= right ? no : maybe
      }
    case "<=":
      return (scope) => {
        const [left, right] = [a(scope), b(scope)]
        return left <= right ? yes : left > right ? no : maybe
      }
    case "==":
      return (scope) => {
        const [left, right] = [a(scope), b(scope)]
        return left === right ? yes : unsure(left, right) ? maybe : no
      }
    case "!=":
      return (scope) => {
        const [left, right] = [a(scope), b(scope)]
        return left === right ? no : unsure(left, right) ? maybe : yes
      }
    default:
      return numbersOf(turned[symbol], b, a)
  }
}

const amountsOf = (symbol: Comparison, a: NumberRun, b: NumberRun): Test => {
  switch (symbol) {
    case "<":
      return (scope) => {
        const difference = a(scope) - b(scope)
        return difference <= -noise ? yes : difference > -noise ? no : maybe
      }
    case "<=":
      return (scope) => {
        const difference = a(scope) - b(scope)
        return difference < noise ? yes : difference >= noise ? no : maybe
      }
    case "==":
      return (scope) => {
        const distance = Math.abs(a(scope) - b(scope))
        return distance < noise ? yes : distance >= noise ? no : maybe
      }
    case "!=":
      return (scope) => {
        const distance = Math.abs(a(scope) - b(scope))
        return distance < noise ? no : distance >= noise ? yes : maybe
      }
    default:
      return amountsOf(turned[symbol], b, a)
  }
}

export const compared = (symbol: Comparison, left: Operand, right: Operand, amounts: boolean): Test => {
  if (amounts) return amountsOf(symbol, left.run, right.run)
  if (right.constant !== undefined) return numbersTo(symbol, left.run, right.constant)
  return left.constant === undefined
    ? numbersOf(symbol, left.run, right.run)
    : numbersTo(turned[symbol], right.run, left.constant)
}
