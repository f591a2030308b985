import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"

import { seen, unseen } from "../../src/domain/Facts.ts"
import type { Item } from "../../src/domain/Item.ts"
import { item, itemKey } from "../../src/domain/Item.ts"
import { emptyState, type State } from "../../src/domain/State.ts"
import {
  align,
  hasLeft,
  inForce,
  judge,
  noUniverses,
  relist,
  universeNotes,
  wanted
} from "../../src/engine/Universe.ts"
import { translate } from "../../src/engine/Vocabulary.ts"
import type { CompiledStrategy } from "../../src/rules/Strategies.ts"
import { searchesOf } from "../../src/rules/Universe.ts"
import { compiled, facts, hour, now, steadyHistory } from "../rules/support.ts"
import { buyFill, openBid, placeBid, stateAfter } from "./Given.ts"

const glove = item(730, "Glove Case")
const [key, chroma, harbour] = ["Glove Case", "Chroma 2 Case", "Harbour Case"].map((name) =>
  itemKey(item(730, name))
) as [ReturnType<typeof itemKey>, ReturnType<typeof itemKey>, ReturnType<typeof itemKey>]

const rules = `rules:
  - { id: enter, when: true, do: bid, at: 10.00, qty: 1 }
  - { id: exit, when: position.units > 0, do: ask, at: 13.00 }
`
const strategy = (name: string, universe: string, rest = ""): CompiledStrategy =>
  compiled(`version: 1\nname: ${name}\nuniverse:\n${universe}${rest}${rules}`, `${name}.yaml`)
const searching = strategy(
  "maker",
  "  - { app: 730, search: { query: case }, top: 3 }\n  - { app: 730, items: [Harbour Case] }\n"
)
const [search] = searchesOf(searching.universe)

const finding = (state: State, ...items: ReadonlyArray<Item>): State => ({
  ...state,
  strategies: {
    ...state.strategies,
    found: {
      [search?.key ?? ""]: { at: now, about: "", items, problems: [] }
    }
  }
})

/** A unit of Glove Case that the strategy `maker` bought. */
const holding = stateAfter(...openBid(placeBid(842, 1)), {
  _tag: "Filled",
  at: now,
  fill: buyFill("f1", 840, "a1"),
  intent: placeBid(842, 1).id,
  strategy: "maker"
})
const bidding = stateAfter(...openBid(placeBid(842, 1)))

const made = (state: State, ...strategies: ReadonlyArray<CompiledStrategy>) => {
  const universes = noUniverses()
  inForce(universes, strategies, state)
  return universes
}
const namesAt = (universes: ReturnType<typeof made>, at: typeof key) =>
  (universes.byItem.get(at) ?? []).map(({ name }) => name)

