import { describe, expect, it } from "vitest"

import { type AssetId } from "../../src/domain/Ids.ts"
import { refusals } from "../../src/exchange/Refusal.ts"
import { Market, quietWorld, startAt } from "./Fixture.ts"

const name = "Glove Case"
const refused = (refusal: keyof typeof refusals) => ({ _tag: "Refused", refusal })

describe("buy orders", () => {
  it("are one per item until cancelled, and then open again", () => {
    const market = new Market(quietWorld())
    const placed = market.buy(0, name, 1000, 1)
    expect(placed._tag).toBe("OrderPlaced")
    expect(market.buy(0, name, 900, 1)).toEqual(refused("OrderExists"))
    expect(refusals.OrderExists.code).toBe(29)
    const order = placed._tag === "OrderPlaced" ? placed.order : ""
    expect(market.do({ _tag: "CancelBuyOrder", account: 0, order })).toEqual({ _tag: "Done" })
    expect(market.world.items[0]!.bids).toEqual([])
    expect(market.account(0).ended.at(-1)).toMatchObject({ id: order, state: "Cancelled" })
    expect(market.do({ _tag: "CancelBuyOrder", account: 0, order })).toEqual(refused("NoSuchOrder"))
    expect(market.buy(0, name, 900, 1)._tag).toBe("OrderPlaced")
  })

  it("are together worth at most ten wallets", () => {
    const market = new Market(quietWorld({ balance: 1000 }))
    expect(market.buy(0, name, 900, 10)._tag).toBe("OrderPlaced")
    expect(market.buy(0, "Chroma 2 Case", 500, 2)._tag).toBe("OrderPlaced")
    expect(market.buy(0, "Harbour Case", 3, 1)).toEqual(refused("OrdersExceedBalance"))
    expect(refusals.OrdersExceedBalance.code).toBe(25)
  })

  it("have a lowest price, a highest price, a whole quantity, the wallet's currency and a known item", () => {
    const market = new Market(quietWorld())
    expect(market.buy(0, name, 2, 1)).toEqual(refused("PriceTooLow"))
    expect(market.buy(0, name, 3, 1)._tag).toBe("OrderPlaced")
    expect(market.buy(0, "Harbour Case", 180_001, 1)).toEqual(refused("PriceTooHigh"))
    expect(market.buy(0, "Harbour Case", 200, 0)).toEqual(refused("WrongQuantity"))
    const form = { _tag: "CreateBuyOrder", account: 0, app: 730, currency: 1, confirmation: "0" } as const
    expect(market.do({ ...form, name: "Harbour Case", total: 401, quantity: 2 })).toEqual(
      refused("WrongPrice")
    )
    expect(market.do({ ...form, name: "Harbour Case", total: 400, quantity: 2, currency: 3 })).toEqual(
      refused("WrongCurrency")
    )
    expect(market.do({ ...form, name: "No Such Case", total: 400, quantity: 2 })).toEqual(
      refused("UnknownItem")
    )
  })

  it("have prices in steps of the currency", () => {
    const market = new Market(quietWorld({ currency: 8, balance: 10_000_000 }))
    expect(market.buy(0, name, 100_050, 1)).toEqual(refused("WrongPrice"))
    expect(market.buy(0, name, 100_100, 1)._tag).toBe("OrderPlaced")
  })

  it("exist only after the same form came again with its allowed confirmation, where the market asks for one", () => {
    const market = new Market(quietWorld({ rules: { confirmPurchases: true, confirmationCreator: "asset" } }))
    const asked = market.buy(0, name, 1000, 2)
    const pending = asked._tag === "NeedsConfirmation" ? asked.pending : ""
    expect(pending).not.toBe("")
    expect(market.buy(0, name, 1000, 2)).toEqual(asked)
    expect(market.buy(0, name, 1000, 2, pending)).toEqual(asked)
    expect(market.account(0).orders).toHaveLength(0)
    expect(market.settle(0, "allow")).toEqual({ _tag: "Done" })
    expect(market.account(0).orders).toHaveLength(0)
    expect(market.buy(0, name, 1001, 2, pending)).toEqual(refused("WrongConfirmation"))
    expect(market.buy(0, name, 1000, 2, pending)._tag).toBe("OrderPlaced")
    expect(market.account(0).confirmations).toHaveLength(0)
    const order = market.account(0).orders[0]!.id
    market.do({ _tag: "CancelBuyOrder", account: 0, order })
    expect(market.buy(0, name, 1000, 2, pending)).toEqual(refused("WrongConfirmation"))
  })

  it("never exist when their confirmation was rejected", () => {
    const market = new Market(quietWorld({ rules: { confirmPurchases: true, confirmationCreator: "asset" } }))
    const asked = market.buy(0, name, 1000, 2)
    market.settle(0, "cancel")
    expect(market.buy(0, name, 1000, 2, asked._tag === "NeedsConfirmation" ? asked.pending : "")).toEqual(
      refused("ConfirmationRejected")
    )
  })
})

