/**
 * Gives a parsed expression its types and its closure in one walk over the syntax tree.
 * Invariants: 1. a sub-expression that failed has the type `error` and is not complained about again. 2. what is read (facts, lets,
 * conditions) is noted even below a branch that is not taken: the polls must cover every path.
 */
import type { ASTNode } from "@marcbachmann/cel-js"
import { Result } from "effect"

import { call, method } from "./ElaborateCalls.ts"
import { field, name } from "./ElaborateNames.ts"
import { complain, conditionOf, failed, polledIn, textOf, type Typed, type Walk } from "./ElaborateWalk.ts"
import type { Checked, ExpressionError, Names } from "./Expression.ts"
import { conditional, negated, not, operator } from "./Operators.ts"
import type { Run } from "./Scope.ts"
import { isNumber, typeName, unify } from "./Value.ts"

export const elaborate = (
  node: ASTNode,
  text: string,
  names: Names
): Result.Result<Checked, ReadonlyArray<ExpressionError>> => {
  const walk: Walk = {
    text,
    names,
    typed: (one) => typed(one, walk),
    errors: [],
    reads: [],
    facts: new Map(),
    lets: new Set(),
    conditions: []
  }
  const { run, type } = typed(node, walk)
  const { conditions, errors, facts, lets } = walk
  if (errors.length > 0) return Result.fail(errors)
  const polled = polledIn(walk, { start: 0, end: text.length })
  return Result.succeed({ text, type, run, polled, facts, lets, conditions })
}

const typed = (node: ASTNode, walk: Walk): Typed => {
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

const literalOf = (node: ASTNode, value: unknown, walk: Walk): Typed => {
  if (typeof value === "boolean") return { type: "bool", run: () => value }
  if (typeof value === "string") return { type: "string", run: () => value, literal: value }
  if (typeof value === "number") return { type: "double", run: () => value }
  if (typeof value === "bigint") {
    const int = Number(value)
    return Number.isSafeInteger(int)
      ? { type: "int", run: () => int }
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
): Typed => {
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
  return { type, run: conditional(test.run, left.run, right.run) }
}

const unary = (node: ASTNode, operand: ASTNode, takes: "bool" | "number", walk: Walk): Typed => {
  const inner = typed(operand, walk)
  if (inner.type === "error") return failed
  if (takes === "bool")
    return inner.type === "bool"
      ? { type: "bool", run: not(inner.run) }
      : complain(walk, node, `\`!\` takes a bool, not ${typeName(inner.type)}`, undefined, "type")
  return isNumber(inner.type) || inner.type === "Money" || inner.type === "duration"
    ? { type: inner.type, run: negated(inner.run) }
    : complain(
        walk,
        node,
        `\`-\` takes a number, an amount or a duration, not ${typeName(inner.type)}`,
        undefined,
        "type"
      )
}

const membership = (node: ASTNode, item: ASTNode, list: ASTNode, walk: Walk): Typed => {
  const wanted = typed(item, walk)
  if (list.op !== "list") return complain(walk, list, "`in` takes a list: `x in [1, 2]`", undefined, "type")
  const members = list.args.map((one) => ({ node: one, ...typed(one, walk) }))
  if (wanted.type === "error" || members.some(({ type }) => type === "error")) return failed
  const wrong = members.find(({ type }) => operator("==", wanted.type, type) === undefined)
  if (wrong !== undefined)
    return complain(
      walk,
      wrong.node,
      `the list holds ${typeName(wrong.type)}, the value before \`in\` is ${typeName(wanted.type)}`,
      undefined,
      "type"
    )
  const equals = members.map(
    (one) => operator("==", wanted.type, one.type)?.of(wanted.run, one.run) ?? one.run
  )
  const run: Run =
    equals.length === 0
      ? () => false
      : equals.reduce((left, right) => operator("||", "bool", "bool")?.of(left, right) ?? left)
  return conditionOf(node, { type: "bool", run }, walk)
}

const comparisons = new Set(["<", "<=", ">", ">=", "==", "!="])

const binary = (node: ASTNode, symbol: string, leftNode: ASTNode, rightNode: ASTNode, walk: Walk): Typed => {
  const isLogic = symbol === "&&" || symbol === "||"
  const before = walk.conditions.length
  const [left, right] = [typed(leftNode, walk), typed(rightNode, walk)]
  if (left.type === "error" || right.type === "error") return failed
  const made = operator(symbol, left.type, right.type)
  if (made === undefined) {
    const subject = isLogic
      ? `\`${symbol}\` takes bools`
      : comparisons.has(symbol)
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
  // a bool that is compared is part of the comparison, not a condition of its own
  if (!isLogic) walk.conditions.length = before
  // a difference of amounts over an amount is a margin: people read it in percent
  const isMargin = symbol === "/" && leftNode.op === "-" && left.type === "Money" && right.type === "Money"
  const result: Typed = { type: isMargin ? "percent" : made.type, run: made.of(left.run, right.run) }
  return isLogic ? result : conditionOf(node, result, walk)
}

type Side = readonly [node: ASTNode, of: Typed]

const mismatch = (symbol: string, left: Side, right: Side, walk: Walk): string | undefined => {
  const [number, other] = isNumber(left[1].type) ? [left, right] : [right, left]
  if (!isNumber(number[1].type)) {
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
