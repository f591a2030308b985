/**
 * The daemon: polling fibers feed one deciding fiber, which looks, decides, acts and looks after its orders, one whole step at a time.
 * Invariants: 1. every change of state is made by the deciding fiber, but for the operator's word, which does not wait for it. 2. a stop
 * cuts reads and what they lead to, never a mutation: from its journal entry to its recorded answer nothing interrupts. 3. no trading before the account was read and what a dead process left was put up for settlement.
 */
import { Cause, Deferred, Duration, Effect, Option, Queue, Stream } from "effect"

import type { Event } from "../domain/Event.ts"
import { seen } from "../domain/Facts.ts"
import { type ItemKey, itemKey } from "../domain/Item.ts"
import { without } from "../domain/OrderBook.ts"
import { units } from "../domain/Position.ts"
import type { SessionNews } from "../domain/SessionState.ts"
import { Market, type MarketError } from "../market/Market.ts"
import { RateLimiter } from "../market/RateLimiter.ts"
import { Strategies, type StrategyChange } from "../rules/Strategies.ts"
import { Store, type StoreError } from "../store/Store.ts"
import { accountPass, latestRows, patiently, readWallet } from "./Account.ts"
import { Activity, type Observed } from "./Activity.ts"
import { watchBan } from "./BanWatch.ts"
import { beat, beatMillis } from "./Beat.ts"
import { listWaitMillis, wantsList, whenListed } from "./Confirm.ts"
import { Control, obey } from "./Control.ts"
import { breaker, lifeKinds, livesLooked } from "./CrashLoop.ts"
import { watchCurrency } from "./CurrencyWatch.ts"
import { decide, retire } from "./Decide.ts"
import { type Desk, type EngineOptions, makeDesk } from "./Desk.ts"
import { tellDrift } from "./DriftWatch.ts"
import { Journal, marketNow } from "./Journal.ts"
import { ownIn } from "./Observe.ts"
import { poll } from "./Poll.ts"
import { marketFacts } from "./Polled.ts"
import { generationOf, type Observation } from "./PollRead.ts"
import { progressed, type Stalled, watchdog, watchLoops } from "./Progress.ts"
import { afterDeath, overdue, slotsOf, wantsListOnly, wantsLook } from "./Recover.ts"
import { changed, judged, loadedEvent, replace, searched } from "./Reload.ts"
import { resolve, type Searched } from "./Resolve.ts"
import { attend, heard, renewed } from "./SessionWatch.ts"

type Message =
  | Observation
  | Searched
  | { readonly _tag: "AccountDue" }
  | { readonly _tag: "BeatDue" }
  | { readonly _tag: "ListDue" }
  | { readonly _tag: "StrategyChanged"; readonly change: StrategyChange }
  | { readonly _tag: "SessionHeard"; readonly news: SessionNews }
  | { readonly _tag: "ControlGiven" }

/** Answers that wait for the deciding fiber; when it is full the polling fibers wait. */
const inboxCapacity = 256

type Services = Market | RateLimiter | Strategies | Store | Journal | Activity | Control

interface Daemon {
  readonly desk: Desk
  /** Fails when a fiber of the daemon did (the journal could not be written), or when one of its loops went silent. */
  readonly failed: Effect.Effect<never, StoreError | Stalled>
}

/** Recovers, then trades until its scope closes. */
export const start = Effect.fn("Loop.start")(function* (options: EngineOptions, mode: string) {
  const limiter = yield* RateLimiter
  const desk = makeDesk(options, limiter.budgets)
  const inbox = yield* Queue.bounded<Message>(inboxCapacity)
  const strategies = yield* Strategies
  const control = yield* Control
  const end = yield* Deferred.make<never, StoreError | Stalled>()
  /** A fiber that dies takes the daemon with it: alive but idle is the worst of states. */
  const forked = <A, R>(self: Effect.Effect<A, StoreError | Stalled, R>) =>
    self.pipe(
      Effect.onError((cause) =>
        Cause.hasInterruptsOnly(cause) ? Effect.void : Deferred.failCause(end, cause)
      ),
      Effect.forkScoped({ startImmediately: true })
    )
  // Before the current set is read, so that no change falls in between.
  yield* forked(
    Stream.runForEach(strategies.changes, (change) => Queue.offer(inbox, { _tag: "StrategyChanged", change }))
  )
  yield* forked(strategies.failed)
  const { session } = yield* Market
  yield* forked(Stream.runForEach(session.news, (news) => Queue.offer(inbox, { _tag: "SessionHeard", news })))
  yield* resume(desk, mode)
  // `resume` has just read the wallet; it is read again where it differed, or where the history moved it
  yield* patiently(accountPass(desk, { history: true, wallet: false, list: false }))
  yield* setBaseline(desk)
  yield* retire(desk)
  yield* obeyed(desk)
  yield* forked(Effect.forever(Effect.andThen(control.given, Queue.offer(inbox, { _tag: "ControlGiven" }))))
  const { idleTrackMillis } = options
  yield* watchLoops(desk.progress, { deciding: 0, account: idleTrackMillis, beat: beatMillis }, marketFacts)
  yield* forked(poll(desk, inbox))
  yield* forked(resolve(desk, inbox))
  yield* forked(every(options.trackMillis, Queue.offer(inbox, { _tag: "AccountDue" })))
  yield* forked(whenListed(desk, Queue.offer(inbox, { _tag: "ListDue" })))
  yield* forked(every(beatMillis, Queue.offer(inbox, { _tag: "BeatDue" })))
  yield* forked(
    Effect.forever(
      Effect.flatMap(Queue.take(inbox), (message) =>
        handle(desk, message).pipe(
          Effect.andThen(attended(desk, attend(desk))),
          Effect.andThen(tellDrift()),
          Effect.andThen(obeyed(desk)),
          Effect.andThen(progressed(desk.progress, "deciding"))
        )
      )
    )
  )
  yield* forked(watchdog(desk.progress))
  const daemon: Daemon = { desk, failed: Deferred.await(end) }
  return daemon
})

