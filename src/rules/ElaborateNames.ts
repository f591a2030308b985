/**
 * Names and facts of an expression: what each stands for, and what was probably meant when it stands for nothing.
 */
import type { ASTNode } from "@marcbachmann/cel-js"

import { complain, failed, nodeOf, own, type Walk } from "./ElaborateWalk.ts"
import type { Expr, Place } from "./Expr.ts"
import { functions } from "./Functions.ts"
import type { Namespace } from "./Member.ts"
import { didYouMean, nearest } from "./SourceError.ts"
import { type Type, typeName } from "./Value.ts"
import { elsewhere, factIndex, factAt, vocabulary } from "./Vocabulary.ts"

const onlyBuying = "only a rule with `do: buy` looks at single listings; `book.ask` is the lowest price"

export const name = (node: ASTNode, id: string, walk: Walk): Expr => {
  const known = walk.names.lets.get(id)
  if (known !== undefined) {
    if (known.perListing && !walk.names.listings)
      return complain(walk, node, `\`${id}\` reads the listing that is looked at`, onlyBuying)
    return { op: "Let", ...nodeOf(node, known.type, walk), index: known.index }
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
  const near = [...walk.names.lets.keys(), ...Object.keys(vocabulary), "params", ...Object.keys(functions)]
  const hint = walk.names.params.has(id) ? `did you mean \`params.${id}\`?` : didYouMean(id, near)
  return complain(walk, node, `unknown name \`${id}\``, hint, "unknown-name")
}

const membersOf = (group: Namespace | undefined): ReadonlyArray<string> =>
  group === undefined
    ? []
    : Object.entries(group.members).map(([name, { takes }]) => (takes === undefined ? name : `${name}(…)`))

const namesRemedy = (names: ReadonlyArray<string>, prefix: string): string | undefined =>
  names.length === 0 ? undefined : `there is ${names.map((one) => prefix + one).join(", ")}`

/** A chain of fields as its names: `book.bid` is book, bid; undefined when it starts with something else. */
const pathOf = (node: ASTNode): ReadonlyArray<string> | undefined => {
  if (node.op === "id") return [node.args]
  if (node.op !== ".") return undefined
  const before = pathOf(node.args[0])
  return before === undefined ? undefined : [...before, node.args[1]]
}

export const field = (node: Extract<ASTNode, { readonly op: "." }>, walk: Walk): Expr => {
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
    if (param !== undefined) return { op: "Param", ...nodeOf(node, param.type, walk), index: param.index }
    const known = [...walk.names.params.keys()].map((one) => `params.${one}`)
    const hint = didYouMean(`params.${member}`, known, "params of this file") ?? "define it under `params`"
    return complain(walk, memberSpan, `unknown param \`${member}\``, hint, "unknown-name")
  }
  const space = own(vocabulary, group)
  if (space === undefined) {
    walk.typed(node.args[0])
    return failed
  }
  const found = own(space.members, member)
  return found === undefined || found.takes !== undefined
    ? unknownMember(memberSpan, group, member, space, walk)
    : factNode(node, group, member, [], node, walk)
}

/** The fact with these arguments; `at` is what a complaint points at. */
export const factNode = (
  node: ASTNode,
  group: string,
  member: string,
  args: ReadonlyArray<Expr>,
  at: Place,
  walk: Walk
): Expr => {
  const fact = factIndex(group, member)
  if (fact === undefined) return failed
  return group === "listing" && !walk.names.listings
    ? complain(walk, at, `\`${group}.${member}\` is read for each listing`, onlyBuying)
    : { op: "Fact", ...nodeOf(node, factAt(fact).member.type, walk), fact, args }
}

export const unknownMember = (
  at: Place,
  group: string,
  member: string,
  space: Namespace,
  walk: Walk
): Expr => {
  const takes = own(space.members, member)?.takes
  if (takes !== undefined)
    return complain(
      walk,
      at,
      `\`${group}.${member}\` is a function`,
      `write ${usageOf(group, member, takes)}`
    )
  const known = Object.keys(space.members)
  const said = own(elsewhere, `${group}.${member}`)
  if (said !== undefined)
    return complain(walk, at, `unknown fact \`${group}.${member}\``, said, "unknown-name")
  const near = nearest(member, known)
  const remedy =
    near === undefined ? didYouMean(member, known, `${group} has`) : `did you mean \`${group}.${near}\`?`
  return complain(walk, at, `unknown fact \`${group}.${member}\``, remedy, "unknown-name")
}

const exampleOf: Readonly<Record<string, string>> = {
  Money: "price",
  duration: 'duration("7d")',
  int: "24",
  double: "0.9",
  string: '"…"'
}
export const usageOf = (group: string, member: string, takes: ReadonlyArray<Type>): string =>
  `${group}.${member}(${takes.map((type) => exampleOf[type] ?? type).join(", ")})`
