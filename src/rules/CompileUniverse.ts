/**
 * Checks the entries of `universe` and gives their description. Invariant: an entry says in exactly one way which items it means.
 */
import { type AppId, meaningHash } from "../domain/Ids.ts"
import { item } from "../domain/Item.ts"
import { toDecimal } from "../domain/Money.ts"
import type { Decoded, SourceError } from "./Source.ts"
import { showDuration, type StrategyFile } from "./Strategy.ts"
import type { SearchEntry, UniverseEntry } from "./Universe.ts"

type Written = StrategyFile["universe"][number]

const defaultTop = 20
const defaultRefreshMillis = 6 * 3_600_000
/** A search costs one request per ten items, out of a tight budget. */
const shortestRefreshMillis = 300_000

const ways = ["items", "search", "inventory"] as const

/** The entries; complaints about those that are wrong go to `errors`. */
export const describeUniverse = (
  source: Decoded<StrategyFile>,
  errors: Array<SourceError>
): ReadonlyArray<UniverseEntry> =>
  source.value.universe.flatMap((written, index) => {
    const wrong = complaints(source, written, index)
    errors.push(...wrong)
    // items of a wrong entry stay known, so that their overrides are not complained about
    return wrong.length === 0 ? entryOf(written) : namesOf(written.app, written.items)
  })

const complaints = (
  source: Decoded<StrategyFile>,
  written: Written,
  index: number
): ReadonlyArray<SourceError> => {
  const path = ["universe", index]
  const given = ways.filter((way) => written[way] !== undefined)
  const wrong: Array<SourceError> = []
  if (given.length !== 1) {
    const message =
      given.length === 0 ? "`items` is missing" : `\`${given.join("` and `")}\` stand in one entry`
    const remedy =
      given.length === 0
        ? "name `items`, or describe them by `search` or `inventory: true`"
        : "give each an entry of its own: entries are united"
    wrong.push(source.errorAt(path, { code: "missing-key", message, remedy }))
  }
  if (written.app === undefined && given[0] !== "inventory")
    wrong.push(source.errorAt(path, { code: "missing-key", message: "`app` is missing" }))
  if (written.top !== undefined && written.search === undefined)
    wrong.push(
      source.errorAtKey([...path, "top"], {
        code: "unknown-key",
        message: "`top` belongs to a `search`"
      })
    )
  if (written.refresh !== undefined && written.refresh < shortestRefreshMillis)
    wrong.push(
      source.errorAt([...path, "refresh"], {
        code: "value",
        message: `\`refresh\` is at least ${showDuration(shortestRefreshMillis)}`
      })
    )
  const { max, min } = written.search?.price ?? {}
  if (min !== undefined && max !== undefined && min > max)
    wrong.push(
      source.errorAt([...path, "search", "price"], {
        code: "value",
        message: `nothing costs at least ${toDecimal(min)} and at most ${toDecimal(max)}`
      })
    )
  return wrong
}

const entryOf = ({ app, inventory, items, refresh, search, top }: Written): ReadonlyArray<UniverseEntry> => {
  if (inventory !== undefined)
    return [
      {
        _tag: "Inventory",
        app: app as AppId | undefined,
        which: inventory === "unclaimed" ? "unclaimed" : "all"
      }
    ]
  if (app !== undefined && search !== undefined)
    return [searchOf(app as AppId, search, top ?? defaultTop, refresh ?? defaultRefreshMillis)]
  return namesOf(app, items)
}

const namesOf = (app: Written["app"], items: Written["items"]): ReadonlyArray<UniverseEntry> =>
  app === undefined || items === undefined
    ? []
    : [{ _tag: "Names", items: items.map((name) => item(app, name)) }]

const listOf = (written: string | ReadonlyArray<string>): ReadonlyArray<string> =>
  typeof written === "string" ? [written] : written

const searchOf = (
  app: AppId,
  written: NonNullable<Written["search"]>,
  top: number,
  refreshMillis: number
): SearchEntry => {
  const { max, min } = written.price ?? {}
  const sort = written.sort ?? "popularity"
  const filters = Object.fromEntries(
    Object.entries(written.filters ?? {}).map(([category, values]) => [category, listOf(values)])
  )
  const what = {
    app,
    text: written.query ?? "",
    inDescriptions: written.descriptions ?? false,
    filters,
    min,
    max,
    sort,
    direction: written.direction ?? (sort === "price" || sort === "name" ? "ascending" : "descending"),
    top
  } as const
  const about = [
    what.text === "" ? [] : [`“${what.text}”`],
    Object.entries(filters).map(([category, values]) => `${category} ${values.join("|")}`),
    min === undefined ? [] : [`from ${toDecimal(min)}`],
    max === undefined ? [] : [`to ${toDecimal(max)}`],
    [`top ${top} by ${sort}`]
  ].flat()
  return {
    _tag: "Search",
    key: meaningHash(JSON.stringify(what)).slice(0, 16),
    about: `${app}: ${about.join(", ")}`,
    ...what,
    refreshMillis
  }
}
