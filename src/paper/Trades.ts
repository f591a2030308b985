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

/** A mean above which chance hardly matters. */
const certainMean = 200

/** How many units of a Poisson count come after the first so many, on average. */
const poissonOver = (mean: number, first: number): number => {
  if (mean >= certainMean || mean === 0) return Math.max(0, mean - first)
  let [probability, under] = [Math.exp(-mean), 0]
  for (let count = 0; count < first; count++) {
    under += (first - count) * probability
    probability *= mean / (count + 1)
    if (count > mean && (first - count) * probability < 1e-9) break
  }
  return Math.max(0, mean - first + under)
}

/**
 * Weights of what the books show and what sales tell. Either alone errs: a level filled up again hides a trade, one taken back shows a false
 * one; sales tell of an average hour, not of this one, and nothing of a rush to one side. What is seen comes in bursts, most of which is more
 * than an order wants, so that together they come to more than 1. Measured on the embedded market, over many items and days.
 */
const seenWeight = 0.5
const toldWeight = 0.7

/** How many of the units that others traded come after the first so many, on average; without sales the books tell alone. */
export const tradedOver = (seen: number, told: number | undefined, first: number): number => {
  const inSight = Math.max(0, seen - first)
  return told === undefined ? inSight : seenWeight * inSight + toldWeight * poissonOver(told, first)
}
