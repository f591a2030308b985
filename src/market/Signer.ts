/**
 * Signs requests of the confirmation endpoints (interface, Authentication).
 * Invariants: 1. a pair of time and tag is used once; the second asker waits for the next free second. 2. the time is the market's:
 * the Clock plus the offset of MarketClock; while that is not certain nothing is signed. 3. the secret leaves only as a signature.
 */
import { createHmac } from "node:crypto"

import { Clock, Context, Effect, Layer, Redacted, Schema } from "effect"

import {
  jumpMillis,
  type MarketClock,
  observed,
  offsetOf,
  type Offset,
  type Sample,
  unknownClock
} from "./MarketClock.ts"
import { Session } from "./Session.ts"

/** Query parameters of a signed request. */
export interface Signature {
  readonly p: string
  readonly a: string
  readonly k: string
  readonly t: number
  readonly m: string
  readonly tag: string
}

/** The session has no authenticator secret, or the market's time is not known well enough. */
export class CannotSign extends Schema.TaggedError<CannotSign>()("CannotSign", { detail: Schema.String }) {}

export class Signer extends Context.Service<
  Signer,
  {
    readonly sign: (tag: string) => Effect.Effect<Signature, CannotSign>
    /** An answer just came in that told the market's time. */
    readonly observe: (sample: Sample) => Effect.Effect<void>
    /** What to add to the Clock to get the market's time; undefined before the first answer. */
    readonly offset: Effect.Effect<Offset | undefined>
  }
>()("haggle/market/Signer") {}

/** Tags longer than this are cut before they are signed. */
const longestTag = 32

/** Base64 HMAC-SHA1 over the time as a big-endian 64-bit integer and the tag. */
export const confirmationKey = (identitySecret: string, unixSeconds: number, tag: string): string => {
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(unixSeconds))
  const message = Buffer.concat([time, Buffer.from(tag, "utf8").subarray(0, longestTag)])
  return createHmac("sha1", Buffer.from(identitySecret, "base64")).update(message).digest("base64")
}

/** Kind of client that the signature claims to come from. */
const clientKind = "react"

/** A market takes signatures of two minutes around its own time; half of that is lost before one may be used. */
const mostUncertainMillis = 30_000
/** The longest wait for a free second: more of it means that a clock was set back. */
const longestWaitMillis = 10_000

export const layer: Layer.Layer<Signer, never, Session> = Layer.effect(
  Signer,
  Effect.gen(function* () {
    const session = yield* Session
    const lastUsed = new Map<string, number>()
    let clock = unknownClock

    /** Takes the first free second of the tag, without giving way to another fiber; undefined when that is too far off. */
    const reserve = (tag: string, now: number): number | undefined => {
      const seconds = Math.floor(now / 1000)
      for (const [other, used] of lastUsed) if (used < seconds) lastUsed.delete(other)
      const free = Math.max(seconds, (lastUsed.get(tag) ?? -1) + 1)
      if (free * 1000 - now > longestWaitMillis) return undefined
      lastUsed.set(tag, free)
      return free
    }

    const sign = Effect.fn("Signer.sign")(function* (tag: string) {
      const { deviceId, identitySecret } = yield* session.current
      if (identitySecret === undefined)
        return yield* new CannotSign({
          detail: "the session has no identitySecret; add it to the session file"
        })
      const doubt = doubtOf(clock, yield* Clock.currentTimeMillis)
      if (doubt !== undefined) return yield* new CannotSign({ detail: doubt })
      const here = yield* Clock.currentTimeMillis
      const now = here + (offsetOf(clock, here)?.millis ?? 0)
      const t = reserve(tag, now)
      if (t === undefined)
        return yield* new CannotSign({
          detail: "the clock was set back; each second is signed for once only"
        })
      if (t * 1000 > now) yield* Effect.sleep(Math.ceil(t * 1000 - now))
      return {
        p: Redacted.value(deviceId),
        a: Redacted.value(session.accountId),
        k: confirmationKey(Redacted.value(identitySecret), t, tag),
        t,
        m: clientKind,
        tag
      }
    })

    return Signer.of({
      sign,
      observe: (sample) =>
        Effect.sync(() => {
          clock = observed(clock, sample)
        }),
      offset: Effect.map(Clock.currentTimeMillis, (now) => offsetOf(clock, now))
    })
  })
)

/** Why nothing may be signed now, undefined when all is well. */
const doubtOf = (clock: MarketClock, now: number): string | undefined => {
  if (clock.contrary.length > 0)
    return `the market's clock seems to have jumped by more than ${jumpMillis / 1000} s; waiting for more answers to say so`
  const offset = offsetOf(clock, now)
  return offset !== undefined && offset.uncertaintyMillis > mostUncertainMillis
    ? `the market's clock is known to ${Math.round(offset.uncertaintyMillis / 1000)} s only`
    : undefined
}
