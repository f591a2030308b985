import { assert, describe, it } from "@effect/vitest"

import { namesOf } from "../../../src/market/contract/Platform.ts"

describe("the platform's word", () => {
  const theirs = {
    purchases: { "1_2": { acme_fee: 32, publisher_fee: 65, acmeid_purchaser: "7" } },
    events: [{ acmeid_actor: "7", note: "acme_fee" }],
    unAcmeFee: 3,
    accountid_seller: 1
  }
  const ours = {
    purchases: { "1_2": { platform_fee: 32, publisher_fee: 65, accountid_purchaser: "7" } },
    events: [{ accountid_actor: "7", note: "acme_fee" }],
    unPlatformFee: 3,
    accountid_seller: 1
  }

  it("is taken out of keys, not of values", () => {
    assert.deepStrictEqual(namesOf("acme").ours(theirs), ours)
  })

  it("is put back", () => {
    assert.deepStrictEqual(namesOf("acme").theirs(ours), theirs)
  })

  it("changes nothing when it is ours", () => {
    assert.strictEqual(namesOf("platform").ours(ours), ours)
    assert.strictEqual(namesOf("platform").theirs(ours), ours)
  })
})
