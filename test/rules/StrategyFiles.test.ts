import { assert, describe, it } from "@effect/vitest"

import type { StrategyChange } from "../../src/rules/Strategies.ts"
import { setOf, type StrategyFiles, withText, without } from "../../src/rules/StrategyFiles.ts"
import { headOf } from "./support.ts"

const target = { currency: 1 } as const
const text = (name: string, price = "1.00", rest = ""): string =>
  `${headOf()}name: ${name}\n${rest}rules:\n  - { id: enter, when: true, do: bid, at: ${price}, qty: 1 }\n`
const broken = text("one", "book.bidd")

const filesOf = (texts: Readonly<Record<string, string>>): StrategyFiles =>
  Object.entries(texts).reduce<StrategyFiles>(
    (files, [file, written]) => withText(files, file, written, target).files,
    new Map()
  )
const told = (changes: ReadonlyArray<StrategyChange>): ReadonlyArray<string> =>
  changes.map((change) => {
    if (change._tag === "Loaded") return `Loaded ${change.strategy.name} from ${change.strategy.file}`
    return change._tag === "Removed" ? `Removed ${change.name}` : `${change._tag} ${change.file}`
  })
const namesIn = (files: StrategyFiles): ReadonlyArray<string> =>
  setOf(files).strategies.map(({ file, name }) => `${name} in ${file}`)

describe("the files of a folder", () => {
  it("are taken in order of priority, then of their file names", () => {
    const files = filesOf({
      "b.yaml": text("first"),
      "a.yaml": text("second"),
      "c.yaml": text("third", "1.00", "priority: 5\n")
    })
    assert.deepStrictEqual(namesIn(files), ["third in c.yaml", "second in a.yaml", "first in b.yaml"])
  })

  it("that want one name: the second is refused and is taken once the name is free", () => {
    const first = filesOf({ "a.yaml": text("one") })
    const second = withText(first, "b.yaml", text("one", "2.00"), target)
    assert.deepStrictEqual(told(second.changes), ["Rejected b.yaml"])
    const gone = without(second.files, "a.yaml", target)
    assert.deepStrictEqual(told(gone.changes), ["Removed one", "Loaded one from b.yaml"])
    const renamed = withText(second.files, "a.yaml", text("two"), target)
    assert.deepStrictEqual(told(renamed.changes), [
      "Removed one",
      "Loaded two from a.yaml",
      "Loaded one from b.yaml"
    ])
    assert.deepStrictEqual(namesIn(renamed.files), ["two in a.yaml", "one in b.yaml"])
  })

  it("go on under another file name without a moment in which the strategy is gone", () => {
    const files = filesOf({ "a.yaml": text("one") })
    const moved = withText(files, "b.yaml", text("one"), target, new Set(["a.yaml"]))
    assert.deepStrictEqual(told(moved.changes), ["Loaded one from b.yaml"])
    assert.deepStrictEqual(namesIn(moved.files), ["one in b.yaml"])
    assert.deepStrictEqual(without(moved.files, "a.yaml", target).changes, [])
  })

  it("tell that a refused file is gone, also when nothing of it was ever in force", () => {
    const files = withText(new Map(), "a.yaml", broken, target).files
    assert.deepStrictEqual(told(without(files, "a.yaml", target).changes), ["Mended a.yaml"])
    const kept = withText(filesOf({ "a.yaml": text("one") }), "a.yaml", broken, target)
    assert.deepStrictEqual(told(kept.changes), ["Rejected a.yaml"])
    assert.deepStrictEqual(namesIn(kept.files), ["one in a.yaml"])
    assert.deepStrictEqual(told(without(kept.files, "a.yaml", target).changes), ["Removed one"])
  })
})
