/** What the eligibility check tells: a cookie beside its redirect, URL-encoded JSON (interface, Account: eligibilitycheck). */
import { Option, Schema } from "effect"

import { expected, field } from "./Field.ts"
import { parseJson } from "./Json.ts"
import { Flag } from "./Wire.ts"

/** Name of the cookie. */
export const eligibilityCookie = "webTradeEligibility"

const Eligibility = Schema.Struct({
  allowed: field(Flag, "Whether the account may trade."),
  allowed_at_time: expected(Schema.Int, "Unix seconds from when on it may; 0 when it may."),
  reason: expected(Schema.Int, "Bits of why not; 0 when it may."),
  guard_required_days: expected(Schema.Int, "Days that an authenticator must have been active."),
  new_device_cooldown_days: expected(Schema.Int, "Days that a new device has to wait."),
  time_checked: expected(Schema.Int, "Unix seconds of the check."),
  expiration: expected(Schema.Int, "Unix seconds until when the check holds.")
}).annotate({ identifier: "Eligibility", description: "Value of the cookie webTradeEligibility." })
export type Eligibility = typeof Eligibility.Type

const decodeValue = Option.liftThrowable((value: string): string => decodeURIComponent(value))
const decode = Schema.decodeUnknownOption(Eligibility)

/** The cookie's value as it travels; None when it is something else. */
export const readEligibility = (cookie: string): Option.Option<Eligibility> =>
  decodeValue(cookie).pipe(Option.flatMap(parseJson), Option.flatMap(decode))
