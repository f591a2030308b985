/**
 * Gives a parsed expression its types in one walk over the syntax tree: the typed tree that both evaluators read.
 * Invariants: 1. a sub-expression that failed has the type `error` and is not complained about again. 2. a branch that is never taken
 * is in the tree like any other: what is polled must cover every path.
 */
import type { ASTNode } from "@marcbachmann/cel-js"
import { Result } from "effect"

import { call, method } from "./ElaborateCalls.ts"
import { field, name } from "./ElaborateNames.ts"
import { complain, failed, literal, nodeOf, textOf, type Walk } from "./ElaborateWalk.ts"
import type { Expr } from "./Expr.ts"
import type { ExpressionError, Names } from "./Names.ts"
import { isArithmetic, isComparison, typeOfOperator } from "./Operators.ts"
import { isNumber, typeName, unify, type Type } from "./Value.ts"

/** The typed tree and how many nodes it has, or every error. */
export const elaborate = (
  node: ASTNode,
  text: string,
  names: Names
): Result.Result<{ readonly expr: Expr; readonly size: number }, ReadonlyArray<ExpressionError>> => {
  const walk: Walk = { text, names, typed: (one) => typed(one, walk), errors: [], next: 0 }
  const expr = typed(node, walk)
  return walk.errors.length > 0 ? Result.fail(walk.errors) : Result.succeed({ expr, size: walk.next })
}

const typed = (node: ASTNode, walk: Walk): Expr => {
  switch (node.op) {
    case "value":
      return literalOf(node, node.args, walk)
    case "id":
      return name(node, node.args, walk)
    case ".":
      return field(node, walk)
    case "call":
      return call(node, node.args[0], node.args[1], walk)
    case "rcall":
      return method(node, node.args[0], node.args[1], node.args[2], walk)
    case "?:":
      return choice(node, node.args, walk)
    case "!_":
      return unary(node, node.args, "bool", walk)
    case "-_":
      return unary(node, node.args, "number", walk)
    case "in":
      return membership(node, node.args[0], node.args[1], walk)
    case "list":
      return complain(walk, node, "a list stands only behind `in`")
    case "map":
    case "[]":
    case "[?]":
    case ".?":
      return complain(walk, node, "there are no maps and no indexes here")
    default:
      return binary(node, node.op, node.args[0], node.args[1], walk)
  }
}

const literalOf = (node: ASTNode, value: unknown, walk: Walk): Expr => {
  if (typeof value === "boolean") return literal(node, "bool", value, walk)
  if (typeof value === "string") return literal(node, "string", value, walk)
  if (typeof value === "number") return literal(node, "double", value, walk)
  if (typeof value === "bigint") {
    const int = Number(value)
    return Number.isSafeInteger(int)
      ? literal(node, "int", int, walk)
      : complain(walk, node, "the number is too large")
  }
  return value === null
    ? complain(walk, node, "there is no null here", "a missing fact makes the rule Unknown by itself")
    : complain(
        walk,
        node,
        `\`${textOf(node, walk)}\` is not a value here`,
        "write a number, a text, true or false"
      )
}

const choice = (
  node: ASTNode,
  [condition, yes, no]: readonly [ASTNode, ASTNode, ASTNode],
  walk: Walk
): Expr => {
  const [test, left, right] = [typed(condition, walk), typed(yes, walk), typed(no, walk)]
  if (test.type !== "bool" && test.type !== "error")
    return complain(
      walk,
      condition,
      `the condition of \`? :\` is a bool, not ${typeName(test.type)}`,
      undefined,
      "type"
    )
  const type = unify(left.type, right.type)
  if (type === undefined)
    return complain(
      walk,
      node,
      `the branches of \`? :\` are ${typeName(left.type)} and ${typeName(right.type)}`,
      "give both the same type",
      "type"
    )
  return { op: "Choose", ...nodeOf(node, type, walk), condition: test, yes: left, no: right }
}

const unary = (node: ASTNode, operand: ASTNode, takes: "bool" | "number", walk: Walk): Expr => {
  const inner = typed(operand, walk)
  if (inner.type === "error") return failed
  if (takes === "bool")
    return inner.type === "bool"
      ? { op: "Not", ...nodeOf(node, "bool", walk), of: inner }
      : complain(walk, node, `\`!\` takes a bool, not ${typeName(inner.type)}`, undefined, "type")
  return isNumber(inner.type) || inner.type === "Money" || inner.type === "duration"
    ? { op: "Negate", ...nodeOf(node, inner.type, walk), of: inner }
    : complain(
        walk,
        node,
        `\`-\` takes a number, an amount or a duration, not ${typeName(inner.type)}`,
        undefined,
        "type"
      )
}

