/**
 * The evaluator that explains: it walks the typed tree and writes down what every part came out as, each Unknown with its reason.
 * Invariants: 1. it computes what Closures compute, by the same tables. 2. both sides of `&&` and `||` are looked at, so that a trace
 * tells them all; of `? :` only the branch that is taken, and the other one has no value.
 */
import type { CallName, Choose, Compare, Expr, Fact, Logic } from "./Expr.ts"
import { numberCalls } from "./Functions.ts"
import { arithmetic, compareAmounts, compareNumbers, textTests, whyNoNumber } from "./Operators.ts"
import type { Scope } from "./Scope.ts"
import {
  isUnknown,
  maybe,
  showPercent,
  showValue,
  type Tri,
  type Type,
  unknown,
  type Value,
  yes
} from "./Value.ts"
import { factAt, whyMissing } from "./Vocabulary.ts"

/** One look at the facts: the scope, the file's lets, and what came out by let and node. */
export interface Interpretation {
  readonly scope: Scope
  readonly lets: ReadonlyArray<Expr>
  readonly seenOfLets: Array<Array<Value | undefined> | undefined>
}

export const interpretation = (scope: Scope, lets: ReadonlyArray<Expr>): Interpretation => ({
  scope,
  lets,
  seenOfLets: []
})

/** The value of the expression; `seen` gets the value of every node that was looked at, by its id. */
export const interpret = (expr: Expr, of: Interpretation, seen: Array<Value | undefined>): Value => {
  const value = valueOf(expr, of, seen)
  seen[expr.id] = value
  return value
}

const valueOf = (expr: Expr, of: Interpretation, seen: Array<Value | undefined>): Value => {
  switch (expr.op) {
    case "Literal":
      return expr.value
    case "Param":
      return of.scope.params[expr.index] ?? 0
    case "Let":
      return letValue(expr.index, of)
    case "Fact":
      return factValue(expr, of, seen)
    case "Compare":
      return comparison(expr, of, seen)
    case "And":
    case "Or":
      return logic(expr, of, seen)
    case "Arithmetic": {
      const [left, right] = [interpret(expr.left, of, seen), interpret(expr.right, of, seen)]
      if (isUnknown(left)) return left
      if (isUnknown(right)) return right
      const value = arithmetic[expr.symbol](left as number, right as number)
      return Number.isNaN(value) ? unknown(() => whyNoNumber(expr.symbol, right as number)) : value
    }
    case "Join": {
      const [left, right] = [interpret(expr.left, of, seen), interpret(expr.right, of, seen)]
      if (isUnknown(left)) return left
      return isUnknown(right) ? right : `${String(left)}${String(right)}`
    }
    case "TextTest": {
      const [text, part] = [interpret(expr.text, of, seen), interpret(expr.part, of, seen)]
      if (isUnknown(text)) return text
      return isUnknown(part) ? part : textTests[expr.test](String(text), String(part))
    }
    case "Not": {
      const value = interpret(expr.of, of, seen)
      return isUnknown(value) ? value : value !== true
    }
    case "Negate": {
      const value = interpret(expr.of, of, seen)
      return isUnknown(value) ? value : -(value as number)
    }
    case "Choose":
      return choice(expr, of, seen)
    case "In":
      return membership(
        expr.item.type,
        interpret(expr.item, of, seen),
        expr.members.map((one) => interpret(one, of, seen))
      )
    case "Call":
      return called(
        expr.name,
        expr.args.map((one) => interpret(one, of, seen)),
        expr.args[0]?.type ?? "error",
        of.scope
      )
  }
}

const letValue = (index: number, of: Interpretation): Value => {
  const expr = of.lets[index]
  if (expr === undefined) throw new RangeError(`no let has the index ${index}`)
  const seen = (of.seenOfLets[index] ??= [])
  return seen[expr.id] ?? interpret(expr, of, seen)
}

const factValue = (expr: Fact, of: Interpretation, seen: Array<Value | undefined>): Value => {
  const fact = factAt(expr.fact)
  const [first, second] = expr.args
  const a = first === undefined ? undefined : interpret(first, of, seen)
  const b = second === undefined ? undefined : interpret(second, of, seen)
  if (a !== undefined && isUnknown(a)) return a
  if (b !== undefined && isUnknown(b)) return b
  const raw = fact.member.read(of.scope, a as never, b as never)
  return raw === undefined || Number.isNaN(raw)
    ? unknown(() => whyMissing(fact, of.scope, a as never, b as never))
    : raw
}

const beyond = unknown(() => "the numbers are beyond every number")

const held = (of: Tri): Value => (of === maybe ? beyond : of === yes)

const comparison = (expr: Compare, of: Interpretation, seen: Array<Value | undefined>): Value => {
  const [left, right] = [interpret(expr.left, of, seen), interpret(expr.right, of, seen)]
  if (isUnknown(left)) return left
  if (isUnknown(right)) return right
  return typeof left === "number"
    ? held((expr.left.type === "Money" ? compareAmounts : compareNumbers)(expr.symbol, left, right as number))
    : (left === right) === (expr.symbol === "==")
}

/** Kleene: one value that decides does so, else one Unknown does. */
const logic = (expr: Logic, of: Interpretation, seen: Array<Value | undefined>): Value => {
  const [left, right] = [interpret(expr.left, of, seen), interpret(expr.right, of, seen)]
  const deciding = expr.op === "Or"
  if (left === deciding || right === deciding) return deciding
  return isUnknown(left) ? left : right
}

/** An Unknown condition is Unknown, whatever the branches are. */
const choice = (expr: Choose, of: Interpretation, seen: Array<Value | undefined>): Value => {
  const condition = interpret(expr.condition, of, seen)
  return isUnknown(condition) ? condition : interpret(condition === true ? expr.yes : expr.no, of, seen)
}

const membership = (type: Type, item: Value, members: ReadonlyArray<Value>): Value => {
  let open: Value = false
  for (const member of members) {
    const unsure = isUnknown(item) ? item : isUnknown(member) ? member : undefined
    if (unsure === undefined) {
      const equal =
        typeof item === "number"
          ? (type === "Money" ? compareAmounts : compareNumbers)("==", item, member as number) === yes
          : item === member
      if (equal) return true
    } else if (open === false) open = unsure
  }
  return open
}

const called = (name: CallName, args: ReadonlyArray<Value>, type: Type, scope: Scope): Value => {
  const unsure = args.find(isUnknown)
  if (unsure !== undefined) return unsure
  const [first = 0, ...rest] = args
  if (name === "string") return showValue(type, first)
  if (name === "percent") return showPercent(first as number)
  const { increment } = scope.facts.fees
  const of = numberCalls[name]
  const value =
    rest.length === 0
      ? of(first as number, 0, increment)
      : rest.reduce<number>((folded, one) => of(folded, one as number, increment), first as number)
  return Number.isNaN(value) ? beyond : value
}
