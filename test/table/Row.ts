/** What a row of the table of the thirty operations is: cases by their kind, and why a kind is missing. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"

import { type Operation } from "../../src/domain/Operation.ts"
import { type CallResult } from "../../src/market/Call.ts"
import { ask, type AskError, type How, type Opening, type Shop } from "./Shop.ts"

export type Kind = "success" | "empty" | "error" | "limit"

export interface Case {
  readonly kind: Kind
  /** What is shown, as the end of a sentence that begins with the operation. */
  readonly name: string
  readonly run: Effect.Effect<unknown, AskError, Shop>
  readonly opening: Opening
}

export interface Row {
  readonly operation: Operation
  readonly cases: ReadonlyArray<Case>
  /** Why the operation has no case of a kind; nothing else may be missing. */
  readonly without?: Partial<Record<Kind, string>>
}

const of =
  (kind: Kind) =>
  (name: string, run: Effect.Effect<unknown, AskError, Shop>, opening: Opening = {}): Case => ({
    kind,
    name,
    run,
    opening
  })

export const success = of("success")
export const empty = of("empty")
export const error = of("error")
export const limit = of("limit")

type Params = Readonly<Record<string, string | number>>

/** Asks, and holds status and shape of the answer against what is due. */
export const answers = Effect.fnUntraced(function* (
  operation: Operation,
  params: Params,
  due: readonly [status: number, shape: string],
  how?: How
): Effect.fn.Return<CallResult, AskError, Shop> {
  const result = yield* ask(operation, params, how)
  const found = [result.status, result.shape]
  const why = result.shape === "differs" ? JSON.stringify(result.differences) : JSON.stringify(result.value)
  assert.deepStrictEqual(found, [...due], `${operation}: ${why.slice(0, 400)}`)
  return result
})

/** HTTP 429 with `null`, as a limit that the document does not name would answer, too. */
export const refusedAsTooFast = (operation: Operation, params: Params = {}, how?: How): Case =>
  limit(
    "answers 429 with null where a market has a limit that the document does not name",
    answers(operation, params, [429, "rate-limited"], how),
    { faults: [{ kind: "rate-limited", operations: [operation] }] }
  )

/** A page where data was due: transient, never a success. */
export const pageInstead = (operation: Operation, params: Params = {}, how?: How): Case =>
  error("may answer a page instead", answers(operation, params, [200, "html"], how), {
    faults: [{ kind: "html", operations: [operation] }]
  })

/** `null` for a transient result. */
export const nullInstead = (operation: Operation, params: Params = {}, how?: How): Case =>
  error("may answer null for a transient result", answers(operation, params, [200, "null"], how), {
    faults: [{ kind: "null", operations: [operation] }]
  })

/** Without a session the caller is sent to the login. */
export const sentToLogin = (operation: Operation, params: Params = {}): Case =>
  error(
    "sends a caller without a session to the login",
    Effect.map(answers(operation, params, [302, "redirect"], { as: "nobody" }), ({ value }) =>
      assert.match(String(value), /^\/login\/home\/\?goto=/)
    )
  )
