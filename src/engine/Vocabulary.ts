/**
 * Filters as a trader wrote them, in the words of the application's own vocabulary: internal names or what people read.
 * Invariants: 1. a value that is not known is left out and told. 2. a category of which nothing is left is none: without it the search
 * would mean something else.
 */
import { Option } from "effect"

import type { Vocabulary } from "../market/Market.ts"
import { didYouMean } from "../rules/SourceError.ts"

type Filters = Readonly<Record<string, ReadonlyArray<string>>>

interface Word {
  readonly name: string
  readonly label: string
}

/** Internal names go before labels: a label of one category may be the name of another. */
const known = <A extends Word>(words: ReadonlyArray<A>, written: string): A | undefined =>
  words.find(({ name }) => name === written) ??
  words.find(({ label }) => label === written) ??
  words.find(({ label, name }) => [name, label].some((one) => one.toLowerCase() === written.toLowerCase()))

const unknown = (what: string, written: string, words: ReadonlyArray<Word>): string => {
  const remedy = didYouMean(
    written,
    [...new Set(words.flatMap(({ label, name }) => [name, label]))],
    "there are"
  )
  return `the market knows no ${what} \`${written}\`${remedy === undefined ? "" : `; ${remedy}`}`
}

/** The filters by internal names, none when one of them has no known value, and what is not known as sentences. */
export const translate = (
  written: Filters,
  vocabulary: ReadonlyArray<Vocabulary>
): { readonly filters: Option.Option<Filters>; readonly problems: ReadonlyArray<string> } => {
  const problems: Array<string> = []
  const filters: Record<string, ReadonlyArray<string>> = {}
  let isWhole = true
  for (const [category, values] of Object.entries(written)) {
    const found = known(vocabulary, category)
    if (found === undefined) {
      problems.push(unknown("category", category, vocabulary))
      isWhole = false
      continue
    }
    const names = values.flatMap((value) => {
      const word = known(found.values, value)
      if (word === undefined) problems.push(unknown(`value of ${found.name}`, value, found.values))
      return word?.name ?? []
    })
    if (names.length === 0) isWhole = isWhole && values.length === 0
    else filters[found.name] = [...new Set(names)]
  }
  return { filters: isWhole ? Option.some(filters) : Option.none(), problems }
}
