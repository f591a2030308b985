import { assert, describe, it } from "@effect/vitest"

import type { CurrencyId } from "../../src/domain/Currency.ts"
import { buyerPays, defaultFees, sellerReceives } from "../../src/domain/Fee.ts"
import type { AssetId, ConfirmationId, ListingId, Millis } from "../../src/domain/Ids.ts"
import { item } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import type { Outcome } from "../../src/domain/Outcome.ts"
import { priceHistory } from "../../src/domain/Sales.ts"
import {
  allowListing,
  type Answered,
  buyListing,
  cancelOrder,
  placeOrder,
  stageListing,
  takeBack
} from "../../src/paper/PaperOrders.ts"
import { bookOnPaper, seeSales } from "../../src/paper/PaperQuote.ts"
import { defaultPaperRules, seeBook } from "../../src/paper/PaperSee.ts"
import { paperState, type PaperState } from "../../src/paper/PaperState.ts"
import { bookWith, minute, start } from "./Books.ts"

const glove = item(730, "Glove Case")
const fees = defaultFees(1 as CurrencyId)
const rules = { ...defaultPaperRules, pessimism: 0 }
const at = (millis: number): Millis => (start + millis) as Millis
const opening = paperState(money(10_000))

const refusal = (outcome: Outcome<unknown>): string =>
  outcome._tag === "Refused" ? outcome.code : outcome._tag
const next = <A>([state]: Answered<A>): PaperState => state

const bid = (state: PaperState, price: number, quantity: number, millis = 0) =>
  placeOrder(state, { item: glove, price: money(price), quantity }, at(millis), fees, rules)

const see = (state: PaperState, book: ReturnType<typeof bookWith>, millis: number, of = rules): PaperState =>
  seeBook(state, glove, { at: at(millis), book }, fees, of)

/** An account that owns one unit, bought in plain sight. */
const owner = (): { readonly state: PaperState; readonly asset: AssetId } => {
  const book = bookWith([[900, 1]], [[950, 1]])
  const state = see(see(next(bid(opening, 950, 1)), book, 1_000), book, minute)
  const [asset] = Object.keys(state.inventory)
  assert.isDefined(asset)
  return { state, asset: asset as AssetId }
}

const listed = (take: number): PaperState => {
  const { asset, state } = owner()
  const staged = next(
    stageListing(
      state,
      { item: glove, asset, context: "2", sellerReceives: money(take) },
      at(2 * minute),
      fees,
      rules
    )
  )
  return next(allowListing(staged, staged.listings[0]!.confirmation, at(2 * minute), rules))
}

describe("what is asked of the market on paper", () => {
  it("takes one buy order per item, at a price the market takes, that the wallet covers", () => {
    const placed = next(bid(opening, 1_000, 4))
    assert.strictEqual(placed.orders.length, 1)
    assert.strictEqual(refusal(bid(placed, 900, 1)[1]), "OrderExists")
    assert.strictEqual(refusal(bid(opening, 2, 1)[1]), "InvalidParameter")
    assert.strictEqual(refusal(bid(opening, 2_501, 4)[1]), "LimitExceeded")
  })

  it("lets an order be taken back once", () => {
    const placed = next(bid(opening, 1_000, 4))
    const [state, outcome] = cancelOrder(placed, placed.orders[0]!.id)
    assert.strictEqual(outcome._tag, "Accepted")
    assert.strictEqual(refusal(cancelOrder(state, placed.orders[0]!.id)[1]), "InvalidState")
  })

  it("lists what is owned, shows it to nobody before its confirmation, and gives it back as another asset", () => {
    const { asset, state } = owner()
    const form = { item: glove, asset, context: "2", sellerReceives: money(870) }
    const staged = next(stageListing(state, form, at(2 * minute), fees, rules))
    assert.strictEqual(refusal(stageListing(staged, form, at(2 * minute), fees, rules)[1]), "NotInInventory")
    const rich = bookWith([[5_000, 9]], [[6_000, 1]])
    assert.strictEqual(see(staged, rich, 9 * minute).listings.length, 1)
    const back = next(takeBack(staged, staged.listings[0]!.id, at(3 * minute)))
    assert.strictEqual(back.listings.length, 0)
    assert.strictEqual(back.returned[0]?.asset, asset)
    assert.notStrictEqual(back.returned[0]?.returnedAs, asset)
    assert.deepStrictEqual(Object.keys(back.inventory), [back.returned[0]?.returnedAs ?? ""])
    const unknown = "paper-999" as ConfirmationId
    assert.strictEqual(refusal(allowListing(back, unknown, at(0), rules)[1]), "InvalidState")
  })

  it("buys a listing outright once, at most at the price that was allowed", () => {
    const offer = {
      listing: "17" as ListingId,
      item: glove,
      currency: 1 as CurrencyId,
      subtotal: money(870),
      fee: money(130),
      isMine: false
    }
    const [bought, outcome] = buyListing(opening, { offer, atMost: money(1_000) }, at(0), rules)
    assert.strictEqual(outcome._tag, "Accepted")
    assert.strictEqual(bought.balance, 9_000)
    assert.strictEqual(Object.keys(bought.inventory).length, 1)
    assert.strictEqual(refusal(buyListing(bought, { offer }, at(1), rules)[1]), "Unavailable")
    assert.strictEqual(
      refusal(buyListing(opening, { offer, atMost: money(999) }, at(1), rules)[1]),
      "NotSent"
    )
  })
})

