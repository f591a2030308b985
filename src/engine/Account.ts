/**
 * One look at our own account: open orders, history when it is needed, wallet when it may have moved, confirmations that wait.
 * Run by the deciding fiber between two steps, so that nothing of ours changes while it reads.
 */
import { Effect, Schedule } from "effect"

import { type Event } from "../domain/Event.ts"
import { seen } from "../domain/Facts.ts"
import { type ItemKey, itemKey } from "../domain/Item.ts"
import { countedFrom, knownIds, openingSlackMillis, type State } from "../domain/State.ts"
import { Market, MarketError, type OwnHistory } from "../market/Market.ts"
import { confirmListings, listWaitMillis, pended, wantsList } from "./Confirm.ts"
import { mayConfirm } from "./ControlGate.ts"
import type { Desk } from "./Desk.ts"
import { Journal, marketNow } from "./Journal.ts"
import { compare, isDiffering } from "./LedgerWatch.ts"
import { sweep } from "./Orphans.ts"
import { finishPurchases, givenUp } from "./Purchases.ts"
import { needsHistory, track } from "./Track.ts"

const nothing: OwnHistory = { fills: [], returned: [] }

/** Items on which something of ours changed. */
export const accountPass = Effect.fn("Account.pass")(function* (
  desk: Desk,
  /** What is read in any case, however short ago it was; the list of confirmations, even when its permit has to be waited for. */
  always: { readonly history: boolean; readonly wallet: boolean; readonly list: boolean }
) {
  const journal = yield* Journal
  const market = yield* Market
  const now = yield* marketNow
  desk.lastPassAt = now
  desk.metrics.passes++
  const open = yield* market.ownOpen
  const state = yield* journal.state
  const funds = isDoubtful(state) ? yield* fundsNow : undefined
  const due = always.history || isDiffering(desk) || now - desk.lastHistoryAt >= desk.options.reconcileMillis
  const readHistory = due || needsHistory(state, open)
  const known = knownIds(state)
  const since = countedFrom(state) ?? 0
  const history = readHistory ? yield* market.ownHistory((id, at) => at < since || known.has(id)) : nothing
  const tracked = track({
    state,
    open,
    history,
    funds,
    missing: desk.missing,
    now: yield* marketNow,
    rules: desk.options.track
  })
  yield* journal.append(tracked.events)
  desk.missing = tracked.missing
  if (readHistory) desk.lastHistoryAt = now
  const moved = tracked.events.some((event) => event._tag === "Filled")
  if (always.wallet || moved || isDiffering(desk) || now - desk.lastWalletAt >= desk.options.reconcileMillis)
    yield* readWallet(desk)
  yield* confirmOwn(desk, always.list)
  yield* sweep(desk, open)
  return touched(tracked.events)
})

/** Allows what of ours waits for the authenticator, as soon as its list may be read. */
const confirmOwn = Effect.fnUntraced(function* (desk: Desk, atAnyRate: boolean) {
  const journal = yield* Journal
  const market = yield* Market
  const before = yield* journal.state
  if (!wantsList(before)) return
  if (!atAnyRate && (yield* listWaitMillis) > 0) desk.confirms.openUnsafe()
  else if (mayConfirm(before.control)) {
    const listed = yield* Effect.result(market.confirmations)
    if (listed._tag === "Success") {
      yield* confirmListings(desk, listed.success)
      yield* finishPurchases(desk, listed.success)
    }
    // What changed on the account is decided on even when the authenticator cannot be asked.
    else yield* Effect.logWarning(`the confirmation list could not be read: ${listed.failure.reason._tag}`)
  }
  const after = yield* journal.append(givenUp(yield* journal.state, yield* marketNow))
  // A purchase is decided on prices that move: it is not left to wait for the next look.
  if (pended(after).length > 0) desk.confirms.openUnsafe()
})

