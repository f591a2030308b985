/**
 * Keeps answers that could not be understood, so that a person can see what changed.
 * Invariants: 1. every text and long number is masked, keys that are ids too: the shape stays, nothing of the account does. 2. answers about
 * billing are never kept. 3. a few files of bounded size per operation, readable by their owner only.
 */
import { Context, Effect, FileSystem, Option, Path } from "effect"

import { type Operation } from "../domain/Operation.ts"
import { type Json, parseJson } from "./contract/Json.ts"

const samplesKept = 3
const longestSample = 65_536
/** Deeper than any body of the interface. */
const deepest = 12
const longestArray = 3
const longestKey = 40
/** Smaller numbers are codes, counts and prices, which say what the shape is about. */
const largestNumber = 1_000_000

const never: ReadonlySet<Operation> = new Set(["billing"])

/** Where samples go; nowhere unless somebody says so. */
export const DriftSamples = Context.Reference<(operation: Operation, text: string) => Effect.Effect<void>>(
  "haggle/market/DriftSamples",
  { defaultValue: () => () => Effect.void }
)

/** Keeps the last few samples of each operation in the folder. */
export const samplesIn = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const counts = new Map<Operation, number>()
  return (operation: Operation, text: string): Effect.Effect<void> =>
    Effect.gen(function* () {
      const body = parseJson(text.slice(0, longestSample))
      if (never.has(operation) || Option.isNone(body)) return
      const count = counts.get(operation) ?? 0
      counts.set(operation, count + 1)
      if (count >= samplesKept) return
      yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
      const file = path.join(folder, `${operation}-${count + 1}.json`)
      yield* fs.writeFileString(file, `${JSON.stringify(masked(body.value), undefined, 2)}\n`, {
        mode: 0o600
      })
    }).pipe(Effect.ignore)
})

/** The shape of a body without what it says. */
export const masked = (value: Json, depth = 0): Json => {
  if (typeof value === "string") return maskedText(value)
  if (typeof value === "number") return Math.abs(value) < largestNumber ? value : 999_999
  if (typeof value !== "object" || value === null) return value
  if (depth >= deepest) return "…"
  if (Array.isArray(value)) return value.slice(0, longestArray).map((one) => masked(one, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      /\d{5}/.test(key) || key.length > longestKey ? maskedText(key) : key,
      masked(inner, depth + 1)
    ])
  )
}

const maskedText = (text: string): string =>
  text.slice(0, longestKey).replaceAll(/\p{L}/gu, "x").replaceAll(/\d/g, "9")
