/**
 * The planner in random small markets: whatever the rules wish and the market does, it never doubles, never churns, never breaks the price
 * step or a floor, and comes to rest once the wish does.
 */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

import { type AskWish, type BidWish, noLimits } from "../../src/domain/Decision.ts"
import type { Event } from "../../src/domain/Event.ts"
import { buyerPays, defaultFees, type FeeSchedule, sellerReceives, validPrice } from "../../src/domain/Fee.ts"
import { applyAll } from "../../src/domain/Fold.ts"
import type { AssetId, BuyOrderId, FillId, IntentId, ListingId } from "../../src/domain/Ids.ts"
import type { Intent } from "../../src/domain/Intent.ts"
import { itemKey } from "../../src/domain/Item.ts"
import { type Money, money } from "../../src/domain/Money.ts"
import { positionOf, type State } from "../../src/domain/State.ts"
import { defaultPlanRules, type Draft } from "../../src/engine/Draft.ts"
import { plan } from "../../src/engine/Plan.ts"
import { defaultAccountLimits } from "../../src/engine/Room.ts"
import { type Dice, dice } from "../simulate/Dice.ts"
import { at, decision, glove, reason, stateAfter } from "./Given.ts"

const key = itemKey(glove)
const rules = defaultPlanRules
const currencies = [1, 3, 5, 8, 23] as const

interface Wish {
  readonly bid: BidWish | undefined
  readonly ask: AskWish | undefined
}

/** One item on a market that does what it is asked; it numbers what it makes. */
class SmallMarket {
  state: State = stateAfter()
  seconds = 0
  private made = 0
  private readonly fees: FeeSchedule

  constructor(fees: FeeSchedule) {
    this.fees = fees
  }

  private next(): string {
    return `n${++this.made}`
  }

  private apply(...events: ReadonlyArray<Event>): void {
    this.state = applyAll(this.state, events)
  }

  drafts(wish: Wish): ReadonlyArray<Draft> {
    return plan({
      state: this.state,
      item: glove,
      now: at(this.seconds),
      fees: this.fees,
      decisions: [decision(wish, noLimits)],
      rules,
      account: defaultAccountLimits
    })
  }

  /** Sends it, and reads the account after it. */
  carryOut(draft: Draft): void {
    const intent = { ...draft, id: this.next() as IntentId } as Intent
    const now = at(this.seconds)
    this.apply({ _tag: "IntentRecorded", at: now, intent }, { _tag: "Sent", at: now, intent: intent.id })
    const yes = { _tag: "Accepted", at: now, intent: intent.id } as const
    switch (intent._tag) {
      case "PlaceBid":
        return this.apply({ ...yes, order: this.next() as BuyOrderId })
      case "CancelBid":
        return this.apply(yes, {
          _tag: "BidClosed",
          at: now,
          item: glove,
          order: intent.order,
          as: "Cancelled"
        })
      case "ListAsset":
        return this.apply(yes, {
          _tag: "ListingSeen",
          at: now,
          listing: {
            ...intent,
            id: this.next() as ListingId,
            item: glove,
            stage: "Live",
            createdAt: now
          }
        })
      case "RemoveListing": {
        const returnedAs = this.next() as AssetId
        const { asset, listing } = intent
        return this.apply(
          yes,
          { _tag: "Returned", at: now, returned: { listing, item: glove, asset, returnedAs, at: now } },
          { _tag: "ListingClosed", at: now, item: glove, asset, listing, as: "Removed" }
        )
      }
      case "BuyListing":
        throw new Error("nobody wished to buy outright")
    }
  }

  /** Others trade with us: a part of the bid is filled, or a listing sold. */
  others(chance: Dice): void {
    const bid = this.state.bids[key]
    const now = at(this.seconds)
    const fill = { item: glove, context: "2", units: 1, fee: money(0), at: now } as const
    if (bid?._tag === "Open" && chance.hits(0.5)) {
      const { order, placed, price, remaining } = bid.open
      const [id, asset] = [this.next(), this.next()]
      this.apply(
        {
          _tag: "Filled",
          at: now,
          fill: {
            ...fill,
            id: id as FillId,
            side: "Buy",
            listing: id as ListingId,
            asset: asset as AssetId,
            amount: price
          },
          intent: placed.id,
          strategy: "maker"
        },
        remaining === 1
          ? { _tag: "BidClosed", at: now, item: glove, order, as: "Filled" }
          : { _tag: "BidProgressed", at: now, item: glove, order, remaining: remaining - 1 }
      )
    }
    const live = Object.values(this.state.asks).find((slot) => slot._tag === "Live")
    if (live?._tag !== "Live" || !chance.hits(0.3)) return
    const { asset, id, sellerReceives: amount } = live.ask.listed
    const [listing, sold] = [live.ask.listing ?? ("" as ListingId), this.next() as FillId]
    this.apply(
      {
        _tag: "Filled",
        at: now,
        fill: { ...fill, id: sold, side: "Sell", listing, asset, amount },
        intent: id,
        strategy: "maker"
      },
      { _tag: "ListingClosed", at: now, item: glove, asset, listing, as: "Sold" }
    )
  }
}

