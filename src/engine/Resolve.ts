/**
 * Searches of universes, asked again at their refresh; what is found goes to the deciding fiber.
 * Invariants: 1. one request at a time, through the market adapter's budget. 2. a search that failed, broke off or found nothing changes
 * no universe: an empty answer may be a transient one, and what was found last goes on until the search is answered again.
 */
import { Duration, Effect, Option, Queue } from "effect"

import type { Item } from "../domain/Item.ts"
import { itemKey } from "../domain/Item.ts"
import {
  emptyFilter,
  Market,
  type MarketError,
  type SearchFilter,
  type Vocabulary
} from "../market/Market.ts"
import { type SearchEntry, searchesOf } from "../rules/Universe.ts"
import { Activity } from "./Activity.ts"
import type { Desk } from "./Desk.ts"
import { marketNow } from "./Journal.ts"
import { progressed, searching } from "./Progress.ts"
import { translate } from "./Vocabulary.ts"

export interface Searched {
  readonly _tag: "Searched"
  readonly search: SearchEntry
  /** In the market's order; undefined when what was found before goes on. */
  readonly items: ReadonlyArray<Item> | undefined
  /** What a person should know, as sentences. */
  readonly problems: ReadonlyArray<string>
}

/** First and longest rest of a search that failed. */
const firstRestMillis = 30_000
const longestRestMillis = 1_800_000
/** Vocabularies change with updates of the application, which are rare. */
const vocabularyMillis = 24 * 3_600_000
/** An answer that pages for longer than this gives rows that it gave before. */
const morePagesThanNeeded = 5
const pageRows = 10

interface Next {
  readonly at: number
  readonly failures: number
}

interface Kept {
  readonly next: Map<string, Next>
  readonly vocabularies: Map<number, { readonly at: number; readonly words: ReadonlyArray<Vocabulary> }>
}

/** What the strategies in force search for, each search once with its shortest refresh. */
export const searchesIn = ({ universes }: Pick<Desk, "universes">): ReadonlyMap<string, SearchEntry> => {
  const searches = new Map<string, SearchEntry>()
  for (const search of universes.strategies.flatMap(({ universe }) => searchesOf(universe))) {
    const before = searches.get(search.key)
    if (before === undefined || search.refreshMillis < before.refreshMillis) searches.set(search.key, search)
  }
  return searches
}

/** Searches for ever. */
export const resolve = Effect.fn("Resolve.resolve")(function* (desk: Desk, inbox: Queue.Enqueue<Searched>) {
  const kept: Kept = { next: new Map(), vocabularies: new Map() }
  for (;;) {
    const due = firstDue(desk, kept)
    const waitMillis = due === undefined ? undefined : due.at - (yield* marketNow)
    const isDue = waitMillis !== undefined && waitMillis <= 0
    yield* progressed(desk.progress, searching, isDue ? 0 : (waitMillis ?? Number.POSITIVE_INFINITY))
    if (due === undefined || !isDue) {
      const changed = desk.searches.await
      yield* waitMillis === undefined
        ? changed
        : Effect.raceFirst(changed, Effect.sleep(Duration.millis(waitMillis)))
      yield* desk.searches.close
      continue
    }
    yield* searchOnce(desk, kept, due.search, inbox)
  }
})

const firstDue = (
  desk: Desk,
  { next }: Kept
): { readonly search: SearchEntry; readonly at: number } | undefined => {
  const searches = searchesIn(desk)
  for (const key of next.keys()) if (!searches.has(key)) next.delete(key)
  let first: { readonly search: SearchEntry; readonly at: number } | undefined
  for (const search of searches.values()) {
    const at = next.get(search.key)?.at ?? Number.NEGATIVE_INFINITY
    if (first === undefined || at < first.at) first = { search, at }
  }
  return first
}

