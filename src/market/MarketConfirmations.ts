/**
 * The mobile authenticator: what waits, what it is about, allow and cancel (interface, Confirmations).
 * Invariant: every request is signed after its permit was given, so that a signature never grows old in a queue.
 */
import { Effect, Result } from "effect"

import { type Confirmation, type ConfirmationKind } from "../domain/Confirmation.ts"
import { type ConfirmationId } from "../domain/Ids.ts"
import { accepted } from "../domain/Outcome.ts"
import { Ask } from "./Ask.ts"
import {
  confirmationDetailsShapes,
  confirmationOpShapes,
  type ConfirmationRow,
  confirmationsShapes
} from "./contract/Confirmations.ts"
import { reader } from "./contract/Reading.ts"
import { readSubjects } from "./html/ConfirmationPage.ts"
import { MarketError, SessionExpired, Undecodable } from "./Market.ts"
import { Session } from "./Session.ts"
import { Signer } from "./Signer.ts"

const readList = reader(confirmationsShapes)
const readDetails = reader(confirmationDetailsShapes)
const readDone = reader(confirmationOpShapes)

const responseMode = "response-only"

export const makeConfirmations = Effect.gen(function* () {
  const ask = yield* Ask
  const signer = yield* Signer
  const session = yield* Session
  const { confirmations: client } = ask.client

  /** Without a secret no permit is wasted. */
  const withSecret = <A>(
    operation: string,
    read: Effect.Effect<A, MarketError>
  ): Effect.Effect<A, MarketError> =>
    Effect.flatMap(session.current, ({ identitySecret }) =>
      identitySecret === undefined
        ? Effect.fail(
            new MarketError({ operation, reason: new SessionExpired({ signal: "no identitySecret" }) })
          )
        : read
    )

  const listed = Effect.gen(function* () {
    const call = Effect.flatMap(signer.sign("conf"), (query) => client.confirmations({ query, responseMode }))
    const { value } = yield* ask.read("confirmations", readList, call)
    return (value.conf ?? []).map(confirmationOf)
  })

  const confirmationSubjects = Effect.fn("Market.confirmationSubjects")(function* ({ id }: Confirmation) {
    const call = Effect.flatMap(signer.sign(`details${id}`), (query) =>
      client["confirmation-details"]({ params: { confirmationid: id }, query, responseMode })
    )
    const { value } = yield* withSecret(
      "confirmation-details",
      ask.read("confirmation-details", readDetails, call)
    )
    const subjects = readSubjects(value.html)
    return Result.isSuccess(subjects)
      ? subjects.success
      : yield* new MarketError({
          operation: "confirmation-details",
          reason: new Undecodable({ path: "html", detail: subjects.failure.message })
        })
  })

  const decide = (op: "allow" | "cancel") =>
    Effect.fn(`Market.${op}Confirmation`)(function* ({ id, nonce }: Confirmation) {
      const call = Effect.flatMap(signer.sign(op), (signature) =>
        client["confirmation-op"]({ query: { ...signature, op, cid: id, ck: nonce }, responseMode })
      )
      return yield* ask.mutate("confirmation-op", readDone, call, () => accepted<void>(undefined))
    })

  return {
    confirmations: withSecret("confirmations", listed),
    confirmationSubjects,
    allowConfirmation: decide("allow"),
    cancelConfirmation: decide("cancel")
  }
})

const kinds: ReadonlyMap<number, ConfirmationKind> = new Map([
  [3, "Listing"],
  [12, "Purchase"]
])

const confirmationOf = (row: ConfirmationRow): Confirmation => ({
  id: row.id as ConfirmationId,
  nonce: row.nonce,
  kind: kinds.get(row.type) ?? "Other",
  creator: row.creator_id,
  headline: row.headline ?? ""
})
