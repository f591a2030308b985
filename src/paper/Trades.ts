/**
 * How many units others traded on a side of a book between two looks, as far as one can tell, and chance in who of a queue they came to.
 * Invariants: 1. the same order and the same looks give the same units. 2. fewer trades never come to more units.
 */
import { fractionOf } from "../domain/Chance.ts"

/**
 * How much of its next unit an order is owed from the start: at most 1, 0 on average. Trades come without a memory; were each unit waited for
 * in full, an order that is moved now and then would hardly ever fill.
 */
export const luck = (number: number, drawn: number): number => 1 + Math.log(1 - fractionOf(number, drawn))

/** Units of a trade on average: most are of one, and who sells several gets past the best price with the rest. */
const unitsPerTrade = 1.5
const oneMore = 1 - 1 / unitsPerTrade
/** A mean above which chance hardly matters. */
const certainMean = 200
/** What is less likely than this is left out. */
const negligible = 1e-9

/**
 * How many units come after the first so many, on average: trades come without a memory, each of one unit and then, as likely every time, of one
 * more (a compound Poisson count, by Panjer's recursion).
 */
const cameOver = (mean: number, first: number): number => {
  if (mean >= certainMean || mean === 0) return Math.max(0, mean - first)
  const trades = mean / unitsPerTrade
  const probabilities = [Math.exp(-trades)]
  let under = first * Math.exp(-trades)
  for (let count = 1; count < first; count++) {
    let sum = 0
    let ofSize = 1 - oneMore
    for (let size = 1; size <= count; size++) {
      sum += size * ofSize * (probabilities[count - size] ?? 0)
      ofSize *= oneMore
    }
    const probability = (trades / count) * sum
    probabilities.push(probability)
    under += (first - count) * probability
    if (count > mean && (first - count) * probability < negligible) break
  }
  return Math.max(0, mean - first + under)
}

/**
 * Weights of what the books show and what sales tell. Either alone errs: a level filled up again hides a trade, one taken back shows a false
 * one; sales tell of an average hour, not of this one, and nothing of a rush to one side. Measured on the embedded market, order by order.
 */
const seenWeight = 0.5
const toldWeight = 0.55

/** How many of the units that others traded come after the first so many, on average; without sales the books tell alone. */
export const tradedOver = (seen: number, told: number | undefined, first: number): number => {
  const inSight = Math.max(0, seen - first)
  return told === undefined ? inSight : seenWeight * inSight + toldWeight * cameOver(told, first)
}
