/** Rows of the groups Account (own reads), Mutations and Confirmations. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"

import { type Operation } from "../../src/domain/Operation.ts"
import {
  answers,
  type Case,
  empty,
  error,
  pageInstead,
  refusedAsTooFast,
  type Row,
  sentToLogin,
  success
} from "./Row.ts"
import { app, ask, bodyOf, glove, Shop } from "./Shop.ts"

const json = { norender: 1 }
const order = { currency: 1, appid: app, market_hash_name: glove, price_total: 6, quantity: 2 }

const placed = Effect.map(answers("create-buyorder", order, [200, "placed"]), (result) => ({
  buy_orderid: String(bodyOf(result).buy_orderid)
}))

/** A unit of the first account's inventory, dear enough that nobody buys it. */
const dear = 90_000
const unit = Effect.gen(function* () {
  const { accounts, items } = yield* (yield* Shop).exchange.world
  const asset = accounts[0]!.inventory.find(({ item }) => items[item]!.of.name === glove)!
  return { appid: app, contextid: 2, assetid: asset.id, amount: 1, price: dear }
})

const staged = Effect.gen(function* () {
  const form = yield* unit
  yield* answers("sellitem", form, [200, "staged"])
  const { conf } = bodyOf(yield* answers("confirmations", {}, [200, "success"]))
  const { id, nonce } = conf.at(-1)
  return { form, id: String(id), nonce: String(nonce) }
})

const allowed = Effect.gen(function* () {
  const { form, id, nonce } = yield* staged
  yield* answers("confirmation-op", { op: "allow", cid: id, ck: nonce }, [200, "done"])
  return form
})

const ownListing = Effect.map(answers("mylistings", json, [200, "success"]), (result) => ({
  listingid: String(bodyOf(result).listings[0].listingid)
}))

/** The form of a purchase, read from the cheapest row that is not the account's own. */
const offer = Effect.gen(function* () {
  const body = {
    appid: app,
    strItemName: glove,
    filters: {},
    accessoryFilters: {},
    propertyFilters: {},
    start: 0
  }
  const result = yield* answers("listings", { appid: app, market_hash_name: glove }, [200, "success"], {
    body
  })
  const [row] = bodyOf(result).listings
  const [subtotal, fee] = [row.unPricePerUnit ?? row.unPrice, row.unFeePerUnit ?? row.unFee]
  const listingid = String(row.listingid)
  return { listingid, currency: row.eCurrency, subtotal, fee, total: subtotal + fee, quantity: 1 }
})

const walletBalance = Effect.map(answers("billing", {}, [200, "success"]), (result) =>
  Number(bodyOf(result).wallet_info.wallet_balance)
)

/** The answer to a caller whose session or form value is not accepted. */
const notAccepted = (
  operation: Operation,
  params: Readonly<Record<string, string | number>>,
  due: readonly [status: number, shape: string]
): ReadonlyArray<Case> => [
  error("is not accepted without a session", answers(operation, params, due, { as: "nobody" })),
  error(
    "is not accepted with another sessionid than the cookie's",
    answers(
      operation,
      { ...params, sessionid: "0123456789abcdef01234567" },
      operation === "removelisting" ? [400, "empty-array"] : due
    )
  )
]

const billing: Row = {
  operation: "billing",
  cases: [
    success(
      "answers wallet, country and fees",
      Effect.map(answers("billing", {}, [200, "success"]), (result) =>
        assert.deepInclude(bodyOf(result).wallet_info, {
          success: 1,
          wallet_currency: 1,
          wallet_balance: "10000"
        })
      )
    ),
    empty(
      "answers a wallet without funds",
      Effect.map(walletBalance, (balance) => assert.strictEqual(balance, 0)),
      { options: { balance: 0 } }
    ),
    sentToLogin("billing"),
    refusedAsTooFast("billing")
  ]
}

const mylistings: Row = {
  operation: "mylistings",
  cases: [
    success(
      "answers live and staged listings and orders, or a page without norender",
      Effect.gen(function* () {
        yield* placed
        yield* allowed
        yield* staged
        const own = bodyOf(yield* answers("mylistings", json, [200, "success"]))
        assert.deepInclude(own, { num_active_listings: 1, total_count: 1 })
        assert.lengthOf(own.listings_to_confirm, 1)
        assert.deepInclude(own.buy_orders[0], { hash_name: glove, price: "3", quantity_remaining: "2" })
        yield* answers("mylistings", { norender: 0 }, [200, "html"])
      })
    ),
    empty(
      "answers empty lists where there is nothing",
      Effect.map(answers("mylistings", json, [200, "success"]), (result) =>
        assert.deepInclude(bodyOf(result), { total_count: 0, listings: [], buy_orders: [], assets: [] })
      )
    ),
    sentToLogin("mylistings", json),
    pageInstead("mylistings", json),
    refusedAsTooFast("mylistings", json)
  ]
}

