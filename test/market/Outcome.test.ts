/** The table of outcomes, row by row: what a mutation's answer means. */
import { assert, describe, it } from "@effect/vitest"

import { type Operation } from "../../src/domain/Operation.ts"
import { accepted, type Outcome } from "../../src/domain/Outcome.ts"
import { operationInfo } from "../../src/market/contract/Operations.ts"
import { namesOf } from "../../src/market/contract/Platform.ts"
import { reader } from "../../src/market/contract/Reading.ts"
import { NoAnswer } from "../../src/market/Http.ts"
import { outcomeOf, outcomeOfNoAnswer } from "../../src/market/Outcome.ts"

interface Sent {
  readonly status?: number
  readonly body?: unknown
  readonly location?: string
}

const outcome = (operation: Operation, { body, location, status = 200 }: Sent): Outcome<void> => {
  const info = operationInfo(operation)
  if (info === undefined) throw new Error(operation)
  const text = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body)
  const raw = { status, location, notLoggedIn: false, text }
  return outcomeOf(operation, reader(info.shapes)(raw, namesOf("platform")), () => accepted<void>(undefined))
}
const short = (found: Outcome<void>): string => {
  switch (found._tag) {
    case "Accepted":
      return "Accepted"
    case "Refused":
      return `Refused ${found.code}${found.marketCode === undefined ? "" : ` ${found.marketCode}`}`
    case "Pending":
      return `Pending ${found.confirmation}`
    case "Unknown":
      return `Unknown ${found.reason}`
  }
}

const needConfirmation = { need_confirmation: true, confirmation: { confirmation_id: "26" }, success: 22 }
const signIn = "<html><head><title>Sign In</title></head></html>"

