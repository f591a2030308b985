/**
 * Which values of a strategy's params a sweep tries: every combination of a grid, or some of it by chance.
 * Invariants: 1. every value lies within the param's own bounds, whole where the param is whole. 2. no combination comes twice. 3. the same
 * seed chooses the same combinations in the same order, whatever of them has been tried before.
 */
import { Effect, Random, Result } from "effect"

import { money, toDecimal } from "../domain/Money.ts"
import type { DeclaredParam } from "../rules/Params.ts"
import { readParamValue } from "../rules/ParamValues.ts"
import { type ParamValue, showDuration } from "../rules/Strategy.ts"

/** Values of one param, as a person writes them. */
export interface Axis {
  readonly name: string
  readonly values: ReadonlyArray<ParamValue>
}

export type Combination = Readonly<Record<string, ParamValue>>

/** A grid beyond this is a typing error, or a job for `--random`. */
export const mostCombinations = 100_000
const mostValues = 1_000
/** Steps between the bounds of a param that is swept by name alone. */
const defaultSteps = 4

const written = (kind: DeclaredParam["kind"], scalar: number): ParamValue => {
  switch (kind) {
    case "money":
      return toDecimal(money(Math.round(scalar)))
    case "duration":
      return showDuration(Math.round(scalar / 1000) * 1000)
    case "percent":
      return `${Number((scalar * 100).toFixed(6))}%`
    default:
      return Number(scalar.toFixed(9))
  }
}

const isWhole = (param: DeclaredParam): boolean =>
  param.kind === "number" &&
  [param.default, param.min ?? 0, param.max ?? 0].every((value) => Number.isInteger(value))

const numberLike = /^-?\d+(?:\.\d+)?$/

/** What a person wrote on the command line, as the file would have it. */
const parsed = ({ kind }: DeclaredParam, text: string): ParamValue => {
  const trimmed = text.trim()
  if (kind === "bool" && (trimmed === "true" || trimmed === "false")) return trimmed === "true"
  return kind !== "money" && numberLike.test(trimmed) ? Number(trimmed) : trimmed
}

const scalarOf = (param: DeclaredParam, value: ParamValue): Result.Result<number, string> =>
  Result.match(readParamValue(param.kind, value, param), {
    onFailure: ({ message }) => Result.fail(`\`${param.name}\`: ${message}`),
    onSuccess: (scalar) =>
      isWhole(param) && !Number.isInteger(scalar)
        ? Result.fail(`\`${param.name}\`: this param takes whole numbers, not ${value}`)
        : Result.succeed(Number(scalar))
  })

/** From, to and step; the end belongs to it. */
const stepped = (
  param: DeclaredParam,
  [from, to, step]: readonly [number, number, number]
): Result.Result<Axis, string> => {
  const count = Math.floor((to - from) / step + 1e-9) + 1
  if (!(step > 0) || count < 1 || count > mostValues)
    return Result.fail(`\`${param.name}\`: FROM:TO:STEP must go upwards in at most ${mostValues} steps`)
  const values = Array.from({ length: count }, (_, index) => written(param.kind, from + index * step))
  return Result.succeed({ name: param.name, values })
}

const bounded = (param: DeclaredParam): Result.Result<Axis, string> => {
  const { kind, max, min, name } = param
  if (kind === "bool") return Result.succeed({ name, values: [false, true] })
  if (min === undefined || max === undefined)
    return Result.fail(`\`${name}\` has no bounds: give its values, as in --param ${name}=FROM:TO:STEP`)
  return Result.flatMap(scalarOf(param, min), (from) =>
    Result.flatMap(scalarOf(param, max), (to) => {
      const even = (to - from) / defaultSteps
      return to === from
        ? Result.succeed({ name, values: [written(kind, from)] })
        : stepped(param, [from, to, isWhole(param) ? Math.max(1, Math.round(even)) : even])
    })
  )
}

/** Reads `NAME` (its bounds), `NAME=a,b,c` or `NAME=FROM:TO:STEP`; fails with a sentence. */
export const axisOf = (params: ReadonlyArray<DeclaredParam>, text: string): Result.Result<Axis, string> => {
  const [name = "", list] = text.split(/=(.*)/s)
  const param = params.find((one) => one.name === name)
  if (param === undefined)
    return Result.fail(`there is no param \`${name}\`; it has ${params.map((one) => one.name).join(", ")}`)
  if (list === undefined) return bounded(param)
  const range = list.split(":")
  const scalars: Array<number> = []
  for (const [index, part] of (range.length === 3 ? range : list.split(",")).entries()) {
    // a step is a distance: the bounds say nothing about it
    const bounds = range.length === 3 && index === 2 ? { ...param, min: undefined, max: undefined } : param
    const scalar = scalarOf(bounds, parsed(param, part))
    if (Result.isFailure(scalar)) return Result.fail(scalar.failure)
    scalars.push(scalar.success)
  }
  const [from = 0, to = 0, step = 0] = scalars
  return range.length === 3
    ? stepped(param, [from, to, step])
    : Result.succeed({ name, values: list.split(",").map((part) => parsed(param, part)) })
}

export const sizeOf = (axes: ReadonlyArray<Axis>): number =>
  axes.reduce((size, { values }) => size * values.length, 1)

/** The combination at a place of the grid; the last axis turns fastest. */
const combinationAt = (axes: ReadonlyArray<Axis>, place: number): Combination => {
  let rest = place
  const values = axes.toReversed().flatMap((axis): ReadonlyArray<readonly [string, ParamValue]> => {
    const value = axis.values[rest % axis.values.length]
    rest = Math.floor(rest / axis.values.length)
    return value === undefined ? [] : [[axis.name, value]]
  })
  return Object.fromEntries(values.toReversed())
}

/** The whole grid. */
export const grid = (axes: ReadonlyArray<Axis>): ReadonlyArray<Combination> =>
  Array.from({ length: sizeOf(axes) }, (_, place) => combinationAt(axes, place))

/** So many combinations of the grid, drawn by chance; all of them when there are no more. */
export const sample = (
  axes: ReadonlyArray<Axis>,
  count: number,
  seed: number
): Effect.Effect<ReadonlyArray<Combination>> =>
  Random.shuffle(Array.from({ length: sizeOf(axes) }, (_, place) => place)).pipe(
    Effect.map((places) => places.slice(0, count).map((place) => combinationAt(axes, place))),
    Random.withSeed(seed)
  )