const searchOnce = Effect.fnUntraced(function* (
  desk: Desk,
  kept: Kept,
  search: SearchEntry,
  inbox: Queue.Enqueue<Searched>
) {
  const activity = yield* Activity
  const answer = yield* Effect.result(found(desk, kept, search))
  const at = yield* marketNow
  const isAnswered = answer._tag === "Success" && answer.success.items !== undefined
  const failures = isAnswered ? 0 : (kept.next.get(search.key)?.failures ?? 0) + 1
  const restMillis = Math.min(longestRestMillis, firstRestMillis * 2 ** (failures - 1))
  kept.next.set(search.key, {
    at: at + (isAnswered ? search.refreshMillis : Math.min(restMillis, search.refreshMillis)),
    failures
  })
  if (answer._tag === "Success") yield* Queue.offer(inbox, { _tag: "Searched", search, ...answer.success })
  else
    yield* activity.tell({
      _tag: "PollFailed",
      at,
      operation: answer.failure.operation,
      about: search.about,
      why: answer.failure.reason._tag
    })
})

type Answer = Pick<Searched, "items" | "problems">

const found = Effect.fnUntraced(function* (desk: Desk, kept: Kept, search: SearchEntry) {
  const asked = Object.keys(search.filters).length > 0
  const words = asked ? yield* vocabulary(kept, search) : []
  const { filters, problems } = translate(search.filters, words)
  // without the filter the search would mean something else
  if (Option.isNone(filters)) return { items: undefined, problems } satisfies Answer
  const items = yield* pages(desk, search, filters.value)
  const nothing = items.length === 0 ? [`nothing is found: ${search.about}`] : []
  return {
    items: items.length === 0 ? undefined : items,
    problems: [...problems, ...nothing]
  } satisfies Answer
})

const vocabulary = Effect.fnUntraced(function* ({ vocabularies }: Kept, { app }: SearchEntry) {
  const market = yield* Market
  const now = yield* marketNow
  const before = vocabularies.get(app)
  if (before !== undefined && now - before.at < vocabularyMillis) return before.words
  const words = yield* market.offers.tags(app)
  vocabularies.set(app, { at: now, words })
  return words
})

const sorts: Readonly<Record<SearchEntry["sort"], SearchFilter["sort"]>> = {
  popularity: "Popularity",
  name: "Name",
  quantity: "Quantity",
  price: "Price"
}

const filterOf = (desk: Desk, search: SearchEntry, tags: SearchFilter["tags"]): SearchFilter => {
  const { max, min } = search
  const { wallet } = desk.view
  return {
    ...emptyFilter,
    app: search.app,
    text: search.text,
    inDescriptions: search.inDescriptions,
    tags,
    sort: sorts[search.sort],
    direction: search.direction === "ascending" ? "Ascending" : "Descending",
    ...((min === undefined && max === undefined) || wallet._tag === "Unseen"
      ? {}
      : {
          price: {
            currency: wallet.value.currency,
            ...(min === undefined ? {} : { min }),
            ...(max === undefined ? {} : { max })
          }
        })
  }
}

/** Requests that a search takes. */
export const pagesOf = ({ top }: SearchEntry): number => Math.ceil(top / pageRows)

/** The first `top` items. Rows move between two pages, so one may come twice. */
const pages = Effect.fnUntraced(function* (
  desk: Desk,
  search: SearchEntry,
  tags: SearchFilter["tags"]
): Effect.fn.Return<ReadonlyArray<Item>, MarketError, Market> {
  const market = yield* Market
  const filter = filterOf(desk, search, tags)
  const items = new Map<string, Item>()
  const mostPages = pagesOf(search) + morePagesThanNeeded
  let start: number | undefined = 0
  for (let page = 0; page < mostPages && start !== undefined && items.size < search.top; page++) {
    const { next, rows, total }: Page = yield* market.offers.search({ ...filter, start })
    yield* progressed(desk.progress, searching)
    // a page that breaks off in the middle is not the end of the search
    if (rows.length === 0 && total === 0 && page > 0) return []
    for (const { item } of rows)
      if (item.app === search.app && items.size < search.top) items.set(itemKey(item), item)
    start = next
  }
  return [...items.values()]
})

type Page = Effect.Success<ReturnType<Market["Service"]["offers"]["search"]>>
