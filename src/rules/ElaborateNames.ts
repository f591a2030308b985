/**
 * Names and facts of an expression: what each stands for, and what was probably meant when it stands for nothing.
 */
import type { ASTNode } from "@marcbachmann/cel-js"

import { complain, fact, failed, own, type Place, type Typed, use, type Walk } from "./ElaborateWalk.ts"
import { functions } from "./Functions.ts"
import { didYouMean, nearest } from "./SourceError.ts"
import { type Type, typeName } from "./Value.ts"
import { alsoPolled, type Namespace, notYetFacts, vocabulary } from "./Vocabulary.ts"

export const name = (node: ASTNode, id: string, walk: Walk): Typed => {
  const known = walk.names.lets.get(id)
  if (known !== undefined) {
    walk.lets.add(id)
    return use(node, known, walk)
  }
  if (walk.names.later.has(id))
    return complain(
      walk,
      node,
      `\`${id}\` is used before it is defined`,
      "move it above under `let`: names are defined in order"
    )
  if (id === "params")
    return complain(walk, node, "`params` is a group", namesRemedy([...walk.names.params.keys()], "params."))
  const group = own(vocabulary, id)
  if (group !== undefined) {
    return complain(
      walk,
      node,
      `\`${id}\` is a group of facts, not a value`,
      namesRemedy(membersOf(group), `${id}.`)
    )
  }
  const reserved = own(notYetFacts, id)
  if (reserved !== undefined)
    return complain(walk, node, `\`${id}\` is not available yet`, reserved, "not-available")
  const near = [...walk.names.lets.keys(), ...Object.keys(vocabulary), "params", ...Object.keys(functions)]
  const hint = walk.names.params.has(id) ? `did you mean \`params.${id}\`?` : didYouMean(id, near)
  return complain(walk, node, `unknown name \`${id}\``, hint, "unknown-name")
}

const membersOf = (group: Namespace | undefined): ReadonlyArray<string> =>
  group === undefined
    ? []
    : [...Object.keys(group.fields), ...Object.keys(group.methods).map((one) => `${one}(…)`)]

const namesRemedy = (names: ReadonlyArray<string>, prefix: string): string | undefined =>
  names.length === 0 ? undefined : `there is ${names.map((one) => prefix + one).join(", ")}`

/** A chain of fields as its names: `book.bid` is book, bid; undefined when it starts with something else. */
const pathOf = (node: ASTNode): ReadonlyArray<string> | undefined => {
  if (node.op === "id") return [node.args]
  if (node.op !== ".") return undefined
  const before = pathOf(node.args[0])
  return before === undefined ? undefined : [...before, node.args[1]]
}

export const field = (node: Extract<ASTNode, { readonly op: "." }>, walk: Walk): Typed => {
  const path = pathOf(node)
  const [group = "", member = "", ...rest] = path ?? []
  const memberSpan = { start: node.pos, end: node.end }
  if (path === undefined || rest.length > 0 || walk.names.lets.has(group)) {
    const inner = walk.typed(node.args[0])
    return inner.type === "error"
      ? failed
      : complain(walk, memberSpan, `${typeName(inner.type)} has no field \`${node.args[1]}\``)
  }
  if (group === "params") {
    const param = walk.names.params.get(member)
    if (param !== undefined) return use(node, param, walk)
    const known = [...walk.names.params.keys()].map((one) => `params.${one}`)
    const hint = didYouMean(`params.${member}`, known, "params of this file") ?? "define it under `params`"
    return complain(walk, memberSpan, `unknown param \`${member}\``, hint, "unknown-name")
  }
  const space = own(vocabulary, group)
  if (space === undefined) {
    walk.typed(node.args[0])
    return failed
  }
  const found = own(space.fields, member)
  if (found === undefined) return unknownMember(memberSpan, group, member, space, walk)
  return fact(node, found, [space.polled, alsoPolled[`${group}.${member}`]], walk)
}

export const unknownMember = (
  at: Place,
  group: string,
  member: string,
  space: Namespace,
  walk: Walk
): Typed => {
  const reserved = own(notYetFacts, `${group}.${member}`)
  if (reserved !== undefined)
    return complain(walk, at, `\`${group}.${member}\` is not available yet`, reserved, "not-available")
  const takes = own(space.methods, member)?.takes
  if (takes !== undefined)
    return complain(
      walk,
      at,
      `\`${group}.${member}\` is a function`,
      `write ${usageOf(group, member, takes)}`
    )
  const known = [...Object.keys(space.fields), ...Object.keys(space.methods)]
  const near = nearest(member, known)
  const remedy =
    near === undefined ? didYouMean(member, known, `${group} has`) : `did you mean \`${group}.${near}\`?`
  return complain(walk, at, `unknown fact \`${group}.${member}\``, remedy, "unknown-name")
}

const exampleOf: Readonly<Record<string, string>> = {
  Money: "price",
  duration: 'duration("7d")',
  int: "24",
  double: "0.9"
}
export const usageOf = (group: string, member: string, takes: ReadonlyArray<Type>): string =>
  `${group}.${member}(${takes.map((type) => exampleOf[type] ?? type).join(", ")})`
