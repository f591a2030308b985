/**
 * What about the books that were played makes a result hard to believe: that nobody saw them, that they lie far apart, that they are of other
 * items. Invariant: the limits stand here by name; none of them changes a figure.
 */
import { type Check, hours, percent } from "./Finding.ts"
import { countText } from "./Shown.ts"

/** Between two looks this far apart a price may have gone anywhere. */
const staleMillis = 30 * 60_000
const staleShare = 0.2
/** A hole in the books that deserves a question, as a part of the run. */
const gapShare = 0.1

export const staleFills: Check = ({ result: { trades } }) => {
  let [units, stale] = [0, 0]
  for (const trade of trades) {
    units += trade.units
    if (trade.bookAgeMillis > staleMillis) stale += trade.units
  }
  if (units === 0 || stale <= units * staleShare) return undefined
  return {
    code: "stale-fills",
    says: `${percent(stale / units)} of the units were filled between looks more than ${hours(staleMillis)} apart`,
    remedy: "record more often (`haggle record --every 1m`), or believe less with a higher `--pessimism`"
  }
}

/** A buyer takes the cheapest: sales this far over the ask happen when nobody else offers, or in the fill model alone. */
const farFromAsk = 1.05
const farShare = 0.1

export const overAsk: Check = ({ result: { items, trades } }) => {
  const prices = new Map(items.map((one) => [one.item, one.prices]))
  let [sold, far] = [0, 0]
  for (const { amount, at, fee, item, side, units } of trades) {
    if (side === "Buy") continue
    sold += units
    const ask = prices.get(item)?.findLast((point) => point.at <= at && point.ask !== undefined)?.ask
    if (ask !== undefined && (amount + fee) / units > ask * farFromAsk) far += units
  }
  if (sold === 0 || far <= sold * farShare) return undefined
  return {
    code: "over-ask",
    says: `${percent(far / sold)} of what was sold went for more than 5 % over the last ask`,
    remedy: "a market seldom pays that: look at the prices below, and count on less, or raise `--pessimism`"
  }
}

export const gaps: Check = ({ metrics, result }) => {
  const torn = result.items.filter(({ longestGapMillis }) => longestGapMillis > metrics.spanMillis * gapShare)
  const worst = torn.toSorted((a, b) => b.longestGapMillis - a.longestGapMillis)[0]
  if (worst === undefined) return undefined
  return {
    code: "gaps",
    says: `${torn.length} of ${result.items.length} items have holes in their books, ${worst.item} one of ${hours(worst.longestGapMillis)}`,
    remedy: "cut the tape to where it is whole (`haggle tape cut --from --to`)"
  }
}

/** Books of a tape are often further apart than those of a run. */
export const tooOld: Check = ({ result: { orders, refusals } }) => {
  const old = refusals.filter(({ code }) => code === "BookStale").length
  return old <= orders.length
    ? undefined
    : {
        code: "books-too-old",
        says: `the guard refused ${countText(old)} times because the last book was too old to judge a price by`,
        remedy:
          "where books lie that far apart, play with a longer `sanity.bookAge`, such as HAGGLE_SANITY_BOOK_AGE=2h"
      }
}

export const synthetic: Check = ({ result }) => {
  const made = result.tapes.find(({ synthetic }) => synthetic !== undefined)
  return made === undefined
    ? undefined
    : {
        code: "synthetic",
        says: `nobody saw these books: ${made.synthetic}`,
        remedy: "compare strategies with it, and record a real tape for what they earn"
      }
}

export const optimistic: Check = ({ result: { settings } }) =>
  settings.pessimism === undefined || settings.pessimism > 0
    ? undefined
    : {
        code: "optimistic",
        says: "all of the trade that histories and books let one guess is believed (pessimism 0)",
        remedy: "play it again with `--pessimism 0.3`: a result that hangs on the last trades is not one"
      }

export const idle: Check = ({ result }) => {
  const without = result.strategies.filter(({ items }) => items === 0).map(({ name }) => name)
  return without.length === 0
    ? undefined
    : {
        code: "no-items",
        says: `${without.join(", ")} had no item here`,
        remedy: "record the items of its universe; one that looks after what others leave has none of its own"
      }
}
