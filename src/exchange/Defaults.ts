/**
 * What clients of this family leave out and real markets fill in: country, language and currency of prices, slashes too many.
 * Invariants: 1. a parameter that is there is left alone, also a wrong one. 2. nothing else is ever filled in.
 */
import { type Operation } from "../domain/Operation.ts"

const prices = { country: "US", currency: "1" }
const texts = { ...prices, language: "english" }

const filled: Partial<Readonly<Record<Operation, Readonly<Record<string, string>>>>> = {
  priceoverview: prices,
  popular: texts,
  recent: texts,
  "listings-render": texts,
  histogram: texts,
  activity: texts
}

/** The address with the parameters that its operation needs and that it lacks. */
export const withDefaults = <Known extends { readonly operation: Operation; readonly url: string }>(
  known: Known
): Known => {
  const wanted = filled[known.operation]
  if (wanted === undefined) return known
  const mark = known.url.indexOf("?")
  const given = new URLSearchParams(mark < 0 ? "" : known.url.slice(mark + 1))
  const missing = Object.entries(wanted).filter(([name]) => !given.has(name))
  if (missing.length === 0) return known
  const rest = new URLSearchParams(missing).toString()
  return { ...known, url: `${known.url}${mark < 0 ? "?" : "&"}${rest}` }
}

/** The address with one slash where some clients write two at its beginning. */
export const withoutDoubleSlash = (url: string): string =>
  url.replace(/^\/{2,}(?=market\/|mobileconf\/)/, "/")