describe("a look at a book", () => {
  it("fills an order that crosses at what the asks ask, once, and leaves the rest waiting", () => {
    const book = bookWith([[900, 1]], [[950, 2]])
    const first = see(next(bid(opening, 960, 3)), book, 1_000)
    assert.deepStrictEqual(
      first.fills.map(({ amount }) => amount),
      [950, 950].map(money)
    )
    assert.strictEqual(first.balance, 10_000 - 2 * 950)
    assert.strictEqual(first.orders[0]?.remaining, 1)
    // the real book still shows what we took; it is gone for us, and not taken again
    const second = see(first, book, minute)
    assert.strictEqual(second.fills.length, 2)
    assert.deepStrictEqual(bookOnPaper(book, second.quotes["730/Glove Case"]).asks, [])
  })

  it("does not serve an order before it is live", () => {
    const book = bookWith([[900, 1]], [[950, 2]])
    assert.strictEqual(see(next(bid(opening, 960, 3)), book, rules.latencyMillis - 1).fills.length, 0)
  })

  it("ends an order whose buyer cannot pay", () => {
    const poor: PaperState = { ...next(bid(opening, 960, 3)), balance: money(1_000) }
    const after = see(poor, bookWith([[900, 1]], [[950, 3]]), 1_000)
    assert.strictEqual(after.fills.length, 1)
    assert.strictEqual(after.balance, 50)
    assert.strictEqual(after.orders.length, 0)
  })

  it("pays the seller of a listing its take at its own price when a bid comes to it", () => {
    const take = sellerReceives(fees, money(1_000))
    const state = listed(take)
    assert.strictEqual(state.listings[0]?.buyerPays, buyerPays(fees, take))
    const sold = see(
      see(state, bookWith([[900, 1]], [[1_100, 1]]), 3 * minute),
      bookWith([[1_050, 1]], [[1_100, 1]]),
      4 * minute
    )
    assert.strictEqual(sold.listings.length, 0)
    assert.strictEqual(sold.fills[0]?.side, "Sell")
    assert.strictEqual(sold.balance, state.balance + take)
  })

  it("lists no unit before its hold is over, and what was taken back at once", () => {
    const { asset, state } = owner()
    const form = { item: glove, asset, context: "2", sellerReceives: money(870) }
    const held = { ...rules, holdMillis: 60 * minute }
    assert.strictEqual(refusal(stageListing(state, form, at(30 * minute), fees, held)[1]), "NotInInventory")
    const staged = next(stageListing(state, form, at(90 * minute), fees, held))
    assert.strictEqual(staged.listings.length, 1)
    const back = next(takeBack(staged, staged.listings[0]!.id, at(91 * minute)))
    const again = { ...form, asset: back.returned[0]!.returnedAs }
    assert.strictEqual(stageListing(back, again, at(91 * minute), fees, held)[1]._tag, "Accepted")
  })

  it("fills a lone best bid at the pace at which others sell, and shows the engine what they would still show", () => {
    const book = bookWith([[900, 5]], [[1_000, 5]])
    const history = priceHistory(
      Array.from({ length: 24 }, (_, hour) => ({
        at: at((hour - 24) * 60 * minute),
        median: 950,
        units: 60
      }))
    )
    // sixty an hour on both sides together: thirty come to bids
    let state = seeSales(seeBook(opening, glove, { at: at(0), book }, fees, rules), glove, history, at(0))
    state = next(bid(state, 901, 11))
    for (let minutes = 1; minutes <= 20; minutes++) state = see(state, book, minutes * minute)
    assert.isAtLeast(state.fills.length, 3)
    assert.isAtMost(state.fills.length, 11)
    const shown = bookOnPaper(book, state.quotes["730/Glove Case"])
    // what others would still show of the units that came to us, until they would have traded that many
    assert.isAbove(shown.bids[0]?.units ?? 0, 5)
    assert.isAtMost(shown.bids[0]?.units ?? 0, 5 + state.fills.length)
    const none = see(state, book, 21 * minute, { ...rules, pessimism: 1 })
    assert.strictEqual(none.fills.length, state.fills.length)
  })

  it("keeps balance, units and fills in step whatever the books do", () => {
    let state = next(bid(opening, 940, 6))
    for (let minutes = 1; minutes < 60; minutes++) {
      const move = (minutes * 7) % 13
      state = see(state, bookWith([[900 + move, 3]], [[930 + move, 2]]), minutes * minute)
      const paid = state.fills.reduce((sum, { amount }) => sum + amount, 0)
      assert.strictEqual(state.balance, 10_000 - paid)
      assert.strictEqual(Object.keys(state.inventory).length, state.fills.length)
      assert.strictEqual((state.orders[0]?.remaining ?? 0) + state.fills.length, 6)
    }
    assert.strictEqual(state.fills.length, 6)
  })
})
