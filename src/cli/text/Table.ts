/** Aligned columns for a terminal. Invariant: no line ends in blanks, and a cell never breaks the line. */
import { CliOutput } from "effect/cli"

export interface Column<Row> {
  readonly title: string
  /** Numbers and amounts stand on the right. */
  readonly align?: "left" | "right"
  readonly cell: (row: Row) => string
}

const gap = "  "
// a market's text may hold anything; a terminal must not obey it
const tame = (text: string): string => text.replaceAll(/\p{Cc}+/gu, " ")

const pad = (text: string, width: number, align: "left" | "right" | undefined): string => {
  const blanks = " ".repeat(Math.max(0, width - CliOutput.displayWidth(text)))
  return align === "right" ? blanks + text : text + blanks
}

/** The rows below their titles; `empty` when there is none. */
export const table = <Row>(
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
  empty: string
): string => {
  if (rows.length === 0) return empty
  const lines = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => tame(column.cell(row))))
  ]
  const widths = columns.map((_, index) =>
    lines.reduce((width, cells) => Math.max(width, CliOutput.displayWidth(cells[index] ?? "")), 0)
  )
  return lines
    .map((cells) =>
      cells
        .map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align))
        .join(gap)
        .trimEnd()
    )
    .join("\n")
}

/** `name  value` lines of one object. */
export const fields = (pairs: ReadonlyArray<readonly [name: string, value: string]>): string => {
  const width = pairs.reduce((most, [name]) => Math.max(most, name.length), 0)
  return pairs.map(([name, value]) => `${name.padEnd(width)}${gap}${tame(value)}`.trimEnd()).join("\n")
}
