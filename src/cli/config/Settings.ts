/**
 * Everything that can be configured, with its defaults: one schema for the file, the environment and the flags.
 * Invariants: 1. every leaf has a default, so that an empty file runs. 2. a secret is never a leaf: secrets stand in the session file.
 */
import { Duration, Schema } from "effect"

import type { CurrencyId } from "../../domain/Currency.ts"
import { money } from "../../domain/Money.ts"
import { type Operation, operations } from "../../domain/Operation.ts"
import { defaultCrashLoopRules } from "../../engine/CrashLoop.ts"
import { Amount, CurrencyCode, Moment, Origin, PathText, Time, Word } from "./Leaf.ts"
import { defaultNotifySettings, notifyDescriptions, NotifySettings } from "./NotifySettings.ts"

export const logLevels = ["trace", "debug", "info", "warn", "error", "none"] as const

const positive = Schema.isGreaterThan(0, { message: "takes a number above 0" })

/** At most so many requests, or with `distinct` different items, in any window of this length. */
const Budget = Schema.Struct({
  requests: Schema.Int.check(positive),
  per: Time,
  distinct: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "Budget" })

/** One budget, or several that hold at once. */
const BudgetOf = Schema.Union([Budget, Schema.NonEmptyArray(Budget)])
type BudgetFields = { readonly [K in Operation]: Schema.optionalKey<typeof BudgetOf> }
const Budgets = Schema.Struct(
  Object.fromEntries(
    operations.map((operation) => [operation, Schema.optionalKey(BudgetOf)])
  ) as unknown as BudgetFields
)

/** So many times another price, and a part of one. */
const Factor = Schema.Finite.check(
  Schema.isGreaterThanOrEqualTo(1, { message: "takes a number of at least 1" })
)
const Part = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: 1 }, { message: "takes a number from 0 to 1" })
)

export const Settings = Schema.Struct({
  mode: Schema.Literals(["embedded", "dry-run", "live"]),
  strategies: PathText,
  state: PathText,
  logLevel: Schema.Literals(logLevels),
  session: Schema.Struct({
    file: PathText,
    command: Schema.NullOr(
      Schema.NonEmptyArray(Schema.String).annotate({
        expected: 'a list of a program and its arguments, such as ["renew-session", "main"]'
      })
    ),
    commandTimeout: Time,
    renewBefore: Time
  }),
  market: Schema.Struct({
    url: Schema.NullOr(Origin),
    platformName: Word,
    country: Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/u, { message: "takes two capital letters" })),
    language: Schema.NonEmptyString,
    timeout: Time,
    headers: Schema.Record(Schema.String, Schema.String),
    budgets: Budgets,
    requestsPerMinute: Schema.Int.check(positive),
    ledger: Schema.NullOr(PathText)
  }),
  exchange: Schema.Struct({
    seed: Schema.Int,
    speed: Schema.Finite.check(positive),
    currency: CurrencyCode,
    balance: Amount,
    startAt: Schema.NullOr(Moment)
  }),
  paper: Schema.Struct({
    balance: Schema.NullOr(Amount),
    pessimism: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
    latency: Time,
    listingDelay: Time,
    hold: Time
  }),
  recording: Schema.Struct({
    on: Schema.Boolean,
    folder: Schema.NullOr(PathText),
    rollEvery: Time,
    keep: Time,
    keepMegabytes: Schema.Int.check(positive)
  }),
  engine: Schema.Struct({
    trackEvery: Time,
    idleTrackEvery: Time,
    reconcileEvery: Time,
    coolDown: Time,
    longestCoolDown: Time,
    crashesToPause: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
    crashWindow: Time
  }),
  journal: Schema.Struct({ keep: Schema.NullOr(Time) }),
  notify: NotifySettings,
  limits: Schema.Struct({
    spendPerDay: Schema.NullOr(Amount),
    exposure: Schema.NullOr(Amount),
    openOrders: Schema.NullOr(Schema.Int.check(positive)),
    ordersOverWallet: Factor.check(
      Schema.isBetween({ minimum: 1, maximum: 10 }, { message: "takes a number from 1 to 10" })
    )
  }),
  sanity: Schema.Struct({
    bookAge: Time,
    bidOverAsk: Factor,
    bidOverBid: Factor,
    buyOverAsk: Factor,
    askUnderBid: Part,
    askOverAsk: Factor,
    bidOverHistory: Factor,
    buyOverHistory: Factor,
    askUnderHistory: Part,
    askOverHistory: Factor,
    lossWithoutHistory: Part
  })
})
export type Settings = typeof Settings.Type

export const defaults: Settings = {
  mode: "embedded",
  strategies: "strategies",
  state: "state",
  logLevel: "info",
  session: {
    file: "config/secrets.json",
    command: null,
    commandTimeout: Duration.seconds(30),
    renewBefore: Duration.minutes(30)
  },
  market: {
    url: null,
    platformName: "platform",
    country: "US",
    language: "english",
    timeout: Duration.seconds(15),
    headers: {},
    budgets: {},
    requestsPerMinute: 300,
    ledger: null
  },
  exchange: { seed: 1, speed: 240, currency: 1 as CurrencyId, balance: money(10_000), startAt: null },
  paper: {
    balance: null,
    pessimism: 0.1,
    latency: Duration.millis(500),
    listingDelay: Duration.seconds(2),
    hold: Duration.zero
  },
  recording: {
    on: false,
    folder: null,
    rollEvery: Duration.days(1),
    keep: Duration.days(365),
    keepMegabytes: 4096
  },
  engine: {
    trackEvery: Duration.seconds(30),
    idleTrackEvery: Duration.minutes(5),
    reconcileEvery: Duration.minutes(10),
    coolDown: Duration.minutes(1),
    longestCoolDown: Duration.hours(1),
    crashesToPause: defaultCrashLoopRules.crashes,
    crashWindow: Duration.millis(defaultCrashLoopRules.withinMillis)
  },
  journal: { keep: Duration.days(90) },
  notify: defaultNotifySettings,
  limits: { spendPerDay: null, exposure: null, openOrders: null, ordersOverWallet: 1 },
  sanity: {
    bookAge: Duration.minutes(10),
    bidOverAsk: 1.1,
    bidOverBid: 2,
    buyOverAsk: 2,
    askUnderBid: 0.5,
    askOverAsk: 20,
    bidOverHistory: 2,
    buyOverHistory: 4,
    askUnderHistory: 0.5,
    askOverHistory: 20,
    lossWithoutHistory: 0.5
  }
}

