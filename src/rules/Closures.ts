/**
 * The evaluator for hot paths: closures made of the typed tree, specialised by type. Invariants: 1. they compute what Interpret computes,
 * without its reasons: a number that is Unknown is NaN, a condition `maybe`, a text undefined. 2. conditions and numbers allocate
 * nothing but what a fact itself allocates. 3. a part without facts is computed once, when it is compiled.
 */
import { among, chosen, inverted, joined, same, type Test } from "./ClosuresLogic.ts"
import { compared, computed, type NumberRun, type Operand } from "./ClosuresNumbers.ts"
import { type Call, type Compare, type Expr, type Fact, type NumberCall, partsOf } from "./Expr.ts"
import { numberCalls } from "./Functions.ts"
import { compareAmounts, compareNumbers, textTests } from "./Operators.ts"
import type { Scope } from "./Scope.ts"
import { kindOfType, maybe, no, type Raw, showPercent, showValue, type Tri, yes } from "./Value.ts"
import { factAt } from "./Vocabulary.ts"

export type { NumberRun } from "./ClosuresNumbers.ts"
export type { Test } from "./ClosuresLogic.ts"
type TextRun = (scope: Scope) => string | undefined
/** A let: a number, a condition or a text, as its type says. */
export type LetRun = NumberRun | Test | TextRun

/** A part without facts never looks at the scope. */
const nowhere = undefined as unknown as Scope

const isConstant = (expr: Expr): boolean =>
  expr.op !== "Param" &&
  expr.op !== "Let" &&
  expr.op !== "Fact" &&
  !(expr.op === "Call" && expr.name === "tick") &&
  partsOf(expr).every(isConstant)

const folded = <A>(expr: Expr, run: (scope: Scope) => A): ((scope: Scope) => A) => {
  if (!isConstant(expr)) return run
  const value = run(nowhere)
  return () => value
}

const operand = (expr: Expr, lets: ReadonlyArray<LetRun>): Operand => {
  const run = numberRun(expr, lets)
  return { run, constant: isConstant(expr) ? run(nowhere) : undefined }
}

const letAt = (lets: ReadonlyArray<LetRun>, index: number): LetRun => {
  const run = lets[index]
  if (run === undefined) throw new RangeError(`no let has the index ${index}`)
  return run
}

/** A let is computed once per turn, when it is first read. */
export const memoised =
  (index: number, run: LetRun): LetRun =>
  (scope: Scope) => {
    if (scope.letTurns[index] === scope.turn) return scope.lets[index] as never
    const value = run(scope)
    scope.lets[index] = value
    scope.letTurns[index] = scope.turn
    return value as never
  }

/** The run of an expression of any type. */
export const letRun = (expr: Expr, lets: ReadonlyArray<LetRun>): LetRun => {
  const kind = kindOfType(expr.type)
  return kind === "number" ? numberRun(expr, lets) : kind === "bool" ? test(expr, lets) : textRun(expr, lets)
}

/** The fact as its table reads it; missing arguments make it missing. */
const rawFact = (expr: Fact, lets: ReadonlyArray<LetRun>): ((scope: Scope) => Raw) => {
  const { read } = factAt(expr.fact).member
  const [first, second] = expr.args
  if (first === undefined) return read as (scope: Scope) => Raw
  const a = letRun(first, lets)
  if (second === undefined) {
    const constant = isConstant(first) ? a(nowhere) : undefined
    if (constant !== undefined && !Number.isNaN(constant))
      return (scope) => read(scope, constant as never, 0 as never)
    return (scope) => {
      const value = a(scope)
      return value === undefined || Number.isNaN(value) ? undefined : read(scope, value as never, 0 as never)
    }
  }
  const b = letRun(second, lets)
  return (scope) => {
    const [left, right] = [a(scope), b(scope)]
    return left === undefined || right === undefined || Number.isNaN(left) || Number.isNaN(right)
      ? undefined
      : read(scope, left as never, right as never)
  }
}

const numberFact = (expr: Fact, lets: ReadonlyArray<LetRun>): NumberRun => {
  const raw = rawFact(expr, lets)
  return expr.args.length === 0
    ? (raw as NumberRun)
    : (scope) => (raw(scope) as number | undefined) ?? Number.NaN
}

const numberCall = (name: NumberCall, args: ReadonlyArray<NumberRun>): NumberRun => {
  const [first, second, third] = args
  if (first === undefined) return () => Number.NaN
  if (name === "tick") return (scope) => first(scope) * scope.facts.fees.increment
  const of = numberCalls[name]
  if (second === undefined) return (scope) => of(first(scope), 0, 0)
  if (third !== undefined) return numberCall(name, [numberCall(name, [first, second]), ...args.slice(2)])
  return name === "min"
    ? (scope) => Math.min(first(scope), second(scope))
    : (scope) => Math.max(first(scope), second(scope))
}

/** The closure of an expression that is a number, an amount or a time. */
export const numberRun = (expr: Expr, lets: ReadonlyArray<LetRun>): NumberRun =>
  folded(expr, rawNumber(expr, lets))

