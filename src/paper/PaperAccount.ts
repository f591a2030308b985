/**
 * The account of a dry-run, kept in a file. Invariants: 1. one request at a time changes it. 2. a change of what is ours is written to the disk before it is
 * answered; a disk that fails is told and tried again with the next change.
 */
import { Clock, Effect, FileSystem, Option, Path, Schema, Semaphore } from "effect"

import type { Millis } from "../domain/Ids.ts"
import type { Money } from "../domain/Money.ts"
import { type Outcome, refused } from "../domain/Outcome.ts"
import type { Wallet } from "../domain/Wallet.ts"
import { Market, type MarketError } from "../market/Market.ts"
import type { Answered } from "./PaperOrders.ts"
import type { PaperRules } from "./PaperSee.ts"
import { PaperState, paperState } from "./PaperState.ts"

export interface PaperOptions {
  /** Where the account is kept. */
  readonly file: string
  /** What the account begins with; undefined takes the real wallet's balance. */
  readonly balance: Money | undefined
  readonly rules: PaperRules
  /** Lets no virtual time pass while the disk is waited for. */
  readonly held: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The paper account cannot be read or written. */
export class PaperError extends Schema.TaggedError<PaperError>()("PaperError", {
  file: Schema.String,
  message: Schema.String,
  remedy: Schema.String
}) {}

const State_ = Schema.fromJsonString(PaperState)
const encode = Schema.encodeSync(State_)
const decode = Schema.decodeUnknownEffect(State_)

export interface PaperAccount {
  readonly state: Effect.Effect<PaperState, MarketError>
  /** The real wallet, read now. */
  readonly wallet: Effect.Effect<Wallet, MarketError>
  /** A request of ours and its answer. */
  readonly asked: <A>(
    change: (state: PaperState, at: Millis, wallet: Wallet) => Answered<A>
  ) => Effect.Effect<Outcome<A>>
  /** Something that the market showed; answers with the account after it. */
  readonly saw: (
    change: (state: PaperState, at: Millis, wallet: Wallet) => PaperState
  ) => Effect.Effect<PaperState, MarketError>
}

/** Whether something of ours changed; what is only remembered of a market goes to the disk with the next change that is ours. */
const isOurs = (before: PaperState, after: PaperState): boolean =>
  before.orders !== after.orders || before.listings !== after.listings || before.fills !== after.fills

const now = Effect.map(Clock.currentTimeMillis, (at) => at as Millis)

export const openAccount = Effect.fn("PaperAccount.open")(function* (options: PaperOptions) {
  const real = yield* Market
  const kept = yield* keptState(options)
  const one = yield* Semaphore.make(1)
  const alone = Semaphore.withPermits(one, 1)
  let last: Wallet | undefined
  const wallet = Effect.tap(real.wallet, (read) =>
    Effect.sync(() => {
      last = read
    })
  )
  // its fees and currency hardly ever change
  const known = Effect.suspend(() => (last === undefined ? wallet : Effect.succeed(last)))
  const state = Effect.map(known, ({ balance }) => kept.get(options.balance ?? balance))
  const account: PaperAccount = {
    state,
    wallet,
    asked: (change) =>
      Effect.gen(function* () {
        const [next, outcome] = change(yield* state, yield* now, yield* known)
        yield* kept.put(next)
        return outcome
      }).pipe(
        alone,
        Effect.catchTag("MarketError", (error) => Effect.succeed(refused("NotSent", error.message)))
      ),
    saw: (change) =>
      Effect.gen(function* () {
        const before = yield* state
        const next = change(before, yield* now, yield* known)
        yield* kept.put(next, isOurs(before, next))
        return next
      }).pipe(alone)
  }
  return account
})

/** The state in its file. */
const keptState = Effect.fnUntraced(function* ({ file, held }: PaperOptions) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const unusable = (what: string) => (cause: { readonly message: string }) =>
    new PaperError({
      file,
      message: `${file} cannot be ${what}: ${cause.message}`,
      remedy: "make its folder writable, or remove the file to begin with a new paper account"
    })
  const text = yield* held(
    fs.readFileString(file).pipe(
      Effect.asSome,
      Effect.catchIf(
        (error) => error.reason._tag === "NotFound",
        () => Effect.succeedNone
      )
    )
  ).pipe(Effect.mapError(unusable("read")))
  let state = Option.isNone(text)
    ? undefined
    : yield* decode(text.value).pipe(Effect.mapError(unusable("understood")))
  const write = Effect.fnUntraced(function* (next: PaperState) {
    yield* fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 })
    yield* fs.writeFileString(`${file}.new`, encode(next), { mode: 0o600 })
    yield* fs.rename(`${file}.new`, file)
  })
  return {
    get: (opening: Money): PaperState => (state ??= paperState(opening)),
    put: (next: PaperState, writes = true) =>
      Effect.suspend(() => {
        state = next
        if (!writes) return Effect.void
        return held(write(next)).pipe(
          Effect.catchTag("PlatformError", (cause) => Effect.logWarning(unusable("written")(cause).message))
        )
      })
  }
})
