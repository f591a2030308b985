/**
 * How a market is opened: from its options the first time, from its journal afterwards.
 * Invariants: 1. a market that exists keeps what it was opened with; other options for it are an error, not a change. 2. snapshot and
 * later entries, or all entries from the first, give the same world.
 */
import { Effect } from "effect"

import { type CurrencyId } from "../domain/Currency.ts"
import { meaningHash } from "../domain/Ids.ts"
import { advance } from "./Advance.ts"
import { apply } from "./Apply.ts"
import { genesis } from "./Genesis.ts"
import { type Recording } from "./History.ts"
import { type Entry, type Journal, JournalError, type Memory, type Opening, OtherMarket } from "./Journal.ts"
import { type World } from "./World.ts"

export interface ExchangeOptions {
  readonly seed: number
  /** Market time at which a new market opens; one that is re-opened keeps its own. */
  readonly startAtMillis: number
  /** Folder of the journal; without it the market forgets when it ends. */
  readonly journalDirectory?: string
  /** Instead of a folder, for tests: survives closing and re-opening the layer in one process. */
  readonly memory?: Memory
  /** The platform's own word in cookie and field names. */
  readonly platformName?: string
  readonly currency?: CurrencyId
  /** Wallet of the first account, minor units. */
  readonly balance?: number
  readonly accounts?: number
  /** Wallets' currencies, one account after the other and again from the first; all have `currency` without any. */
  readonly currencies?: ReadonlyArray<CurrencyId>
  /** Gives the first account starter items too, so that it can sell at once. */
  readonly firstAccountHasItems?: boolean
  /** New buy orders ask for a mobile confirmation first. */
  readonly confirmPurchases?: boolean
  readonly confirmationCreator?: "asset" | "listing"
  /** Signatures may carry any tag that clients are known to use, and any device id. */
  readonly lenient?: boolean
  /** Home and listing pages send a session that has not been checked to the eligibility check first. */
  readonly checkEligibility?: boolean
  /** Form of the listing pages: inline state, or the newer server-rendered one; the cookie `bMarketOptOut=1` restores the older. */
  readonly pages?: "legacy" | "rendered"
  /** Recorded price histories by `app/name` that items follow. */
  readonly recordings?: ReadonlyMap<string, Recording>
}

export const defaults = { platformName: "platform", currency: 1 as CurrencyId, balance: 10_000, accounts: 3 }

const recordingsHash = (recordings: ExchangeOptions["recordings"]): string =>
  recordings === undefined || recordings.size === 0
    ? ""
    : meaningHash(
        ...[...recordings].map(([name, one]) => `${name} ${one.periodDays} ${JSON.stringify(one.points)}`)
      )

const openingOf = (options: ExchangeOptions): Opening => ({
  seed: options.seed,
  startAt: options.startAtMillis,
  currency: options.currency ?? defaults.currency,
  balance: options.balance ?? defaults.balance,
  accounts: options.accounts ?? defaults.accounts,
  currencies: options.currencies ?? [],
  firstAccountHasItems: options.firstAccountHasItems ?? false,
  confirmPurchases: options.confirmPurchases ?? false,
  confirmationCreator: options.confirmationCreator ?? "asset",
  recordings: recordingsHash(options.recordings)
})

const begin = (opening: Opening, options: ExchangeOptions): World =>
  genesis({
    seed: opening.seed,
    startAt: opening.startAt,
    currency: opening.currency as CurrencyId,
    balance: opening.balance,
    accounts: opening.accounts,
    currencies: opening.currencies ?? [],
    firstAccountHasItems: opening.firstAccountHasItems,
    rules: { confirmPurchases: opening.confirmPurchases, confirmationCreator: opening.confirmationCreator },
    recordings: options.recordings ?? new Map<string, Recording>()
  })

/** The differences that make a folder belong to another market. */
const mismatch = (found: Opening, wanted: Opening): string | undefined =>
  (["seed", "currency", "accounts", "currencies", "recordings"] as const)
    .filter((key) => String(found[key] ?? "") !== String(wanted[key] ?? ""))
    .map(
      (key) =>
        `${key} ${String(found[key] ?? "") || "none"} instead of ${String(wanted[key] ?? "") || "none"}`
    )
    .at(0)

const replay = (from: World, entries: ReadonlyArray<Entry>): World =>
  entries.reduce(
    (world, { at, command }) =>
      command === undefined ? advance(world, at).world : apply(world, command, at).world,
    from
  )

/** The world as the journal left it, or the first one, and the number of the journal's next entry. */
export const recover = Effect.fnUntraced(function* (journal: Journal, options: ExchangeOptions) {
  const wanted = openingOf(options)
  const { dropped, entries, snapshot } = journal.recovered
  if (dropped > 0)
    yield* Effect.logWarning(
      "the market's journal ended in a torn line that nobody was told of; it was dropped"
    )
  const found = entries[0]?.opening
  if (found === undefined) {
    const world = begin(wanted, options)
    yield* journal.append({ number: 0, at: world.now, opening: wanted })
    yield* journal.snapshot({ number: 0, world })
    return { world, opening: wanted, next: 1 }
  }
  const other = mismatch(found, wanted)
  if (other !== undefined) return yield* new JournalError({ reason: new OtherMarket({ detail: other }) })
  const known = snapshot !== undefined && snapshot.number < entries.length ? snapshot : undefined
  const from = known ?? { number: 0, world: begin(found, options) }
  const world = replay(from.world, entries.slice(from.number + 1))
  return { world, opening: found, next: entries.length }
})
