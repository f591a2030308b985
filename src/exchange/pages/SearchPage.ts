/** The search page: filters as a form of checkboxes and the first rows. */
import { tagFacets } from "../FacetCounts.ts"
import { type Asked } from "../handlers/Request.ts"
import { type SearchQuery, searchWanted } from "../handlers/SearchAnswers.ts"
import { type Offer, type Viewer } from "../Offers.ts"
import { findItems, findOffers, type Found, isOfUnits, matchesItem, sortOf } from "../Search.ts"
import { applications } from "../Vocabulary.ts"
import { escapeHtml, page } from "./Page.ts"
import { searchRowsHtml } from "./SearchRows.ts"

/** A page shows this many; the older search gives the next ones. */
const shownRows = 50

const checked = (is: boolean): string => (is ? " checked" : "")

const filterForm = ({ world }: Asked, query: SearchQuery): string => {
  const chosen = (key: string): ReadonlyArray<string> => {
    const value = query[`category_${key}`]
    return Array.isArray(value) ? value.map(String) : []
  }
  const items = world.items.filter(({ asks }) => asks.length > 0).map(({ of }) => of)
  const facets = query.appid === undefined ? [] : tagFacets(query.appid, items)
  const groups = facets.map(({ localized_name, name, tags }) => {
    const boxes = Object.entries(tags).map(
      ([tag, { localized_name: shown, matches = "" }]) =>
        `<label><input type="checkbox" name="category_${escapeHtml(name)}" value="${escapeHtml(tag)}"${checked(chosen(name).includes(tag))}>${escapeHtml(shown)} (${escapeHtml(String(matches))})</label>`
    )
    return `<fieldset><legend>${escapeHtml(localized_name)}</legend>${boxes.join("\n")}</fieldset>`
  })
  const apps = applications.map(
    ({ app, name }) =>
      `<option value="${app}"${app === query.appid ? " selected" : ""}>${escapeHtml(name)}</option>`
  )
  const sorts = ["Popularity", "Name", "Quantity", "Price"].map(
    (name, sort) => `<option value="${sort}"${sort === query.sort ? " selected" : ""}>${name}</option>`
  )
  return `<form action="/market/search" method="get">
<select name="appid">${apps.join("")}</select> <input name="q" aria-label="Search" value="${escapeHtml(query.q ?? "")}">
<select name="sort" aria-label="Sort by">${sorts.join("")}</select> <label><input type="checkbox" name="dir" value="1"${checked(query.dir === "1")}>ascending</label>
<label><input type="checkbox" name="descriptions" value="1"${checked(query.descriptions === 1)}>descriptions, too</label> <button>Search</button>
<details><summary>Filters</summary>${groups.join("\n")}</details>
</form>`
}

export const searchPage = (request: Asked, viewer: Viewer, query: SearchQuery): string => {
  const { world } = request
  const wanted = searchWanted(viewer, query, {})
  const direction = query.dir === "1" ? "ascending" : "descending"
  if (isOfUnits(wanted)) {
    const indexes = world.items.flatMap(({ of }, index) => (matchesItem(of, wanted) ? [index] : []))
    const offers = findOffers(world, indexes, wanted, viewer)
    const found = cheapestOfEach(offers)
    return framed(request, query, found.length, searchRowsHtml(viewer, found.slice(0, shownRows)))
  }
  const found = findItems(world, wanted, viewer, sortOf(query.sort), direction)
  return framed(request, query, found.length, searchRowsHtml(viewer, found.slice(0, shownRows)))
}

/** Items that have a matching unit, with the cheapest of them and the count of all. */
const cheapestOfEach = (offers: ReadonlyArray<Offer>): ReadonlyArray<Found> => {
  const found = new Map<number, Found>()
  for (const offer of offers) {
    const { ask, index, item } = offer
    const before = found.get(index) ?? { index, name: item.of.name, best: offer, sellOrders: 0, sold: 0 }
    found.set(index, { ...before, sellOrders: before.sellOrders + ask.units })
  }
  return [...found.values()]
}

const framed = (request: Asked, query: SearchQuery, total: number, rows: string): string =>
  page(
    "Search the market",
    `${filterForm(request, query)}
<p><span id="searchResults_total">${total}</span> results${total > shownRows ? `, the first ${shownRows} of them` : ""}</p>
<div id="searchResultsRows">
${rows}
</div>`,
    `var g_bLoggedIn = ${request.session !== undefined};`
  )
