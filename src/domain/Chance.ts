/** Chance without a state: the same numbers give the same fraction in every process and after every restart, so that jitter repeats. */

/** A fraction in [0, 1) that looks drawn by lot. */
export const fractionOf = (...of: ReadonlyArray<number>): number => {
  let hash = 0x9e3779b9
  for (const one of of) {
    hash = Math.imul(hash ^ (one | 0), 0x85ebca6b)
    hash = Math.imul(hash ^ Math.floor(one / 2 ** 32) ^ (hash >>> 13), 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return (hash >>> 0) / 2 ** 32
}
