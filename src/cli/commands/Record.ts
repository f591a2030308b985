/**
 * `haggle record`: reads order books, price histories and, if wanted, the orders of others and histograms, onto tapes; places nothing.
 * Invariants: 1. a read that fails is told and tried again at its next turn. 2. what was read is on the disk when a signal ends it. 3. reads
 * of one kind, whose budget is used up, keep no other kind waiting.
 */
import { Clock, Console, Duration, Effect, Option, Path, Semaphore } from "effect"

import type { Millis } from "../../domain/Ids.ts"
import { type Item, itemKey, itemOfKey, type ItemKey } from "../../domain/Item.ts"
import { patiently } from "../../engine/Account.ts"
import { Market, type MarketError } from "../../market/Market.ts"
import { readSession } from "../../market/SessionFile.ts"
import { checkFiles } from "../../rules/StrategiesYaml.ts"
import { namedItems } from "../../rules/Universe.ts"
import { makeRecorder, rollBytes, type Seen } from "../../tape/Recorder.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import type { Settings } from "../config/Settings.ts"
import { badConfig, cliError, untilSignal } from "../Exit.ts"
import { layerLive, marketUrl } from "../run/LiveMarket.ts"

export interface RecordFlags {
  readonly json: boolean
  readonly item: ReadonlyArray<string>
  readonly every: Option.Option<number>
  readonly historyEvery: Option.Option<number>
  readonly activity: boolean
  readonly histogram: boolean
  readonly for: Option.Option<number>
  readonly out: Option.Option<string>
}

const defaultEvery = Duration.toMillis("1 minute")
const defaultHistoryEvery = Duration.toMillis("1 hour")
const longestRestMillis = Duration.toMillis("1 hour")

/** Items by name, or those that the strategies name. */
const itemsOf = Effect.fnUntraced(function* (named: ReadonlyArray<string>, settings: Settings) {
  const wrong = named.find((name) => !/^\d+\/.+$/.test(name))
  if (wrong !== undefined)
    return yield* cliError(
      badConfig,
      `--item: ${wrong} is no item`,
      "write it as app/name, such as '730/Glove Case'"
    )
  if (named.length > 0) return named.map((name) => itemOfKey(name as ItemKey))
  const { strategies } = yield* checkFiles([settings.strategies], { currency: settings.exchange.currency })
  const all = new Map(
    strategies.flatMap(({ universe }) => namedItems(universe)).map((item) => [itemKey(item), item])
  )
  return all.size > 0
    ? [...all.values()]
    : yield* cliError(
        badConfig,
        `no strategy in ${settings.strategies} names an item`,
        "name items with --item APP/NAME"
      )
})

type Read = Effect.Effect<Seen["saw"], MarketError>

/** Something that is read again and again. */
interface Turn {
  readonly item: Item
  readonly what: string
  readonly everyMillis: number
  readonly read: Read
  dueAt: number
  /** In a row: what fails is read less and less often, up to once an hour. */
  failures: number
}

const turnsOf = Effect.fnUntraced(function* (items: ReadonlyArray<Item>, flags: RecordFlags) {
  const market = yield* Market
  const every = Option.getOrElse(flags.every, () => defaultEvery)
  const historyEvery = Option.getOrElse(flags.historyEvery, () => defaultHistoryEvery)
  return items.flatMap((item): ReadonlyArray<Turn> => {
    const book: Read = Effect.map(market.orderBook(item), (book) => ({
      _tag: "Book",
      book,
      own: { bids: [], asks: [] }
    }))
    const history: Read = Effect.map(market.priceHistory(item), (history) => ({ _tag: "History", history }))
    let known: string | undefined
    // it never changes, and the page that tells it is dear: whoever asks second waits for the first
    const nameId = Semaphore.makeUnsafe(1).withPermit(
      Effect.gen(function* () {
        return (known ??= yield* market.offers.itemNameId(item))
      })
    )
    const activity: Read = Effect.gen(function* () {
      return { _tag: "Activity", entries: yield* market.offers.activity(yield* nameId) }
    })
    const histogram: Read = Effect.gen(function* () {
      return { _tag: "Histogram", book: yield* market.offers.histogram(yield* nameId) }
    })
    const turn = (what: string, everyMillis: number, read: Read) => ({
      item,
      what,
      everyMillis,
      read,
      dueAt: 0,
      failures: 0
    })
    return [
      turn("order book", every, book),
      turn("price history", historyEvery, history),
      ...(flags.activity ? [turn("activity", every, activity)] : []),
      ...(flags.histogram ? [turn("histogram", every, histogram)] : [])
    ]
  })
})

