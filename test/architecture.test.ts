import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"

import { assert, describe, it } from "@effect/vitest"

/** Who may enter which room; `market` stands for its own files without the contract. */
const mayImport: Readonly<Record<string, ReadonlyArray<string>>> = {
  domain: ["domain"],
  clock: ["clock"],
  rules: ["rules", "domain"],
  "market/contract": ["market/contract", "domain"],
  market: ["market", "market/contract", "domain"],
  store: ["store", "domain"],
  exchange: ["exchange", "market/contract", "domain"],
  tape: ["tape", "domain"],
  paper: ["paper", "engine", "domain", "rules", "market/Market.ts"],
  backtest: ["backtest", "tape", "paper", "engine", "domain", "rules", "market/Market.ts", "store/Store.ts"],
  shadow: ["shadow", "backtest", "paper", "engine", "domain", "rules"],
  control: ["control", "domain", "engine", "market/Market.ts", "market/RateLimiter.ts", "store/Store.ts"],
  notify: ["notify", "domain"],
  engine: ["engine", "domain", "rules", "market/Market.ts", "market/RateLimiter.ts", "store/Store.ts"]
}
/** Packages that only adapters may know. */
const platform = /^(?:node:|@effect\/|better-sqlite3|chokidar|effect\/(?:http|http-api|sql|cli)$)/
const withoutPlatform: ReadonlySet<string> = new Set([
  "domain",
  "clock",
  "engine",
  "tape",
  "backtest",
  "paper",
  "shadow"
])

const root = resolve("src")
const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesIn(path) : path.endsWith(".ts") ? [path] : []
  })
const roomOf = (path: string): string => {
  const [room = "", inner] = path.split("/")
  return room === "market" && inner === "contract" ? "market/contract" : path.includes("/") ? room : "top"
}
const files = filesIn(root).map((path) => ({ path: relative(root, path), text: readFileSync(path, "utf8") }))
const importsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].flatMap(([, name]) =>
    name === undefined ? [] : [name]
  )

describe("The house", () => {
  it("lets a room import only what its table says", () => {
    const wrong = files.flatMap(({ path, text }) => {
      const allowed = mayImport[roomOf(path)]
      if (allowed === undefined) return []
      return importsOf(text).flatMap((name) => {
        if (!name.startsWith(".")) return []
        const target = relative(root, resolve(root, dirname(path), name))
        return allowed.includes(roomOf(target)) || allowed.includes(target)
          ? []
          : [`${path} imports ${target}`]
      })
    })
    assert.deepStrictEqual(wrong, [])
  })

  it("lets a room of the command line import only those that it stands on", () => {
    const floors = ["config", "text", "run", "commands", "grammar"]
    const floorOf = (path: string) => floors.indexOf(path.split("/")[1] ?? "")
    const wrong = files
      .filter(({ path }) => path.startsWith("cli/"))
      .flatMap(({ path, text }) =>
        importsOf(text).flatMap((name) => {
          const target = relative(root, resolve(root, dirname(path), name))
          const isHigher = target.startsWith("cli/") && floorOf(target) > floorOf(path)
          return name.startsWith(".") && isHigher ? [`${path} imports ${target}`] : []
        })
      )
    assert.deepStrictEqual(wrong, [])
  })

  it("keeps the platform out of what decides", () => {
    const wrong = files.flatMap(({ path, text }) =>
      withoutPlatform.has(roomOf(path))
        ? importsOf(text).flatMap((name) => (platform.test(name) ? [`${path} imports ${name}`] : []))
        : []
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("sends what changes the market from three places: an approved intent, its confirmation, and a confirmation that a person named", () => {
    const mutation =
      /\.(?:placeBuyOrder|cancelBuyOrder|listAsset|removeListing|purchase|allowConfirmation|cancelConfirmation)\(/
    const senders = files
      .filter(({ path, text }) => !path.startsWith("market/") && mutation.test(text))
      .map(({ path }) => path)
    assert.deepStrictEqual(senders, ["engine/ByHand.ts", "engine/Confirm.ts", "engine/Execute.ts"])
  })

  it("says at the head of every file what it is for", () => {
    const silent = files
      .filter(({ text }) => !text.startsWith("/**") && !text.startsWith("#!"))
      .map(({ path }) => path)
    assert.deepStrictEqual(silent, [])
  })

  it("keeps every file at a length that can be read", () => {
    const long = files
      .map(({ path, text }) => ({ path, lines: text.split("\n").length }))
      .filter(({ lines }) => lines > 300)
    assert.deepStrictEqual(long, [])
  })

  it("names no machine and no registry", () => {
    const places = files.filter(({ text }) =>
      /\/(?:work|farm|root)\/[a-z]|registry\.(?:npmjs|yarnpkg)/.test(text)
    )
    assert.deepStrictEqual(
      places.map(({ path }) => path),
      []
    )
  })
})
