import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

import { Heap } from "../../src/engine/Heap.ts"

interface Member {
  place: number
  order: number
  readonly name: number
}

const small = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))

describe("The heap", () => {
  it.prop(
    "gives its members in order, whatever was added, moved and taken out before",
    { steps: Schema.Array(Schema.Struct({ who: small, what: small, order: small })) },
    ({ steps }) => {
      const heap = new Heap<Member>(
        ({ order }) => order,
        (one, other) => one.name < other.name
      )
      const members = Array.from({ length: 10 }, (_, name): Member => ({ place: -1, order: 0, name }))
      for (const { order, what, who } of steps) {
        const member = members[who]
        if (member === undefined) continue
        if (!heap.has(member)) {
          member.order = order
          heap.add(member)
        } else if (what < 6) {
          member.order = order
          heap.moved(member)
        } else heap.remove(member)
      }
      const expected = members
        .filter((member) => heap.has(member))
        .toSorted((a, b) => a.order - b.order || a.name - b.name)
      const given: Array<Member> = []
      for (let first = heap.first(); first !== undefined; first = heap.first()) {
        given.push(first)
        heap.remove(first)
      }
      assert.deepStrictEqual(
        given.map(({ name }) => name),
        expected.map(({ name }) => name)
      )
      assert.strictEqual(heap.size, 0)
    },
    { arbitrary: { runs: 500 } }
  )
})