/** Turns of one kind in the order in which they are due, for ever; the budgets are the market adapter's. */
const taking = Effect.fnUntraced(function* (
  turns: ReadonlyArray<Turn>,
  take: (seen: Seen) => Effect.Effect<void, never, Path.Path>,
  currency: number
) {
  const strange = new Set<ItemKey>()
  for (;;) {
    const next = turns.reduce((first, one) => (one.dueAt < first.dueAt ? one : first))
    yield* Effect.sleep(Duration.millis(Math.max(0, next.dueAt - (yield* Clock.currentTimeMillis))))
    const at = (yield* Clock.currentTimeMillis) as Millis
    const answer = yield* Effect.result(next.read)
    next.failures = answer._tag === "Failure" ? next.failures + 1 : 0
    const restMillis = Math.min(longestRestMillis, next.everyMillis * 2 ** next.failures)
    next.dueAt = at + Math.max(next.everyMillis, next.failures === 0 ? 0 : restMillis)
    const key = itemKey(next.item)
    if (answer._tag === "Failure") yield* Console.error(`${key}: ${next.what}: ${answer.failure.message}`)
    else {
      const saw = answer.success
      if (saw._tag === "Book" && saw.book.currency !== currency && !strange.has(key)) {
        strange.add(key)
        yield* Console.error(`${key}: its book is in another currency than the wallet and is left out`)
      }
      yield* take({ at, item: next.item, saw })
    }
  }
})

export const run = Effect.fn("cli.record")(function* (flags: RecordFlags, { settings }: ResolvedConfig) {
  const path = yield* Path.Path
  const url = yield* marketUrl(settings)
  const items = yield* itemsOf(flags.item, settings)
  const session = yield* readSession(settings.session.file)
  const { keep, keepMegabytes, rollEvery } = settings.recording
  const folder = Option.getOrElse(
    flags.out,
    () => settings.recording.folder ?? path.join(settings.state, "tapes")
  )
  const recording = Effect.gen(function* () {
    const market = yield* Market
    const { currency } = yield* patiently(market.wallet)
    const take = yield* makeRecorder({
      folder,
      meta: { currency, market: url },
      held: (self) => self,
      rollMillis: Duration.toMillis(rollEvery),
      rollBytes,
      keepMillis: Duration.toMillis(keep),
      keepBytes: keepMegabytes * 1024 * 1024
    })
    yield* Console.error(`recording ${items.length} items of ${url} into ${folder}; Ctrl-C ends it`)
    // one after the other: a tape has one end
    const writing = yield* Semaphore.make(1)
    const kinds = Map.groupBy(yield* turnsOf(items, flags), ({ what }) => what)
    const work = Effect.forEach(
      kinds.values(),
      (turns) => taking(turns, (seen) => writing.withPermit(take(seen)), currency),
      { concurrency: "unbounded", discard: true }
    )
    return yield* Option.match(flags.for, {
      onNone: () => work,
      onSome: (millis) => Effect.timeoutOption(work, Duration.millis(millis))
    })
  })
  yield* untilSignal(recording.pipe(Effect.scoped, Effect.provide(layerLive(settings, url, session))))
  if (flags.json) yield* Console.log(JSON.stringify({ folder, items: items.map(itemKey) }))
})
