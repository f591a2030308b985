/**
 * A YAML file that a person wrote, read strictly: decoded by a schema, every error at once and at its place.
 * Invariants: 1. an unknown or doubled key is an error, never ignored. 2. a number has at most fifteen significant digits, so that
 * its shortest decimal is exactly what the file says and an amount never goes through binary rounding. 3. size, depth and
 * the nodes that aliases unfold to are bounded before anything is decoded.
 */
import { Result, Schema } from "effect"
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type Scalar
} from "yaml"

import { type Path, type Positions, type SourceError, sourceError, type Span } from "./SourceError.ts"
import { issueErrors } from "./SourceIssues.ts"
import { offsetsOf } from "./SourceScalar.ts"

export { errorsAsData, type Path, type Positions, renderErrors, type SourceError } from "./SourceError.ts"

export interface Decoded<A> extends Positions {
  readonly value: A
}

/** Files beyond this are not configuration. */
export const largestFileBytes = 256 * 1024
const deepest = 24
const mostNodes = 20_000
const mostDigits = 15
const mostErrors = 50

interface Place {
  readonly node: Node | undefined
  readonly key: Node | undefined
  readonly children: Map<PropertyKey, Place>
}

interface Reading {
  readonly file: string
  readonly text: string
  readonly document: Document
  readonly errors: Array<SourceError>
  nodes: number
}

const spanOf = (node: Node | undefined): Span | undefined => {
  const range = node?.range
  return range === undefined || range === null ? undefined : { start: range[0], end: range[1] }
}

const complain = (
  reading: Reading,
  span: Span | undefined,
  code: string,
  message: string,
  remedy?: string
): void => {
  const at = { file: reading.file, text: reading.text, span: span ?? { start: 0, end: 0 } }
  reading.errors.push(sourceError(at, { code, message, remedy }))
}

const scalarValue = (reading: Reading, node: Scalar): unknown => {
  const { value } = node
  if (typeof value !== "number") return value
  const digits = (node.source ?? String(value))
    .replace(/[eE].*$/, "")
    .replaceAll(/[^0-9]/g, "")
    .replace(/^0+/, "")
  if (digits.length > mostDigits || !Number.isFinite(value))
    complain(
      reading,
      spanOf(node),
      "number",
      `${node.source ?? value} has more than ${mostDigits} digits or is no finite number`
    )
  return value
}

/** The plain value of a node and, beside it, the tree of places. */
const plain = (
  reading: Reading,
  node: Node | null,
  key: Node | undefined,
  depth: number
): readonly [unknown, Place] => {
  const place: Place = { node: node ?? undefined, key, children: new Map() }
  reading.nodes += 1
  if (depth > deepest || reading.nodes > mostNodes) {
    if (reading.errors.length === 0)
      complain(
        reading,
        spanOf(node ?? key),
        "limit",
        `nested deeper than ${deepest} or larger than ${mostNodes} values (aliases count)`
      )
    return [null, place]
  }
  if (isAlias(node)) {
    const [value, target] = plain(reading, node.resolve(reading.document) ?? null, key, depth + 1)
    return [value, { ...target, node, key }]
  }
  if (isSeq<Node>(node)) {
    const list = node.items.map((child, index) => {
      const [value, at] = plain(reading, child, undefined, depth + 1)
      place.children.set(index, at)
      return value
    })
    return [list, place]
  }
  if (isMap<Node, Node | null>(node)) {
    const entries = node.items.map((pair) => entry(reading, pair, place, depth))
    return [Object.fromEntries(entries), place]
  }
  return [isScalar(node) ? scalarValue(reading, node) : null, place]
}

const entry = (
  reading: Reading,
  pair: Pair<Node, Node | null>,
  place: Place,
  depth: number
): readonly [string, unknown] => {
  const name = isScalar(pair.key) ? String(pair.key.value) : ""
  if (!isScalar(pair.key) || name === "__proto__")
    complain(reading, spanOf(pair.key), "key", "a key is a plain word or a quoted text")
  const [value, at] = plain(reading, pair.value, pair.key, depth + 1)
  place.children.set(name, at)
  return [name, value]
}

const placeOf = (root: Place, path: Path): Place => {
  let place = root
  for (const step of path) {
    const next = place.children.get(step)
    if (next === undefined) return place
    place = next
  }
  return place
}

const plainOf = (root: unknown, path: Path): unknown => {
  let value = root
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined
    value = Object.entries(value).find(([key]) => key === String(step))?.[1]
  }
  return value
}