const someWish = (chance: Dice, fees: FeeSchedule, base: number): Wish => {
  // also prices between two steps of the wallet's currency
  const price = (): Money => money(Math.max(4 * fees.floor, Math.round(base * (0.8 + 0.4 * chance.next()))))
  const churn = chance.hits(0.3)
    ? { minStepFraction: chance.next() * 0.1, minAgeMillis: chance.between(1, 30) * 60_000 }
    : {}
  const asked = price()
  const bids: readonly [undefined, BidWish, BidWish] = [
    undefined,
    { _tag: "NoBid", reason },
    {
      _tag: "Bid",
      price: price(),
      quantity: chance.between(1, 6),
      expireMillis: undefined,
      reason,
      ...churn
    }
  ]
  const asks: readonly [undefined, AskWish, AskWish] = [
    undefined,
    { _tag: "NoAsk", reason },
    {
      _tag: "Ask",
      price: asked,
      reprice: chance.hits(0.5)
        ? {
            afterMillis: chance.between(5, 60) * 60_000,
            stepFraction: -chance.between(1, 10) / 100,
            floor: money(Math.round(asked * (0.7 + 0.3 * chance.next())))
          }
        : undefined,
      reason,
      ...churn
    }
  ]
  return {
    bid: chance.hits(0.7) ? bids[2] : chance.pick(bids),
    ask: chance.hits(0.7) ? asks[2] : chance.pick(asks)
  }
}

const agreed = (market: SmallMarket, drafts: ReadonlyArray<Draft>, wish: Wish, fees: FeeSchedule): void => {
  const { asks, bids, repriced } = market.state
  const age = (openedAt: number) => at(market.seconds) - openedAt
  const listed = new Set<string>()
  for (const draft of drafts) {
    switch (draft._tag) {
      case "PlaceBid":
        assert.isUndefined(bids[key], "a second bid")
        assert.strictEqual(draft.price % fees.increment, 0, "a price between two steps")
        break
      case "CancelBid": {
        const slot = bids[key]
        assert.strictEqual(slot?._tag, "Open")
        const least = wish.bid?._tag === "Bid" ? (wish.bid.minAgeMillis ?? rules.minBidAgeMillis) : 0
        if (slot?._tag === "Open") assert.isAtLeast(age(slot.open.openedAt), least, "a bid given up early")
        break
      }
      case "RemoveListing": {
        const slot = asks[draft.asset]
        assert.strictEqual(slot?._tag, "Live")
        if (slot?._tag !== "Live" || wish.ask?._tag !== "Ask") break
        const least =
          draft.repriceTo === undefined
            ? (wish.ask.minAgeMillis ?? rules.minAskAgeMillis)
            : (wish.ask.reprice?.afterMillis ?? 0)
        assert.isAtLeast(age(slot.ask.openedAt), least, "a listing taken back early")
        break
      }
      case "ListAsset": {
        assert.isFalse(listed.has(draft.asset), "one asset twice in a step")
        listed.add(draft.asset)
        assert.isUndefined(asks[draft.asset], "an asset that is listed already")
        assert.isTrue(positionOf(market.state, key).holdings.some(({ asset }) => asset === draft.asset))
        assert.strictEqual(draft.sellerReceives, validPrice(fees, draft.sellerReceives))
        assert.strictEqual(draft.buyerPays, buyerPays(fees, draft.sellerReceives))
        if (wish.ask?._tag !== "Ask") assert.fail("listed without a wish")
        else if (repriced[key] === undefined) assert.isAtMost(draft.buyerPays, wish.ask.price)
        else
          assert.isAtLeast(
            draft.buyerPays,
            Math.min(wish.ask.reprice?.floor ?? 0, buyerPays(fees, sellerReceives(fees, wish.ask.price)))
          )
        break
      }
      case "BuyListing":
        assert.fail("nobody wished to buy outright")
    }
  }
}

describe("the planner", () => {
  it.prop(
    "never doubles, never churns, keeps to price steps and floors, and rests when the wish does",
    { seed: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })) },
    ({ seed }) => {
      const chance = dice(seed, "plan")
      const fees = defaultFees(chance.pick(currencies))
      const base = fees.floor * chance.between(5, 3_000)
      const market = new SmallMarket(fees)
      let wish = someWish(chance, fees, base)
      const step = (): number => {
        const drafts = market.drafts(wish)
        agreed(market, drafts, wish, fees)
        for (const draft of drafts) market.carryOut(draft)
        return drafts.length
      }
      for (let round = 0; round < 60; round++) {
        market.seconds += chance.between(10, 900)
        if (chance.hits(0.3)) market.others(chance)
        if (chance.hits(0.3)) wish = someWish(chance, fees, base)
        step()
      }
      // from here on nobody trades with us and the wish stays: it is reached, and then nothing is touched any more
      // (a listing is lowered at most forty times by a hundredth until it is at its floor, and each time it is back a step later)
      for (let round = 0; round < 90; round++) {
        market.seconds += 3_700
        step()
      }
      for (let round = 0; round < 10; round++) {
        market.seconds += 3_700
        assert.strictEqual(step(), 0, "it does not come to rest")
      }
      const slot = market.state.bids[key]
      if (wish.bid?._tag === "Bid") assert.strictEqual(slot?._tag, "Open", "the wished bid does not stand")
      if (wish.bid?._tag === "NoBid") assert.isUndefined(slot)
      const { holdings } = positionOf(market.state, key)
      if (wish.ask?._tag === "Ask")
        assert.strictEqual(Object.keys(market.state.asks).length, holdings.length, "a unit is not listed")
      if (wish.ask?._tag === "NoAsk") assert.deepStrictEqual(market.state.asks, {})
    },
    { arbitrary: { runs: 300 } }
  )
})
