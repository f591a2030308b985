/**
 * The evaluator for replays: an expression over many books of one item at once, as columns. Invariants: 1. each element is what the
 * closures compute for that book: NaN is Unknown, a condition `maybe`. 2. what does not change within the stretch is computed once, by
 * the closures themselves. 3. an expression that needs a whole book, or a text that changes, has no columns: its books are looked at one by one.
 */

import { Data } from "effect"

import { letRun, type LetRun, type NumberRun, numberRun, type Test, test } from "./Closures.ts"
import { factColumn, type NumberColumn, type Stretch, stretchLength, varies } from "./ColumnsFacts.ts"
import { type Call, type Choose, type Compare, type Expr, type Logic, nodesOf } from "./Expr.ts"
import { numberCalls } from "./Functions.ts"
import { arithmetic, type Comparison } from "./Operators.ts"
import type { ProgramLet } from "./Program.ts"
import { kindOfType, maybe, no, noise, type Tri, yes } from "./Value.ts"

export type TestColumn = (stretch: Stretch) => Tri | Uint8Array

/** Thrown and caught in here: the expression has no columns. */
class NoColumns extends Data.TaggedError("NoColumns") {}

/** What the columns of one program share: its lets, as closures and as columns. */
export interface ColumnLets {
  readonly lets: ReadonlyArray<ProgramLet>
  readonly runs: ReadonlyArray<LetRun>
}

const orUndefined = <A>(make: () => A): A | undefined => {
  try {
    return make()
  } catch (error) {
    if (error instanceof NoColumns) return undefined
    throw error
  }
}

export const numbersOf = (expr: Expr, lets: ColumnLets): NumberColumn | undefined =>
  orUndefined(() => numberColumn(expr, lets))
export const testsOf = (expr: Expr, lets: ColumnLets): TestColumn | undefined =>
  orUndefined(() => testColumn(expr, lets))

const isSteady = (expr: Expr, of: ColumnLets): boolean =>
  nodesOf(expr).every((node) => {
    if (node.op === "Fact") return !varies(node.fact)
    const named = node.op === "Let" ? of.lets[node.index]?.checked.expr : undefined
    return named === undefined || isSteady(named, of)
  })

const letOf = (index: number, { lets }: ColumnLets): Expr => {
  const named = lets[index]
  if (named === undefined || named.checked.perListing) throw new NoColumns()
  return named.checked.expr
}

const numberColumn = (expr: Expr, lets: ColumnLets): NumberColumn => {
  if (isSteady(expr, lets)) {
    const run: NumberRun = numberRun(expr, lets.runs)
    return ({ scope }) => run(scope)
  }
  switch (expr.op) {
    case "Let":
      return numberColumn(letOf(expr.index, lets), lets)
    case "Fact": {
      const args = expr.args.map((arg) => numberColumn(arg, lets))
      const column = factColumn(
        expr.fact,
        args,
        expr.args.every((arg) => isSteady(arg, lets))
      )
      if (column === undefined) throw new NoColumns()
      return column
    }
    case "Arithmetic":
      return zipped(arithmetic[expr.symbol], numberColumn(expr.left, lets), numberColumn(expr.right, lets))
    case "Negate":
      return zipped((value) => -value, numberColumn(expr.of, lets), nothing)
    case "Call":
      return callColumn(expr, lets)
    case "Choose":
      return chosenColumn(expr, lets)
    default:
      throw new NoColumns()
  }
}

const nothing: NumberColumn = () => 0

const zipped = (
  of: (left: number, right: number) => number,
  left: NumberColumn,
  right: NumberColumn
): NumberColumn => {
  const out = new Float64Array(stretchLength)
  return (stretch) => {
    const { count } = stretch
    const [a, b] = [left(stretch), right(stretch)]
    if (typeof a === "number") {
      if (typeof b === "number") return of(a, b)
      for (let index = 0; index < count; index++) out[index] = of(a, b[index] as number)
    } else if (typeof b === "number")
      for (let index = 0; index < count; index++) out[index] = of(a[index] as number, b)
    else for (let index = 0; index < count; index++) out[index] = of(a[index] as number, b[index] as number)
    return out
  }
}

const callColumn = ({ args, name }: Call, lets: ColumnLets): NumberColumn => {
  if (name === "percent" || name === "string") throw new NoColumns()
  const [first, ...rest] = args.map((arg) => numberColumn(arg, lets))
  if (first === undefined) throw new NoColumns()
  const of = numberCalls[name]
  if (name === "tick")
    return zipped(
      (count, increment) => count * increment,
      first,
      ({ scope }) => scope.facts.fees.increment
    )
  if (rest.length === 0)
    return zipped(
      (value) => of(value, 0, 0),
      first,
      () => 0
    )
  return rest.reduce((left, right) => zipped((a, b) => of(a, b, 0), left, right), first)
}

