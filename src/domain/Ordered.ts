/** Looking things up in rows that are in order. */

/** How many values at the beginning of such a row lie before something; in O(log n). */
export const countBefore = (length: number, isBefore: (index: number) => boolean): number => {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
