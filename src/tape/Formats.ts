/** The formats and parts in which a tape can be exported, apart from the code that does it. */

export const formats = ["csv", "ndjson", "parquet"] as const
export type Format = (typeof formats)[number]
export const parts = ["books", "levels", "history", "overview", "activity", "histogram"] as const
/** `books` are best prices and totals, `levels` every level of every book, `histogram` every level of every histogram. */
export type Part = (typeof parts)[number]