const myhistory: Row = {
  operation: "myhistory",
  cases: [
    success(
      "answers what happened, newest first, or a page without norender",
      Effect.gen(function* () {
        yield* allowed
        yield* answers("buylisting", yield* offer, [200, "bought"])
        const own = bodyOf(yield* answers("myhistory", json, [200, "success"]))
        assert.deepStrictEqual(
          own.events.map(({ event_type }: { readonly event_type: number }) => event_type),
          [4, 1]
        )
        yield* answers("myhistory", { norender: 0 }, [200, "html"])
      })
    ),
    empty(
      "answers no events where nothing happened",
      Effect.map(answers("myhistory", json, [200, "success"]), (result) =>
        assert.deepInclude(bodyOf(result), { total_count: 0, events: [], assets: [] })
      )
    ),
    sentToLogin("myhistory", json),
    refusedAsTooFast("myhistory", json)
  ]
}

const refusedPurchase = (change: (form: Record<string, number>) => Record<string, number>) =>
  Effect.gen(function* () {
    const form = yield* offer
    const before = yield* walletBalance
    const result = yield* ask("buylisting", { ...form, ...change(form as never) })
    assert.include(["failed", "refused"], result.shape)
    assert.match(bodyOf(result).message, /problem purchasing your item/)
    assert.strictEqual(yield* walletBalance, before)
  })

const buylisting: Row = {
  operation: "buylisting",
  cases: [
    success(
      "answers the wallet after the purchase, less what was paid",
      Effect.gen(function* () {
        const form = yield* offer
        const bought = bodyOf(yield* answers("buylisting", form, [200, "bought"]))
        assert.strictEqual(bought.wallet_info.success, 1)
        assert.strictEqual(Number(bought.wallet_info.wallet_balance), 10_000 - form.total)
        assert.strictEqual(yield* walletBalance, 10_000 - form.total)
      })
    ),
    success(
      "asks for a confirmation first where the market does so, and takes the same form again afterwards",
      Effect.gen(function* () {
        const form = yield* offer
        const asked = bodyOf(yield* answers("buylisting", form, [406, "needConfirmation"]))
        const confirmation = String(asked.confirmation.confirmation_id)
        const { conf } = bodyOf(yield* answers("confirmations", {}, [200, "success"]))
        const { id, nonce } = conf.find(
          (row: { readonly creator_id: string }) => row.creator_id === confirmation
        )
        yield* answers("confirmation-op", { op: "allow", cid: id, ck: nonce }, [200, "done"])
        yield* answers("buylisting", { ...form, confirmation }, [200, "bought"])
      }),
      { options: { confirmPurchases: true } }
    ),
    error(
      "fails when the total is not subtotal and fee",
      refusedPurchase(({ total = 0 }) => ({ total: total + 1 }))
    ),
    error(
      "fails when the price is stale",
      refusedPurchase(({ subtotal = 0, total = 0 }) => ({ subtotal: subtotal - 1, total: total - 1 }))
    ),
    error(
      "fails in another currency than the listing's",
      refusedPurchase(() => ({ currency: 3 }))
    ),
    error(
      "fails when somebody else was faster, in the same words",
      refusedPurchase(() => ({})),
      {
        faults: [{ kind: "bought", operations: ["buylisting"] }]
      }
    ),
    error(
      "fails without funds",
      Effect.gen(function* () {
        const result = yield* ask("buylisting", yield* offer)
        assert.match(bodyOf(result).message, /sufficient funds/)
      }),
      { options: { balance: 1 } }
    ),
    ...notAccepted("buylisting", { listingid: 1, currency: 1, subtotal: 1, fee: 2, total: 3, quantity: 1 }, [
      200,
      "empty-array"
    ]),
    refusedAsTooFast("buylisting", { listingid: 1, currency: 1, subtotal: 1, fee: 2, total: 3, quantity: 1 })
  ],
  without: { empty: "a purchase is done or refused" }
}

