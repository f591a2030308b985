/**
 * Reads what a market answered into one of the operation's shapes, or says what it was instead.
 * Invariants: 1. no answer throws. 2. a shape matches only with its own status, so an empty array of HTTP 400 is no success.
 * 3. field names are ours (Platform) before a schema sees them. 4. decoders are built once per set of shapes.
 */
import { Option, Result, type SchemaAST, type SchemaIssue, SchemaParser } from "effect"

import { type Difference, differencesOf, nearest } from "./Difference.ts"
import { type Recognise, recogniser } from "./Exact.ts"
import { type Json, parseJson } from "./Json.ts"
import { type Names } from "./Platform.ts"
import { type Due, type Meaning, type Shapes } from "./Shape.ts"

/** An answer before it is understood. */
export interface RawAnswer {
  readonly status: number
  /** Header Location of a redirect. */
  readonly location: string | undefined
  /** A header said that the caller is not logged in. */
  readonly notLoggedIn: boolean
  readonly text: string
}

/** A body of one of the operation's shapes. */
export type Shaped<S extends Shapes> = {
  readonly [K in keyof S & string]: {
    readonly _tag: "Shaped"
    readonly shape: K
    readonly meaning: S[K]["meaning"]
    readonly status: number
    readonly value: S[K]["schema"]["Type"]
    /** The whole body with our field names, also those that no schema names; for Drift. */
    readonly body: Json
    /** The body is exactly what the schema names, so nothing departs from it. */
    readonly exact: boolean
  }
}[keyof S & string]

/** A body that says yes. */
export type Succeeded<S extends Shapes> = Extract<Shaped<S>, { readonly meaning: "success" }>

/** What any operation may answer instead. */
type Other =
  /** HTTP 429, whatever the body. */
  | { readonly _tag: "TooFast"; readonly status: number }
  | { readonly _tag: "Redirect"; readonly status: number; readonly location: string }
  /** HTTP 304: what the caller has is still true. */
  | { readonly _tag: "NotModified"; readonly status: number }
  | { readonly _tag: "Null"; readonly status: number }
  | { readonly _tag: "EmptyArray"; readonly status: number }
  | { readonly _tag: "Empty"; readonly status: number }
  /** A page; `signIn` when it is the login page. */
  | { readonly _tag: "Html"; readonly status: number; readonly signIn: boolean; readonly text: string }
  /** A page's data in the loader's own form; only of operations where that is due. */
  | { readonly _tag: "Payload"; readonly status: number; readonly text: string }
  | { readonly _tag: "NotJson"; readonly status: number }
  | { readonly _tag: "Differs"; readonly status: number; readonly differences: ReadonlyArray<Difference> }

export type Answer<S extends Shapes> = Shaped<S> | Other

/** A reader of answers for one operation's shapes, and what else is due of it. */
export const reader = <S extends Shapes>(
  shapes: S,
  due: ReadonlyArray<Due> = []
): ((raw: RawAnswer, names: Names) => Answer<S>) => {
  const candidates = candidatesOf(shapes)
  const isLoaded = due.includes("payload")
  return (raw, names) => {
    const other = beforeParsing(raw)
    if (other !== undefined) return other
    const { status, text } = raw
    const payload = isLoaded && status === 200 ? ({ _tag: "Payload", status, text } as const) : undefined
    const parsed = parseJson(text)
    if (Option.isNone(parsed)) return payload ?? { _tag: "NotJson", status }
    const answer = read(candidates, status, names.ours(parsed.value))
    return (
      answer._tag === "Differs" || answer._tag === "EmptyArray" ? (payload ?? answer) : answer
    ) as Answer<S>
  }
}

/** By the entry: pages share their shapes, but not what else is due of them. */
const readers = new Map<object, (raw: RawAnswer, names: Names) => Answer<Shapes>>()

/** The reader of an operation by its registry entry, built once. */
export const readerOf = (of: {
  readonly shapes: Shapes
  readonly due: ReadonlyArray<Due>
}): ((raw: RawAnswer, names: Names) => Answer<Shapes>) => {
  const known = readers.get(of)
  if (known !== undefined) return known
  const made = reader(of.shapes, of.due)
  readers.set(of, made)
  return made
}

interface Candidate {
  readonly shape: string
  readonly meaning: Meaning
  readonly status: number | undefined
  readonly recognise: Recognise | undefined
  readonly decode: (body: Json, options?: SchemaAST.ParseOptions) => Result.Result<unknown, SchemaIssue.Issue>
}

const candidatesOf = (shapes: Shapes): ReadonlyArray<Candidate> =>
  Object.entries(shapes).map(([shape, { meaning, schema, status }]) => {
    const decode = SchemaParser.decodeUnknownResult(schema)
    return { shape, meaning, status, decode, recognise: recogniser(schema.ast) }
  })

const signInPage = /g_accountID\s*=\s*false|<title>[^<]*Sign In[^<]*<\/title>/i

const beforeParsing = ({ location, status, text }: RawAnswer): Other | undefined => {
  if (status === 429) return { _tag: "TooFast", status }
  if (status === 304) return { _tag: "NotModified", status }
  if (status >= 300 && status < 400 && location !== undefined) return { _tag: "Redirect", status, location }
  const first = firstCharacter(text)
  if (first === "") return { _tag: "Empty", status }
  if (first === "<") return { _tag: "Html", status, signIn: signInPage.test(text), text }
  return undefined
}

/** The first character that is neither blank nor a byte order mark. */
const firstCharacter = (text: string): string => {
  const index = text.search(/[^\s\ufeff]/)
  return index < 0 ? "" : text.charAt(index)
}

const read = (candidates: ReadonlyArray<Candidate>, status: number, body: Json): Answer<Shapes> => {
  if (body === null) return { _tag: "Null", status }
  for (const { decode, meaning, recognise, shape, status: due } of candidates) {
    if (due !== undefined && due !== status) continue
    if (recognise?.(body) === true)
      return { _tag: "Shaped", shape, meaning, status, value: body, body, exact: true }
    const decoded = decode(body)
    if (Result.isSuccess(decoded))
      return { _tag: "Shaped", shape, meaning, status, value: decoded.success, body, exact: false }
  }
  if (Array.isArray(body) && body.length === 0) return { _tag: "EmptyArray", status }
  return { _tag: "Differs", status, differences: differences(candidates, status, body) }
}

/** What keeps the body from the shape that it resembles most. */
const differences = (
  candidates: ReadonlyArray<Candidate>,
  status: number,
  body: Json
): ReadonlyArray<Difference> => {
  const due = candidates.filter((candidate) => candidate.status === undefined || candidate.status === status)
  const found = due.flatMap(({ decode }) => {
    const decoded = decode(body, { errors: "all" })
    return Result.isFailure(decoded) ? [differencesOf(decoded.failure)] : []
  })
  return nearest(found)
}
