/** A seeded stream of choices; the same seed gives the same cases on every machine. */
export interface Rng {
  /** In [0, 1). */
  readonly next: () => number
  /** A whole number in [0, below). */
  readonly below: (below: number) => number
  readonly pick: <A>(from: ReadonlyArray<A>) => A
  readonly chance: (probability: number) => boolean
}

/** Mulberry32: one 32-bit state, good enough to choose mutations. */
export const rngOf = (seed: number): Rng => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (from) => {
      const picked = from[below(from.length)]
      if (picked === undefined && from.length === 0) throw new RangeError("nothing to pick from")
      return picked as (typeof from)[number]
    }
  }
}