const rows: ReadonlyArray<readonly [Operation, Sent, string]> = [
  ["create-buyorder", { body: { success: 1, buy_orderid: "6" } }, "Accepted"],
  ["create-buyorder", { status: 406, body: needConfirmation }, "Pending 26"],
  ["create-buyorder", { body: { success: 25, message: "too much" } }, "Refused LimitExceeded 25"],
  ["create-buyorder", { body: { success: 25 } }, "Refused LimitExceeded 25"],
  [
    "create-buyorder",
    { body: { success: 29, message: "You already have an active buy order" } },
    "Refused OrderExists 29"
  ],
  ["create-buyorder", { body: { success: 8, message: "bad" } }, "Refused InvalidParameter 8"],
  ["create-buyorder", { body: { success: 107, message: "" } }, "Refused InsufficientFunds 107"],
  ["create-buyorder", { body: { success: 84, message: "slow" } }, "Refused RateLimited 84"],
  ["create-buyorder", { body: { success: 2, message: "Error handling" } }, "Refused Failed 2"],
  ["create-buyorder", { body: { success: 20, message: "busy" } }, "Refused Unavailable 20"],
  ["create-buyorder", { body: { success: 999, message: "new" } }, "Refused Rejected 999"],
  ["create-buyorder", { body: { success: 2 } }, "Unknown ServerError"],
  ["create-buyorder", { body: { success: 999 } }, "Unknown ServerError"],
  ["create-buyorder", { body: { success: 16, message: "timeout" } }, "Unknown MarketTimeout"],
  ["create-buyorder", { body: { success: 22 } }, "Unknown Undecodable"],
  ["create-buyorder", { body: [] }, "Unknown SessionDoubtful"],
  ["create-buyorder", { body: null }, "Unknown NotJson"],
  ["create-buyorder", { body: "<html>maintenance</html>" }, "Unknown NotJson"],
  ["create-buyorder", { body: signIn }, "Refused NotLoggedOn"],
  ["create-buyorder", { body: '{"success":1,"buy_or' }, "Unknown NotJson"],
  ["create-buyorder", { body: "" }, "Unknown NotJson"],
  ["create-buyorder", { body: { ok: true } }, "Unknown Undecodable"],
  ["create-buyorder", { status: 429, body: null }, "Refused RateLimited"],
  ["create-buyorder", { status: 400, body: [] }, "Refused InvalidParameter"],
  ["create-buyorder", { status: 400, body: "" }, "Refused InvalidParameter"],
  ["create-buyorder", { status: 400, body: { success: 8, message: "bad" } }, "Refused InvalidParameter 8"],
  ["create-buyorder", { status: 401, body: "" }, "Refused NotLoggedOn"],
  ["create-buyorder", { status: 403, body: "<html></html>" }, "Refused AccessDenied"],
  ["create-buyorder", { status: 404, body: "<html></html>" }, "Refused Rejected"],
  ["create-buyorder", { status: 500, body: "" }, "Unknown ServerError"],
  ["create-buyorder", { status: 502, body: "<html></html>" }, "Unknown ServerError"],
  ["create-buyorder", { status: 503, body: null }, "Unknown ServerError"],
  [
    "create-buyorder",
    { status: 502, body: { success: 2, message: "not sufficient funds" } },
    "Refused InsufficientFunds 2"
  ],
  ["create-buyorder", { status: 302, location: "https://x/login/home/?goto=" }, "Refused NotLoggedOn"],
  ["create-buyorder", { status: 302, location: "platformmobile://lostauth" }, "Refused NotLoggedOn"],
  ["create-buyorder", { status: 302, location: "/market/" }, "Unknown NotJson"],
  ["cancel-buyorder", { body: { success: 1 } }, "Accepted"],
  ["cancel-buyorder", { body: { success: 40, error: null } }, "Refused BeingMatched 40"],
  ["cancel-buyorder", { body: { success: 79, error: null } }, "Refused Failed 79"],
  ["cancel-buyorder", { body: { success: 16, error: null } }, "Unknown MarketTimeout"],
  ["cancel-buyorder", { status: 500, body: { success: 2, error: null } }, "Unknown ServerError"],
  ["cancel-buyorder", { body: [] }, "Unknown SessionDoubtful"],
  ["sellitem", { body: { success: true, requires_confirmation: 1 } }, "Accepted"],
  ["sellitem", { body: { success: 1 } }, "Accepted"],
  [
    "sellitem",
    {
      body: {
        success: false,
        message: "There was a problem listing your item. Refresh the page and try again."
      }
    },
    "Refused Failed"
  ],
  [
    "sellitem",
    {
      status: 502,
      body: { success: false, message: "You cannot sell any items until your previous action completes." }
    },
    "Refused Busy"
  ],
  [
    "sellitem",
    {
      body: {
        success: false,
        message:
          "You already have a listing for this item pending confirmation. Please confirm or cancel the existing listing."
      }
    },
    "Refused AlreadyListed"
  ],
  [
    "sellitem",
    {
      body: {
        success: false,
        message:
          "The item specified is no longer in your inventory or is not allowed to be traded on the Community Market."
      }
    },
    "Refused NotInInventory"
  ],
  [
    "sellitem",
    { body: { success: false, message: "The price entered plus fees exceeds the maximum allowed." } },
    "Refused LimitExceeded"
  ],
  [
    "sellitem",
    {
      body: {
        success: false,
        message: "We were unable to contact the game's item server. Your listing has not been created."
      }
    },
    "Refused Unavailable"
  ],
  ["sellitem", { status: 500, body: { success: false } }, "Unknown ServerError"],
  ["removelisting", { body: [] }, "Accepted"],
  ["removelisting", { status: 302, location: "https://x/market/" }, "Accepted"],
  ["removelisting", { status: 302, location: "/market" }, "Accepted"],
  ["removelisting", { status: 302, location: "/login/" }, "Refused NotLoggedOn"],
  ["removelisting", { status: 302, location: "/market/eligibilitycheck/?goto=x" }, "Refused AccessDenied"],
  ["removelisting", { status: 400, body: [] }, "Refused InvalidParameter"],
  ["removelisting", { status: 502, body: [] }, "Unknown ServerError"],
  ["removelisting", { body: null }, "Unknown NotJson"],
  ["confirmation-op", { body: { success: true } }, "Accepted"],
  ["confirmation-op", { body: { success: false, needsauth: true } }, "Refused NotLoggedOn"],
  ["confirmation-op", { body: { success: false, message: "There was a problem. (15)" } }, "Refused Failed"]
]

describe("the outcome of a mutation", () => {
  for (const [operation, sent, expected] of rows)
    it(`${operation} ${sent.status ?? 200} ${sent.location ?? JSON.stringify(sent.body)} is ${expected}`, () => {
      assert.strictEqual(short(outcome(operation, sent)), expected)
    })

  it("no answer is Unknown, unless the request never left", () => {
    const none = (sent: boolean, timedOut: boolean) =>
      short(outcomeOfNoAnswer(new NoAnswer({ sent, timedOut, detail: "" })))
    assert.strictEqual(none(true, true), "Unknown TimedOut")
    assert.strictEqual(none(true, false), "Unknown Disconnected")
    assert.strictEqual(none(false, false), "Refused NotSent")
  })
})