/** An outright purchase may have happened: what the wallet holds says whether its money has left. */
const isDoubtful = ({ buys }: State): boolean =>
  Object.values(buys).some(({ _tag }) => _tag === "Uncertain" || _tag === "Quarantined")

const fundsNow = Effect.gen(function* () {
  const market = yield* Market
  const { balance, delayed } = yield* market.wallet
  return balance + delayed
})

/**
 * Ids of what the history shows of the last minutes, by the market's clock. What is in a balance already is told by the rows that are there
 * when it is read: by its time alone a first purchase would be missed on a market whose clock is behind ours.
 */
export const latestRows = Effect.gen(function* () {
  const market = yield* Market
  const now = yield* marketNow
  const readBack = (behind: number) => {
    const since = now - openingSlackMillis - behind
    return Effect.map(
      market.ownHistory((_, at) => at < since),
      ({ behind: found, fills, returned }) => ({
        behind: found,
        before: [
          ...fills.filter(({ at }) => at >= since).map(({ id }): string => id),
          ...returned.filter(({ at }) => at >= since).map(({ listing }): string => listing)
        ]
      })
    )
  }
  const { before, behind } = yield* readBack(0)
  return behind === undefined ? { before } : { before: (yield* readBack(behind)).before, behind }
})

/** Reads the wallet and holds the ledger against it. */
export const readWallet = Effect.fn("Account.readWallet")(function* (desk: Desk) {
  const market = yield* Market
  const at = yield* marketNow
  const wallet = yield* market.wallet
  desk.view.wallet = seen(wallet, at)
  desk.lastWalletAt = at
  yield* compare(desk, wallet)
  return wallet
})

/** Items of which these events tell that something of ours changed. */
export const touched = (events: ReadonlyArray<Event>): ReadonlySet<ItemKey> => {
  const keys = new Set<ItemKey>()
  for (const event of events) {
    if (event._tag === "Filled") keys.add(itemKey(event.fill.item))
    else if (event._tag === "Returned") keys.add(itemKey(event.returned.item))
    else if (event._tag === "ListingSeen") keys.add(itemKey(event.listing.item))
    else if (
      event._tag === "BidClosed" ||
      event._tag === "BidProgressed" ||
      event._tag === "ListingClosed" ||
      event._tag === "BuyClosed"
    )
      keys.add(itemKey(event.item))
  }
  return keys
}

/** While the market says "too fast" there is nothing to do but to wait: whoever gave up would be started again and ask anew. */
const rested = <A, E, R>(self: Effect.Effect<A, E | MarketError, R>) =>
  Effect.retry(
    Effect.tapError(self, (error) =>
      isTooFast(error)
        ? Effect.logWarning("the market lets us read nothing yet: waiting for the end of the rest")
        : Effect.void
    ),
    { schedule: Schedule.spaced("30 seconds"), while: isTooFast }
  )
const isTooFast = (error: unknown): boolean =>
  error instanceof MarketError && error.reason._tag === "RateLimited"

/**
 * The first looks at the account wait for a market that stumbles, and for a session that somebody renews; not for one that nobody does, or
 * for an address where nobody is.
 */
export const patiently = <A, E, R>(self: Effect.Effect<A, E | MarketError, R>) =>
  Effect.flatMap(Market, ({ session }) =>
    Effect.retry(
      Effect.tapError(rested(self), (error) =>
        session.renewable && isLost(error) ? Effect.asVoid(session.check) : Effect.void
      ),
      {
        schedule: Schedule.spaced("5 seconds"),
        times: 6,
        while: (error) =>
          error instanceof MarketError &&
          (stumbles.has(error.reason._tag) || (session.renewable && isLost(error)))
      }
    )
  )
const isLost = (error: unknown): boolean =>
  error instanceof MarketError && error.reason._tag === "SessionExpired"
const stumbles: ReadonlySet<MarketError["reason"]["_tag"]> = new Set(["NoData", "BadStatus"])
