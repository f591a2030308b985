/**
 * Why a read has no data: an answer that is no success, as a MarketError reason.
 * Invariant: every signal that the login is gone ends as SessionExpired, whatever its form.
 */
import { Schema } from "effect"

import { type Operation } from "../domain/Operation.ts"
import { type Answer, type RawAnswer } from "./contract/Reading.ts"
import { type Shapes } from "./contract/Shape.ts"
import { Failure } from "./contract/Wire.ts"
import { type NoAnswer } from "./Http.ts"
import { isLogin } from "./Login.ts"
import {
  BadStatus,
  type MarketError,
  NoData,
  RateLimited,
  SessionExpired,
  Undecodable,
  Unreachable
} from "./Market.ts"

export type Reason = MarketError["reason"]

const isFailure = Schema.is(Failure)
const WrappedFailure = Schema.Struct({ data: Failure })
const isWrapped = Schema.is(WrappedFailure)

/** Operations that answer HTTP 400 to a caller without a session. */
const anonymousIs400: ReadonlySet<Operation> = new Set(["pricehistory", "billing", "mylistings", "myhistory"])

export const readFailure = (operation: Operation, raw: RawAnswer, answer: Answer<Shapes>): Reason => {
  if (raw.notLoggedIn) return new SessionExpired({ signal: "header X-NotLoggedIn" })
  switch (answer._tag) {
    case "TooFast":
      return new RateLimited()
    case "Redirect":
      return isLogin(answer.location)
        ? new SessionExpired({ signal: `HTTP ${answer.status} to the login` })
        : new BadStatus({ status: answer.status })
    case "Html":
      if (answer.signIn) return new SessionExpired({ signal: "the login page" })
      return byStatus(operation, answer.status) ?? new NoData({ detail: "an HTML page where data was due" })
    case "Shaped":
      return failed(operation, answer.status, answer.value)
    case "Differs": {
      const [first] = answer.differences
      return (
        byStatus(operation, answer.status) ??
        new Undecodable({ path: first?.path ?? "", detail: first?.message ?? "" })
      )
    }
    case "NotModified":
      return new NoData({ detail: "NotModified where data was due" })
    case "Null":
    case "Payload":
    case "EmptyArray":
    case "Empty":
    case "NotJson":
      return byStatus(operation, answer.status) ?? new NoData({ detail: `${answer._tag} where data was due` })
  }
}

const byStatus = (operation: Operation, status: number): Reason | undefined => {
  if (status === 401) return new SessionExpired({ signal: "HTTP 401" })
  if (status === 400 && anonymousIs400.has(operation)) return new SessionExpired({ signal: "HTTP 400" })
  return status >= 300 ? new BadStatus({ status }) : undefined
}

const notLoggedOn = 21
const tooFast = 84

const failed = (operation: Operation, status: number, value: unknown): Reason => {
  const failure = isFailure(value) ? value : isWrapped(value) ? value.data : undefined
  if (failure?.needauth === true || failure?.needsauth === true)
    return new SessionExpired({ signal: "the body says needauth" })
  if (failure?.success === notLoggedOn) return new SessionExpired({ signal: `success ${notLoggedOn}` })
  if (failure?.success === tooFast) return new RateLimited()
  return byStatus(operation, status) ?? new NoData({ detail: `success ${String(failure?.success)}` })
}

export const unreachable = ({ detail, noPermit }: NoAnswer): Reason =>
  noPermit === true ? new RateLimited() : new Unreachable({ detail })
