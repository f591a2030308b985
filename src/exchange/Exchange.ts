/**
 * The embedded market as a service: the world behind one lock, its journal, its accounts. Requests and tests go through here.
 * Invariants: 1. one command or read at a time, each at the clock's moment (never before the last one). 2. what was answered is in the
 * journal: a command before its answer, and the time of any read that met fills. 3. a disk that fails changes nothing in memory.
 */
import { Clock, Context, Effect, Layer, type Scope, Semaphore } from "effect"

import { type CurrencyId } from "../domain/Currency.ts"
import { type AccountId, type AssetId, type Millis } from "../domain/Ids.ts"
import { type Item, item as itemOf } from "../domain/Item.ts"
import { type Money } from "../domain/Money.ts"
import { cookiesOf, type Credentials, credentialsOf } from "./Accounts.ts"
import { advance } from "./Advance.ts"
import { apply } from "./Apply.ts"
import { noKeysUsed, type UsedKeys } from "./Auth.ts"
import { contextOf } from "./Catalogue.ts"
import { type Command, type Reply } from "./Command.ts"
import { emptyMemory, type Journal, type JournalError, journalMemory } from "./Journal.ts"
import { journalFiles } from "./JournalFiles.ts"
import { defaults, type ExchangeOptions, recover } from "./Opening.ts"
import { dayMillis } from "./Process.ts"
import { type Counted } from "./Quota.ts"
import { type MarketItem, type World } from "./World.ts"

/** An account as a client needs it to log in. */
export interface ExchangeAccount {
  readonly accountId: AccountId
  readonly cookies: Readonly<Record<string, string>>
  readonly sessionid: string
  readonly identitySecret: string
  readonly deviceId: string
  readonly wallet: { readonly currency: CurrencyId; readonly balance: Money }
  /** What lay in its inventory when the market was opened: what a client without a history can list. */
  readonly assets: ReadonlyArray<{ readonly item: Item; readonly context: string; readonly asset: AssetId }>
}

/** What the market knows of an account, read in process: the measure of a client's own books. */
export interface Truth {
  readonly balance: Money
  /** Units owned by `app/name`, in the inventory or listed. */
  readonly units: ReadonlyMap<string, number>
}

export class Exchange extends Context.Service<
  Exchange,
  {
    readonly accounts: ReadonlyArray<ExchangeAccount>
    readonly items: ReadonlyArray<Item>
    readonly platformName: string
    readonly lenient: boolean
    readonly checkEligibility: boolean
    readonly pages: "legacy" | "rendered"
    /** Market time of the last journaled moment when the layer was opened; a virtual clock starts there. */
    readonly lastTime: Millis
    /** The world at the clock's moment. */
    readonly world: Effect.Effect<World, JournalError>
    readonly execute: (command: Command) => Effect.Effect<Reply, JournalError>
    readonly truth: (account: number) => Effect.Effect<Truth, JournalError>
    readonly credentials: ReadonlyArray<Credentials>
    /** State of this process only: counted requests and used signatures. */
    readonly counted: Counted
    readonly usedKeys: UsedKeys
  }
>()("haggle/exchange/Exchange") {}

/** Commands between two snapshots, at most; a market day ends one too. */
const entriesPerSnapshot = 2000

interface Held {
  world: World
  /** Number of the next journal entry. */
  next: number
  snapshotAt: number
  snapshotNumber: number
}

const make = Effect.fnUntraced(function* (options: ExchangeOptions) {
  const journal = yield* openJournal(options)
  const { next, opening, world: first } = yield* recover(journal, options)
  const held: Held = { world: first, next, snapshotAt: first.now, snapshotNumber: next - 1 }
  const lock = yield* Semaphore.make(1)

  const record = Effect.fnUntraced(function* (world: World, command: Command | undefined) {
    const entry = { number: held.next, at: world.now }
    yield* journal.append(command === undefined ? entry : { ...entry, command })
    held.next++
    held.world = world
    const due =
      world.now - held.snapshotAt >= dayMillis || held.next - held.snapshotNumber > entriesPerSnapshot
    if (due) yield* takeSnapshot
  })

  const takeSnapshot = Effect.suspend(() => {
    held.snapshotAt = held.world.now
    held.snapshotNumber = held.next - 1
    return journal.snapshot({ number: held.snapshotNumber, world: held.world })
  })

  const world = lock.withPermits(1)(
    Effect.gen(function* () {
      const advanced = advance(held.world, yield* Clock.currentTimeMillis).world
      const met = advanced.accounts.some((account, index) => account !== held.world.accounts[index])
      if (met) yield* record(advanced, undefined)
      else held.world = advanced
      return advanced
    })
  )

  const execute = Effect.fn("Exchange.execute")(function* (command: Command) {
    const applied = apply(held.world, command, yield* Clock.currentTimeMillis)
    if (applied.changed) yield* record(applied.world, command)
    else if (applied.events.length > 0) yield* record(applied.world, undefined)
    else held.world = applied.world
    return applied.reply
  }, lock.withPermits(1))

  // The last snapshot saves the next opening the replay; the log alone would do, so a failure here loses nothing.
  yield* Effect.addFinalizer(() => Effect.ignore(lock.withPermits(1)(takeSnapshot)))

  const platformName = options.platformName ?? defaults.platformName
  const credentials = first.accounts.map((_, index) => credentialsOf(opening.seed, index, opening.startAt))
  return Exchange.of({
    accounts: credentials.map((of, index) => accountFor(of, platformName, first, index)),
    items: first.items.map(({ of }) => itemOf(of.app, of.name)),
    platformName,
    lenient: options.lenient ?? false,
    checkEligibility: options.checkEligibility ?? false,
    pages: options.pages ?? "legacy",
    lastTime: first.now as Millis,
    world,
    execute,
    truth: (account) => Effect.map(world, (now) => truthOf(now, account)),
    credentials,
    counted: new Map(),
    usedKeys: noKeysUsed()
  })
})

const openJournal = (options: ExchangeOptions): Effect.Effect<Journal, JournalError, Scope.Scope> =>
  options.journalDirectory === undefined
    ? Effect.sync(() => journalMemory(options.memory ?? emptyMemory()))
    : journalFiles(options.journalDirectory)

const accountFor = (of: Credentials, platformName: string, world: World, index: number): ExchangeAccount => {
  const account = world.accounts[index]
  return {
    accountId: of.accountId,
    cookies: cookiesOf(of, platformName),
    sessionid: of.sessionid,
    identitySecret: of.identitySecret,
    deviceId: of.deviceId,
    wallet: { currency: account?.currency ?? world.currency, balance: account?.balance ?? (0 as Money) },
    assets: (account?.inventory ?? []).map(({ id, item }) => {
      const of = world.items[item]?.of
      return { item: itemOf(of?.app ?? 0, of?.name ?? ""), context: contextOf(of?.app ?? 0), asset: id }
    })
  }
}

const nameOf = (item: MarketItem | undefined): string => `${item?.of.app ?? 0}/${item?.of.name ?? ""}`

const truthOf = (world: World, index: number): Truth => {
  const account = world.accounts[index]
  const units = new Map<string, number>()
  for (const { item } of [...(account?.inventory ?? []), ...(account?.listings ?? [])]) {
    const name = nameOf(world.items[item])
    units.set(name, (units.get(name) ?? 0) + 1)
  }
  return { balance: account?.balance ?? (0 as Money), units }
}

/** The market with these options; opening it replays what its journal holds. */
export const layer = (options: ExchangeOptions): Layer.Layer<Exchange, JournalError> =>
  Layer.effect(Exchange, make(options))

export { type ExchangeOptions } from "./Opening.ts"
