/** The settings in the words of the rooms that use them. */
import { Duration } from "effect"

import { type Operation, operations } from "../domain/Operation.ts"
import { defaultOptions, type EngineOptions } from "../engine/Desk.ts"
import { type MarketSettings, settings as marketSettings } from "../market/MarketConfig.ts"
import { type Budget, defaultQuotas, type Quotas, withBudgets } from "../market/Quotas.ts"
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

export const engineOptions = ({ engine }: Settings): EngineOptions => ({
  ...defaultOptions,
  trackMillis: Duration.toMillis(engine.trackEvery),
  idleTrackMillis: Duration.toMillis(engine.idleTrackEvery),
  reconcileMillis: Duration.toMillis(engine.reconcileEvery),
  coolMillis: Duration.toMillis(engine.coolDown),
  maxCoolMillis: Duration.toMillis(engine.longestCoolDown)
})
