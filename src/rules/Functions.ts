/**
 * The functions of the expression language that are not facts: money("0.12"), duration("7d"), min, max, tick, percent and so on.
 * Invariants: 1. literals in money, duration and timestamp are read when the file is checked. 2. Unknown in gives Unknown out.
 */
import { DateTime, Option } from "effect"

import { fromDecimal } from "../domain/Money.ts"
import type { Run } from "./Scope.ts"
import { parseDuration } from "./Strategy.ts"
import {
  isNumber,
  isUnknown,
  noise,
  showPercent,
  showValue,
  type Type,
  typeName,
  unify,
  type Value
} from "./Value.ts"

/** An argument as it was checked; `literal` is the text of a string literal. */
interface Argument {
  readonly type: Type
  readonly run: Run
  readonly literal: string | undefined
}

type Call =
  | { readonly _tag: "Ok"; readonly type: Type; readonly run: Run }
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
  readonly call: (args: ReadonlyArray<Argument>) => Call
}

const ok = (type: Type, run: Run): Call => ({ _tag: "Ok", type, run })
const bad = (message: string, argument?: number, remedy?: string): Call => ({
  _tag: "Bad",
  argument,
  message,
  ...(remedy === undefined ? {} : { remedy })
})

const mapped =
  (of: Run, f: (value: Exclude<Value, object>) => Value): Run =>
  (scope) => {
    const value = of(scope)
    return typeof value === "object" ? value : f(value)
  }

const fold =
  (args: ReadonlyArray<Run>, f: (left: number, right: number) => number): Run =>
  (scope) => {
    let best: number | undefined
    for (const run of args) {
      const value = run(scope)
      if (isUnknown(value)) return value
      best = best === undefined ? (value as number) : f(best, value as number)
    }
    return best ?? 0
  }

const extreme = (name: "min" | "max", f: (left: number, right: number) => number): FunctionOf => ({
  usage: `${name}(a, b, …)`,
  call: (args) => {
    if (args.length < 2) return bad(`\`${name}\` takes at least two values`)
    let type: Type = args[0]?.type ?? "error"
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
    return ok(
      type,
      fold(
        args.map(({ run }) => run),
        f
      )
    )
  }
})

const literal = (
  name: string,
  example: string,
  type: Type,
  read: (text: string) => number | undefined
): FunctionOf => ({
  usage: `${name}("${example}")`,
  call: ([arg]) => {
    if (arg?.literal === undefined)
      return bad(`\`${name}\` takes a text in quotes`, 0, `write ${name}("${example}")`)
    const value = read(arg.literal)
    if (value === undefined)
      return bad(`\`${name}\` cannot read "${arg.literal}"`, 0, `write it like ${name}("${example}")`)
    return ok(type, () => value)
  }
})

const numeric = (name: string, type: Type, f: (value: number) => number): FunctionOf => ({
  usage: `${name}(number)`,
  call: ([arg]) =>
    arg !== undefined && isNumber(arg.type)
      ? ok(
          type,
          mapped(arg.run, (value) => f(Number(value)))
        )
      : bad(`\`${name}\` takes a number, not ${typeName(arg?.type ?? "error")}`, 0)
})

const timestampOf = (text: string): number | undefined =>
  Option.getOrUndefined(Option.map(DateTime.make(text), DateTime.toEpochMillis))

/** By name; `min` and `max` take any count of values, all others exactly one. */
export const functions: Readonly<Record<string, FunctionOf>> = {
  money: literal("money", "0.12", "Money", (text) => Option.getOrUndefined(fromDecimal(text))),
  duration: literal("duration", "7d", "duration", parseDuration),
  timestamp: literal("timestamp", "2026-01-31T00:00:00Z", "timestamp", timestampOf),
  min: extreme("min", Math.min),
  max: extreme("max", Math.max),
  tick: {
    usage: "tick(count)",
    call: ([arg]) =>
      arg !== undefined && isNumber(arg.type)
        ? ok("Money", (scope) => {
            const count = arg.run(scope)
            return isUnknown(count) ? count : Number(count) * scope.facts.fees.increment
          })
        : bad(`\`tick\` takes a number of price steps, not ${typeName(arg?.type ?? "error")}`, 0)
  },
  percent: {
    usage: "percent(ratio)",
    call: ([arg]) =>
      arg !== undefined && isNumber(arg.type)
        ? ok(
            "string",
            mapped(arg.run, (value) => showPercent(Number(value)))
          )
        : bad(
            `\`percent\` takes a ratio, not ${typeName(arg?.type ?? "error")}`,
            0,
            "divide two amounts: percent(a / b)"
          )
  },
  string: {
    usage: "string(value)",
    call: ([arg]) => {
      const type = arg?.type ?? "error"
      return arg === undefined
        ? bad("`string` takes a value")
        : ok(
            "string",
            mapped(arg.run, (value) => showValue(type, value))
          )
    }
  },
  abs: {
    usage: "abs(value)",
    call: ([arg]) =>
      arg !== undefined && (isNumber(arg.type) || arg.type === "Money" || arg.type === "duration")
        ? ok(
            arg.type,
            mapped(arg.run, (value) => Math.abs(Number(value)))
          )
        : bad(`\`abs\` takes a number, an amount or a duration, not ${typeName(arg?.type ?? "error")}`, 0)
  },
  floor: numeric("floor", "int", (value) => Math.floor(value + noise)),
  ceil: numeric("ceil", "int", (value) => Math.ceil(value - noise)),
  round: numeric("round", "int", Math.round),
  int: numeric("int", "int", Math.trunc),
  double: numeric("double", "double", (value) => value)
}

const onText =
  (f: (text: string, part: string) => boolean) =>
  (text: Run, part: Run): Run =>
  (scope) => {
    const [a, b] = [text(scope), part(scope)]
    if (isUnknown(a)) return a
    return isUnknown(b) ? b : f(String(a), String(b))
  }

/** Methods of a text, each with one text: `item.name.contains("Case")`. */
export const textMethods: Readonly<Record<string, (text: Run, part: Run) => Run>> = {
  contains: onText((text, part) => text.includes(part)),
  startsWith: onText((text, part) => text.startsWith(part)),
  endsWith: onText((text, part) => text.endsWith(part))
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