const every = (millis: number, self: Effect.Effect<unknown>) =>
  Effect.forever(Effect.andThen(Effect.sleep(Duration.millis(millis)), self))

/** Opens the ledger on the first run, and puts what a dead process left in flight up for settlement. */
const resume = Effect.fnUntraced(function* (desk: Desk, mode: string) {
  const journal = yield* Journal
  const strategies = yield* Strategies
  const { session } = yield* Market
  const before = yield* journal.state
  const store = yield* Store
  const beatBefore = yield* store.lastBeat
  const lives = yield* store.journal({ kinds: lifeKinds, last: livesLooked })
  if (Option.isSome(beatBefore)) desk.before = beatBefore.value.numbers
  const wallet = yield* patiently(readWallet(desk))
  const rows = before.openedAt === undefined ? yield* patiently(latestRows) : undefined
  const at = yield* marketNow
  const { strategies: loaded } = yield* strategies.current
  const { balance, currency } = wallet
  const opening: ReadonlyArray<Event> =
    rows === undefined ? [] : [{ _tag: "LedgerOpened", at, balance, currency, ...rows }]
  // The wallet was read just now: who could not be known before is known again.
  const state = yield* session.state
  const known = before.sessionLostAt !== undefined && state._tag === "Alive"
  yield* journal.append([
    ...opening,
    { _tag: "RunStarted", at, mode },
    ...(before.control._tag === "Trading" ? breaker(lives, at, desk.options.crashLoop) : []),
    ...loaded.map((strategy) => loadedEvent(strategy, at)),
    ...(known ? [renewed(at, state)] : []),
    ...afterDeath(before, at)
  ])
  yield* replace(desk, loaded)
})

const setBaseline = Effect.fnUntraced(function* (desk: Desk) {
  const journal = yield* Journal
  const { known, positions } = yield* journal.state
  const held = Object.values(positions).reduce((count, position) => count + units(position), 0)
  desk.baseline = { units: held, known: new Set(known) }
})

const handle = (desk: Desk, message: Message): Effect.Effect<void, StoreError, Services> => {
  switch (message._tag) {
    case "Book":
      if (message.generation !== generationOf(desk, message.item)) return Effect.void
      desk.view.books.set(itemKey(message.item), seen(message.value, message.at))
      return Effect.andThen(
        Effect.andThen(watchCurrency(desk, message.item, message.value), tellBook(message)),
        observed(desk, itemKey(message.item))
      )
    case "History":
      desk.view.histories.set(itemKey(message.item), seen(message.value, message.at))
      return Effect.andThen(
        tellSeen(message, { _tag: "History", history: message.value }),
        observed(desk, itemKey(message.item))
      )
    case "Overview":
      desk.view.overviews.set(itemKey(message.item), seen(message.value, message.at))
      return Effect.andThen(
        tellSeen(message, { _tag: "Overview", overview: message.value }),
        observed(desk, itemKey(message.item))
      )
    case "Offers":
      if (message.description !== undefined)
        desk.view.descriptions.set(itemKey(message.item), seen(message.description, message.at))
      if (message.generation !== generationOf(desk, message.item)) return Effect.void
      desk.view.offers.set(itemKey(message.item), seen(message.value, message.at))
      return observed(desk, itemKey(message.item))
    case "AccountDue":
      return whenDue(desk)
    case "BeatDue":
      return beat(desk, false)
    case "ListDue":
      return confirmed(desk)
    case "StrategyChanged":
      return Effect.flatMap(changed(desk, message.change), (keys) => decideOn(desk, keys))
    case "Searched":
      return searched(desk, message)
    case "SessionHeard":
      return attended(desk, heard(desk, message.news))
    case "ControlGiven":
      return released(desk)
  }
}

