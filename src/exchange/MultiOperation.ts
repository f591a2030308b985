/**
 * `POST /mobileconf/multiajaxop`: allows or cancels several confirmations with one signature, as clients of this family do beside the
 * thirty operations. Ids come as `cid[]=…&ck[]=…` or as `cid[0]=…&ck[0]=…`.
 * Invariants: 1. session and signature are those of `ajaxop`. 2. every pair is tried; the answer is a success when all of them were.
 */
import { Effect, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

import { signatureFields } from "../market/contract/Wire.ts"
import { checkSignature, tagsFor } from "./Auth.ts"
import { maintenance, rateLimited } from "./FaultsAnswers.ts"
import { asked, execute } from "./handlers/Request.ts"
import { multiPath } from "./OperationOf.ts"
import { refusals } from "./Refusal.ts"

const Form = Schema.Struct({
  ...signatureFields,
  t: Schema.NumberFromString.check(Schema.isInt()),
  op: Schema.Literals(["allow", "cancel"])
})
const decodeForm = Schema.decodeUnknownOption(Form)

/** More at once is no honest client. */
const mostPairs = 250
const listName = /^(cid|ck)\[(\d*)\]$/

type Field = readonly [name: string, value: string]

/** Values of `name[]` in their order, or of `name[n]` in the order of their numbers. */
const listOf = (fields: ReadonlyArray<Field>, name: "cid" | "ck"): ReadonlyArray<string> =>
  fields
    .flatMap(([key, value], position) => {
      const match = listName.exec(key)
      return match?.[1] === name ? [{ place: match[2] === "" ? position : Number(match[2]), value }] : []
    })
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value)

const needAuth = HttpServerResponse.jsonUnsafe({ success: false, needsauth: true })
const wrong = HttpServerResponse.jsonUnsafe([], { status: 400 })

const handle = Effect.gen(function* () {
  const request = yield* asked("confirmation-op")
  const { exchange, session, world } = request
  const body = yield* (yield* HttpServerRequest.HttpServerRequest).urlParamsBody
  const fields = [...body].map(([name, value]): Field => [name, String(value)])
  const decoded = decodeForm(Object.fromEntries(fields))
  const [ids, nonces] = [listOf(fields, "cid"), listOf(fields, "ck")]
  if (Option.isNone(decoded) || ids.length === 0 || ids.length > mostPairs || ids.length !== nonces.length)
    return wrong
  const { op, ...signature } = decoded.value
  const credentials = session === undefined ? undefined : exchange.credentials[session.account]
  if (session === undefined || credentials === undefined) return needAuth
  const fault = checkSignature({
    credentials,
    signature,
    tags: tagsFor[op],
    lenient: exchange.lenient,
    used: exchange.usedKeys,
    now: world.now
  })
  if (fault !== undefined) return needAuth
  let isDone = true
  for (const [index, id] of ids.entries()) {
    const command = { account: session.account, id, nonce: nonces[index] ?? "", op }
    const reply = yield* execute(request, { _tag: "SettleConfirmation", ...command })
    if (reply._tag === "Refused") isDone = false
  }
  return HttpServerResponse.jsonUnsafe(
    isDone ? { success: true } : { success: false, message: refusals.NoSuchConfirmation.message }
  )
})

/** The route, with the answers of a market that is closed or asked too often. */
export const MultiOperation = HttpRouter.add(
  "POST",
  multiPath,
  Effect.catchTags(handle, {
    TooManyRequests: () => Effect.succeed(rateLimited),
    Unavailable: () => Effect.succeed(maintenance)
  })
)