const chosenColumn = (expr: Choose, lets: ColumnLets): NumberColumn => {
  const condition = testColumn(expr.condition, lets)
  const [left, right] = [numberColumn(expr.yes, lets), numberColumn(expr.no, lets)]
  const out = new Float64Array(stretchLength)
  return (stretch) => {
    const [which, a, b] = [condition(stretch), left(stretch), right(stretch)]
    for (let index = 0; index < stretch.count; index++) {
      const answer = typeof which === "number" ? which : which[index]
      const from = answer === yes ? a : b
      out[index] = answer === maybe ? Number.NaN : typeof from === "number" ? from : (from[index] as number)
    }
    return out
  }
}

const testColumn = (expr: Expr, lets: ColumnLets): TestColumn => {
  if (isSteady(expr, lets)) {
    const run: Test = test(expr, lets.runs)
    return ({ scope }) => run(scope)
  }
  switch (expr.op) {
    case "Let":
      return testColumn(letOf(expr.index, lets), lets)
    case "Compare":
      return comparison(expr, lets)
    case "And":
    case "Or":
      return joined(expr, lets)
    case "Not":
      return mapped(testColumn(expr.of, lets), opposite)
    default:
      throw new NoColumns()
  }
}

const opposite: ReadonlyArray<Tri> = [yes, no, maybe]

const mapped = (of: TestColumn, table: ReadonlyArray<Tri>): TestColumn => {
  const out = new Uint8Array(stretchLength)
  return (stretch) => {
    const a = of(stretch)
    if (typeof a === "number") return table[a] as Tri
    for (let index = 0; index < stretch.count; index++) out[index] = table[a[index] as number] as number
    return out
  }
}

/** Kleene's logic: one that decides does so, else one Unknown does. */
const joined = (expr: Logic, lets: ColumnLets): TestColumn => {
  const deciding = expr.op === "And" ? no : yes
  const [left, right] = [testColumn(expr.left, lets), testColumn(expr.right, lets)]
  const out = new Uint8Array(stretchLength)
  return (stretch) => {
    const a = left(stretch)
    if (a === deciding) return deciding
    const b = right(stretch)
    if (b === deciding) return deciding
    for (let index = 0; index < stretch.count; index++) {
      const one = typeof a === "number" ? a : (a[index] as number)
      const other = typeof b === "number" ? b : (b[index] as number)
      out[index] =
        one === deciding || other === deciding ? deciding : one === maybe || other === maybe ? maybe : one
    }
    return out
  }
}

/** The answer where the left side is less, equal, greater, and where either is Unknown. */
const answers: Readonly<Record<Comparison, ReadonlyArray<Tri>>> = {
  "<": [yes, no, no, maybe],
  "<=": [yes, yes, no, maybe],
  ">": [no, no, yes, maybe],
  ">=": [no, yes, yes, maybe],
  "==": [no, yes, no, maybe],
  "!=": [yes, no, yes, maybe]
}

/** The place in `answers`; amounts within the noise are equal. */
const orderOf = (left: number, right: number): number =>
  left < right ? 0 : left > right ? 2 : left === right ? 1 : 3
const orderOfAmounts = (left: number, right: number): number => {
  const difference = left - right
  return difference <= -noise ? 0 : difference >= noise ? 2 : Number.isNaN(difference) ? 3 : 1
}

const comparison = ({ left, right, symbol }: Compare, lets: ColumnLets): TestColumn => {
  if (kindOfType(left.type) !== "number") throw new NoColumns()
  const order = left.type === "Money" ? orderOfAmounts : orderOf
  const answer = Uint8Array.from(answers[symbol])
  const [one, other] = [numberColumn(left, lets), numberColumn(right, lets)]
  const out = new Uint8Array(stretchLength)
  return (stretch) => {
    const { count } = stretch
    const [a, b] = [one(stretch), other(stretch)]
    if (typeof a !== "number" && typeof b === "number")
      for (let index = 0; index < count; index++) out[index] = answer[order(a[index] as number, b)] as number
    else
      for (let index = 0; index < count; index++) {
        const left = typeof a === "number" ? a : (a[index] as number)
        out[index] = answer[order(left, typeof b === "number" ? b : (b[index] as number))] as number
      }
    return out
  }
}

/** The program's lets as closures, in order. */
export const letRuns = (lets: ReadonlyArray<ProgramLet>): ReadonlyArray<LetRun> => {
  const runs: Array<LetRun> = []
  for (const { checked } of lets) runs.push(letRun(checked.expr, runs))
  return runs
}