const rawNumber = (expr: Expr, lets: ReadonlyArray<LetRun>): NumberRun => {
  switch (expr.op) {
    case "Param": {
      const { index } = expr
      return (scope) => scope.params[index] as number
    }
    case "Let":
      return letAt(lets, expr.index) as NumberRun
    case "Fact":
      return numberFact(expr, lets)
    case "Arithmetic":
      return computed(expr.symbol, operand(expr.left, lets), operand(expr.right, lets))
    case "Negate": {
      const of = numberRun(expr.of, lets)
      return (scope) => -of(scope)
    }
    case "Choose":
      return chosen(
        test(expr.condition, lets),
        numberRun(expr.yes, lets),
        numberRun(expr.no, lets),
        Number.NaN
      )
    case "Call":
      return numberCall(
        expr.name as NumberCall,
        expr.args.map((one) => numberRun(one, lets))
      )
    default: {
      const value = expr.op === "Literal" && typeof expr.value === "number" ? expr.value : Number.NaN
      return () => value
    }
  }
}

/** The closure of a condition. */
export const test = (expr: Expr, lets: ReadonlyArray<LetRun>): Test => folded(expr, rawTest(expr, lets))

const rawTest = (expr: Expr, lets: ReadonlyArray<LetRun>): Test => {
  switch (expr.op) {
    case "Param": {
      const { index } = expr
      return (scope) => (scope.params[index] === true ? yes : no)
    }
    case "Let":
      return letAt(lets, expr.index) as Test
    case "Fact": {
      const raw = rawFact(expr, lets)
      return (scope) => triOf(raw(scope))
    }
    case "Compare":
      return comparison(expr, lets)
    case "And":
    case "Or":
      return joined(
        expr.op === "And" ? no : yes,
        chain(expr, expr.op).map((one) => test(one, lets))
      )
    case "Not":
      return inverted(test(expr.of, lets))
    case "Choose":
      return chosen(test(expr.condition, lets), test(expr.yes, lets), test(expr.no, lets), maybe)
    case "In":
      return membership(expr.item, expr.members, lets)
    case "TextTest": {
      const [holds, text, part] = [textTests[expr.test], textRun(expr.text, lets), textRun(expr.part, lets)]
      return (scope) => {
        const [whole, wanted] = [text(scope), part(scope)]
        return whole === undefined || wanted === undefined ? maybe : holds(whole, wanted) ? yes : no
      }
    }
    default: {
      const value = expr.op === "Literal" && expr.value === true ? yes : no
      return () => value
    }
  }
}

const triOf = (raw: Raw): Tri => (raw === undefined ? maybe : raw === true ? yes : no)

/** `a && b && c` as a, b, c. */
const chain = (expr: Expr, op: "And" | "Or"): ReadonlyArray<Expr> =>
  expr.op === op ? [...chain(expr.left, op), ...chain(expr.right, op)] : [expr]

const comparison = ({ left, right, symbol }: Compare, lets: ReadonlyArray<LetRun>): Test => {
  const kind = kindOfType(left.type)
  if (kind === "bool") return same<Tri>(test(left, lets), test(right, lets), maybe, symbol === "==")
  return kind === "string"
    ? same(textRun(left, lets), textRun(right, lets), undefined, symbol === "==")
    : compared(symbol, operand(left, lets), operand(right, lets), left.type === "Money")
}

const sameTri = (left: Tri, right: Tri): Tri =>
  left === maybe || right === maybe ? maybe : left === right ? yes : no
const sameText = (left: string | undefined, right: string | undefined): Tri =>
  left === undefined || right === undefined ? maybe : left === right ? yes : no

const membership = (item: Expr, members: ReadonlyArray<Expr>, lets: ReadonlyArray<LetRun>): Test => {
  const kind = kindOfType(item.type)
  if (kind === "bool")
    return among(
      test(item, lets),
      members.map((one) => test(one, lets)),
      sameTri
    )
  if (kind === "string")
    return among(
      textRun(item, lets),
      members.map((one) => textRun(one, lets)),
      sameText
    )
  const equal = item.type === "Money" ? compareAmounts : compareNumbers
  return among(
    numberRun(item, lets),
    members.map((one) => numberRun(one, lets)),
    (left, right) => equal("==", left, right)
  )
}

/** The closure of a text. */
const textRun = (expr: Expr, lets: ReadonlyArray<LetRun>): TextRun => folded(expr, rawText(expr, lets))

const rawText = (expr: Expr, lets: ReadonlyArray<LetRun>): TextRun => {
  switch (expr.op) {
    case "Let":
      return letAt(lets, expr.index) as TextRun
    case "Fact":
      return rawFact(expr, lets) as TextRun
    case "Join": {
      const [left, right] = [textRun(expr.left, lets), textRun(expr.right, lets)]
      return (scope) => {
        const [a, b] = [left(scope), right(scope)]
        return a === undefined || b === undefined ? undefined : a + b
      }
    }
    case "Choose":
      return chosen<string | undefined>(
        test(expr.condition, lets),
        textRun(expr.yes, lets),
        textRun(expr.no, lets),
        undefined
      )
    case "Call":
      return shown(expr, lets)
    default: {
      const value = expr.op === "Literal" ? String(expr.value) : undefined
      return () => value
    }
  }
}

const shown = ({ args: [arg], name }: Call, lets: ReadonlyArray<LetRun>): TextRun => {
  if (arg === undefined) return () => undefined
  const { type } = arg
  const of = letRun(arg, lets)
  const kind = kindOfType(type)
  return (scope) => {
    const value = of(scope)
    if (value === undefined || Number.isNaN(value)) return undefined
    if (kind === "bool") return value === maybe ? undefined : String(value === yes)
    return name === "percent" ? showPercent(value as number) : showValue(type, value)
  }
}
