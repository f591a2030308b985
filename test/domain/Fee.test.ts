import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

import { currencies } from "../../src/domain/Currency.ts"
import {
  buyerPays,
  defaultFees,
  feeParts,
  type FeeSchedule,
  minimumBid,
  sellerReceives,
  validPrice
} from "../../src/domain/Fee.ts"
import { money } from "../../src/domain/Money.ts"

const schedule = (
  floor: number,
  increment: number,
  platformRate = 0.05,
  publisherRate = 0.1
): FeeSchedule => ({
  platformRate,
  publisherRate,
  floor: money(floor),
  increment
})
const usd = schedule(1, 1)
const cny = schedule(7, 1)
const jpy = schedule(100, 100)

type Table = ReadonlyArray<readonly [from: number, to: number]>

/** Pairs such as `1:3 2:4`, one amount and the other. */
const table = (pairs: string): Table =>
  pairs
    .trim()
    .split(/\s+/)
    .map((pair) => [Number(pair.split(":")[0]), Number(pair.split(":")[1])] as const)

const computed = (known: Table, of: (amount: number) => number): Table =>
  known.map(([from]) => [from, of(from)] as const)

const usdSellerToBuyer = table(`
  1:3 2:4 3:5 4:6 5:7 6:8 7:9 8:10 9:11 10:12 11:13 12:14 13:15 14:16 15:17 16:18 17:19 18:20 19:21 20:23
  21:24 22:25 23:26 24:27 25:28 26:29 27:30 28:31 29:32 30:34 31:35 32:36 33:37 34:38 35:39 36:40 37:41
  38:42 39:43 40:46 41:47 42:48 43:49 44:50 45:51 46:52 47:53 48:54 49:55 50:57 51:58 52:59 53:60 54:61
  55:62 56:63 57:64 58:65 59:66 99:112 100:115 101:116 199:227 200:230 1000:1150 12345:14196 180000:207000
`)

const usdBuyerToSeller = table(`
  3:1 4:2 5:3 6:4 7:5 8:6 9:7 10:8 11:9 12:10 13:11 14:12 15:13 16:14 17:15 18:16 19:17 20:18 21:19 22:19
  23:20 24:21 25:22 26:23 27:24 28:25 29:26 30:27 31:28 32:29 33:29 34:30 35:31 36:32 37:33 38:34 39:35
  40:36 41:37 42:38 43:39 44:39 45:39 46:40 47:41 48:42 49:43 50:44 51:45 52:46 53:47 54:48 55:49 56:49
  57:50 58:51 59:52 60:53 61:54 62:55 63:56 64:57 65:58 66:59 67:59 68:59 69:60 70:61 71:62 72:63 73:64
  74:65 75:66 76:67 77:68 78:69 79:69 99:87 100:88 101:89 115:100 116:101 1150:1000 2063:1795 14197:12346
`)

const cnySellerToBuyer = table(`
  7:21 8:22 50:64 69:83 70:84 71:85 139:159 140:161 141:162 1000:1150
`)

const jpySellerToBuyer = table(`
  100:300 200:400 500:700 1000:1200 1500:1800 2000:2300 26100:30000 469300:539700
`)

const Total = Schema.Int.check(Schema.isBetween({ minimum: -10, maximum: 1e9 }))
const Small = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5000 }))
/** Ordinary schedules and odd ones: no publisher's fee, rates with many digits, floors off the increment, floors below it. */
const schedules = [
  usd,
  cny,
  jpy,
  schedule(71, 1),
  schedule(1, 1, 0.05, 0),
  schedule(1, 1, 0, 0),
  schedule(3, 1, 0.29, 0.07),
  schedule(1, 5, 0.033_333, 0.123_457),
  schedule(7, 100),
  schedule(130, 100),
  schedule(500, 1000, 0.05, 0.3)
]

