/**
 * Reads values out of inline scripts: `var name = …;` whose value is JSON, and calls whose arguments are literals.
 * Invariants: 1. a value is cut where its own JSON ends, never at a semicolon or another character. 2. every reader takes a time in
 * proportion to the text: a search never starts again inside what was read. 3. nothing of a script is ever run.
 */
import { Option } from "effect"

import { endOfString, type Json, parseJson } from "../contract/Json.ts"

/** A value and the index behind it. */
interface ValueAt {
  readonly value: Json
  readonly end: number
}

/** An argument that is no literal, such as a variable. */
interface Name {
  readonly name: string
}
export type Argument = Json | Name

/** Deeper than any inline state is nested. */
const deepest = 200
/** Longer than any inline state. */
const longestValue = 4_000_000

/** The JSON value that begins at the index or after white space there. */
export const jsonAt = (text: string, index: number, longest = longestValue): Option.Option<ValueAt> => {
  const start = skipBlanks(text, index)
  const here = text.slice(start, start + longest)
  const end = endOfValue(here)
  return end === undefined
    ? Option.none()
    : Option.map(parseJson(here.slice(0, end)), (value) => ({ value, end: start + end }))
}

const skipBlanks = (text: string, index: number): number => {
  let at = index
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1
  return at
}

/** Undefined when the text begins with no value or the value does not end. */
const endOfValue = (text: string): number | undefined => {
  const first = text.charAt(0)
  if (first === '"') {
    const end = endOfString(text, 0)
    return end < text.length ? end + 1 : undefined
  }
  if (first !== "{" && first !== "[") return /^[-\w.+]{1,40}/.exec(text)?.[0].length
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (character === '"') index = endOfString(text, index)
    else if (character === "{" || character === "[") {
      depth += 1
      if (depth > deepest) return undefined
    } else if (character === "}" || character === "]") {
      depth -= 1
      if (depth === 0) return index + 1
    }
  }
  return undefined
}

/** The value that is assigned to a variable first, `name = …`; None when there is none or it is no JSON. */
export const assigned = (script: string, name: string): Option.Option<Json> => {
  const pattern = new RegExp(`(?:^|[^\\w.$])${escaped(name)}\\s{0,20}=(?!=)`, "g")
  const match = pattern.exec(script)
  return match === null
    ? Option.none()
    : Option.map(jsonAt(script, match.index + match[0].length), ({ value }) => value)
}

/** Whether a variable is assigned anything. */
export const isAssigned = (script: string, name: string): boolean =>
  new RegExp(`(?:^|[^\\w.$])${escaped(name)}\\s{0,20}=(?!=)`).test(script)

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** No call on a page takes more. */
const mostArguments = 16
/** An item's description in a call has some kilobytes. */
const longestArgument = 200_000
/** Calls that cannot be read before the rest is given up: a page has none or few. */
const mostFailures = 100

/** Arguments of every call of a function, in the order of the script; calls with other than literals and names are left out. */
export const callsOf = (script: string, name: string): ReadonlyArray<ReadonlyArray<Argument>> => {
  const pattern = new RegExp(`(?:^|[^\\w$])${escaped(name)}\\s{0,20}\\(`, "g")
  const found: Array<ReadonlyArray<Argument>> = []
  let failures = 0
  for (let match = pattern.exec(script); match !== null; match = pattern.exec(script)) {
    const read = argumentsAt(script, match.index + match[0].length)
    if (read === undefined) {
      failures += 1
      if (failures > mostFailures) break
      continue
    }
    found.push(read.values)
    pattern.lastIndex = read.end
  }
  return found
}

const argumentsAt = (
  script: string,
  start: number
): { readonly values: ReadonlyArray<Argument>; readonly end: number } | undefined => {
  const values: Array<Argument> = []
  let at = skipBlanks(script, start)
  if (script.charAt(at) === ")") return { values, end: at + 1 }
  while (values.length < mostArguments) {
    const argument = argumentAt(script, at)
    if (argument === undefined) return undefined
    values.push(argument.value)
    at = skipBlanks(script, argument.end)
    const next = script.charAt(at)
    if (next === ")") return { values, end: at + 1 }
    if (next !== ",") return undefined
    at = skipBlanks(script, at + 1)
  }
  return undefined
}

const argumentAt = (
  script: string,
  at: number
): { readonly value: Argument; readonly end: number } | undefined => {
  if (script.charAt(at) === "'") return quotedAt(script, at)
  const json = jsonAt(script, at, longestArgument)
  if (Option.isSome(json)) return json.value
  const name = /[$A-Za-z_][\w$.]{0,80}/y
  name.lastIndex = at
  const match = name.exec(script)
  return match === null ? undefined : { value: { name: match[0] }, end: name.lastIndex }
}

/** Longer than any id or name in a call. */
const longestQuoted = 2000

const quotedAt = (
  script: string,
  start: number
): { readonly value: string; readonly end: number } | undefined => {
  let value = ""
  for (let index = start + 1; index < script.length && value.length < longestQuoted; index += 1) {
    const character = script.charAt(index)
    if (character === "'") return { value, end: index + 1 }
    if (character === "\\") index += 1
    value += character === "\\" ? script.charAt(index) : character
  }
  return undefined
}
