/**
 * The journal's vocabulary: everything that was decided, sent, answered or seen, in order. The state is a fold over it.
 * Invariants: 1. an event says what happened, never what to do. 2. a secret never appears in one. 3. kinds are only ever added.
 */
import { Schema } from "effect"

import { BuyOrder } from "./BuyOrder.ts"
import { ConfirmationKind } from "./Confirmation.ts"
import { CurrencyId } from "./Currency.ts"
import { Origin } from "./Decision.ts"
import { Fill, ListingReturned } from "./Fill.ts"
import { AssetId, BuyOrderId, ConfirmationId, FillId, IntentId, ListingId, Millis } from "./Ids.ts"
import { Intent } from "./Intent.ts"
import { Item } from "./Item.ts"
import { Money } from "./Money.ts"
import { Operation } from "./Operation.ts"
import { SellListing } from "./SellListing.ts"

const at = { at: Millis }
const ofIntent = { ...at, intent: IntentId }

export const Event = Schema.TaggedUnion({
  /**
   * The first event of a database: the wallet as it was found, the latest rows of the history that are in that balance already, and by how
   * many milliseconds the clock that dated them was behind ours.
   */
  LedgerOpened: {
    ...at,
    balance: Money,
    currency: CurrencyId,
    before: Schema.optionalKey(Schema.Array(Schema.String)),
    behind: Schema.optionalKey(Schema.Finite)
  },
  /** A run began (or went on after a crash) and, later, stopped in order. */
  RunStarted: { ...at, mode: Schema.String },
  RunStopped: { ...at, why: Schema.String },

  /** A loop of the daemon was silent since then; the process ended itself. */
  Stalled: { ...at, loop: Schema.String, since: Millis },

  IntentRecorded: { ...at, intent: Intent },
  Sent: ofIntent,
  /** The market said yes; `order` is the new buy order's id. */
  Accepted: { ...ofIntent, order: Schema.optionalKey(BuyOrderId) },
  Refused: {
    ...ofIntent,
    code: Schema.String,
    marketCode: Schema.optionalKey(Schema.Int),
    message: Schema.String
  },
  /** A purchase that waits for its mobile confirmation. */
  Pended: { ...ofIntent, confirmation: ConfirmationId },
  OutcomeUnknown: { ...ofIntent, reason: Schema.String, detail: Schema.String },
  /** Reads of the market settled an unknown outcome. */
  Settled: { ...ofIntent, happened: Schema.Boolean, order: Schema.optionalKey(BuyOrderId) },
  /** Reads could not settle it within the bound: a person must look. */
  Quarantined: { ...ofIntent, tries: Schema.Natural },

  /** What reads had denied, or a person let go, stands on the market after all: it is ours again. */
  Reappeared: { ...ofIntent, order: Schema.optionalKey(BuyOrderId) },
  /** A person looked at a quarantined intent and let it go: its item is free again. */
  Released: { ...ofIntent, who: Schema.String, why: Schema.String },

  /** A staged listing's (or purchase's) confirmation is about to be allowed, and was. */
  Confirming: { ...ofIntent, confirmation: ConfirmationId },
  Confirmed: { ...ofIntent, confirmation: ConfirmationId },

  /** A person allowed or cancelled a confirmation by its id; `outcome` is what the market said. */
  ConfirmedByHand: {
    ...at,
    confirmation: ConfirmationId,
    op: Schema.Literals(["allow", "cancel"]),
    kind: ConfirmationKind,
    headline: Schema.String,
    who: Schema.String,
    outcome: Schema.String
  },
  /** What waits on the authenticator or is staged and is not ours: shown when it changes, never touched. */
  OrphansSeen: {
    ...at,
    confirmations: Schema.Array(
      Schema.Struct({ id: ConfirmationId, kind: ConfirmationKind, headline: Schema.String })
    ),
    listings: Schema.Array(ListingId)
  },

  /** What reads of the market showed of our own orders and listings. */
  BidProgressed: { ...at, item: Item, order: BuyOrderId, remaining: Schema.Natural },
  BidClosed: { ...at, item: Item, order: BuyOrderId, as: Schema.Literals(["Filled", "Cancelled", "Gone"]) },
  /** A purchase outright whose unit is in the history now, or of which the market showed nothing for too long. */
  BuyClosed: {
    ...at,
    item: Item,
    listing: ListingId,
    intent: IntentId,
    as: Schema.Literals(["Bought", "Gone"])
  },
  ListingSeen: { ...at, listing: SellListing },
  ListingClosed: {
    ...at,
    item: Item,
    asset: AssetId,
    listing: Schema.optionalKey(ListingId),
    as: Schema.Literals(["Sold", "Removed", "Gone"])
  },
  Filled: {
    ...at,
    fill: Fill,
    intent: Schema.optionalKey(IntentId),
    strategy: Schema.optionalKey(Schema.String)
  },
  Returned: { ...at, returned: ListingReturned },
  /** Orders that we did not place are shown and left alone. */
  ForeignBidSeen: { ...at, order: BuyOrder },

  /**
   * The ledger and the wallet (held funds included) differ while the market is quiet: the item whose trade may be behind it is paused, or
   * without one the account. Amounts in minor units.
   */
  LedgerDiffers: { ...at, ledger: Money, wallet: Money, item: Schema.optionalKey(Item) },
  /** The difference is gone: the market's history has explained it. */
  LedgerAgrees: at,
  /** A person looked at the difference (wallet less ledger) and took it for the owner's. */
  LedgerAdjusted: { ...at, difference: Money, who: Schema.String, why: Schema.String },
  /** Funds of a sale that were on hold are spendable. */
  FundsReleased: { ...at, fill: FillId, amount: Money },
  /** The market took the funds of a sale back, held or paid; no operation tells what became of the unit. */
  FundsRevoked: { ...at, fill: FillId, item: Item, amount: Money },

  /** An operation's answers are no longer understood, and are again: in between nothing is sent that hangs on it. */
  OperationDrifted: { ...at, operation: Operation, path: Schema.String },
  OperationRecovered: { ...at, operation: Operation },

  /** An order book came in another currency than the wallet's, and agreed again: in between nothing is traded. */
  CurrencyDiffers: { ...at, item: Item, book: CurrencyId, wallet: CurrencyId },
  CurrencyAgrees: { ...at, item: Item },

  /** The guard said no to an intent; written when it changes, not at every tick. */
  GuardRefused: {
    ...at,
    item: Item,
    side: Schema.Literals(["bid", "ask"]),
    code: Schema.String,
    message: Schema.String,
    origin: Origin
  },
  /** A protection of a strategy begins to hold: it buys nothing, of one item or at all. */
  Protected: {
    ...at,
    strategy: Schema.String,
    kind: Schema.String,
    item: Schema.optionalKey(Item),
    since: Millis,
    until: Millis,
    why: Schema.String
  },
  /** A protection stopped the strategy; `Resumed` lets it go on. */
  StrategyHalted: { ...at, strategy: Schema.String, why: Schema.String },
  /** A strategy's profit with what it holds, and the most it had invested since the last one, minor units: what a drawdown is measured by. */
  EquityMarked: { ...at, strategy: Schema.String, profit: Money, invested: Money },
  Notified: { ...at, item: Item, message: Schema.String, origin: Origin },

  /** The operator's word, or the daemon's own; a halt without `who` is a rule's. `Resumed` clears each of the others. */
  Paused: { ...at, who: Schema.String, why: Schema.String },
  Draining: { ...at, who: Schema.String, why: Schema.String },
  Halted: { ...at, why: Schema.String, who: Schema.optionalKey(Schema.String) },
  Resumed: { ...at, who: Schema.String, why: Schema.String },

  /** The market does not know us any more: nothing is sent until it does again. `signal` says how it told. */
  SessionExpired: { ...at, signal: Schema.String },
  /** A session is in force that the market knows. */
  SessionRenewed: { ...at, expiresAt: Schema.optionalKey(Millis) },
  /** The login token is over soon and nothing has renewed it yet. */
  SessionExpiring: { ...at, expiresAt: Millis },
  /** A new session was offered and cannot be used, or none could be had. */
  SessionRenewalFailed: { ...at, message: Schema.String },

  /** The market refuses this address altogether: no market data is read and nothing new is sent before `until`, which may move. */
  Banned: { ...at, until: Millis },
  BanLifted: at,

  StrategyLoaded: {
    ...at,
    name: Schema.String,
    revision: Schema.String,
    file: Schema.optionalKey(Schema.String),
    /** It is only compared with this strategy. */
    shadowOf: Schema.optionalKey(Schema.String),
    /** What becomes of its bids when it is gone; they are cancelled when nothing says so. */
    onRemove: Schema.optionalKey(Schema.Literals(["keep", "cancel"]))
  },
  StrategyRejected: { ...at, file: Schema.String, message: Schema.String },
  StrategyRemoved: { ...at, name: Schema.String, file: Schema.optionalKey(Schema.String) },
  /** A refused file that never was in force is gone, or stands in nobody's way any more. */
  RejectionEnded: { ...at, file: Schema.String },

  /** What a search of a universe gives now, against what it gave before; `problems` are sentences for a person. */
  UniverseFound: {
    ...at,
    search: Schema.String,
    about: Schema.String,
    joined: Schema.Array(Item),
    left: Schema.Array(Item),
    problems: Schema.Array(Schema.String)
  },
  /** No strategy searches for it any more. */
  UniverseForgotten: { ...at, search: Schema.String }
})
export type Event = typeof Event.Type
export type EventKind = Event["_tag"]
export type EventOf<K extends EventKind> = Extract<Event, { readonly _tag: K }>