describe("Fee", () => {
  it("charges the known dollar totals", () => {
    assert.deepStrictEqual(
      computed(usdSellerToBuyer, (amount) => buyerPays(usd, money(amount))),
      usdSellerToBuyer
    )
  })
  it("finds the seller's take of every dollar total, stepping down where a total cannot be hit", () => {
    assert.deepStrictEqual(
      computed(usdBuyerToSeller, (amount) => sellerReceives(usd, money(amount))),
      usdBuyerToSeller
    )
  })
  it("charges the known totals with a floor of seven", () => {
    assert.deepStrictEqual(
      computed(cnySellerToBuyer, (amount) => buyerPays(cny, money(amount))),
      cnySellerToBuyer
    )
  })
  it("charges the known totals in steps of a hundred", () => {
    assert.deepStrictEqual(
      computed(jpySellerToBuyer, (amount) => buyerPays(jpy, money(amount))),
      jpySellerToBuyer
    )
  })

  it("does not end one step too high when the floor is above one", () => {
    assert.strictEqual(buyerPays(cny, money(90)), 106)
    assert.strictEqual(sellerReceives(cny, money(105)), 89)
  })

  it("splits the fee into the platform's and the publisher's", () => {
    assert.deepStrictEqual(feeParts(usd, money(12_345)), { platform: money(617), publisher: money(1234) })
    assert.deepStrictEqual(feeParts(usd, money(1)), { platform: money(1), publisher: money(1) })
    assert.deepStrictEqual(feeParts(jpy, money(469_300)), {
      platform: money(23_500),
      publisher: money(46_900)
    })
  })

  it("takes nothing for a publisher without a rate", () => {
    assert.deepStrictEqual(feeParts(schedule(7, 1, 0.05, 0), money(1000)), {
      platform: money(50),
      publisher: money(0)
    })
  })

  it("multiplies rates exactly where a binary fraction would lose a minor unit", () => {
    assert.strictEqual(Math.floor(100 * 0.29), 28)
    assert.strictEqual(feeParts(schedule(1, 1, 0.29), money(100)).platform, 29)
    assert.strictEqual(feeParts(schedule(1, 1, 0.05, 0.07), money(1_000_000_000)).publisher, 70_000_000)
    assert.strictEqual(feeParts(usd, money(9_007_199_254_740_000)).platform, 450_359_962_737_000)
  })

  it("gives the seller nothing below the smallest total", () => {
    assert.strictEqual(sellerReceives(usd, money(2)), 0)
    assert.strictEqual(sellerReceives(cny, money(20)), 0)
    assert.strictEqual(sellerReceives(cny, money(21)), 7)
    assert.strictEqual(sellerReceives(jpy, money(299)), 0)
    assert.strictEqual(sellerReceives(usd, money(-5)), 0)
  })

  it("bids no less than three floors, which is what the floor costs a buyer", () => {
    for (const fees of [usd, cny, jpy]) {
      assert.strictEqual(minimumBid(fees), 3 * fees.floor)
      assert.strictEqual(buyerPays(fees, fees.floor), minimumBid(fees))
    }
  })

  it("has a usable default for every currency", () => {
    assert.deepStrictEqual(defaultFees(1), usd)
    assert.deepStrictEqual(defaultFees(23), cny)
    assert.deepStrictEqual(defaultFees(8), jpy)
    assert.strictEqual(defaultFees(5).floor, 71)
    for (const { id, increment } of currencies) {
      assert.strictEqual(defaultFees(id).increment, increment)
      assert.isAtLeast(defaultFees(id).floor, increment)
    }
  })

  it.prop(
    "never charges more than the total, and one step more would",
    { total: Total, small: Small },
    (input) => {
      for (const fees of schedules)
        for (const total of [money(input.total), money(input.small)]) {
          const seller = sellerReceives(fees, total)
          const next = validPrice(fees, seller === 0 ? fees.floor : money(seller + fees.increment))
          if (seller === 0) assert.isAbove(buyerPays(fees, fees.floor), total)
          else {
            assert.strictEqual(validPrice(fees, seller), seller)
            assert.isAtMost(buyerPays(fees, seller), total)
            assert.isAbove(next, seller)
            assert.isAbove(buyerPays(fees, next), total)
          }
        }
    }
  )

  it("agrees with trying every seller's amount", () => {
    for (const fees of schedules) {
      let [best, amount] = [0, fees.floor]
      for (let total = 0; total <= 4000; total++) {
        while (buyerPays(fees, amount) <= total) {
          best = amount
          amount = validPrice(fees, Math.floor(amount / fees.increment + 1) * fees.increment)
        }
        assert.strictEqual(sellerReceives(fees, money(total)), best, `${JSON.stringify(fees)} ${total}`)
      }
    }
  })

  it.prop("gives back the amount that a total was made of", { seller: Total }, ({ seller }) => {
    for (const fees of schedules) {
      const valid = validPrice(fees, seller)
      const back = sellerReceives(fees, buyerPays(fees, valid))
      assert.strictEqual(back, valid)
    }
  })

  it.prop("rises with the amount in both directions", { one: Total, step: Small }, ({ one, step }) => {
    const [lower, upper] = [money(one), money(one + step)]
    for (const fees of schedules) {
      assert.isAtMost(buyerPays(fees, lower), buyerPays(fees, upper))
      assert.isAtMost(sellerReceives(fees, lower), sellerReceives(fees, upper))
    }
  })
})
