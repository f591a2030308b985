/**
 * Calls in an expression: functions, facts that take arguments, methods of texts, and what is refused.
 */
import type { ASTNode } from "@marcbachmann/cel-js"

import { factNode, unknownMember, usageOf } from "./ElaborateNames.ts"
import { complain, failed, literal, nodeOf, own, type Walk } from "./ElaborateWalk.ts"
import type { CallName, Expr, Place } from "./Expr.ts"
import { functions, type FunctionOf, refusedCalls } from "./Functions.ts"
import { type TextTest, textTests } from "./Operators.ts"
import { didYouMean } from "./SourceError.ts"
import { isNumber, type Type, typeName } from "./Value.ts"
import { vocabulary } from "./Vocabulary.ts"

const refused = (node: ASTNode, id: string, walk: Walk): Expr | undefined => {
  const why = own(refusedCalls, id)
  return why === undefined ? undefined : complain(walk, node, `\`${id}\` is not allowed`, why, "refused")
}

const takesMany = new Set(["min", "max"])

export const call = (node: ASTNode, id: string, nodes: ReadonlyArray<ASTNode>, walk: Walk): Expr => {
  const found = own<FunctionOf>(functions, id)
  if (found === undefined) {
    const at = { start: node.start, end: node.start + id.length }
    const remedy = didYouMean(id, Object.keys(functions), "functions")
    return refused(node, id, walk) ?? complain(walk, at, `unknown function \`${id}\``, remedy, "unknown-name")
  }
  const args = nodes.map((one) => walk.typed(one))
  if (args.some(({ type }) => type === "error")) return failed
  if (!takesMany.has(id) && args.length !== 1)
    return complain(
      walk,
      node,
      `\`${id}\` takes one value, not ${args.length}`,
      `write ${found.usage}`,
      "type"
    )
  const checked = found.check(args)
  if (checked._tag === "Literal") return literal(node, checked.type, checked.value, walk)
  if (checked._tag === "Call")
    return { op: "Call", ...nodeOf(node, checked.type, walk), name: id as CallName, args }
  const blamed = checked.argument === undefined ? node : (nodes[checked.argument] ?? node)
  return complain(walk, blamed, checked.message, checked.remedy, "type")
}

export const method = (
  node: ASTNode,
  id: string,
  receiver: ASTNode,
  nodes: ReadonlyArray<ASTNode>,
  walk: Walk
): Expr => {
  const group = receiver.op === "id" && !walk.names.lets.has(receiver.args) ? receiver.args : undefined
  const space = group === undefined ? undefined : own(vocabulary, group)
  if (group === undefined || space === undefined) return textMethod(node, id, receiver, nodes, walk)
  const after = nameSpan(node, receiver, id)
  const takes = own(space.members, id)?.takes
  if (takes !== undefined) return factCall(node, group, id, { takes, nodes, after }, walk)
  return own(space.members, id) === undefined
    ? unknownMember(after, group, id, space, walk)
    : complain(walk, after, `\`${group}.${id}\` is no function`, `write ${group}.${id}`)
}

/** The method's name behind the dot. */
const nameSpan = (node: ASTNode, receiver: ASTNode, id: string): Place => ({
  start: receiver.end + 1,
  end: Math.min(node.end, receiver.end + 1 + id.length)
})

const textMethod = (
  node: ASTNode,
  id: string,
  receiver: ASTNode,
  nodes: ReadonlyArray<ASTNode>,
  walk: Walk
): Expr => {
  const stop = refused(node, id, walk)
  if (stop !== undefined) return stop
  const text = walk.typed(receiver)
  if (text.type === "error") return failed
  const known = own(textTests, id)
  if (known === undefined || text.type !== "string") {
    const remedy = text.type === "string" ? didYouMean(id, Object.keys(textTests), "texts have") : undefined
    return complain(
      walk,
      nameSpan(node, receiver, id),
      `${typeName(text.type)} has no function \`${id}\``,
      remedy
    )
  }
  const parts = nodes.map((one) => walk.typed(one))
  if (parts.some(({ type }) => type === "error")) return failed
  const [part] = parts
  if (part === undefined || parts.length !== 1 || part.type !== "string")
    return complain(walk, node, `\`${id}\` takes one text`, undefined, "type")
  return { op: "TextTest", ...nodeOf(node, "bool", walk), test: id as TextTest, text, part }
}

const fits = (given: Type, wanted: Type): boolean =>
  given === wanted || given === "error" || (wanted === "double" && isNumber(given))

interface Asked {
  readonly takes: ReadonlyArray<Type>
  readonly nodes: ReadonlyArray<ASTNode>
  /** Where the fact's name stands. */
  readonly after: Place
}

const factCall = (
  node: ASTNode,
  group: string,
  id: string,
  { after, nodes, takes }: Asked,
  walk: Walk
): Expr => {
  const usage = `write ${usageOf(group, id, takes)}`
  const args = nodes.map((one) => walk.typed(one))
  if (args.some(({ type }) => type === "error")) return failed
  if (args.length !== takes.length)
    return complain(
      walk,
      node,
      `\`${group}.${id}\` takes ${takes.length} value${takes.length === 1 ? "" : "s"}, not ${args.length}`,
      usage,
      "type"
    )
  for (const [index, wanted] of takes.entries()) {
    const given = args[index]?.type ?? "error"
    if (!fits(given, wanted))
      return complain(
        walk,
        nodes[index] ?? node,
        `\`${group}.${id}\` takes ${typeName(wanted)} here, not ${typeName(given)}`,
        usage,
        "type"
      )
  }
  return factNode(node, group, id, args, after, walk)
}
