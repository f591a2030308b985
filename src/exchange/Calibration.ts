/**
 * How real prices and sales move: parameters fitted to one item's recorded history (3,586 daily and 720 hourly points).
 * docs/calibration.md tells how; `test/exchange/fit.ts` prints them again from a recording. Log prices throughout.
 * Invariant: these are figures of the recording, not of taste; what an invented item changes about them stands in the Catalogue.
 */

export interface Calibration {
  /** Scatter of an hour's median around the fair price, standard deviation of the log. In the market it comes from bid-ask bounce. */
  readonly printSd: number
  /** Fast deviation that reverts within hours: standard deviation and half-life. */
  readonly fastSd: number
  readonly fastHalfLifeHours: number
  /** Swing that reverts within weeks. */
  readonly swingSd: number
  readonly swingHalfLifeDays: number
  /** Random walk of the slow level and its drift. */
  readonly levelSdPerDay: number
  readonly driftPerDay: number
  /** Short bursts: hours whose median leaps away and comes back. */
  readonly jumpsPerDay: number
  readonly jumpMeanLog: number
  readonly jumpUpShare: number
  readonly jumpHours: number
  /** Sales of a burst's hour against a usual one. */
  readonly jumpVolume: number
  /** Units sold in a usual hour. */
  readonly unitsPerHour: number
  /** Dispersion of an hour's log volume beyond the rhythm: from hour to hour, and slowly from day to day. */
  readonly hourVolumeSd: number
  readonly dayVolumeSd: number
  readonly dayVolumeHalfLifeDays: number
  /** Share of hours without a sale. */
  readonly gapShare: number
  /** Weight of each hour of the day, UTC, mean 1. */
  readonly rhythm: ReadonlyArray<number>
}

export const calibration: Calibration = {
  printSd: 0.0468,
  fastSd: 0.0676,
  fastHalfLifeHours: 3,
  swingSd: 0.13,
  swingHalfLifeDays: 21,
  levelSdPerDay: 0.0148,
  driftPerDay: -0.000199,
  jumpsPerDay: 1.64,
  jumpMeanLog: 0.618,
  jumpUpShare: 0.776,
  jumpHours: 1.16,
  jumpVolume: 2.37,
  unitsPerHour: 92.7,
  hourVolumeSd: 0.455,
  dayVolumeSd: 0.149,
  dayVolumeHalfLifeDays: 12.4,
  gapShare: 0,
  rhythm: [
    0.712, 0.676, 0.664, 0.601, 0.604, 0.62, 0.584, 0.618, 0.704, 0.805, 0.91, 0.983, 1.09, 1.18, 1.25, 1.42,
    1.5, 1.43, 1.42, 1.51, 1.48, 1.28, 1.09, 0.886
  ]
}
