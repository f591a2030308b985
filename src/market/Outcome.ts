/**
 * What an answer to a mutation means: one table by operation, status and body.
 * Invariants: 1. the first row that applies decides. 2. only a definitive no is Refused; whatever leaves a doubt is Unknown.
 * 3. the table ends with Unknown, so no answer is without a meaning.
 */
import { Schema } from "effect"

import { type ConfirmationId } from "../domain/Ids.ts"
import { type Operation } from "../domain/Operation.ts"
import { accepted, type Outcome, pending, refused, unknown } from "../domain/Outcome.ts"
import { BuyListingFailed, NeedConfirmation } from "./contract/Mutations.ts"
import { type Answer, type Succeeded } from "./contract/Reading.ts"
import { type Shapes } from "./contract/Shape.ts"
import { Failure } from "./contract/Wire.ts"
import { type NoAnswer } from "./Http.ts"
import { isLogin } from "./Login.ts"
import { failureOutcome, purchaseFailure } from "./Refusal.ts"

interface Row {
  readonly row: string
  /** Undefined: every mutation. */
  readonly operation?: Operation
  /** Undefined when the row does not apply. */
  readonly verdict: (answer: Answer<Shapes>, operation: Operation) => Outcome<void> | undefined
}

const done: Outcome<void> = accepted(undefined)
const isNeedConfirmation = Schema.is(NeedConfirmation)
const isFailure = Schema.is(Failure)
const isBuyListingFailed = Schema.is(BuyListingFailed)

const outcomeTable: ReadonlyArray<Row> = [
  {
    row: "the document's success",
    verdict: (answer) => (answer._tag === "Shaped" && answer.meaning === "success" ? done : undefined)
  },
  {
    row: "need_confirmation (HTTP 406): confirm, then send the same form again",
    verdict: (answer) =>
      answer._tag === "Shaped" && isNeedConfirmation(answer.value)
        ? pending(answer.value.confirmation.confirmation_id as ConfirmationId)
        : undefined
  },
  {
    row: "HTTP 429",
    verdict: (answer) => (answer._tag === "TooFast" ? refused("RateLimited", "HTTP 429") : undefined)
  },
  {
    row: "HTTP 401",
    verdict: ({ status }) => (status === 401 ? refused("NotLoggedOn", "HTTP 401") : undefined)
  },
  {
    row: "success other than 1, by code or message",
    verdict: (answer, operation) =>
      answer._tag === "Shaped" && isFailure(answer.value)
        ? failureOutcome(operation, answer.value, answer.status)
        : undefined
  },
  {
    row: "a purchase's message without a completed wallet",
    operation: "buylisting",
    verdict: (answer) =>
      answer._tag === "Shaped" && isBuyListingFailed(answer.value)
        ? purchaseFailure(answer.value, answer.status)
        : undefined
  },
  {
    row: "removelisting sent back to the market's home",
    operation: "removelisting",
    verdict: (answer) => (answer._tag === "Redirect" && isHome(answer.location) ? done : undefined)
  },
  {
    row: "redirect to the login",
    verdict: (answer) =>
      answer._tag === "Redirect" && isLogin(answer.location)
        ? refused("NotLoggedOn", "sent to the login")
        : undefined
  },
  {
    row: "removelisting sent anywhere else",
    operation: "removelisting",
    verdict: (answer) =>
      answer._tag === "Redirect" ? refused("AccessDenied", "sent elsewhere; nothing was removed") : undefined
  },
  {
    row: "the login page",
    verdict: (answer) =>
      answer._tag === "Html" && answer.signIn ? refused("NotLoggedOn", "the login page") : undefined
  },
  {
    row: "HTTP 400 without a code: a wrong form",
    verdict: ({ status }) => (status === 400 ? refused("InvalidParameter", "HTTP 400") : undefined)
  },
  {
    row: "HTTP 403",
    verdict: ({ status }) => (status === 403 ? refused("AccessDenied", "HTTP 403") : undefined)
  },
  {
    row: "HTTP 404 or 405: no such operation",
    verdict: ({ status }) =>
      status === 404 || status === 405 ? refused("Rejected", `HTTP ${status}`) : undefined
  },
  {
    row: "[] with HTTP 200: the session may be gone",
    verdict: (answer) =>
      answer._tag === "EmptyArray" && answer.status < 400
        ? unknown("SessionDoubtful", "[] where a result was due")
        : undefined
  },
  {
    row: "HTTP 5xx without a coded failure",
    verdict: ({ status }) => (status >= 500 ? unknown("ServerError", `HTTP ${status}`) : undefined)
  },
  {
    row: "a body of another shape",
    verdict: (answer) => {
      if (answer._tag !== "Differs") return undefined
      const [first] = answer.differences
      return unknown("Undecodable", first === undefined ? "" : `${first.path}: ${first.message}`)
    }
  },
  {
    row: "HTML, null, nothing or no JSON where JSON was due",
    verdict: (answer) => unknown("NotJson", `${answer._tag} with HTTP ${answer.status}`)
  }
]

/** The meaning of an answer; `valueOf` reads the value of a success, and may find that it is none. */
export const outcomeOf = <S extends Shapes, A>(
  operation: Operation,
  answer: Answer<S>,
  valueOf: (value: Succeeded<S>["value"] | undefined) => Outcome<A>
): Outcome<A> => {
  const outcome = verdictOf(operation, answer as Answer<Shapes>)
  if (outcome._tag !== "Accepted") return outcome
  return valueOf(answer._tag === "Shaped" ? answer.value : undefined)
}

const verdictOf = (operation: Operation, answer: Answer<Shapes>): Outcome<void> => {
  for (const row of outcomeTable) {
    if (row.operation !== undefined && row.operation !== operation) continue
    const outcome = row.verdict(answer, operation)
    if (outcome !== undefined) return outcome
  }
  return unknown("NotJson", "no row of the table applies")
}

/** The outcome when no answer came at all. */
export const outcomeOfNoAnswer = ({ detail, noPermit, sent, timedOut }: NoAnswer): Outcome<never> => {
  if (sent) return unknown(timedOut ? "TimedOut" : "Disconnected", detail)
  return refused(noPermit === true ? "RateLimited" : "NotSent", detail)
}

/** `/market`, `/market/`, with or without a host and a query. */
const isHome = (location: string): boolean => /^(?:https?:\/\/[^/]+)?\/market\/?(?:\?.*)?$/.test(location)
