/**
 * Confirmations as HTML: what a details fragment is about, and the list of markets that still serve it as a page
 * (interface, Confirmations: the fragment is parsed to tie the confirmation to its listing or trade).
 */
import { Result } from "effect"

import { type Element, elementsOf, findAll, idOf, parsePage, scriptOf, textOf } from "./Page.ts"
import { pageError, type Read } from "./PageError.ts"
import { type Argument, callsOf } from "./Script.ts"

/** Ids in the order in which the fragment names them, each once: assets first, then listings. */
export const readSubjects = (html: string): Read<ReadonlyArray<string>> =>
  Result.map(parsePage(html), (page) => {
    const scripts = [scriptOf(page), ...attributeScripts(page)].join("\n;\n")
    const assets = callsOf(scripts, "BuildHover").flatMap((values) => values.flatMap(assetIds))
    return [...new Set([...assets, ...listingIds(page, scripts)])]
  })

/** Every attribute that may run a script or carry an object. */
const attributeScripts = (page: Element): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const { attributes } of elementsOf(page))
    for (const value of attributes.values()) if (value.includes("BuildHover")) found.push(value)
  return found
}

const assetIds = (value: Argument): ReadonlyArray<string> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, id]) =>
        (name === "id" || name === "assetid") && (typeof id === "string" || typeof id === "number")
          ? [String(id)]
          : []
      )
    : []

const listingPattern = /(?:mylisting_|market_listing_|data-listingid="|listingid["':=\s]{1,20})(\d{6,20})/g

const listingIds = (page: Element, scripts: string): ReadonlyArray<string> => {
  const ids: Array<string> = []
  for (const element of elementsOf(page)) {
    const named = [idOf(element), element.attributes.get("class") ?? ""].join(" ")
    for (const [, id] of named.matchAll(/(?:mylisting_|market_listing_|listing_)(\d{6,20})/g))
      if (id !== undefined) ids.push(id)
    const data = element.attributes.get("data-listingid")
    if (data !== undefined && /^\d{6,20}$/.test(data)) ids.push(data)
  }
  for (const [, id] of scripts.matchAll(listingPattern)) if (id !== undefined) ids.push(id)
  return ids
}

/** An entry of the list as a page: what a signed decision needs. */
export interface ConfirmationEntry {
  readonly id: string
  readonly nonce: string
  readonly type: number
  readonly creator: string
  readonly headline: string
}

/** The list as a page; one that has neither entries nor the element for none of them is an error. */
export const readConfirmationList = (html: string): Read<ReadonlyArray<ConfirmationEntry>> =>
  Result.flatMap(parsePage(html), (page) => {
    const entries = findAll(page, isEntry).flatMap((element) => entryOf(element) ?? [])
    const isEmpty = findAll(page, (element) =>
      /mobileconf_(?:empty|done|list)/.test(`${idOf(element)} ${element.attributes.get("class") ?? ""}`)
    )
    return entries.length === 0 && isEmpty.length === 0
      ? pageError("confirmation list", "Missing")
      : Result.succeed(entries)
  })

const isEntry = ({ attributes }: Element): boolean =>
  attributes.has("data-confid") && attributes.has("data-creator")

const entryOf = (element: Element): ConfirmationEntry | undefined => {
  const { attributes } = element
  const type = attributes.get("data-type") ?? ""
  const [id, nonce, creator] = ["data-confid", "data-key", "data-creator"].map(
    (name) => attributes.get(name) ?? ""
  )
  if (id === undefined || nonce === undefined || creator === undefined) return undefined
  if (id === "" || nonce === "" || !/^\d{1,4}$/.test(type)) return undefined
  return { id, nonce, type: Number(type), creator, headline: textOf(element) }
}
