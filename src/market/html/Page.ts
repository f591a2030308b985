/**
 * A page or fragment as a small tree of elements, and the ways through it that readers need.
 * Invariants: 1. hostile input ends: length and depth are bounded, and no walk calls itself. 2. a cut-off page is read as far as it goes.
 */
import { Result } from "effect"
import { Parser } from "htmlparser2"

import { pageError, type Read } from "./PageError.ts"

export interface Element {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: ReadonlyArray<Element | string>
}

/** The longest page that was seen has half a megabyte. */
const longestPage = 8_000_000
const deepestElement = 256
/** Input is handed over in pieces, so that a page that is too deep is given up early. */
const piece = 16_384

interface Growing extends Element {
  readonly children: Array<Element | string>
}

/** The page's root; its children are the top-level elements. */
export const parsePage = (text: string): Read<Element> => {
  if (text.length > longestPage) return pageError("page", "TooLong", `${text.length} characters`)
  const root: Growing = { name: "", attributes: new Map(), children: [] }
  const open: Array<Growing> = [root]
  const seen = { depth: 0 }
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const element: Growing = { name, attributes: new Map(Object.entries(attributes)), children: [] }
      open.at(-1)?.children.push(element)
      open.push(element)
      seen.depth = Math.max(seen.depth, open.length - 1)
    },
    ontext: (data) => {
      open.at(-1)?.children.push(data)
    },
    onclosetag: () => {
      if (open.length > 1) open.pop()
    }
  })
  for (let start = 0; start < text.length && seen.depth <= deepestElement; start += piece)
    parser.write(text.slice(start, start + piece))
  if (seen.depth > deepestElement) return pageError("page", "TooDeep")
  parser.end()
  return Result.succeed(root)
}

/** Every element below (and with) the given one, in the order of the page. */
export function* elementsOf(root: Element): Generator<Element> {
  const waiting: Array<Element> = [root]
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    yield element
    for (let index = element.children.length - 1; index >= 0; index -= 1) {
      const child = element.children[index]
      if (typeof child === "object") waiting.push(child)
    }
  }
}

export type Test = (element: Element) => boolean

export const findAll = (root: Element, test: Test): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  for (const element of elementsOf(root)) if (test(element)) found.push(element)
  return found
}

export const find = (root: Element, test: Test): Element | undefined => {
  for (const element of elementsOf(root)) if (test(element)) return element
  return undefined
}

export const idOf = ({ attributes }: Element): string => attributes.get("id") ?? ""

export const withId =
  (id: string): Test =>
  (element) =>
    idOf(element) === id

export const withClass =
  (name: string): Test =>
  ({ attributes }) =>
    (attributes.get("class") ?? "").split(/\s+/).includes(name)

export const named =
  (name: string): Test =>
  (element) =>
    element.name === name

/** All text below an element without scripts and styles; white space of any kind becomes one blank. */
export const textOf = (root: Element | undefined): string => {
  if (root === undefined) return ""
  const texts: Array<string> = []
  const waiting: Array<Element | string> = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node === "string") texts.push(node)
    else if (node.name === "br") texts.push(" ")
    else if (node.name !== "script" && node.name !== "style")
      for (let index = node.children.length - 1; index >= 0; index -= 1)
        waiting.push(node.children[index] ?? "")
  }
  return texts.join("").replaceAll(/\s+/g, " ").trim()
}

/** The text of every script of the page, one after the other. */
export const scriptOf = (root: Element): string =>
  findAll(root, named("script"))
    .map(({ children }) => children.filter((child) => typeof child === "string").join(""))
    .join("\n;\n")

/** Values of attributes that run a script: `href="javascript:…"` and `onclick`. */
export const scriptsOfAttributes = (root: Element): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const { attributes } of elementsOf(root)) {
    const href = attributes.get("href")
    if (href !== undefined && /^\s*javascript:/i.test(href)) found.push(href)
    const click = attributes.get("onclick")
    if (click !== undefined) found.push(click)
  }
  return found
}
