/**
 * The types and values of the expression language. Invariants: 1. at run time an amount is a number of minor units that may have
 * a fraction until it becomes a price; a duration and a timestamp are milliseconds. 2. Unknown is a value of every type and carries
 * why; its text is made only when somebody reads it. 3. a number that is none (NaN) is Unknown, everywhere.
 */
import { DateTime, Option } from "effect"

import { money, toDecimal } from "../domain/Money.ts"
import { showDuration } from "./Strategy.ts"

/** `percent` is a double that is shown as a percentage; `error` stands for a sub-expression that was complained about already. */
export type Type =
  | "Money"
  | "int"
  | "double"
  | "percent"
  | "bool"
  | "string"
  | "duration"
  | "timestamp"
  | "error"

/** A sub-expression whose facts are missing or stale, or that failed. */
export interface Unknown {
  readonly _tag: "Unknown"
  readonly why: () => string
}

export type Scalar = number | boolean | string
/** A value as the interpreter knows it: an Unknown one says why. */
export type Value = Scalar | Unknown
/** A value as the vocabulary tells it: NaN or undefined where it is Unknown. */
export type Raw = Scalar | undefined

/** A condition as closures know it: false, true, Unknown. */
export type Tri = 0 | 1 | 2
export const no = 0
export const yes = 1
export const maybe = 2

export const unknown = (why: () => string): Unknown => ({ _tag: "Unknown", why })
/** The only objects among values are the Unknown ones. */
export const isUnknown = (value: Value): value is Unknown => typeof value === "object"

export const isNumber = (type: Type): boolean =>
  type === "int" || type === "double" || type === "percent" || type === "error"
/** The names in messages: a percentage is a double to whoever writes rules. */
export const typeName = (type: Type): string => (type === "percent" ? "double" : type)

/** How a value of the type is represented: amounts, spans and moments are numbers, too. */
export const kindOfType = (type: Type): "number" | "bool" | "string" =>
  type === "bool" || type === "string" ? type : "number"

/** The type of either of two values, or undefined when they do not go together. */
export const unify = (left: Type, right: Type): Type | undefined => {
  if (left === right) return left
  if (left === "error" || right === "error") return "error"
  return isNumber(left) && isNumber(right) ? "double" : undefined
}

export const showPercent = (fraction: number): string => `${(fraction * 100).toFixed(1)} %`

/** An amount or number slightly off a whole minor unit by binary arithmetic counts as that unit. */
export const noise = 1e-6

const showNumber = (value: number): string => String(Number(value.toFixed(4)))

/** A value as a person reads it: `8.41`, `14.2 %`, `3h`, `unknown (…)`. */
export const showValue = (type: Type, value: Value): string => {
  if (typeof value === "object") return `unknown (${value.why()})`
  if (typeof value !== "number") return String(value)
  switch (type) {
    case "Money":
      return Number.isSafeInteger(Math.round(value)) ? toDecimal(money(Math.round(value))) : String(value)
    case "percent":
      return showPercent(value)
    case "duration":
      return showDuration(value)
    case "timestamp":
      return Option.match(DateTime.make(value), { onNone: () => String(value), onSome: DateTime.formatIso })
    default:
      return showNumber(value)
  }
}