const membership = (node: ASTNode, item: ASTNode, list: ASTNode, walk: Walk): Expr => {
  const wanted = typed(item, walk)
  if (list.op !== "list") return complain(walk, list, "`in` takes a list: `x in [1, 2]`", undefined, "type")
  const members = list.args.map((one) => typed(one, walk))
  if (wanted.type === "error" || members.some(({ type }) => type === "error")) return failed
  const wrong = members.findIndex(({ type }) => typeOfOperator("==", wanted.type, type) === undefined)
  if (wrong !== -1)
    return complain(
      walk,
      list.args[wrong] ?? list,
      `the list holds ${typeName(members[wrong]?.type ?? "error")}, the value before \`in\` is ${typeName(wanted.type)}`,
      undefined,
      "type"
    )
  return { op: "In", ...nodeOf(node, "bool", walk), item: wanted, members }
}

const binary = (node: ASTNode, symbol: string, leftNode: ASTNode, rightNode: ASTNode, walk: Walk): Expr => {
  const [left, right] = [typed(leftNode, walk), typed(rightNode, walk)]
  if (left.type === "error" || right.type === "error") return failed
  const type = typeOfOperator(symbol, left.type, right.type)
  const isLogic = symbol === "&&" || symbol === "||"
  if (type === undefined) {
    const subject = isLogic
      ? `\`${symbol}\` takes bools`
      : isComparison(symbol)
        ? `\`${symbol}\` cannot compare`
        : `\`${symbol}\` does not take`
    const types = `${typeName(left.type)} and ${typeName(right.type)}`
    return complain(
      walk,
      node,
      isLogic ? `${subject}, not ${types}` : `${subject} ${types}`,
      mismatch(symbol, [leftNode, left], [rightNode, right], walk),
      "type"
    )
  }
  if (isLogic) return { op: symbol === "&&" ? "And" : "Or", ...nodeOf(node, type, walk), left, right }
  if (isComparison(symbol)) return { op: "Compare", ...nodeOf(node, type, walk), symbol, left, right }
  if (type === "string" || !isArithmetic(symbol))
    return { op: "Join", ...nodeOf(node, type, walk), left, right }
  // a difference of amounts over an amount is a margin: people read it in percent
  const isMargin = symbol === "/" && leftNode.op === "-" && left.type === "Money" && right.type === "Money"
  return { op: "Arithmetic", ...nodeOf(node, isMargin ? "percent" : type, walk), symbol, left, right }
}

type Side = readonly [node: ASTNode, of: Expr]

/** A quoted text where a value of another kind was meant. */
const writtenAs = (type: Type, quoted: string): string | undefined => {
  if (!/^(["']).*\1$/s.test(quoted)) return undefined
  const name = (
    { Money: "money", duration: "duration", timestamp: "timestamp" } as Partial<Record<Type, string>>
  )[type]
  return name === undefined ? undefined : `write ${name}(${quoted})`
}

const mismatch = (symbol: string, left: Side, right: Side, walk: Walk): string | undefined => {
  const [number, other] = isNumber(left[1].type) ? [left, right] : [right, left]
  if (!isNumber(number[1].type)) {
    const [text, typed] = left[1].type === "string" ? [left, right] : [right, left]
    if (text[1].type === "string" && symbol !== "+") return writtenAs(typed[1].type, textOf(text[0], walk))
    if (left[1].type === "string" || right[1].type === "string")
      return symbol === "+" ? "turn a value into text with string(…) or percent(…)" : undefined
    return left[1].type === "Money" && right[1].type === "Money"
      ? "amounts are added, subtracted, compared, and divided to a ratio"
      : undefined
  }
  const text = textOf(number[0], walk)
  if (other[1].type === "duration") return 'a time is written duration("90s")'
  if (other[1].type === "string") return "turn a value into text with string(…) or percent(…)"
  if (other[1].type !== "Money") return undefined
  if (/^-?\d+(?:\.\d{1,2})?$/.test(text)) return `an amount is written money("${text}")`
  if (text.startsWith("params.")) return `give \`${text}\` the \`type: money\` or multiply an amount by it`
  return "multiply an amount by a number, or divide two amounts to compare ratios"
}
