/** Journals when the market begins to refuse us altogether, for how long at least, and when it takes our requests again. */
import { Effect } from "effect"

import type { Millis } from "../domain/Ids.ts"
import { RateLimiter } from "../market/RateLimiter.ts"
import type { Desk } from "./Desk.ts"
import { Journal, marketNow } from "./Journal.ts"

export const watchBan = Effect.fnUntraced(function* (desk: Desk) {
  const { banned } = yield* RateLimiter
  const until = (yield* banned)?.until
  if (until === desk.bannedUntil) return
  desk.bannedUntil = until
  const journal = yield* Journal
  const at = yield* marketNow
  yield* journal.append([
    until === undefined ? { _tag: "BanLifted", at } : { _tag: "Banned", at, until: until as Millis }
  ])
})
