/**
 * What is wrong with a file that a person wrote: where, what, and what to write instead.
 * Invariants: 1. every error has a line and a column, both from 1. 2. `frame` never shows more than five lines or a hundred and
 * forty characters of one.
 */
export interface SourceError {
  readonly file: string
  readonly line: number
  readonly column: number
  /** A stable word for machines, e.g. `unknown-key`, `type`, `syntax`. */
  readonly code: string
  readonly message: string
  /** What to write instead, when that is known. */
  readonly remedy: string | undefined
  /** The lines around the error with a caret below it. */
  readonly frame: string
}

/** A piece of the text by offsets, end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

export type Path = ReadonlyArray<PropertyKey>

/** Where things stand in the text that a value came from. */
export interface Positions {
  readonly file: string
  /** Line and column, from 1, of the value at this path; of the nearest one around it when there is none. */
  readonly positionOf: (path: Path) => { readonly line: number; readonly column: number }
  /** An error at the value, or at the characters `within` (offsets into the decoded string) of a scalar. */
  readonly errorAt: (
    path: Path,
    of: { readonly code: string; readonly message: string; readonly remedy?: string | undefined },
    within?: Span
  ) => SourceError
  /** An error at the key that ends this path. */
  readonly errorAtKey: (
    path: Path,
    of: { readonly code: string; readonly message: string; readonly remedy?: string | undefined }
  ) => SourceError
  /** The plain value (before decoding) at this path. */
  readonly plainAt: (path: Path) => unknown
}

const linesAround = 1
const longestLine = 140

/** Line and column of an offset, from 1; columns count UTF-16 units as editors do. */
const lineAndColumn = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf("\n") + 1
  return { line: before.split("\n").length, column: offset - lineStart + 1 }
}

/** The caret stands under the first line of the span; tabs are kept so that it lines up. */
const codeFrame = (text: string, span: Span, line: number, column: number): string => {
  const lines = text.split(/\r?\n/)
  const [first, last] = [Math.max(1, line - linesAround), Math.min(lines.length, line + linesAround)]
  const width = String(last).length
  const own = lines[line - 1] ?? ""
  const cut = Math.max(0, column + 20 - longestLine)
  const shown = (index: number): string => (lines[index - 1] ?? "").slice(cut, cut + longestLine).trimEnd()
  const carets = Math.max(
    1,
    Math.min(span.end - span.start, own.length - column + 1, longestLine - column + cut)
  )
  const rows: Array<string> = []
  for (let index = first; index <= last; index++) {
    rows.push(`${index === line ? ">" : " "} ${String(index).padStart(width)} | ${shown(index)}`.trimEnd())
    if (index !== line) continue
    const indent = own.slice(cut, column - 1).replaceAll(/[^\t]/g, " ")
    rows.push(`  ${" ".repeat(width)} | ${indent}${"^".repeat(carets)}`)
  }
  return rows.join("\n")
}

export const sourceError = (
  at: { readonly file: string; readonly text: string; readonly span: Span },
  of: { readonly code: string; readonly message: string; readonly remedy?: string | undefined }
): SourceError => {
  const { column, line } = lineAndColumn(at.text, at.span.start)
  const frame = codeFrame(at.text, at.span, line, column)
  return { file: at.file, line, column, code: of.code, message: of.message, remedy: of.remedy, frame }
}

/** One error as a person reads it: `file:line:column: message`, the code with a caret, the remedy. */
const renderError = (error: SourceError): string =>
  [
    `${error.file}:${error.line}:${error.column}: ${error.message}`,
    ...error.frame.split("\n").map((row) => `  ${row}`.trimEnd()),
    ...(error.remedy === undefined ? [] : [`  = ${error.remedy}`])
  ].join("\n")

const inOrder = (errors: ReadonlyArray<SourceError>): ReadonlyArray<SourceError> =>
  errors.toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column)

/** All errors in file order, a blank line between them. */
export const renderErrors = (errors: ReadonlyArray<SourceError>): string =>
  inOrder(errors).map(renderError).join("\n\n")

/** The errors for `--json`, in file order and without the frame. */
export const errorsAsData = (errors: ReadonlyArray<SourceError>): ReadonlyArray<Omit<SourceError, "frame">> =>
  inOrder(errors).map(({ code, column, file, line, message, remedy }) => ({
    file,
    line,
    column,
    code,
    message,
    remedy
  }))

/** Edits (insert, delete, replace, swap of neighbours) between two words; short words only, quadratic. */
const distance = (left: string, right: string): number => {
  let beforeLast: Array<number> = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1] ? 0 : 1
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same)
      if (left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1])
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1)
      row.push(best)
    }
    beforeLast = last
    last = row
  }
  return last[right.length] ?? 0
}

/** The known word that was probably meant: at most a third of its letters differ. */
export const nearest = (word: string, known: Iterable<string>): string | undefined => {
  let best: { readonly word: string; readonly edits: number } | undefined
  for (const candidate of known) {
    if (word.length > 64) return undefined
    const edits =
      word.toLowerCase() === candidate.toLowerCase()
        ? 0
        : distance(word.toLowerCase(), candidate.toLowerCase())
    const bound = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3))
    if (edits <= bound && (best === undefined || edits < best.edits)) best = { word: candidate, edits }
  }
  return best?.word
}

/** "did you mean `x`?" or, when nothing is near, the list of what there is. */
export const didYouMean = (
  word: string,
  known: ReadonlyArray<string>,
  what = "known here"
): string | undefined => {
  const near = nearest(word, known)
  if (near !== undefined) return `did you mean \`${near}\`?`
  return known.length === 0 || known.length > 24 ? undefined : `${what}: ${known.join(", ")}`
}
