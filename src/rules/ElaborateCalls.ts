/**
 * Calls in an expression: functions, facts that take arguments, methods of texts, and what is refused.
 */
import type { ASTNode } from "@marcbachmann/cel-js"

import { unknownMember, usageOf } from "./ElaborateNames.ts"
import { complain, conditionOf, fact, failed, own, type Typed, type Walk } from "./ElaborateWalk.ts"
import { functions, refusedCalls, textMethods } from "./Functions.ts"
import type { Run, Scope } from "./Scope.ts"
import { didYouMean } from "./SourceError.ts"
import { isNumber, isUnknown, type Type, typeName, type Value } from "./Value.ts"
import { type Method, type Namespace, vocabulary } from "./Vocabulary.ts"

const refused = (node: ASTNode, id: string, walk: Walk): Typed | undefined => {
  const why = own(refusedCalls, id)
  return why === undefined ? undefined : complain(walk, node, `\`${id}\` is not allowed`, why, "refused")
}

const takesMany = new Set(["min", "max"])

export const call = (node: ASTNode, id: string, nodes: ReadonlyArray<ASTNode>, walk: Walk): Typed => {
  const found = own(functions, id)
  if (found === undefined) {
    const at = { start: node.start, end: node.start + id.length }
    const remedy = didYouMean(id, Object.keys(functions), "functions")
    return refused(node, id, walk) ?? complain(walk, at, `unknown function \`${id}\``, remedy, "unknown-name")
  }
  const args = nodes.map((one) => ({ literal: undefined, ...walk.typed(one) }))
  if (args.some(({ type }) => type === "error")) return failed
  if (!takesMany.has(id) && args.length !== 1)
    return complain(
      walk,
      node,
      `\`${id}\` takes one value, not ${args.length}`,
      `write ${found.usage}`,
      "type"
    )
  const made = found.call(args)
  if (made._tag === "Ok") return { type: made.type, run: made.run }
  const blamed = made.argument === undefined ? node : (nodes[made.argument] ?? node)
  return complain(walk, blamed, made.message, made.remedy, "type")
}

export const method = (
  node: ASTNode,
  id: string,
  receiver: ASTNode,
  nodes: ReadonlyArray<ASTNode>,
  walk: Walk
): Typed => {
  const group = receiver.op === "id" && !walk.names.lets.has(receiver.args) ? receiver.args : undefined
  const space = group === undefined ? undefined : own(vocabulary, group)
  if (group === undefined || space === undefined) return textMethod(node, id, receiver, nodes, walk)
  const found = own(space.methods, id)
  if (found !== undefined) return factCall(node, group, id, found, space, nodes, walk)
  const after = nameSpan(node, receiver, id)
  return own(space.fields, id) === undefined
    ? unknownMember(after, group, id, space, walk)
    : complain(walk, after, `\`${group}.${id}\` is no function`, `write ${group}.${id}`)
}

/** The method's name behind the dot. */
const nameSpan = (node: ASTNode, receiver: ASTNode, id: string) => ({
  start: receiver.end + 1,
  end: Math.min(node.end, receiver.end + 1 + id.length)
})

const textMethod = (
  node: ASTNode,
  id: string,
  receiver: ASTNode,
  nodes: ReadonlyArray<ASTNode>,
  walk: Walk
): Typed => {
  const stop = refused(node, id, walk)
  if (stop !== undefined) return stop
  const text = walk.typed(receiver)
  if (text.type === "error") return failed
  const known = own(textMethods, id)
  if (known === undefined || text.type !== "string") {
    const remedy = text.type === "string" ? didYouMean(id, Object.keys(textMethods), "texts have") : undefined
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
  return conditionOf(node, { type: "bool", run: known(text.run, part.run) }, walk)
}

const fits = (given: Type, wanted: Type): boolean =>
  given === wanted || given === "error" || (wanted === "double" && isNumber(given))

const factCall = (
  node: ASTNode,
  group: string,
  id: string,
  found: Method,
  space: Namespace,
  nodes: ReadonlyArray<ASTNode>,
  walk: Walk
): Typed => {
  const usage = `write ${usageOf(group, id, found.takes)}`
  const args = nodes.map((one) => walk.typed(one))
  if (args.some(({ type }) => type === "error")) return failed
  if (args.length !== found.takes.length)
    return complain(
      walk,
      node,
      `\`${group}.${id}\` takes ${found.takes.length} value${found.takes.length === 1 ? "" : "s"}, not ${args.length}`,
      usage,
      "type"
    )
  for (const [index, wanted] of found.takes.entries()) {
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
  return fact(
    node,
    {
      type: found.type,
      run: applied(
        found,
        args.map(({ run }) => run)
      )
    },
    [space.polled],
    walk
  )
}

const applied =
  (found: Method, args: ReadonlyArray<Run>): Run =>
  (scope: Scope): Value => {
    const values: Array<number> = []
    for (const arg of args) {
      const value = arg(scope)
      if (isUnknown(value)) return value
      values.push(value as number)
    }
    return found.call(scope, values)
  }
