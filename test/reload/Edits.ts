/**
 * Edits of a folder of strategies by chance: other numbers, other names and places, and a third of them broken. Invariant: half of a good
 * text is a good text of another revision, without its limits, so that whoever reads half a file is found out.
 */
import { Effect, Result } from "effect"

import { compileStrategy, revisionOf } from "../../src/rules/Compile.ts"
import type { Dice } from "../simulate/Dice.ts"
import type { Disk } from "./Disk.ts"

const items = ["Glove Case", "Chroma 2 Case", "Harbour Case", "Tundra Weapon Case", "Meridian Case"] as const
const slots = 5

/** What the folder went through, for whoever judges the daemon. */
export interface Edited {
  readonly disk: Disk
  /** Revisions of whole, good texts. */
  readonly whole: Set<string>
  /** Edits of each kind. */
  readonly counts: Record<string, number>
}

const head = (dice: Dice, name: string): string => {
  const own = dice.some(items, dice.between(1, 3))
  const rest = [
    dice.hits(0.2) ? "\n  - { inventory: unclaimed }" : "",
    dice.hits(0.2)
      ? `\n  - { app: 730, search: { query: case, filters: { Type: Container } }, top: ${dice.between(1, 9)}, refresh: 5m }`
      : "",
    dice.hits(0.2) ? `\nwhere: book.ask < money("${dice.between(1, 30)}.00")` : ""
  ].join("")
  return `version: 1
name: ${name}
priority: ${dice.between(-2, 2)}
onRemove: ${dice.hits(0.3) ? "keep" : "cancel"}
mode: ${dice.hits(0.1) ? "off" : "inherit"}
universe:
  - { app: 730, items: [${own.map((item) => JSON.stringify(item)).join(", ")}] }${rest}
params:
  stock: { default: ${dice.between(1, 5)}, min: 1, max: 5 }
  turn: { default: ${dice.between(0, 1_000_000)} }
rules:
  - id: enter
    when: position.units < params.stock
    do: bid
    at: ${dice.pick(["book.bid + tick(1)", "book.mid", "book.ask"])}
    qty: params.stock - position.units
    expire: ${dice.between(5, 60)}m
  - id: exit
    when: position.units > 0
    do: ask
    at: ${dice.pick(["book.ask - tick(1)", "book.bid", "book.mid"])}
    allowLoss: true
`
}

const limits = `limits: { spendPerDay: 500.00, exposure: 60.00, perItemUnits: 6, openOrders: 6, minPrice: 0.05 }
tests:
  - { name: enters, given: { book: { bid: 1.00, ask: 2.00 } }, expect: { rule: enter, do: bid } }
`

/** A good text and its half. */
const good = (dice: Dice, name: string): { readonly whole: string; readonly half: string } => {
  const half = head(dice, name)
  return { half, whole: half + limits }
}

const breakages: readonly [
  (text: string, others: string) => string,
  ...Array<(text: string, others: string) => string>
] = [
  (text) => text.replace("position.units <", "position.unitz <"),
  (text) => text.replace("qty: params.stock", "qty: wallet.balance"),
  (text) => text.replace("rules:", "rules: ["),
  (text) => text.replace("do: bid", "do: bidd"),
  (text) => text.replace("rule: enter", "rule: exit"),
  (text) => text.replace("min: 1, max: 5", "min: 6, max: 9"),
  (text) => text.replace("universe:", "\tuniverse:"),
  (text) => text.slice(0, text.indexOf("at: ")),
  () => "",
  (text, others) => text.replace(/^name: .*$/m, `name: ${others}`)
]

const isGood = (file: string, text: string): boolean =>
  Result.isSuccess(compileStrategy(file, text, { currency: 1 }))

export const firstTexts = (dice: Dice, edited: Pick<Edited, "whole">): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: slots }, (_, index) => {
      const { whole } = good(dice, `s${index}`)
      edited.whole.add(revisionOf(whole))
      return [`s${index}.yaml`, whole]
    })
  )

/** One edit at a random moment; waits until the watcher has told of it. */
export const edit = Effect.fnUntraced(function* (dice: Dice, edited: Edited) {
  const { counts, disk, whole } = edited
  const count = (kind: string): void => {
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  yield* Effect.sleep(dice.between(1, 60_000))
  const slot = dice.between(0, slots - 1)
  const names = [...disk.files.keys()].filter((file) => file.startsWith(`s${slot}`))
  const [file = `s${slot}.yaml`] = names
  const text = good(dice, dice.hits(0.05) ? `s${slot}-renamed` : `s${slot}`)
  if (dice.hits(1 / 3)) {
    const spoilt = dice.pick(breakages)(text.whole, `s${(slot + 1) % slots}`)
    // the name of another is broken only while there is another
    if (isGood(file, spoilt)) whole.add(revisionOf(spoilt))
    count("broken")
    return yield* disk.write(file, [spoilt], 0)
  }
  whole.add(revisionOf(text.whole))
  if (dice.hits(0.08) && names.length > 0) {
    count("removed")
    return yield* disk.remove(file)
  }
  if (dice.hits(0.08) && names.length > 0) {
    count("moved")
    return yield* disk.rename(file, file === `s${slot}.yaml` ? `s${slot}-moved.yaml` : `s${slot}.yaml`)
  }
  if (dice.hits(0.03)) {
    count("away")
    return yield* disk.away(dice.between(100, 20_000))
  }
  if (dice.hits(0.3)) {
    count("torn")
    return yield* disk.write(file, ["", text.half, text.whole], dice.between(1, 90))
  }
  count("good")
  yield* disk.write(file, [text.whole], 0)
})

/** Good texts in every file, so that the end is calm. */
export const mend = Effect.fnUntraced(function* (dice: Dice, { disk, whole }: Edited) {
  for (const file of disk.files.keys()) {
    const text = good(dice, file.replace(".yaml", "-last")).whole
    whole.add(revisionOf(text))
    yield* disk.write(file, [text], 0)
  }
})
