/**
 * Errors of the configuration file without what may be a credential: whoever asks for help shows them to others.
 * Invariants: 1. a line is shown as it stands only when every value in it is a known setting that is no secret; of any other line the
 * indentation, the first key and the punctuation are left. 2. lengths stay, so that carets do.
 */
import { isAlias, isMap, isPair, isScalar, LineCounter, parseDocument, type Range, visit } from "yaml"

import type { SourceError } from "../../rules/SourceError.ts"

/** Stands for one character. */
const hidden = "•"
/** As in the frames of SourceError: how much of a line is shown, and how much of it behind the error at least. */
const longestLine = 140
const behindError = 20
/** Shorter words of a message are words. */
const shortestWord = 6

const maskText = (text: string): string =>
  text.replaceAll(/[^\s{}[\],:"'#|>]/gu, (one) => hidden.repeat(one.length))

const maskLine = (line: string): string => {
  const head = /^\s*(?:- +)*(?:[\w.-]+:(?=\s|$))?/u.exec(line)?.[0] ?? ""
  return head + maskText(line.slice(head.length))
}

/** Lines from 1 that hold nothing but settings of these paths, comments cut off. */
const plainLines = (text: string, isPlain: (path: string) => boolean): ReadonlySet<number> => {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter })
  if (document.errors.length > 0) return new Set()
  const [plain, other] = [new Set<number>(), new Set<number>()]
  const mark = (lines: Set<number>, [start, end]: Range) => {
    const last = counter.linePos(Math.max(start, end - 1)).line
    for (let line = counter.linePos(start).line; line <= last; line++) lines.add(line)
  }
  visit(document, {
    Node: (key, node, ancestors) => {
      if (key === "key" || !(isScalar(node) || isAlias(node)) || !node.range) return
      const names = ancestors.flatMap((one) =>
        isPair(one) && isScalar(one.key) ? [String(one.key.value)] : []
      )
      mark(ancestors.some(isMap) && isPlain(names.join(".")) ? plain : other, node.range)
    }
  })
  for (const line of other) plain.delete(line)
  return plain
}

/** `isPlain`: the setting of this dotted path, or one that it belongs to, is known and may be shown. */
export const masked = (
  errors: ReadonlyArray<SourceError>,
  text: string,
  isPlain: (path: string) => boolean
): ReadonlyArray<SourceError> => {
  const plain = plainLines(text, isPlain)
  const lines = text.split(/\r?\n/)
  const shown = lines.map((line, index) =>
    plain.has(index + 1) ? line.replace(/(?<=\s)#.*$/u, maskText) : maskLine(line)
  )
  const words = lines.flatMap((line, index) => (plain.has(index + 1) ? [] : wordsOf(line)))
  return errors.map((error) => {
    const cut = Math.max(0, error.column + behindError - longestLine)
    const frame = error.frame
      .split("\n")
      .map((row) =>
        row.replace(/^([> ] *(\d+) \| ?).*$/u, (_, head: string, line: string) =>
          `${head}${(shown[Number(line) - 1] ?? "").slice(cut, cut + longestLine)}`.trimEnd()
        )
      )
      .join("\n")
    return { ...error, frame, message: maskMessage(error, words, isPlain) }
  })
}

const wordsOf = (line: string): ReadonlyArray<string> =>
  line.split(/[\s{}[\],"']+/u).filter((word) => word.length >= shortestWord)

/** What a setting takes, of a message that says so and what it was given; undefined for another message. */
export const withoutValue = (message: string): string | undefined =>
  /^`[^`]+` takes /u.test(message) ? message.replace(/,? not [^]*$/u, "") : undefined

/** A message may repeat the value that it is about. */
const maskMessage = (
  { code, message }: SourceError,
  words: ReadonlyArray<string>,
  isPlain: (path: string) => boolean
): string => {
  if (code === "syntax") return words.reduce((left, word) => left.replaceAll(word, maskText), message)
  const about = /^`([^`]+)` takes /u.exec(message)?.[1]
  return about === undefined || isPlain(about) ? message : (withoutValue(message) ?? message)
}
