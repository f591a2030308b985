/** How a body departs from a shape: where, and what was expected there. Values are not repeated, they may be private. */
import { SchemaIssue } from "effect"

export interface Difference {
  /** Path inside the body: `data.rgCompactBuyOrders[3]`; empty for the body itself. */
  readonly path: string
  readonly message: string
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

export const differencesOf = (issue: SchemaIssue.Issue): ReadonlyArray<Difference> =>
  format(issue).issues.map(({ message, path }) => ({ path: pathText(path ?? []), message }))

const pathText = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>): string => {
  let text = ""
  for (const part of path) {
    const key = typeof part === "object" ? part.key : part
    if (typeof key === "number") text += `[${key}]`
    else text += text === "" ? String(key) : `.${String(key)}`
  }
  return text
}

/** `success` and the like tell bodies apart: a shape that fails there is not the one that was meant. */
const telling = /(?:^|\.)(?:success|need_confirmation)$/
const weight = (differences: ReadonlyArray<Difference>): number =>
  differences.reduce((sum, { path }) => sum + (telling.test(path) ? 1000 : 1), 0)

/** The lightest set of differences; the earlier one of equals. */
export const nearest = (found: ReadonlyArray<ReadonlyArray<Difference>>): ReadonlyArray<Difference> =>
  found.reduce<ReadonlyArray<Difference> | undefined>(
    (best, one) => (best === undefined || weight(one) < weight(best) ? one : best),
    undefined
  ) ?? [{ path: "", message: "no body of this operation comes with this status" }]
