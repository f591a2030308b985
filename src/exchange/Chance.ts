/**
 * Chance as plain state: a small counter-based generator (sfc32) whose four words live in the world and survive its JSON.
 * Invariants: 1. the same state gives the same draws on every machine of one build. 2. drawing changes only the array that is passed,
 * so a working copy can be thrown away.
 */

/** Four unsigned 32-bit words. */
export type ChanceState = ReadonlyArray<number>
/** A working copy that draws advance. */
export type Chance = Array<number>

const warmUpDraws = 12

/** A state from any words of meaning: the same parts give the same stream, other parts an unrelated one. */
export const chanceOf = (...parts: ReadonlyArray<string | number>): Chance => {
  let hash = 0x811c9dc5
  const mix = (text: string): number => {
    for (let index = 0; index < text.length; index++) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
    }
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
    return hash
  }
  const text = parts.join("\u001f")
  const chance: Chance = [mix(text), mix(`${text}a`), mix(`${text}b`), 1]
  for (let draw = 0; draw < warmUpDraws; draw++) uniform(chance)
  return chance
}

const word = (chance: Chance): number => {
  const [a = 0, b = 0, c = 0, counter = 0] = chance
  const drawn = (((a + b) | 0) + counter) | 0
  chance[0] = b ^ (b >>> 9)
  chance[1] = (c + (c << 3)) | 0
  chance[2] = (((c << 21) | (c >>> 11)) + drawn) | 0
  chance[3] = (counter + 1) | 0
  return drawn >>> 0
}

/** In [0, 1). */
export const uniform = (chance: Chance): number => word(chance) / 4_294_967_296

/** Whole number in [0, below). */
export const below = (chance: Chance, limit: number): number => Math.floor(uniform(chance) * limit)

/** Mean 0, standard deviation 1. */
export const normal = (chance: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - uniform(chance))) * Math.cos(2 * Math.PI * uniform(chance))

/** Waiting time of a Poisson stream with this mean. */
export const exponential = (chance: Chance, mean: number): number => -Math.log(1 - uniform(chance)) * mean

/** Whole number from 1 up with this mean (a geometric law). */
export const lot = (chance: Chance, mean: number): number =>
  mean <= 1 ? 1 : 1 + Math.floor(Math.log(1 - uniform(chance)) / Math.log(1 - 1 / mean))

const manyEvents = 40

/** Count of events when this many are expected; a rounded normal where the exact sum would be long. */
export const poisson = (chance: Chance, mean: number): number => {
  if (mean > manyEvents) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(chance)))
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = uniform(chance); product > limit; product *= uniform(chance)) count++
  return count
}

/** Twenty decimal digits or fewer, as ids and nonces of the market look. */
export const digits = (chance: Chance, length: number): string => {
  let text = String(1 + below(chance, 9))
  while (text.length < length) text += String(below(chance, 10))
  return text
}

/** Bytes, for keys that are made from the seed. */
export const bytes = (chance: Chance, length: number): Uint8Array =>
  Uint8Array.from({ length }, () => below(chance, 256))