/** A session that is in force again: what could not be sent or read meanwhile comes first. */
const attended = Effect.fnUntraced(function* <E, R>(desk: Desk, again: Effect.Effect<boolean, E, R>) {
  if (!(yield* again)) return
  yield* look(desk)
  yield* retire(desk)
  desk.hurry.openUnsafe()
})

/** Bids that were cancelled for the operator are looked after at once. */
const obeyed = Effect.fnUntraced(function* (desk: Desk) {
  if (yield* obey(desk)) yield* look(desk)
})

/** What a pause had held back is not waited for: strategies that are gone first, then every item anew. */
const released = Effect.fnUntraced(function* (desk: Desk) {
  const journal = yield* Journal
  if ((yield* journal.state).control._tag !== "Trading") return
  yield* retire(desk)
  yield* decideOn(desk, [...desk.universes.byItem.keys()])
})

const tellSeen = ({ at, item }: Pick<Observed, "at" | "item">, saw: Observed["saw"]) =>
  Effect.flatMap(Activity, (activity) => activity.tell({ _tag: "Observed", at, item, saw }))

const tellBook = Effect.fnUntraced(function* (seen: Extract<Observation, { _tag: "Book" }>) {
  const journal = yield* Journal
  const own = ownIn(yield* journal.state, itemKey(seen.item))
  yield* tellSeen(seen, { _tag: "Book", book: without(seen.value, own), own })
})

const decideOn = Effect.fnUntraced(function* (desk: Desk, keys: ReadonlyArray<ItemKey>) {
  for (const key of keys) yield* decideAndFollow(desk, key)
})

const observed = (desk: Desk, key: ItemKey) => Effect.andThen(judged(desk, key), decideAndFollow(desk, key))

/** A closed slot is free, and a staged listing confirmed, only after a look at the account: do not wait for the clock. */
const decideAndFollow = Effect.fnUntraced(function* (desk: Desk, key: ItemKey) {
  const did = yield* decide(desk, key)
  // A no to a cancel often means that the order was filled a moment ago.
  if (did === "Refused" || (did === "Sent" && (yield* wantsLookNow(desk)))) yield* look(desk)
})

/** What waits for the authenticator waits for the list's next permit; the deciding fiber does not. */
const wantsLookNow = Effect.fnUntraced(function* (desk: Desk) {
  const state = yield* (yield* Journal).state
  if (!wantsLook(state)) return false
  if (!wantsListOnly(state) || (yield* listWaitMillis) === 0) return true
  desk.confirms.openUnsafe()
  return false
})

/** What came to wait for it meanwhile is confirmed with one reading of the list. */
const confirmed = Effect.fnUntraced(function* (desk: Desk) {
  const journal = yield* Journal
  const state = yield* journal.state
  if (state.sessionLostAt === undefined && wantsList(state)) yield* look(desk)
})

const whenDue = Effect.fnUntraced(function* (desk: Desk) {
  yield* progressed(desk.progress, "account")
  yield* watchBan(desk)
  const journal = yield* Journal
  const state = yield* journal.state
  if (state.sessionLostAt === undefined) yield* retire(desk)
  const working = slotsOf(state).length > 0
  const age = (yield* marketNow) - desk.lastPassAt
  const isDue = age >= (working ? desk.options.trackMillis * 0.9 : desk.options.idleTrackMillis)
  // Own lists of a stranger are empty or refused: the canary is asked instead.
  if (isDue && state.sessionLostAt === undefined) yield* look(desk)
  yield* journal.append(overdue(yield* journal.state, yield* marketNow, desk.metrics.passes))
})

/** Looks in a row: what a look led us to send (a fill leads to a listing) wants one more, to be confirmed. */
const looksInARow = 3

/** A look at the account that may fail as any read may; the next one is due soon enough. */
const look = Effect.fnUntraced(function* (desk: Desk) {
  const activity = yield* Activity
  const unread = (error: MarketError) =>
    Effect.gen(function* () {
      const at = yield* marketNow
      const { operation, reason } = error
      yield* activity.tell({ _tag: "PollFailed", at, operation, about: "account", why: reason._tag })
      return new Set<ItemKey>()
    })
  for (let round = 0; round < looksInARow; round++) {
    const changed = yield* Effect.catchTag(
      accountPass(desk, { history: false, wallet: false, list: false }),
      "MarketError",
      unread
    )
    let sent = false
    for (const key of changed) sent = (yield* decide(desk, key)) !== "Nothing" || sent
    if (!sent || !(yield* wantsLookNow(desk))) return
  }
})