const status: Row = {
  operation: "buyorder-status",
  cases: [
    success(
      "answers what was bought of the order",
      Effect.gen(function* () {
        const best = (yield* offer).total
        const form = { ...order, price_total: best, quantity: 1 }
        const { buy_orderid } = bodyOf(yield* answers("create-buyorder", form, [200, "placed"]))
        const filled = bodyOf(yield* answers("buyorder-status", { buy_orderid }, [200, "success"]))
        assert.deepInclude(filled, { success: 1, active: 0, quantity_remaining: "0" })
        assert.lengthOf(filled.purchases, 1)
      })
    ),
    empty(
      "answers no purchases until filling starts",
      Effect.gen(function* () {
        const open = bodyOf(yield* answers("buyorder-status", yield* placed, [200, "success"]))
        assert.deepInclude(open, { active: 1, purchased: 0, quantity: "2", purchases: [] })
      })
    ),
    error(
      "says no to an order that it does not have",
      answers("buyorder-status", { buy_orderid: 1 }, [200, "failed"])
    ),
    ...notAccepted("buyorder-status", { buy_orderid: 1 }, [200, "empty-array"]),
    refusedAsTooFast("buyorder-status", { buy_orderid: 1 })
  ]
}

const coded = (params: Readonly<Record<string, string | number>>, code: number) =>
  Effect.map(answers("create-buyorder", params, [200, "failed"]), (result) => {
    assert.strictEqual(bodyOf(result).success, code)
    assert.isNotEmpty(bodyOf(result).message)
  })

const create: Row = {
  operation: "create-buyorder",
  cases: [
    success(
      "answers the id of the order, which stands in the own lists from then on",
      Effect.gen(function* () {
        const { buy_orderid } = yield* placed
        const { buy_orders } = bodyOf(yield* answers("mylistings", json, [200, "success"]))
        assert.strictEqual(buy_orders[0].buy_orderid, buy_orderid)
      })
    ),
    error(
      "answers 25 with a message above ten times the wallet",
      coded({ ...order, price_total: 300_000, quantity: 2 }, 25)
    ),
    error("answers 29 to a second order for the item", Effect.andThen(placed, coded(order, 29))),
    error("answers 8 to a price that is too low", coded({ ...order, price_total: 1, quantity: 1 }, 8)),
    error(
      "answers 42 to an item that it does not have",
      coded({ ...order, market_hash_name: "No Such Case" }, 42)
    ),
    error(
      "asks for a confirmation first where the market does so",
      answers("create-buyorder", order, [406, "needConfirmation"]),
      { options: { confirmPurchases: true } }
    ),
    ...notAccepted("create-buyorder", order, [200, "empty-array"]),
    refusedAsTooFast("create-buyorder", order)
  ],
  without: { empty: "an order is placed or refused" }
}

const cancel: Row = {
  operation: "cancel-buyorder",
  cases: [
    success(
      "answers success 1, and the order is active no more",
      Effect.gen(function* () {
        const id = yield* placed
        yield* answers("cancel-buyorder", id, [200, "cancelled"])
        assert.strictEqual(bodyOf(yield* answers("buyorder-status", id, [200, "success"])).active, 0)
      })
    ),
    error(
      "fails for an order that is not there",
      answers("cancel-buyorder", { buy_orderid: 1 }, [200, "failed"])
    ),
    error(
      "fails while the order is being matched",
      answers("cancel-buyorder", { buy_orderid: 1 }, [200, "failed"]),
      {
        faults: [{ kind: "code", code: 40 }]
      }
    ),
    ...notAccepted("cancel-buyorder", { buy_orderid: 1 }, [200, "empty-array"]),
    refusedAsTooFast("cancel-buyorder", { buy_orderid: 1 })
  ],
  without: { empty: "an order is cancelled or not" }
}

const sellitem: Row = {
  operation: "sellitem",
  cases: [
    success(
      "stages a listing that a confirmation publishes",
      Effect.gen(function* () {
        const answer = bodyOf(yield* answers("sellitem", yield* unit, [200, "staged"]))
        assert.deepInclude(answer, {
          success: true,
          requires_confirmation: 1,
          needs_mobile_confirmation: true
        })
      })
    ),
    error(
      "fails while the unit waits for its confirmation",
      Effect.gen(function* () {
        const { form } = yield* staged
        assert.match(
          bodyOf(yield* answers("sellitem", form, [200, "failed"])).message,
          /pending confirmation/
        )
      })
    ),
    error(
      "fails for a unit that the account does not have",
      Effect.gen(function* () {
        const form = yield* unit
        const failed = bodyOf(yield* answers("sellitem", { ...form, assetid: "1" }, [200, "failed"]))
        assert.match(failed.message, /no longer in your inventory/)
      })
    ),
    error(
      "fails above the highest price",
      Effect.gen(function* () {
        const form = yield* unit
        const failed = bodyOf(yield* answers("sellitem", { ...form, price: 170_000 }, [200, "failed"]))
        assert.match(failed.message, /exceeds the maximum/)
      })
    ),
    ...notAccepted("sellitem", { appid: app, contextid: 2, assetid: 1, amount: 1, price: 3 }, [
      200,
      "failed"
    ]),
    refusedAsTooFast("sellitem", { appid: app, contextid: 2, assetid: 1, amount: 1, price: 3 })
  ],
  without: { empty: "a listing is staged or refused" }
}

