/**
 * The fair price of an item and how busy its market is: a slow random walk, swings of weeks, deviations of hours, bursts of an hour,
 * and activity that breathes by the hour of the day. Stepped on a fixed grid: ten minutes, or
 * six hours of an item that sells a few times a day.
 * Invariants: 1. a step depends on the state, the item and the grid time alone, never on when someone looked. 2. no step draws more
 * or fewer numbers than another of its kind, so that streams stay aligned.
 */
import { calibration } from "./Calibration.ts"
import type { Character } from "./CatalogueItem.ts"
import { type Chance, exponential, normal, uniform } from "./Chance.ts"

export const hourMillis = 3_600_000
export const dayMillis = 86_400_000

/** Deviations of the log price from the item's usual price, and of the log activity from the item's usual flow. */
export interface FairState {
  readonly level: number
  readonly swing: number
  readonly fast: number
  readonly jump: number
  readonly busyHour: number
  readonly busyDay: number
}

type Draft = { -readonly [Key in keyof FairState]: FairState[Key] }

/** A state as the process shows it on an ordinary day. */
export const usualFair = (chance: Chance, character: Character): FairState => ({
  level: 0,
  swing: normal(chance) * calibration.swingSd * character.volatility,
  fast: normal(chance) * calibration.fastSd * character.volatility,
  jump: 0,
  busyHour: 0,
  busyDay: normal(chance) * calibration.dayVolumeSd
})

/** The slow level itself is tied to the usual price over half a year, so that no item wanders off for ever. */
const levelHalfLifeDays = 180

/** Share that is left of a deviation after so much of its half-life. */
const left = (part: number): number => 2 ** -part

interface Decay {
  readonly level: number
  readonly levelSd: number
  readonly swing: number
  readonly fast: number
  readonly busyDay: number
  readonly drift: number
}

/** Everything about a step that depends on its length alone. */
const decayOf = (millis: number): Decay => {
  const days = millis / dayMillis
  return {
    level: left(days / levelHalfLifeDays),
    levelSd: calibration.levelSdPerDay * Math.sqrt(days),
    swing: left(days / calibration.swingHalfLifeDays),
    fast: left((days * 24) / calibration.fastHalfLifeHours),
    busyDay: left(days / calibration.dayVolumeHalfLifeDays),
    drift: calibration.driftPerDay * days
  }
}

const stepDecays = new Map<number, Decay>()
/** Steps have one of a few lengths. */
const stepDecay = (millis: number): Decay => {
  const known = stepDecays.get(millis)
  if (known !== undefined) return known
  const decay = decayOf(millis)
  stepDecays.set(millis, decay)
  return decay
}
const hourDecay = decayOf(hourMillis)
const dayDecay = decayOf(dayMillis)

const revert = (value: number, kept: number, sd: number, chance: Chance): number =>
  value * kept + sd * Math.sqrt(1 - kept * kept) * normal(chance)

/** Moves a working copy over one step of the grid, one hour or one day. */
const move = (fair: Draft, character: Character, chance: Chance, decay: Decay): void => {
  const { volatility } = character
  fair.level = fair.level * decay.level + (decay.drift + decay.levelSd * normal(chance)) * volatility
  fair.swing = revert(fair.swing, decay.swing, calibration.swingSd * volatility, chance)
  fair.fast = revert(fair.fast, decay.fast, calibration.fastSd * volatility, chance)
  fair.busyDay = revert(fair.busyDay, decay.busyDay, calibration.dayVolumeSd, chance)
}

/** Smaller leaps are not told from ordinary scatter in the recording (four times its scale). */
const smallestJump = 0.29

/** What is drawn at each full hour: the surprise of its volume, and whether a burst begins, goes on or ends; hours are all we know. */
const newHour = (fair: Draft, character: Character, chance: Chance): void => {
  fair.busyHour = calibration.hourVolumeSd * normal(chance)
  const drawn = uniform(chance)
  const size = smallestJump + exponential(chance, calibration.jumpMeanLog - smallestJump)
  const up = uniform(chance) < calibration.jumpUpShare
  if (fair.jump !== 0 && drawn < 1 - 1 / calibration.jumpHours) return
  const begins = drawn < (calibration.jumpsPerDay / 24) * character.jumpRate
  fair.jump = begins ? (up ? size : -size) * character.jumpSize : 0
}

/** The state after the step that ends at this moment of the item's grid. */
export const step = (before: FairState, character: Character, chance: Chance, at: number): FairState => {
  const fair: Draft = { ...before }
  move(fair, character, chance, stepDecay(character.stepMillis))
  if (at % hourMillis === 0) newHour(fair, character, chance)
  return fair
}

/** Coarser steps for the past that is generated before a market opens. */
export const stepHour = (before: FairState, character: Character, chance: Chance): FairState => {
  const fair: Draft = { ...before }
  move(fair, character, chance, hourDecay)
  newHour(fair, character, chance)
  return fair
}
export const stepDay = (before: FairState, character: Character, chance: Chance): FairState => {
  const fair: Draft = { ...before }
  move(fair, character, chance, dayDecay)
  return { ...fair, jump: 0, busyHour: 0 }
}

/** Fair price in minor units (not rounded). */
export const fairPrice = (basePrice: number, fair: FairState): number =>
  basePrice * Math.exp(fair.level + fair.swing + fair.fast + fair.jump)

/** A burst's trades come from one side only, so that side is this much busier than the recorded total says. */
const oneSided = 1.25

/** How many times the item's usual flow trades now: rhythm of the day, busy hours and days, and bursts. */
export const activity = (fair: FairState, at: number): number => {
  const hour = Math.floor(at / hourMillis) % 24
  const burst = fair.jump === 0 ? 1 : calibration.jumpVolume * oneSided
  return (calibration.rhythm[hour] ?? 1) * Math.exp(fair.busyHour + fair.busyDay) * burst
}
