/** Promises that are taken out of the daemon one at a time, as changes of its text: a simulation that is worth something notices each. */

import type { Promised } from "./Occasion.ts"

export interface Mutant {
  readonly name: string
  /** The promise that is broken without it. */
  readonly breaks: Promised
  /** Under `src`. */
  readonly file: string
  /** Stands in the file once. */
  readonly from: string
  readonly to: string
}

export const mutants: ReadonlyArray<Mutant> = [
  {
    name: "the journal write before sending",
    breaks: 2,
    file: "engine/Execute.ts",
    from: `  yield* journal.append([
    { _tag: "IntentRecorded", at, intent },
    { _tag: "Sent", at, intent: intent.id }
  ])
  const outcome = yield* send(intent)
`,
    to: `  const outcome = yield* send(intent)
  yield* journal.append([
    { _tag: "IntentRecorded", at, intent },
    { _tag: "Sent", at, intent: intent.id }
  ])
`
  },
  {
    name: "the block of an unknown outcome",
    breaks: 1,
    file: "engine/Plan.ts",
    from: `  if (slot === undefined)`,
    to: `  if (slot === undefined || slot._tag === "Uncertain")`
  },
  {
    name: "the ownership of confirmations",
    breaks: 7,
    file: "engine/Confirm.ts",
    from: `  const direct = named(confirmation.creator)`,
    to: `  const direct = named(confirmation.creator) ?? waiting[0]`
  },
  {
    name: "the persisted budget",
    breaks: 5,
    file: "market/RateLedger.ts",
    from: `    let read = 0`,
    to: `    let read = memory.dropped + memory.entries.length`
  },
  {
    name: "the spend cap",
    breaks: 3,
    file: "engine/Room.ts",
    from: `    ["SpendPerDay", affordable(limits.spendPerDay, spent(state, strategy, now) + mine)],\n`,
    to: ""
  },
  {
    name: "the fee floor",
    breaks: 3,
    file: "engine/Sanity.ts",
    from: `  if (!allowLoss && cost !== undefined && sellerReceives < cost) return "BelowCost"\n`,
    to: ""
  },
  {
    name: "the account's spend cap",
    breaks: 3,
    file: "engine/Room.ts",
    from: `    ["AccountSpendPerDay", affordable(account.spendPerDay, spent(state, everybody, now) + all)],\n`,
    to: ""
  },
  {
    name: "the secrecy of the login",
    breaks: 8,
    file: "market/Http.ts",
    from: `  const addressed = HttpClientRequest.prependUrl(request, config.baseUrl)
`,
    to: `  yield* Effect.logTrace("asks", Buffer.from(headers["cookie"] ?? "").toString("base64"))
  const addressed = HttpClientRequest.prependUrl(request, config.baseUrl)
`
  },
  {
    name: "the operator's word",
    breaks: 3,
    file: "engine/Guard.ts",
    from: `  (draft, { state }) => controlGate(draft._tag, state.control),\n`,
    to: ""
  }
]