describe("sell listings", () => {
  it("are staged, live after their confirmation, sold with a new asset for the buyer", () => {
    const market = new Market(quietWorld())
    const asset = market.assetOf(1, name)
    market.buy(2, name, 1150, 1)
    expect(market.stage(1, name, 1000)._tag).toBe("Staged")
    expect(market.account(1).inventory.some(({ id }) => id === asset)).toBe(false)
    expect(market.account(2).orders).toHaveLength(1)
    expect(market.settle(1, "allow")).toEqual({ _tag: "Done" })
    expect(market.account(1).listings).toHaveLength(0)
    expect(market.account(1).history.map(({ kind }) => kind)).toEqual(["Created", "Sold"])
    const bought = market.account(2).history.at(-1)!
    expect(bought.asset).toBe(asset)
    expect(bought.newAsset).not.toBe(asset)
    expect(market.account(2).inventory.some(({ id }) => id === bought.newAsset)).toBe(true)
  })

  it("come back under a new id when removed, live or staged, and when their confirmation is rejected", () => {
    const market = new Market(quietWorld())
    const units = market.account(1).inventory.length
    const live = market.sell(1, name, 1000)
    expect(market.world.items[0]!.asks).toHaveLength(1)
    expect(market.do({ _tag: "RemoveListing", account: 2, listing: live })).toEqual(refused("NoSuchListing"))
    expect(market.do({ _tag: "RemoveListing", account: 1, listing: live })).toEqual({ _tag: "Done" })
    expect(market.world.items[0]!.asks).toHaveLength(0)
    const staged = market.stage(1, name, 1000)
    expect(
      market.do({
        _tag: "RemoveListing",
        account: 1,
        listing: staged._tag === "Staged" ? staged.listing : ""
      })
    ).toEqual({ _tag: "Done" })
    expect(market.account(1).confirmations).toHaveLength(0)
    market.stage(1, name, 1000)
    market.settle(1, "cancel")
    const returned = market.account(1).history.filter(({ kind }) => kind === "Returned")
    expect(returned).toHaveLength(3)
    for (const row of returned) expect(row.newAsset).not.toBe(row.asset)
    expect(market.account(1).inventory).toHaveLength(units)
  })

  it("are refused for an asset that is staged already, live already, not owned, or in another place", () => {
    const market = new Market(quietWorld())
    const asset = market.assetOf(1, name)
    const form = {
      _tag: "SellItem",
      account: 1,
      app: 730,
      context: "2",
      asset,
      amount: 1,
      take: 1000
    } as const
    expect(market.do({ ...form, account: 2 })).toEqual(refused("NotInInventory"))
    expect(market.do({ ...form, app: 440 })).toEqual(refused("NotInInventory"))
    expect(market.do({ ...form, context: "6" })).toEqual(refused("NotInInventory"))
    expect(market.do({ ...form, amount: 2 })).toEqual(refused("ListingFailed"))
    expect(market.do(form)._tag).toBe("Staged")
    expect(market.do(form)).toEqual(refused("AlreadyStaged"))
    market.settle(1, "allow")
    expect(market.do(form)).toEqual(refused("NotInInventory"))
  })

  it("have a lowest and a highest price", () => {
    const market = new Market(quietWorld({ currency: 23 }))
    expect(market.stage(1, name, 6)).toEqual(refused("ListingFailed"))
    expect(market.stage(1, name, 7)._tag).toBe("Staged")
    expect(market.stage(1, name, 1_200_000)).toEqual(refused("PriceTooHigh"))
  })

  it("wait for confirmation 250 at most", () => {
    const world = quietWorld()
    const inventory = Array.from({ length: 251 }, (_, index) => ({
      id: `9${index}` as AssetId,
      item: 0,
      since: startAt,
      origin: ""
    }))
    const market = new Market({
      ...world,
      accounts: world.accounts.with(1, { ...world.accounts[1]!, inventory })
    })
    for (let count = 0; count < 250; count++) expect(market.stage(1, name, 1000)._tag).toBe("Staged")
    expect(market.stage(1, name, 1000)).toEqual(refused("TooManyStaged"))
  })

  it("are settled by the right nonce only, once", () => {
    const market = new Market(quietWorld())
    market.stage(1, name, 1000)
    const { id, nonce } = market.account(1).confirmations[0]!
    const settle = { _tag: "SettleConfirmation", account: 1, id, nonce, op: "allow" } as const
    expect(market.do({ ...settle, nonce: "1" })).toEqual(refused("NoSuchConfirmation"))
    expect(market.do({ ...settle, account: 2 })).toEqual(refused("NoSuchConfirmation"))
    expect(market.do(settle)).toEqual({ _tag: "Done" })
    expect(market.do(settle)).toEqual(refused("NoSuchConfirmation"))
  })
})
