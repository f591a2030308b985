import { assert, describe, it } from "@effect/vitest"

import { accountNames, trialBalance } from "../../src/domain/Books.ts"
import type { Event, EventOf } from "../../src/domain/Event.ts"
import type { Fill } from "../../src/domain/Fill.ts"
import { apply, applyAll } from "../../src/domain/Fold.ts"
import type { AssetId, FillId, IntentId, Millis } from "../../src/domain/Ids.ts"
import { item } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import { lotsCost } from "../../src/domain/Position.ts"
import { emptyState, type State } from "../../src/domain/State.ts"
import { postingsOf } from "../../src/domain/StateBooks.ts"
import { itemBehind } from "../../src/domain/StateLedger.ts"
import { historyEvents } from "../../src/engine/TrackHistory.ts"
import {
  at,
  buyFill,
  glove,
  listAsset,
  openBid,
  opened,
  placeBid,
  sellFill,
  stateAfter
} from "../engine/Given.ts"

/** A small generator of its own, so that a failing seed can be named. */
const dice = (seed: number) => {
  let state = seed * 2_654_435_761 + 1
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const items = [glove, item(730, "Other Case"), item(440, "Key")]

/** Trades as they come: ours and by hand, several units, more sold than was known, funds on hold, released and taken back, corrections. */
const eventsOf = (seed: number): ReadonlyArray<Event> => {
  const roll = dice(seed)
  const held: Array<readonly [FillId, number]> = []
  const sales: Array<EventOf<"Filled">["fill"]> = []
  const events: Array<Event> = [opened]
  for (let index = 0; index < 60; index++) {
    const kind = roll(10)
    const [due] = held
    if (kind === 0) {
      const difference = money(roll(2_000) - 1_000)
      events.push({ _tag: "LedgerAdjusted", at: at(index), difference, who: "me", why: "" })
      continue
    }
    if (kind === 1 && due !== undefined) {
      held.shift()
      events.push({ _tag: "FundsReleased", at: at(index), fill: due[0], amount: money(due[1]) })
      continue
    }
    const lost = kind === 2 ? sales.splice(roll(sales.length), 1)[0] : undefined
    if (lost !== undefined) {
      const { amount, id, item } = lost
      events.push({ _tag: "FundsRevoked", at: at(index), fill: id, item, amount })
      const waits = held.findIndex(([fill]) => fill === id)
      if (waits >= 0) held.splice(waits, 1)
      continue
    }
    const amount = 1 + roll(3_000)
    const of = items[roll(items.length)] ?? glove
    const base =
      kind < 6 ? buyFill(`f${index}`, amount, `a${index}`) : sellFill(`f${index}`, amount, `a${roll(60)}`)
    const isHeld = base.side === "Sell" && roll(3) === 0
    const fill = {
      ...base,
      item: of,
      units: 1 + roll(3),
      asset: base.asset as AssetId,
      ...(isHeld ? { heldUntil: at(10_000) } : {})
    }
    if (isHeld) held.push([fill.id, amount])
    if (fill.side === "Sell") sales.push(fill)
    const ours = roll(4) > 0 ? { intent: `i${index}` as IntentId, strategy: "maker" } : {}
    events.push({ _tag: "Filled", at: at(index), fill, ...ours })
  }
  return events
}

const summed = (state: State, of: (position: State["positions"][string]) => number): number =>
  Object.values(state.positions).reduce((sum, position) => sum + of(position), 0)

describe("The books", () => {
  it("balance after every event, whatever is traded: 200 random journals", () => {
    for (let seed = 1; seed <= 200; seed++) {
      let state: State = emptyState
      for (const event of eventsOf(seed)) {
        const after = apply(state, event)
        const postings = postingsOf(state, event, after) ?? {}
        const about = `seed ${seed}, ${event._tag}`
        assert.strictEqual(
          accountNames.reduce((sum, name) => sum + (postings[name] ?? 0), 0),
          0,
          about
        )
        state = after
        const { books } = state
        assert.strictEqual(trialBalance(books), 0, about)
        assert.strictEqual(books.wallet + books.held, state.ledger, about)
        assert.strictEqual(books.inventory, summed(state, lotsCost), about)
        assert.strictEqual(
          -(books.profit + books.fees),
          summed(state, ({ realised }) => realised),
          about
        )
        const onHold = Object.values(state.heldFunds).reduce((sum, { amount }) => sum + amount, 0)
        assert.strictEqual(books.held, onHold, about)
      }
    }
  })

  it("keep what is sold and not yet paid apart from the wallet until it is", () => {
    const sale = { ...sellFill("f2", 900, "a1"), heldUntil: at(5_000) }
    const sold = stateAfter(
      { _tag: "Filled", at: at(1), fill: buyFill("f1", 800, "a1"), intent: "i1" as IntentId },
      { _tag: "Filled", at: at(2), fill: sale, intent: "i2" as IntentId }
    )
    assert.strictEqual(sold.books.held, 900)
    assert.strictEqual(sold.books.wallet, 10_000 - 800)
    const paid = apply(sold, { _tag: "FundsReleased", at: at(3), fill: sale.id, amount: money(900) })
    assert.deepStrictEqual([paid.books.held, paid.books.wallet], [0, 10_100])
    assert.deepStrictEqual(paid.heldFunds, {})
  })
})

describe("A market whose clock is not ours", () => {
  const openedWith = (before: ReadonlyArray<string> | undefined) =>
    applyAll(emptyState, [
      { ...opened, ...(before === undefined ? {} : { before }) } as Event,
      ...openBid(placeBid(842, 2))
    ])
  const booked = (state: State, ...fills: ReadonlyArray<Fill>) =>
    historyEvents(state, { fills, returned: [] }, at(60)).flatMap((event) =>
      event._tag === "Filled" ? [`${event.fill.id} ${event.intent ?? "by hand"}`] : []
    )
  /** By its clock five seconds before the ledger was opened. */
  const early = buyFill("f1", 840, "a1", -5)

  it("misses no first purchase by being behind, and books no row twice that was there before", () => {
    assert.deepStrictEqual(booked(openedWith([]), early), ["f1 i1"])
    assert.deepStrictEqual(booked(openedWith(["f1"]), early, buyFill("f2", 841, "a2", 3)), ["f2 i1"])
    assert.deepStrictEqual(booked(openedWith(["f3"]), buyFill("f3", 840, "a3", 5)), [])
    assert.deepStrictEqual(booked(openedWith([]), buyFill("f4", 840, "a4", -3_600)), [])
  })

  it("is ours all the same when it is minutes behind and known to be", () => {
    const late = buyFill("f5", 840, "a1", -300)
    assert.deepStrictEqual(booked(openedWith([]), late), ["f5 by hand"])
    const history = { fills: [late], returned: [], behind: 305_000 }
    const [filled] = historyEvents(openedWith([]), history, at(60))
    assert.strictEqual(filled?._tag === "Filled" ? filled.intent : undefined, "i1")
  })

  it("counts from the opening by its own time", () => {
    const hourBehind = apply(openedWith([]), { ...opened, before: [], behind: 3_600_000 } as Event)
    assert.deepStrictEqual(booked(hourBehind, buyFill("f6", 840, "a1", -3_590)), ["f6 by hand"])
  })

  it("is not reckoned with in a journal of before, whose opening names no rows", () => {
    assert.deepStrictEqual(booked(openedWith(undefined), early), [])
  })
})

describe("Funds that the market takes back", () => {
  const sale = { ...sellFill("f2", 900, "a1"), heldUntil: at(5_000) }
  const sold = stateAfter(
    ...openBid(placeBid(842, 1)),
    { _tag: "Filled", at: at(1), fill: buyFill("f1", 800, "a1"), intent: "i1" as IntentId },
    { _tag: "Filled", at: at(2), fill: sale, intent: "i2" as IntentId }
  )
  const read = (state: State, ...fills: ReadonlyArray<Fill>) => {
    const events = historyEvents(state, { fills, returned: [] }, at(6_000))
    return { tags: events.map(({ _tag }) => _tag), state: applyAll(state, events) }
  }

  it("are a loss, once, and not released when their time is over", () => {
    const { state, tags } = read(sold, { ...sale, revoked: true })
    assert.deepStrictEqual(tags, ["FundsRevoked"])
    assert.deepStrictEqual([state.books.held, state.books.wallet, state.ledger], [0, 9_200, 9_200])
    assert.strictEqual(state.positions["730/Glove Case"]?.realised, -800)
    assert.deepStrictEqual(read(state, { ...sale, revoked: true }).tags, [])
  })

  it("leave the wallet when they had been paid, and are the owner's when he had sold by hand", () => {
    const paid = read(sold, sellFill("f2", 900, "a1")).state
    assert.strictEqual(read(paid, { ...sellFill("f2", 900, "a1"), revoked: true }).state.books.wallet, 9_200)
    const { state, tags } = read(sold, { ...sellFill("f3", 500, "a9", 40), revoked: true }, sale)
    assert.deepStrictEqual(tags, ["FundsReleased", "Filled", "FundsRevoked"])
    assert.deepStrictEqual([state.ledger, state.books.owner], [10_100, -10_000])
  })
})

describe("A difference between ledger and wallet", () => {
  const now = at(100) as Millis

  it("is the item's whose order vanished with units that fit it", () => {
    const intent = placeBid(842, 2)
    const gone = stateAfter(...openBid(intent), {
      _tag: "BidClosed",
      at: at(50),
      item: glove,
      order: "o1" as never,
      as: "Gone"
    })
    assert.strictEqual(itemBehind(gone, -1_684, now), "730/Glove Case")
    assert.isUndefined(itemBehind(gone, -1_685, now))
    assert.isUndefined(itemBehind(gone, 900, now))
  })

  it("is the account's when two items could be behind it, or none", () => {
    const intent = listAsset("a1", 900, 1_035)
    const other = { ...listAsset("a2", 900, 1_035), item: item(730, "Other Case") }
    const gone = stateAfter(
      ...[intent, other].flatMap((one): ReadonlyArray<Event> => [
        { _tag: "IntentRecorded", at: at(0), intent: one },
        { _tag: "Sent", at: at(0), intent: one.id },
        { _tag: "Accepted", at: at(0), intent: one.id },
        { _tag: "ListingClosed", at: at(9), item: one.item, asset: one.asset, as: "Gone" }
      ])
    )
    assert.isUndefined(itemBehind(gone, 900, now))
    assert.isUndefined(itemBehind(gone, 901, now))
  })

  it("is over by a person's word, which books it as the owner's", () => {
    const off = stateAfter({ _tag: "LedgerDiffers", at: at(1), ledger: money(10_000), wallet: money(9_000) })
    assert.strictEqual(off.ledgerOff?.difference, -1_000)
    const taken = apply(off, {
      _tag: "LedgerAdjusted",
      at: at(2),
      difference: money(-1_000),
      who: "me",
      why: "bought a game"
    })
    assert.isUndefined(taken.ledgerOff)
    assert.deepStrictEqual([taken.ledger, taken.books.wallet, taken.books.owner], [9_000, 9_000, -9_000])
  })
})
