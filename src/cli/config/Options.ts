/** The settings in the words of the rooms that use them. */
import { Duration } from "effect"

import { type Operation, operations } from "../../domain/Operation.ts"
import { defaultOptions, type EngineOptions } from "../../engine/Desk.ts"
import type { GuardRules } from "../../engine/Guard.ts"
import { type MarketSettings, settings as marketSettings } from "../../market/MarketConfig.ts"
import { type Budget, defaultQuotas, type Quotas, withBudgets } from "../../market/Quotas.ts"
import type { SessionSource } from "../../market/SessionRenewal.ts"
import type { PaperOptions } from "../../paper/PaperAccount.ts"
import { defaultPaperRules, type PaperRules } from "../../paper/PaperSee.ts"
import type { Settings } from "./Settings.ts"

/** How requests to the market at this address look. */
export const marketOptions = ({ market }: Settings, url: string): MarketSettings =>
  marketSettings({
    baseUrl: url.replace(/\/$/, ""),
    platformName: market.platformName,
    headers: market.headers,
    timeoutMillis: Duration.toMillis(market.timeout),
    country: market.country,
    language: market.language
  })

/** The built-in budgets with those of the configuration in their place. */
export const quotas = ({ market }: Settings): Quotas =>
  withBudgets(
    defaultQuotas,
    Object.fromEntries(
      operations.flatMap((operation) => {
        const given = market.budgets[operation]
        return given === undefined ? [] : [[operation, budgetsOf(given)]]
      })
    ),
    market.requestsPerMinute
  )

type Given = NonNullable<Settings["market"]["budgets"][Operation]>

const budgetsOf = (given: Given): ReadonlyArray<Budget> =>
  ("per" in given ? [given] : given).map(({ distinct, per, requests }) => {
    const windowMillis = Duration.toMillis(per)
    return distinct === true ? { requests, windowMillis, distinct } : { requests, windowMillis }
  })

/** Where a live session comes from and how it is renewed. */
export const sessionSource = ({ market, session }: Settings): SessionSource => ({
  file: session.file,
  command: session.command ?? undefined,
  commandTimeoutMillis: Duration.toMillis(session.commandTimeout),
  renewBeforeMillis: Duration.toMillis(session.renewBefore),
  host: market.url === null ? undefined : new URL(market.url).hostname
})

const guardRules = ({ engine, limits, sanity }: Settings): GuardRules => {
  const { bookAge, ...bounds } = sanity
  return {
    sanity: { ...bounds, bookAgeMillis: Duration.toMillis(bookAge) },
    account: {
      spendPerDay: limits.spendPerDay ?? undefined,
      exposure: limits.exposure ?? undefined,
      openOrders: limits.openOrders ?? undefined,
      ordersOverWallet: limits.ordersOverWallet
    },
    coolDown: {
      firstMillis: Duration.toMillis(engine.coolDown),
      longestMillis: Duration.toMillis(engine.longestCoolDown)
    }
  }
}

export const keepMillis = ({ journal }: Settings): number =>
  journal.keep === null ? Number.POSITIVE_INFINITY : Duration.toMillis(journal.keep)

export const engineOptions = (settings: Settings): EngineOptions => ({
  ...defaultOptions,
  guard: guardRules(settings),
  trackMillis: Duration.toMillis(settings.engine.trackEvery),
  idleTrackMillis: Duration.toMillis(settings.engine.idleTrackEvery),
  reconcileMillis: Duration.toMillis(settings.engine.reconcileEvery),
  crashLoop: {
    crashes: settings.engine.crashesToPause ?? Number.POSITIVE_INFINITY,
    withinMillis: Duration.toMillis(settings.engine.crashWindow)
  }
})

/** How orders are filled on paper. */
export const paperRules = ({ paper }: Settings): PaperRules => ({
  ...defaultPaperRules,
  pessimism: paper.pessimism,
  latencyMillis: Duration.toMillis(paper.latency),
  listingDelayMillis: Duration.toMillis(paper.listingDelay),
  holdMillis: Duration.toMillis(paper.hold)
})

/** The account of a dry-run, kept in the run's folder. */
export const paperOptions = (
  settings: Settings,
  folder: string,
  held: PaperOptions["held"]
): PaperOptions => ({
  file: `${folder}/paper.json`,
  balance: settings.paper.balance ?? undefined,
  held,
  rules: paperRules(settings)
})