/** What each setting is for, by its path: shown by editors and by the documentation. */
export const descriptions: Readonly<Record<string, string>> = {
  mode: "embedded: a market of our own; dry-run: real reads, nothing is sent; live: the real market",
  strategies: "Folder of the strategy files",
  state: "Folder of the databases",
  logLevel: "Least level of the log on stderr",
  "session.file": "Session file (cookies, authenticator); readable by its owner only",
  "session.command":
    "Program and arguments that print a new session's cookies; run when it is over or soon will be",
  "session.commandTimeout": "Longest wait for that program",
  "session.renewBefore": "How long before its end a session is renewed by the program",
  "market.url": "Address of the real market; needed in the modes live and dry-run",
  "market.platformName":
    "The word that the market's cookies and fields begin with, as in platformLoginSecure",
  "market.country": "Country parameter of the requests that need one",
  "market.language": "Language parameter of the requests that need one",
  "market.timeout": "Longest wait for one answer",
  "market.headers": "Request headers that replace the built-in ones of the same name",
  "market.budgets": "Request budgets per operation that replace the built-in ones",
  "market.requestsPerMinute": "Requests in all per minute, a fifth of them kept for what must not wait",
  "market.ledger":
    "File in which requests are counted; processes that name the same one share their budgets. null: one per user, or in the state folder for a market on the loopback",
  "exchange.seed": "Chance of the embedded market: the same seed gives the same market",
  "exchange.speed": "Market seconds per second of an embedded run; changes the pace, never what happens",
  "exchange.currency": "Currency of the embedded market's wallets",
  "exchange.balance": "Opening balance of the embedded wallet",
  "exchange.startAt": "When the embedded market's clock starts; null takes the market's own default",
  "paper.balance": "What a dry-run begins with; null takes the real wallet's balance",
  "paper.pessimism":
    "Share of the estimated trade of others that is left out: 0 nothing, 1 all, so that only what crosses the price in plain sight fills",
  "paper.latency": "Between a request of a dry-run and its effect",
  "paper.listingDelay":
    "Between an allowed confirmation of a dry-run and the moment when buyers see the listing",
  "paper.hold":
    "How long a unit that a dry-run or a backtest has bought cannot be listed, such as 7d on markets that hold them",
  "recording.on": "Record everything that a run sees onto tapes, for backtests",
  "recording.folder": "Folder of the tapes; null puts them beside the run's database",
  "recording.rollEvery": "Market time after which a tape is closed and the next begun",
  "recording.keep": "How long closed tapes are kept",
  "recording.keepMegabytes": "Room for closed tapes; the oldest go first",
  "engine.trackEvery": "How often own orders and listings are read while there are some",
  "engine.idleTrackEvery": "How often they are read while there are none",
  "engine.reconcileEvery": "How often history and wallet are read even when nothing seems to have changed",
  "engine.coolDown": "First rest of a side of an item after the market refused it; doubles each time",
  "engine.longestCoolDown": "Longest such rest",
  "engine.crashesToPause":
    "So many ends without a last word make the next start a paused one, until `haggle resume`; null never does",
  "engine.crashWindow": "Within this much market time",
  "journal.keep":
    "Events older than this are removed behind the state that they lead to; the table of trades keeps all; null removes none",
  ...notifyDescriptions,
  "limits.spendPerDay":
    "What all strategies together may spend within 24 hours, open orders included; null is no limit",
  "limits.exposure": "What all holdings and open orders together may cost; null is no limit",
  "limits.openOrders": "How many buy orders of ours may be open at once; null is no limit",
  "limits.ordersOverWallet":
    "How many times the wallet all open orders may cost together; the market allows 10, and 1 never orders more than there is",
  "sanity.bookAge": "Oldest order book that a price is judged by when it is sent",
  "sanity.bidOverAsk": "A bid above so many times the best ask is refused",
  "sanity.bidOverBid": "The same against the best bid, where nobody asks",
  "sanity.buyOverAsk": "A listing above so many times the best ask is not bought outright",
  "sanity.askUnderBid": "An ask below this part of the best bid is refused",
  "sanity.askOverAsk": "An ask above so many times the best ask is refused",
  "sanity.bidOverHistory": "A bid above so many times the week's median is refused",
  "sanity.buyOverHistory": "A listing above so many times the week's median is not bought outright",
  "sanity.askUnderHistory": "An ask below this part of the week's median is refused",
  "sanity.askOverHistory": "An ask above so many times the week's median is refused",
  "sanity.lossWithoutHistory":
    "Without a price history, a rule with `allowLoss` must still get this part of the cost"
}

/** Settings whose values may carry a credential: shown by name only. */
export const secretPaths: ReadonlySet<string> = new Set([
  "market.headers",
  "session.command",
  "notify.channels"
])
/** What is not repeated when it is wrong: an address may be wrong because a password stands in it. */
export const hiddenWhenWrong: ReadonlySet<string> = new Set([...secretPaths, "market.url"])