const removelisting: Row = {
  operation: "removelisting",
  cases: [
    success(
      "answers an empty array, and the listing is gone",
      Effect.gen(function* () {
        yield* allowed
        yield* answers("removelisting", yield* ownListing, [200, "removed"])
        assert.deepInclude(bodyOf(yield* answers("mylistings", json, [200, "success"])), { listings: [] })
      })
    ),
    error(
      "fails for a listing that is not the account's",
      answers("removelisting", { listingid: 1 }, [200, "failed"])
    ),
    ...notAccepted("removelisting", { listingid: 1 }, [302, "redirect"]),
    refusedAsTooFast("removelisting", { listingid: 1 })
  ],
  without: { empty: "an empty array is its success" }
}

const needauth = (
  operation: Operation,
  params: Readonly<Record<string, string | number>>
): ReadonlyArray<Case> => [
  error(
    "asks for a login without a session",
    Effect.map(answers(operation, params, [200, "failed"], { as: "nobody" }), (result) =>
      assert.strictEqual(bodyOf(result).needauth, true)
    )
  ),
  error(
    "asks for a login when the signature is of another tag",
    Effect.map(answers(operation, { ...params, tag: "other" }, [200, "failed"]), (result) =>
      assert.strictEqual(bodyOf(result).needauth, true)
    )
  )
]

const confirmations: Row = {
  operation: "confirmations",
  cases: [
    success(
      "answers what waits, matched by the asset",
      Effect.gen(function* () {
        const { form } = yield* staged
        const { conf } = bodyOf(yield* answers("confirmations", {}, [200, "success"]))
        assert.deepInclude(conf[0], { type: 3, creator_id: form.assetid, headline: glove })
      })
    ),
    empty(
      "answers an empty list",
      Effect.map(answers("confirmations", {}, [200, "success"]), (result) =>
        assert.deepStrictEqual(bodyOf(result), { success: true, conf: [] })
      )
    ),
    ...needauth("confirmations", {}),
    refusedAsTooFast("confirmations")
  ]
}

const details: Row = {
  operation: "confirmation-details",
  cases: [
    success(
      "answers a fragment that names the asset",
      Effect.gen(function* () {
        const { form, id } = yield* staged
        const { html } = bodyOf(
          yield* answers("confirmation-details", { confirmationid: id }, [200, "success"])
        )
        assert.include(html, `"id":"${form.assetid}"`)
      })
    ),
    error(
      "fails for a confirmation that is not there",
      Effect.map(answers("confirmation-details", { confirmationid: 1 }, [200, "failed"]), (result) =>
        assert.match(bodyOf(result).message, /problem loading details/)
      )
    ),
    ...needauth("confirmation-details", { confirmationid: 1 }),
    refusedAsTooFast("confirmation-details", { confirmationid: 1 })
  ],
  without: { empty: "details are there or not" }
}

const operation: Row = {
  operation: "confirmation-op",
  cases: [
    success(
      "publishes the listing that it allows",
      Effect.gen(function* () {
        yield* allowed
        const own = bodyOf(yield* answers("mylistings", json, [200, "success"]))
        assert.strictEqual(own.num_active_listings, 1)
      })
    ),
    success(
      "rejects the listing that it cancels",
      Effect.gen(function* () {
        const { id, nonce } = yield* staged
        yield* answers("confirmation-op", { op: "cancel", cid: id, ck: nonce }, [200, "done"])
        const own = bodyOf(yield* answers("mylistings", json, [200, "success"]))
        assert.deepInclude(own, { num_active_listings: 0, listings_to_confirm: [] })
      })
    ),
    error(
      "fails with another nonce, and for a confirmation that is settled",
      Effect.gen(function* () {
        const { id, nonce } = yield* staged
        yield* answers("confirmation-op", { op: "allow", cid: id, ck: "1" }, [200, "failed"])
        yield* answers("confirmation-op", { op: "allow", cid: id, ck: nonce }, [200, "done"])
        yield* answers("confirmation-op", { op: "allow", cid: id, ck: nonce }, [200, "failed"])
      })
    ),
    ...needauth("confirmation-op", { op: "allow", cid: 1, ck: 1 }),
    refusedAsTooFast("confirmation-op", { op: "allow", cid: 1, ck: 1 })
  ],
  without: { empty: "a confirmation is settled or not" }
}

export const own: ReadonlyArray<Row> = [
  billing,
  mylistings,
  myhistory,
  buylisting,
  status,
  create,
  cancel,
  sellitem,
  removelisting,
  confirmations,
  details,
  operation
]
