/** What an item of the embedded market is: its names and tags, its usual price, and how its price and flow behave. */

/** How an item's price and flow differ from the calibration. */
export interface Character {
  /** Units sold in a usual hour, all traders together. */
  readonly unitsPerHour: number
  /** Half of the usual distance between bid and ask, as a fraction of the fair price. */
  readonly halfSpread: number
  /** Multiplies the calibrated deviations of the price (fast, swing, level). */
  readonly volatility: number
  /** Multiplies the calibrated rate and size of bursts. */
  readonly jumpRate: number
  readonly jumpSize: number
  /** Background orders that a side usually holds. */
  readonly depth: number
  /** Mean units of a background buy order near the best bid. */
  readonly lot: number
  /** How often a waiting background order is given up. */
  readonly cancelsPerHour: number
  /** Distance of the fair price's steps: a divisor or a multiple of the hour. */
  readonly stepMillis: number
}

export interface CatalogueItem {
  readonly app: number
  readonly name: string
  /** Shown type, e.g. `Base Grade Container`. */
  readonly type: string
  readonly description: string
  /** Selected tag per category, internal names. */
  readonly tags: Readonly<Record<string, string>>
  /** Units are interchangeable: bought by order, not by listing. */
  readonly commodity: boolean
  /** Structured name of the exteriors of one finish, beginning with `G`; empty for items without variants. */
  readonly group: string
  readonly publisherRate: number
  /** Usual price that a buyer pays, cents. */
  readonly price: number
  readonly character: Character
}

export const livelyStepMillis = 600_000
export const livelyCancelsPerHour = 0.15
/** Items that sell a few times a day move on a coarse grid, so that hundreds of them cost little. */
export const thinStepMillis = 6 * 3_600_000
export const thinCancelsPerHour = 0.01

/** Whether an item trades on the fine grid. */
export const isLively = ({ character }: CatalogueItem): boolean => character.stepMillis === livelyStepMillis

/** Inventory context in which an application's tradable items lie. */
export const contextOf = (_app: number): string => "2"
