/**
 * Signs requests of the confirmation endpoints (interface, Authentication).
 * Invariants: 1. a pair of time and tag is used once; the second asker waits for the next free second. 2. the time is the market's:
 * the Clock plus an offset learned from its Date headers. 3. the secret leaves only as a signature.
 */
import { createHmac } from "node:crypto"

import { Clock, Context, Effect, Layer, Redacted, Schema } from "effect"

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

/** The session has no authenticator secret. */
export class CannotSign extends Schema.TaggedError<CannotSign>()("CannotSign", { detail: Schema.String }) {}

export class Signer extends Context.Service<
  Signer,
  {
    readonly sign: (tag: string) => Effect.Effect<Signature, CannotSign>
    /** A response just came in that said this time, Unix milliseconds with a resolution of a second. */
    readonly observe: (serverMillis: number) => Effect.Effect<void>
    /** Milliseconds to add to the Clock to get the market's time. */
    readonly offsetMillis: Effect.Effect<number>
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

/** A Date header is cut to the second and may be this old when it is read. */
const resolutionMillis = 1000
const travelMillis = 2000

/** The offset that agrees with what the market said and differs least from the one that was believed. */
export const adjusted = (offset: number, serverMillis: number, now: number): number => {
  const believed = now + offset
  if (believed < serverMillis) return serverMillis - now
  const latest = serverMillis + resolutionMillis + travelMillis
  return believed > latest ? latest - now : offset
}

export const layer: Layer.Layer<Signer, never, Session> = Layer.effect(
  Signer,
  Effect.gen(function* () {
    const session = yield* Session
    const lastUsed = new Map<string, number>()
    let offset = 0

    /** Takes the first free second of the tag, without giving way to another fiber. */
    const reserve = (tag: string, seconds: number): number => {
      for (const [other, used] of lastUsed) if (used < seconds) lastUsed.delete(other)
      const free = Math.max(seconds, (lastUsed.get(tag) ?? -1) + 1)
      lastUsed.set(tag, free)
      return free
    }

    const sign = Effect.fn("Signer.sign")(function* (tag: string) {
      const { identitySecret } = session
      if (identitySecret === undefined)
        return yield* new CannotSign({
          detail: "the session has no identitySecret; add it to the session file"
        })
      const now = (yield* Clock.currentTimeMillis) + offset
      const t = reserve(tag, Math.floor(now / 1000))
      if (t * 1000 > now) yield* Effect.sleep(Math.ceil(t * 1000 - now))
      return {
        p: Redacted.value(session.deviceId),
        a: Redacted.value(session.accountId),
        k: confirmationKey(Redacted.value(identitySecret), t, tag),
        t,
        m: clientKind,
        tag
      }
    })

    return Signer.of({
      sign,
      observe: (serverMillis) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          offset = adjusted(offset, serverMillis, now)
        }),
      offsetMillis: Effect.sync(() => offset)
    })
  })
)
