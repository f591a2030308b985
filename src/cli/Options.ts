/** The settings in the words of the rooms that use them. */
import { Duration } from "effect"

import { type RecorderOptions, rollBytes } from "../backtest/Recorder.ts"
import { operations } from "../domain/Operation.ts"
import { defaultOptions, type EngineOptions } from "../engine/Desk.ts"
import { type MarketSettings, settings as marketSettings } from "../market/MarketConfig.ts"
import { defaultQuotas, type Quotas, withBudgets } from "../market/Quotas.ts"
import type { SessionSource } from "../market/SessionRenewal.ts"
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
        const budget = market.budgets[operation]
        return budget === undefined
          ? []
          : [[operation, [{ requests: budget.requests, windowMillis: Duration.toMillis(budget.per) }]]]
      })
    )
  )

/** Where a live session comes from and how it is renewed. */
export const sessionSource = ({ market, session }: Settings): SessionSource => ({
  file: session.file,
  command: session.command ?? undefined,
  commandTimeoutMillis: Duration.toMillis(session.commandTimeout),
  renewBeforeMillis: Duration.toMillis(session.renewBefore),
  host: market.url === null ? undefined : new URL(market.url).hostname
})

/** How a run is recorded onto tapes beside its database; undefined when it is not. */
export const recorderOptions = (
  { recording }: Settings,
  run: Pick<RecorderOptions, "meta" | "held"> & { readonly besides: string }
): RecorderOptions | undefined =>
  recording.on
    ? {
        folder: recording.folder ?? run.besides,
        meta: run.meta,
        held: run.held,
        rollMillis: Duration.toMillis(recording.rollEvery),
        rollBytes,
        keepMillis: Duration.toMillis(recording.keep),
        keepBytes: recording.keepMegabytes * 1024 * 1024
      }
    : undefined

export const engineOptions = ({ engine }: Settings): EngineOptions => ({
  ...defaultOptions,
  trackMillis: Duration.toMillis(engine.trackEvery),
  idleTrackMillis: Duration.toMillis(engine.idleTrackEvery),
  reconcileMillis: Duration.toMillis(engine.reconcileEvery),
  coolMillis: Duration.toMillis(engine.coolDown),
  maxCoolMillis: Duration.toMillis(engine.longestCoolDown)
})
