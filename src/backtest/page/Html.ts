/**
 * The frame of a page that stands for itself, and its tables.
 * Invariants: 1. every text from outside is escaped. 2. nothing is fetched: style, scripts and data stand in the page, and its policy forbids
 * the rest. 3. tables are there without scripts; scripts only sort them and draw.
 */

import type { Finding } from "../Finding.ts"

/** What is written into the page as it is. */
export interface PageAssets {
  /** The charts' library and its style. */
  readonly chartsScript: string
  readonly chartsStyle: string
  /** Our own. */
  readonly script: string
  readonly style: string
}

export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")

export interface HtmlColumn<Row> {
  readonly title: string
  readonly text: (row: Row) => string
  /** Numbers stand on the right and are sorted as such; undefined sorts last. */
  readonly value?: (row: Row) => number | undefined
  /** Gains and losses have colours. */
  readonly signed?: boolean
  /** Moments are sorted as numbers and stand on the left. */
  readonly moment?: boolean
}

const toneOf = (value: number | undefined): string =>
  value === undefined || value === 0 ? "" : value > 0 ? " gain" : " loss"

const classOf = <Row>({ moment }: HtmlColumn<Row>): string => (moment === true ? "number moment" : "number")

const cell = <Row>(column: HtmlColumn<Row>, row: Row): string => {
  const { signed, text, value } = column
  if (value === undefined) return `<td>${escapeHtml(text(row))}</td>`
  const number = value(row)
  const tone = signed === true ? toneOf(number) : ""
  return `<td class="${classOf(column)}${tone}" data-value="${number ?? ""}">${escapeHtml(text(row))}</td>`
}

const heading = <Row>(column: HtmlColumn<Row>): string =>
  `<th scope="col"${column.value === undefined ? "" : ` class="${classOf(column)}"`}>${escapeHtml(column.title)}</th>`

interface TableOptions<Row> {
  readonly empty: string
  /** Rows that are shown; more are counted only. */
  readonly most?: number
  /** Which of them (default: the first). */
  readonly keep?: "first" | "last"
  readonly attributes?: (row: Row) => string
}

export const htmlTable = <Row>(
  columns: ReadonlyArray<HtmlColumn<Row>>,
  rows: ReadonlyArray<Row>,
  { attributes = () => "", empty, keep = "first", most = 1000 }: TableOptions<Row>
): string => {
  if (rows.length === 0) return `<p class="quiet">${escapeHtml(empty)}</p>`
  const shown = keep === "first" ? rows.slice(0, most) : rows.slice(-most)
  const body = shown
    .map((row) => `<tr${attributes(row)}>${columns.map((column) => cell(column, row)).join("")}</tr>`)
    .join("\n")
  const left = rows.length - shown.length
  const note = left === 0 ? "" : `<p class="quiet">${left} more are not shown; the CSV has them all.</p>`
  return `<div class="scroll"><table class="sortable"><thead><tr>${columns
    .map(heading)
    .join("")}</tr></thead>\n<tbody>${body}</tbody></table></div>${note}`
}

export const section = (id: string, title: string, body: string): string =>
  `<section id="${id}"><h2>${escapeHtml(title)}</h2>\n${body}\n</section>`

/** Escaped; what stands between backticks is a command or a setting. */
const withCode = (text: string): string => escapeHtml(text).replaceAll(/`([^`]*)`/g, "<code>$1</code>")

/** What makes the figures hard to believe; nothing without findings. */
export const doubts = (findings: ReadonlyArray<Finding>): string =>
  findings.length === 0
    ? ""
    : section(
        "findings",
        "Before you believe it",
        `<ul class="findings">${findings
          .map(({ remedy, says }) => `<li>${withCode(says)}<em>${withCode(remedy)}</em></li>`)
          .join("")}</ul>`
      )

/** JSON inside a script element: nothing in it can end the element. */
const inlined = (data: unknown): string => JSON.stringify(data).replaceAll("<", "\\u003c")

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'"

/** `data` is what the page's script draws. */
export const htmlPage = (title: string, body: string, data: unknown, assets: PageAssets): string =>
  `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title>
<style>${assets.chartsStyle}</style>
<style>${assets.style}</style></head>
<body>
${body}
<script type="application/json" id="data">${inlined(data)}</script>
<script>${assets.chartsScript}</script>
<script>${assets.script}</script>
</body>
</html>
`