describe("The universe of a strategy", () => {
  it("unites what its file names and what its searches found, each item once", () => {
    const universes = made(finding(emptyState, glove, item(730, "Harbour Case")), searching)
    assert.deepStrictEqual([...(universes.rolls.get("maker")?.trading ?? [])], [harbour, key])
    assert.deepStrictEqual([...wanted(universes, "book").keys()], [harbour, key])
    assert.strictEqual(universeNotes(universes)["universe maker"], "2 items")
  })

  it("goes on with what was found before until a search is answered, and gives up nothing before the first answer", () => {
    const universes = made(bidding, searching)
    assert.isFalse(hasLeft(universes, searching, key, bidding))
    const found = finding(bidding, item(730, "Chroma 2 Case"))
    relist(universes, found)
    assert.isTrue(hasLeft(universes, searching, key, found))
    assert.isFalse(hasLeft(universes, searching, chroma, found))
  })

  it("is left by an item that the search finds no more, which is still sold and only sold", () => {
    const state = finding(holding, item(730, "Chroma 2 Case"))
    const universes = made(state, searching)
    assert.deepStrictEqual(namesAt(universes, key), ["maker"])
    const [selling] = universes.byItem.get(key) ?? []
    const decision = selling?.evaluate(
      facts({ position: { ...facts().position, units: 1, sellable: 1 } }),
      new Map()
    ).decision
    assert.deepStrictEqual([decision?.bid, decision?.ask?._tag], [undefined, "Ask"])
    const sold = { ...state, positions: {}, bids: {} }
    align(universes, sold)
    assert.deepStrictEqual(namesAt(universes, key), [])
    assert.isFalse(wanted(universes, "book").has(key))
  })

  it("follows what we hold: all of it, or what no other strategy looks after", () => {
    const all = strategy("all", "  - { inventory: true }\n")
    const rest = strategy("rest", "  - { app: 730, inventory: unclaimed }\n")
    const maker = strategy("maker", "  - { app: 730, items: [Harbour Case] }\n")
    const universes = made(emptyState, all, rest, maker)
    assert.deepStrictEqual(namesAt(universes, key), [])
    align(universes, holding)
    assert.deepStrictEqual(namesAt(universes, key), ["all", "maker"])
    inForce(universes, [all, rest], holding)
    assert.deepStrictEqual(namesAt(universes, key), ["all", "rest"])
  })

  it("keeps the items for which `where` holds; an unknown one waits, and only its slow facts are asked for", () => {
    const picky = strategy(
      "maker",
      "  - { app: 730, items: [Glove Case] }\n",
      'where: history.volume(duration("24h")) >= 50\nfreshness: { history: 1h }\n'
    )
    const universes = made(emptyState, picky)
    assert.deepStrictEqual(namesAt(universes, key), [])
    assert.strictEqual(wanted(universes, "book").size, 0)
    assert.strictEqual(wanted(universes, "history").get(key), 2 * hour)

    assert.isFalse(judge(universes, key, facts({ history: unseen })))
    assert.isFalse(hasLeft(universes, picky, key, emptyState))

    assert.isTrue(judge(universes, key, facts()))
    assert.deepStrictEqual(namesAt(universes, key), ["maker"])

    const quiet = facts({ history: seen(steadyHistory(1190, 2), now) })
    assert.isFalse(judge(universes, key, quiet), "it was asked a moment ago")
    const later = { ...quiet, now: (now + hour) as typeof now }
    assert.isTrue(judge(universes, key, later))
    assert.deepStrictEqual(namesAt(universes, key), [])
    assert.isTrue(hasLeft(universes, picky, key, emptyState))
  })

  it("says by its revision when anything changed, and only then", () => {
    const universes = made(emptyState, searching)
    const before = universes.revision
    align(universes, { ...emptyState, bids: {} })
    assert.strictEqual(universes.revision, before)
    align(universes, holding)
    assert.isAbove(universes.revision, before)
  })
})

describe("Filters in the words of the market", () => {
  const vocabulary = [
    {
      name: "Type",
      label: "Type",
      values: [
        { name: "GAME_Type_Case", label: "Container", matches: 3 },
        { name: "GAME_Type_SMG", label: "SMG", matches: 2 }
      ]
    },
    { name: "Quality", label: "Category", values: [{ name: "normal", label: "Normal", matches: 9 }] }
  ]

  it("may be internal names or labels", () => {
    const { filters, problems } = translate(
      { Type: ["Container", "GAME_Type_SMG"], Category: ["normal"] },
      vocabulary
    )
    assert.deepStrictEqual(Option.getOrUndefined(filters), {
      Type: ["GAME_Type_Case", "GAME_Type_SMG"],
      Quality: ["normal"]
    })
    assert.deepStrictEqual(problems, [])
  })

  it("go on without a value that nobody knows, with the one that was probably meant", () => {
    const { filters, problems } = translate({ Type: ["Contaner", "SMG"] }, vocabulary)
    assert.deepStrictEqual(Option.getOrUndefined(filters), { Type: ["GAME_Type_SMG"] })
    assert.deepStrictEqual(problems, [
      "the market knows no value of Type `Contaner`; did you mean `Container`?"
    ])
  })

  it("are none when a category or all of its values are unknown: the search would mean something else", () => {
    assert.isTrue(Option.isNone(translate({ Typ: ["SMG"] }, vocabulary).filters))
    assert.isTrue(Option.isNone(translate({ Type: ["Rifles"] }, vocabulary).filters))
  })
})
