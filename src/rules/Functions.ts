/**
 * The functions of the expression language that are not facts: money("0.12"), duration("7d"), min, max, tick, percent and so on.
 * Invariants: 1. literals in money, duration and timestamp are read when the file is checked. 2. Unknown in gives Unknown out.
 */
import { DateTime, Option } from "effect"

import { fromDecimal } from "../domain/Money.ts"
import type { CallName, Expr, NumberCall } from "./Expr.ts"
import { parseDuration } from "./Strategy.ts"
import { isNumber, noise, type Type, typeName, unify } from "./Value.ts"

/** Of one number, or of two for min and max, which fold more; `increment` is the currency's price step. */
export const numberCalls: Readonly<
  Record<NumberCall, (value: number, other: number, increment: number) => number>
> = {
  min: (value, other) => Math.min(value, other),
  max: (value, other) => Math.max(value, other),
  tick: (count, _, increment) => count * increment,
  abs: Math.abs,
  floor: (value) => Math.floor(value + noise),
  ceil: (value) => Math.ceil(value - noise),
  round: Math.round,
  int: Math.trunc,
  double: (value) => value
}

type Checked =
  | { readonly _tag: "Call"; readonly type: Type }
  | { readonly _tag: "Literal"; readonly type: Type; readonly value: number }
  /** `argument` is the index of the one to blame; undefined blames the whole call. */
  | {
      readonly _tag: "Bad"
      readonly argument: number | undefined
      readonly message: string
      readonly remedy?: string
    }

export interface FunctionOf {
  /** As shown in messages. */
  readonly usage: string
  readonly check: (args: ReadonlyArray<Expr>) => Checked
}

const call = (type: Type): Checked => ({ _tag: "Call", type })
const bad = (message: string, argument?: number, remedy?: string): Checked => ({
  _tag: "Bad",
  argument,
  message,
  ...(remedy === undefined ? {} : { remedy })
})

const typeOfFirst = (args: ReadonlyArray<Expr>): Type => args[0]?.type ?? "error"

const extreme = (name: "min" | "max"): FunctionOf => ({
  usage: `${name}(a, b, …)`,
  check: (args) => {
    if (args.length < 2) return bad(`\`${name}\` takes at least two values`)
    let type = typeOfFirst(args)
    for (const [index, arg] of args.entries()) {
      const both = unify(type, arg.type)
      if (both === undefined || both === "bool" || both === "string")
        return bad(
          `\`${name}\` compares values of one type, not ${typeName(type)} and ${typeName(arg.type)}`,
          index,
          both === undefined ? 'an amount is written money("0.12")' : undefined
        )
      type = both
    }
    return call(type)
  }
})

const literal = (
  name: string,
  example: string,
  type: Type,
  read: (text: string) => number | undefined
): FunctionOf => ({
  usage: `${name}("${example}")`,
  check: ([arg]) => {
    if (arg?.op !== "Literal" || typeof arg.value !== "string")
      return bad(`\`${name}\` takes a text in quotes`, 0, `write ${name}("${example}")`)
    const value = read(arg.value)
    return value === undefined
      ? bad(`\`${name}\` cannot read "${arg.value}"`, 0, `write it like ${name}("${example}")`)
      : { _tag: "Literal", type, value }
  }
})

const numeric = (name: string, type: Type): FunctionOf => ({
  usage: `${name}(number)`,
  check: (args) =>
    isNumber(typeOfFirst(args))
      ? call(type)
      : bad(`\`${name}\` takes a number, not ${typeName(typeOfFirst(args))}`, 0)
})

const timestampOf = (text: string): number | undefined =>
  Option.getOrUndefined(Option.map(DateTime.make(text), DateTime.toEpochMillis))

/** By name; `min` and `max` take any count of values, all others exactly one. */
export const functions: Readonly<Record<CallName | "money" | "duration" | "timestamp", FunctionOf>> = {
  money: literal("money", "0.12", "Money", (text) => Option.getOrUndefined(fromDecimal(text))),
  duration: literal("duration", "7d", "duration", parseDuration),
  timestamp: literal("timestamp", "2026-01-31T00:00:00Z", "timestamp", timestampOf),
  min: extreme("min"),
  max: extreme("max"),
  tick: {
    usage: "tick(count)",
    check: (args) =>
      isNumber(typeOfFirst(args))
        ? call("Money")
        : bad(`\`tick\` takes a number of price steps, not ${typeName(typeOfFirst(args))}`, 0)
  },
  percent: {
    usage: "percent(ratio)",
    check: (args) =>
      isNumber(typeOfFirst(args))
        ? call("string")
        : bad(
            `\`percent\` takes a ratio, not ${typeName(typeOfFirst(args))}`,
            0,
            "divide two amounts: percent(a / b)"
          )
  },
  string: {
    usage: "string(value)",
    check: () => call("string")
  },
  abs: {
    usage: "abs(value)",
    check: (args) => {
      const type = typeOfFirst(args)
      return isNumber(type) || type === "Money" || type === "duration"
        ? call(type)
        : bad(`\`abs\` takes a number, an amount or a duration, not ${typeName(type)}`, 0)
    }
  },
  floor: numeric("floor", "int"),
  ceil: numeric("ceil", "int"),
  round: numeric("round", "int"),
  int: numeric("int", "int"),
  double: numeric("double", "double")
}

/** What the library would offer and this language refuses, with what to do instead. */
export const refusedCalls: Readonly<Record<string, string>> = {
  matches: "a pattern can take unbounded time; use contains, startsWith or endsWith",
  all: "facts hold no lists to walk through",
  exists: "facts hold no lists to walk through",
  exists_one: "facts hold no lists to walk through",
  map: "facts hold no lists to walk through",
  filter: "facts hold no lists to walk through",
  bind: "name the value under `let`",
  has: "a missing fact makes the rule Unknown by itself"
}
