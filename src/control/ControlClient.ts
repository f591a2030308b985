/** The other commands' side of the control interface. */
import { Effect, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"

import { ControlApi } from "./ControlApi.ts"
import { findDoor } from "./Door.ts"

/** A daemon on the same machine answers at once or is busy with something that a person should know of. */
const patience = "10 seconds"

/** The daemon that works with this database; undefined when none answers there. */
export const connect = Effect.fn("ControlClient.connect")(function* (database: string) {
  const door = yield* findDoor(database)
  if (door === undefined) return undefined
  const client = yield* HttpApiClient.make(ControlApi, {
    baseUrl: door.url,
    transformClient: HttpClient.mapRequest(
      HttpClientRequest.setHeader("authorization", `Bearer ${Redacted.value(door.key)}`)
    )
    // the loopback needs no client of a composition
    // @effect-diagnostics-next-line strictEffectProvide:off
  }).pipe(Effect.provide(FetchHttpClient.layer))
  const { daemon } = client
  // a door that a killed process left, or a stranger at its port, is no daemon
  const status = yield* daemon.status().pipe(
    Effect.timeout(patience),
    Effect.orElseSucceed(() => undefined)
  )
  return status === undefined ? undefined : { ...daemon, found: status }
})
