/** Chance by seed for the simulated worlds; shares no code with the exchange's or the bot's own. Invariant: one seed, one sequence. */

export interface Dice {
  /** From 0 up to, but not, 1. */
  readonly next: () => number
  /** A whole number of the range, both ends included. */
  readonly between: (least: number, most: number) => number
  readonly hits: (probability: number) => boolean
  readonly pick: <A>(from: readonly [A, ...ReadonlyArray<A>]) => A
  /** So many of the list, in the list's order. */
  readonly some: <A>(from: ReadonlyArray<A>, count: number) => ReadonlyArray<A>
}

/** Mulberry32 over a hash of the words. */
export const dice = (...words: ReadonlyArray<string | number>): Dice => {
  let state = seedOf(words.join(" "))
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    hits: (probability) => next() < probability,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
    some: (from, count) => {
      const left = [...from]
      while (left.length > count) left.splice(between(0, left.length - 1), 1)
      return left
    }
  }
}

const seedOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash | 0
}
