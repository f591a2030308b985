/** The figures that a report begins with, in the order in which they are read: each with its value, its meaning and its tone. */
import { type CurrencyId, formatPrice } from "../domain/Currency.ts"
import type { Filled, Metrics } from "./Metrics.ts"
import { countText, gainText, percentText, ratioText, timeText } from "./Shown.ts"

export interface HeadlineFigure {
  readonly name: string
  readonly value: string
  readonly note: string
  readonly tone: "gain" | "loss" | ""
}

const toneOf = (value: number): HeadlineFigure["tone"] => (value === 0 ? "" : value > 0 ? "gain" : "loss")

const filledText = (of: Filled, what: string): string =>
  of.orders === 0
    ? `no ${what}`
    : `${countText(of.filled)} of ${countText(of.units)} units, ${countText(of.orders)} ${what}`

export const headline = (metrics: Metrics, currency: CurrencyId): ReadonlyArray<HeadlineFigure> => {
  const { bids, drawdown, exposure, listings, purchases, trips } = metrics
  const plain = (amount: typeof metrics.profit) => formatPrice(amount, currency)
  const figure = (name: string, value: string, note: string, tone: HeadlineFigure["tone"] = "") => ({
    name,
    value,
    note,
    tone
  })
  return [
    figure(
      "profit",
      gainText(metrics.profit, currency),
      `${percentText(metrics.gain, 2)} of ${plain(metrics.balance)}, after fees`,
      toneOf(metrics.profit)
    ),
    figure(
      "realised",
      gainText(metrics.realised, currency),
      `${gainText(metrics.unrealised, currency)} in ${metrics.unitsHeld} units held`,
      toneOf(metrics.realised)
    ),
    figure(
      "drawdown",
      plain(drawdown.amount),
      `${percentText(drawdown.fraction, 2)}, ${timeText(drawdown.longestMillis)} under its best`
    ),
    figure("sharpe", ratioText(metrics.sharpe), "daily returns, a year's"),
    figure("sortino", ratioText(metrics.sortino), "losing days only"),
    figure(
      "won",
      percentText(trips.winRate, 0),
      `of ${countText(trips.trips)} trades; best ${plain(trips.best)}, worst ${plain(trips.worst)}`
    ),
    figure("profit factor", ratioText(trips.profitFactor), "won for each unit of money lost"),
    figure(
      "held for",
      timeText(trips.holdingMillis),
      `something was held ${percentText(exposure.timeHeld, 0)} of the time`
    ),
    figure("exposure", plain(exposure.mean), `on average, at most ${plain(exposure.most)}`),
    figure("bids filled", percentText(bids.ratio, 0), filledText(bids, "bids")),
    figure("listings sold", percentText(listings.ratio, 0), filledText(listings, "listings")),
    ...(purchases.orders === 0
      ? []
      : [figure("bought outright", percentText(purchases.ratio, 0), filledText(purchases, "purchases"))]),
    figure(
      "units",
      `${countText(metrics.unitsBought)} / ${countText(metrics.unitsSold)}`,
      `bought / sold, ${plain(metrics.fees)} fees inside`
    ),
    figure("refused", countText(metrics.refusals), "times by the guard")
  ]
}
