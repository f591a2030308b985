/**
 * Which character of a YAML scalar's text each character of its value came from, so that an error inside an expression can be shown
 * at its place also in quoted and folded scalars. Invariant: offsets ascend and stay within the text.
 */
import type { Scalar } from "yaml"

const escapeLengths: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 }

const isBlank = (character: string | undefined): boolean =>
  character === " " || character === "\t" || character === "\n" || character === "\r"

/** First character of the content: behind the quote, or behind the header line of a block scalar. */
const contentStart = (source: string, type: Scalar.Type | undefined): number => {
  if (type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE") return 1
  return type === "BLOCK_FOLDED" || type === "BLOCK_LITERAL" ? source.indexOf("\n") + 1 : 0
}

/** Offsets into `source` (the scalar as it stands in the file, with quotes) per character of `value`. */
export const offsetsOf = (
  source: string,
  value: string,
  type: Scalar.Type | undefined
): ReadonlyArray<number> => {
  const offsets: Array<number> = []
  const [double, single] = [type === "QUOTE_DOUBLE", type === "QUOTE_SINGLE"]
  const block = type === "BLOCK_FOLDED" || type === "BLOCK_LITERAL"
  const indent = block ? indentation(source, contentStart(source, type)) : Infinity
  let at = contentStart(source, type) + (block ? indent : 0)
  for (const wanted of value.split("")) {
    if (double) at = afterEscapedBreaks(source, at)
    // blanks of a fold or an indentation that are not in the value
    while (at < source.length && source[at] !== wanted && isBlank(source[at]) && !isBlank(wanted)) at += 1
    offsets.push(Math.min(at, Math.max(0, source.length - 1)))
    if (double && source[at] === "\\") at += escapeLengths[source[at + 1] ?? ""] ?? 2
    else if (single && source.startsWith("''", at)) at += 2
    else if (isBlank(wanted) && source[at] === "\n") at = afterBreak(source, at, indent)
    else at += 1
  }
  return offsets
}

const indentation = (source: string, from: number): number => {
  let width = 0
  while (source[from + width] === " ") width += 1
  return width
}

/** Behind a line break: in a block scalar only its indentation stands for nothing, elsewhere (Infinity) all blanks do. */
const afterBreak = (source: string, from: number, indent: number): number => {
  const inBlock = Number.isFinite(indent)
  let at = from + 1
  while (at - from - 1 < indent && (inBlock ? source[at] === " " : isBlank(source[at]))) at += 1
  return at
}

/** In double quotes a backslash before a line break joins the lines: both and the indentation stand for nothing. */
const afterEscapedBreaks = (source: string, from: number): number => {
  let at = from
  while (source[at] === "\\" && isBlank(source[at + 1]) && source[at + 1] !== " ") {
    at += 2
    while (isBlank(source[at])) at += 1
  }
  return at
}
