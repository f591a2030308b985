/**
 * Every reason for which the guard says no: its code, what it means to a trader and what to do about it. docs/refusals.md is written from
 * this table. Invariant: codes are only ever added; journals carry them.
 */

export interface Refusal {
  /** One clause, as the log and the journal carry it. */
  readonly means: string
  /** What a person can do, for the documentation. */
  readonly remedy: string
}

const table = {
  SessionLost: {
    means: "the market does not know our session: renew it",
    remedy: "put a fresh session file in place, or let `session.command` do it"
  },
  Halted: { means: "trading is halted", remedy: "`haggle status` says why; `haggle resume` ends it" },
  Paused: { means: "trading is paused", remedy: "`haggle resume`" },
  Draining: { means: "trading is draining: nothing is bought", remedy: "`haggle resume`" },
  StrategyHalted: {
    means: "a protection halted the strategy",
    remedy: "`haggle status` says why; `haggle resume` lets it go on"
  },
  OperationDrifted: {
    means: "an operation that it hangs on answers what is no longer understood",
    remedy:
      "`haggle contract drift` shows which and where; masked samples are under `state`; a newer haggle may know it"
  },
  LedgerDiffers: {
    means: "the ledger and the wallet differ, and nothing explains it yet",
    remedy:
      "`haggle ledger` shows the difference; when it is the owner's doing, `haggle ledger --take REASON` books it as such"
  },
  CurrencyMismatch: {
    means: "the market answers in another currency than the wallet's",
    remedy:
      "nothing, if it passes: trading goes on when the book agrees again; otherwise sign in again, the session is probably gone"
  },
  CoolingDown: {
    means: "the market refused this side of the item a moment ago",
    remedy: "wait; `engine.coolDown` and `engine.longestCoolDown` set how long"
  },
  MarketResting: {
    means: "the market said too fast, or failed again and again: nothing is sent until it has rested us",
    remedy: "wait; `haggle status` says until when"
  },
  NoBook: {
    means: "the order book has not been seen since the last change, so no price can be judged",
    remedy: "wait for the next look at the book"
  },
  BookStale: {
    means: "the order book is too old to judge a price by",
    remedy: "fewer items, or a longer `sanity.bookAge`"
  },
  BookEmpty: {
    means: "nobody bids or asks, so no price can be judged",
    remedy: "wait for a market, or trade it by hand"
  },
  PriceFarFromBook: {
    means: "the price is too far from the book to be meant",
    remedy: "correct the rule's `at`, or the bounds under `sanity`"
  },
  PriceFarFromHistory: {
    means: "the price is too far from what it usually costs to be meant",
    remedy: "correct the rule's `at`, or the bounds under `sanity`"
  },
  BelowCost: {
    means: "it would sell for less than it cost, after fees",
    remedy: "build `at` on `fees.buyerPays(position.avgCost)`, or say `allowLoss: true` in the rule"
  },
  LossTooLarge: {
    means: "there is no price history to judge by, and it would lose too much of what it cost",
    remedy: "wait for the history, or lower `sanity.lossWithoutHistory`"
  },
  BelowMarketMinimum: {
    means: "the price is below the market's minimum",
    remedy: "raise the rule's `at`: a price is at least three times the wallet's smallest amount"
  },
  AboveMarketMaximum: {
    means: "the price is above what the wallet may trade at",
    remedy: "lower the rule's `at`"
  },
  BelowMinPrice: {
    means: "the price is below the strategy's minPrice",
    remedy: "correct the rule's `at`, or `limits.minPrice`"
  },
  AboveMaxPrice: {
    means: "the price is above the strategy's maxPrice",
    remedy: "correct the rule's `at`, or `limits.maxPrice`"
  },
  PerItemUnits: {
    means: "the strategy's perItemUnits are held or on order",
    remedy: "sell some, or raise `limits.perItemUnits`"
  },
  OpenOrders: {
    means: "the strategy's openOrders are working",
    remedy: "wait for one to fill or expire, or raise `limits.openOrders`"
  },
  SpendPerDay: {
    means: "the strategy's spendPerDay is used up",
    remedy: "wait until some of it is 24 hours old, or raise `limits.spendPerDay`"
  },
  Exposure: { means: "the strategy's exposure is reached", remedy: "sell some, or raise `limits.exposure`" },
  AccountOpenOrders: {
    means: "the account's open orders are working",
    remedy: "wait for one to fill or expire, or raise `limits.openOrders` in the configuration"
  },
  AccountSpendPerDay: {
    means: "the account's spending of the day is used up",
    remedy: "wait until some of it is 24 hours old, or raise `limits.spendPerDay` in the configuration"
  },
  AccountExposure: {
    means: "the account's exposure is reached",
    remedy: "sell some, or raise `limits.exposure` in the configuration"
  },
  InsufficientFunds: {
    means: "the wallet does not cover it beside the open orders",
    remedy: "add funds, sell some, or raise `limits.ordersOverWallet` in the configuration"
  },
  AboveLimit: {
    means: "the listing costs more than the rule's limit",
    remedy: "wait for a cheaper one, or raise the rule's `limit`"
  },
  OwnListing: { means: "the listing is our own", remedy: "nothing" },
  Unsettled: {
    means: "an outcome on this side of the item is not settled yet",
    remedy: "wait for the next look at the account; `haggle status` shows what needs a person"
  },
  UnconfirmedListings: {
    means: "as many listings wait for their confirmation as the market allows",
    remedy: "confirm or cancel what waits"
  }
} as const satisfies Readonly<Record<string, Refusal>>

export type RefusalCode = keyof typeof table
export const refusals: Readonly<Record<RefusalCode, Refusal>> = table

/** The text of docs/refusals.md. */
export const refusalsText = (): string =>
  [
    "# What the guard refuses",
    "",
    "Every intent passes the guard right before it is written down and sent. A no is journaled once, when it begins, with one of these codes;",
    "`haggle journal` and the live log show it. Cancelling a buy order and taking a listing back are refused by nothing but `SessionLost`, `CoolingDown`, `MarketResting` and what the operator said.",
    "",
    "| code | what it means | what to do |",
    "| --- | --- | --- |",
    ...Object.entries(refusals).map(([code, { means, remedy }]) => `| \`${code}\` | ${means} | ${remedy} |`),
    ""
  ].join("\n")
