/**
 * Fewer points for a chart, without losing a peak or a trough.
 * Invariant: the first and the last point stay, and so do the lowest and the highest of every bucket between them.
 */

/** Indexes to keep of a curve with these values, ascending, at most about `most`. */
export const thinned = (values: ReadonlyArray<number>, most: number): ReadonlyArray<number> => {
  const { length } = values
  if (length <= most) return values.map((_, index) => index)
  const buckets = Math.max(1, Math.floor(most / 2) - 1)
  const kept = new Set([0])
  for (let bucket = 0; bucket < buckets; bucket++) {
    const from = 1 + Math.floor((bucket * (length - 2)) / buckets)
    const to = 1 + Math.floor(((bucket + 1) * (length - 2)) / buckets)
    let [lowest, highest] = [from, from]
    for (let index = from; index < to; index++) {
      const value = values[index] ?? 0
      if (value < (values[lowest] ?? 0)) lowest = index
      if (value > (values[highest] ?? 0)) highest = index
    }
    kept.add(Math.min(lowest, highest)).add(Math.max(lowest, highest))
  }
  return [...kept.add(length - 1)]
}