const positions = (file: string, text: string, root: Place, value: unknown): Positions => {
  const spanAt = (path: Path): Span => {
    const place = placeOf(root, path)
    return spanOf(place.node) ?? spanOf(place.key) ?? { start: 0, end: 0 }
  }
  const errorAt: Positions["errorAt"] = (path, of, within) => {
    const place = placeOf(root, path)
    const whole = spanAt(path)
    if (within === undefined || !isScalar(place.node) || typeof place.node.value !== "string")
      return sourceError({ file, text, span: whole }, of)
    const offsets = offsetsOf(text.slice(whole.start, whole.end), place.node.value, place.node.type)
    const start = whole.start + (offsets[Math.min(within.start, offsets.length - 1)] ?? 0)
    const end =
      whole.start + (offsets[Math.max(within.start, within.end - 1)] ?? whole.end - whole.start - 1) + 1
    return sourceError({ file, text, span: { start, end: Math.max(start + 1, end) } }, of)
  }
  return {
    file,
    errorAt,
    errorAtKey: (path, of) =>
      sourceError({ file, text, span: spanOf(placeOf(root, path).key) ?? spanAt(path) }, of),
    positionOf: (path) => {
      const { column, line } = sourceError({ file, text, span: spanAt(path) }, { code: "", message: "" })
      return { line, column }
    },
    plainAt: (path) => plainOf(value, path)
  }
}

const syntaxWords = (
  code: string,
  message: string,
  at: string
): readonly [message: string, remedy: string | undefined] => {
  if (code === "DUPLICATE_KEY") return [`the key \`${at}\` is there twice`, "write it once"]
  if (code === "TAB_AS_INDENT")
    return ["a tab as indentation", "indent with blanks: YAML does not allow tabs"]
  if (/nested mappings/i.test(message))
    return [
      "`: ` begins a mapping here",
      "put the whole text in quotes, or write the expression over several lines behind `>-`"
    ]
  if (at.startsWith("<<<<<<<"))
    return ["a merge conflict stands here", "keep one of the two versions and remove the lines of signs"]
  if (code === "MULTIPLE_DOCS")
    return ["a second document begins here", "one file is one strategy: put the other into a file of its own"]
  if (/flow-seq-start at node end/.test(message))
    return ["text follows the list that `[` began", "put the whole text in quotes"]
  const bracket = /end with a ([\]}])/.exec(message)?.[1]
  if (bracket !== undefined)
    return [
      `a ${bracket === "]" ? "list opened with `[`" : "mapping opened with `{`"} is not closed before here`,
      `add the missing \`${bracket}\``
    ]
  return [message, code === "BAD_INDENT" ? "check the indentation" : undefined]
}

/** One syntax error makes others that mean nothing: only the first is told, and every doubled key. */
const syntaxErrors = (file: string, text: string, document: Document): ReadonlyArray<SourceError> => {
  const found = [...document.errors, ...document.warnings]
  const first = found.find(({ code }) => code !== "DUPLICATE_KEY")
  return found
    .filter((error) => error.code === "DUPLICATE_KEY" || error === first)
    .map(({ code, message, pos }) => {
      const at = /^[^:\s]+/.exec(text.slice(pos[0]))?.[0] ?? ""
      const start = Math.min(pos[0], Math.max(0, text.trimEnd().length - 1))
      const doubled = code === "DUPLICATE_KEY"
      const [words, remedy] = syntaxWords(code, message, at)
      const span = { start, end: doubled ? start + at.length : pos[1] }
      return sourceError(
        { file, text, span },
        { code: doubled ? "doubled-key" : "syntax", message: words, remedy }
      )
    })
}

/**
 * Reads the text of a YAML file by a schema. Fails with every error of the first stage that has one: syntax, limits, schema.
 * The schema sees plain values; a Money slot may take the number as it is (invariant 2).
 */
export const decodeYaml = <S extends Schema.ConstraintDecoder<unknown>>(
  file: string,
  text: string,
  schema: S
): Result.Result<Decoded<S["Type"]>, ReadonlyArray<SourceError>> => {
  const start = { file, text: text.slice(0, 4096), span: { start: 0, end: 0 } }
  if (text.length > largestFileBytes)
    return Result.fail([
      sourceError(start, { code: "limit", message: `larger than ${largestFileBytes} bytes` })
    ])
  const document = parseDocument<Node>(text, { prettyErrors: false, version: "1.2", merge: false })
  const broken = syntaxErrors(file, text, document)
  if (broken.length > 0) return Result.fail(broken.slice(0, mostErrors))
  const reading: Reading = { file, text, document, errors: [], nodes: 0 }
  const [value, root] = plain(reading, document.contents, undefined, 0)
  if (reading.errors.length > 0) return Result.fail(reading.errors.slice(0, mostErrors))
  if (value === null)
    return Result.fail([sourceError(start, { code: "empty", message: "the file is empty" })])
  const at = positions(file, text, root, value)
  const decoded = Schema.decodeResult(schema, { errors: "all", onExcessProperty: "error" })(value)
  return Result.isSuccess(decoded)
    ? Result.succeed({ ...at, value: decoded.success })
    : Result.fail(issueErrors(decoded.failure.issue, at).slice(0, mostErrors))
}
