/**
 * The values that a param may have, as a person writes them: a number, 12%, 6h, true, or an amount.
 * Invariant: what was read lies within the bounds and has the kind; everything else is a message.
 */
import { Option, Result } from "effect"

import { fromDecimal } from "../domain/Money.ts"
import { type Param, type ParamValue, parseDuration } from "./Strategy.ts"
import type { Scalar } from "./Value.ts"

export type Kind = "number" | "percent" | "money" | "duration" | "bool"

const percentPattern = /^-?\d{1,9}(?:\.\d{1,6})?\s?%$/

const readers: Readonly<Record<Kind, (written: ParamValue) => Scalar | undefined>> = {
  number: (written) => (typeof written === "number" ? written : undefined),
  percent: (written) => {
    if (typeof written === "number") return written
    return typeof written === "string" && percentPattern.test(written)
      ? Number(written.replace(/[%\s]/g, "")) / 100
      : undefined
  },
  money: (written) =>
    typeof written === "boolean" ? undefined : Option.getOrUndefined(fromDecimal(String(written))),
  duration: (written) => (typeof written === "string" ? parseDuration(written) : undefined),
  bool: (written) => (typeof written === "boolean" ? written : undefined)
}

const examples: Readonly<Record<Kind, string>> = {
  number: "a number",
  percent: "a percentage such as 12%",
  money: "an amount such as 5.00",
  duration: "a time such as 6h",
  bool: "true or false"
}

/** What the param takes; undefined when its default tells none. */
export const kindOf = ({ default: value, type }: Param): Kind | undefined => {
  if (type !== undefined) return type
  if (typeof value === "number") return "number"
  if (typeof value === "boolean") return "bool"
  if (percentPattern.test(value)) return "percent"
  return parseDuration(value) === undefined ? undefined : "duration"
}

interface Bounds {
  readonly min?: ParamValue | undefined
  readonly max?: ParamValue | undefined
}

/** The value in the language's units (fraction, minor units, milliseconds), or what is wrong with it and the code of that. */
export const readParamValue = (
  kind: Kind,
  written: ParamValue,
  { max, min }: Bounds
): Result.Result<Scalar, { readonly code: "type" | "value"; readonly message: string }> => {
  const value = readers[kind](written)
  if (value === undefined)
    return Result.fail({
      code: "type",
      message: `this param takes ${examples[kind]}, not ${JSON.stringify(written)}`
    })
  const [low, high] = [min, max].map((bound) => (bound === undefined ? undefined : readers[kind](bound)))
  if ((low !== undefined && value < low) || (high !== undefined && value > high)) {
    const bounds = [low === undefined ? "" : `at least ${min}`, high === undefined ? "" : `at most ${max}`]
    const message = `this param is ${bounds.filter((bound) => bound !== "").join(" and ")}, not ${written}`
    return Result.fail({ code: "value", message })
  }
  return Result.succeed(value)
}
