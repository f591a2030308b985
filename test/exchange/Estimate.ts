/**
 * Estimators of the calibration: from the points of a price history to the parameters of src/exchange/Calibration.ts.
 * Everything is robust (medians and median absolute deviations), because a tenth of all hours are outliers. docs/calibration.md
 * explains each step. Shared by fit.ts, which reads a recording, and by the test that measures simulated histories the same way.
 */
import type { Calibration } from "../../src/exchange/Calibration.ts"

export interface Point {
  readonly at: number
  readonly price: number
  readonly units: number
}

const hour = 3_600_000
const day = 24 * hour

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
/** Standard deviation by the median absolute deviation. */
export const scale = (values: ReadonlyArray<number>): number => {
  const centre = median(values)
  return 1.4826 * median(values.map((value) => Math.abs(value - centre)))
}
const smooth = (values: ReadonlyArray<number>, half: number): ReadonlyArray<number> =>
  values.map((_, index) => median(values.slice(Math.max(0, index - half), index + half + 1)))

/** Robust variance of the difference over a lag, leaving out marked points. */
const variogram = (logs: ReadonlyArray<number>, lag: number, skip: ReadonlyArray<boolean>): number => {
  const differences: Array<number> = []
  for (let index = 0; index + lag < logs.length; index++) {
    if (skip[index] !== true && skip[index + lag] !== true)
      differences.push(logs[index + lag]! - logs[index]!)
  }
  return scale(differences) ** 2
}

/** Best a + b·(1 − 2^(−lag/halfLife)) + c·lag with a, b ≥ 0 over a grid of half-lives, by least squares; c is given. */
const decompose = (
  gamma: ReadonlyArray<readonly [lag: number, value: number]>,
  halfLives: ReadonlyArray<number>,
  slope: number
): { readonly noise: number; readonly sill: number; readonly halfLife: number } => {
  let best = { error: Infinity, noise: 0, sill: 0, halfLife: 0 }
  for (const halfLife of halfLives) {
    const rows = gamma.map(([lag, value]) => [1 - 2 ** (-lag / halfLife), value - slope * lag] as const)
    const [mx, my] = [mean(rows.map(([x]) => x)), mean(rows.map(([, y]) => y))]
    const sxx = rows.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
    const sxy = rows.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0)
    const sill = Math.max(0, sxy / sxx)
    const noise = Math.max(0, my - sill * mx)
    const error = rows.reduce((sum, [x, y]) => sum + (y - noise - sill * x) ** 2, 0)
    if (error < best.error) best = { error, noise, sill, halfLife }
  }
  return best
}

const slopeOf = (gamma: ReadonlyArray<readonly [lag: number, value: number]>): number => {
  const [mx, my] = [mean(gamma.map(([x]) => x)), mean(gamma.map(([, y]) => y))]
  return (
    gamma.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) /
    gamma.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
  )
}

const autocorrelation = (values: ReadonlyArray<number>, lag: number): number => {
  const centre = mean(values)
  let [top, bottom] = [0, 0]
  values.forEach((value, index) => {
    bottom += (value - centre) ** 2
    if (index + lag < values.length) top += (value - centre) * (values[index + lag]! - centre)
  })
  return top / bottom
}

/** What the hourly part tells: prints, fast reversion, bursts, rhythm, volume. */
export const estimateHourly = (hourly: ReadonlyArray<Point>) => {
  const logs = hourly.map(({ price }) => Math.log(price))
  const around = smooth(logs, 12)
  const residuals = logs.map((value, index) => value - around[index]!)
  const usual = scale(residuals)
  const jump = residuals.map((value) => Math.abs(value) > 4 * usual)
  const runs: Array<ReadonlyArray<number>> = []
  jump.forEach((is, index) => {
    if (!is) return
    if (jump[index - 1] === true) runs[runs.length - 1] = [...runs.at(-1)!, residuals[index]!]
    else runs.push([residuals[index]!])
  })
  const peaks = runs.map((run) =>
    run.reduce((peak, value) => (Math.abs(value) > Math.abs(peak) ? value : peak), 0)
  )
  const hours = Array.from({ length: 24 }, (_, of) =>
    hourly.flatMap(({ at, units }, index) =>
      Math.floor(at / hour) % 24 === of && jump[index] !== true ? [units] : []
    )
  ).map((units) => (units.length === 0 ? 1 : median(units)))
  const overall = mean(hours)
  const smoothed = hours.map(
    (own, index) => (hours[(index + 23) % 24]! + 2 * own + hours[(index + 1) % 24]!) / 4 / overall
  )
  const surprise = hourly.map(({ at, units }) =>
    Math.log(Math.max(0.5, units) / (overall * smoothed[Math.floor(at / hour) % 24]!))
  )
  const gamma = [1, 2, 3, 4, 6, 8, 12, 18, 24].map((lag) => [lag, variogram(logs, lag, jump)] as const)
  const fast = decompose(gamma, [1, 1.5, 2, 3, 4, 6, 8], 0)
  const span = hourly.length === 0 ? 0 : (hourly.at(-1)!.at - hourly[0]!.at) / day
  return {
    printSd: Math.sqrt(fast.noise / 2),
    fastSd: Math.sqrt(fast.sill / 2),
    fastHalfLifeHours: fast.halfLife,
    residualSd: usual,
    jumpsPerDay: runs.length / span,
    jumpMeanLog: peaks.length === 0 ? 0 : mean(peaks.map(Math.abs)),
    jumpUpShare: peaks.length === 0 ? 0 : peaks.filter((peak) => peak > 0).length / peaks.length,
    jumpHours: runs.length === 0 ? 0 : mean(runs.map((run) => run.length)),
    jumpVolume:
      peaks.length === 0 ? 1 : Math.exp(median(surprise.filter((_, index) => jump[index] === true))),
    unitsPerHour: overall,
    volumeSd: scale(surprise.filter((_, index) => jump[index] !== true)),
    gapShare: 1 - hourly.length / (span * 24 + 1),
    rhythm: smoothed
  }
}

/** What the daily part tells: level, swings and drift, and how busy weeks follow each other. */
export const estimateDaily = (daily: ReadonlyArray<Point>) => {
  const logs = daily.map(({ price }) => Math.log(price))
  const none = logs.map(() => false)
  const gammaAt = (lags: ReadonlyArray<number>) =>
    lags.map((lag) => [lag, variogram(logs, lag, none)] as const)
  const slope = Math.max(0, slopeOf(gammaAt([60, 75, 90, 105, 120])))
  const swing = decompose(gammaAt([1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60]), [3, 5, 7, 10, 14, 21], slope)
  const recent = daily.slice(-365).map(({ units }) => Math.log(Math.max(0.5, units)))
  const usual = smooth(recent, 45)
  const busy = recent.map((value, index) => value - usual[index]!)
  const [near, far] = [autocorrelation(busy, 1), autocorrelation(busy, 7)]
  return {
    levelSdPerDay: Math.sqrt(slope),
    swingSd: Math.sqrt(swing.sill / 2),
    swingHalfLifeDays: swing.halfLife,
    dailyPrintSd: Math.sqrt(swing.noise / 2),
    driftPerDay: (median(logs.slice(-90)) - median(logs.slice(0, 90))) / Math.max(1, logs.length - 90),
    dayVolumeSd: scale(busy) * Math.sqrt(Math.max(0, near)),
    dayVolumeHalfLifeDays: far > 0 && near > far ? (6 * Math.LN2) / Math.log(near / far) : 3,
    gapShare: 1 - daily.length / ((daily.at(-1)!.at - daily[0]!.at) / day + 1)
  }
}

/** Splits a history where the steps turn from days to hours. */
export const split = (points: ReadonlyArray<Point>) => {
  const first = points.findIndex(
    (point, index) => index + 1 < points.length && points[index + 1]!.at - point.at < 3 * hour
  )
  const at = first < 0 ? points.length : first
  return { daily: points.slice(0, at), hourly: points.slice(at) }
}

export const estimate = (points: ReadonlyArray<Point>): Calibration => {
  const { daily, hourly } = split(points)
  const [slow, quick] = [estimateDaily(daily), estimateHourly(hourly)]
  const rounded = (value: number): number => Number(value.toPrecision(3))
  return {
    printSd: rounded(quick.printSd),
    fastSd: rounded(quick.fastSd),
    fastHalfLifeHours: quick.fastHalfLifeHours,
    swingSd: rounded(slow.swingSd),
    swingHalfLifeDays: slow.swingHalfLifeDays,
    levelSdPerDay: rounded(slow.levelSdPerDay),
    driftPerDay: rounded(slow.driftPerDay),
    jumpsPerDay: rounded(quick.jumpsPerDay),
    jumpMeanLog: rounded(quick.jumpMeanLog),
    jumpUpShare: rounded(quick.jumpUpShare),
    jumpHours: rounded(quick.jumpHours),
    jumpVolume: rounded(quick.jumpVolume),
    unitsPerHour: rounded(quick.unitsPerHour),
    hourVolumeSd: rounded(Math.sqrt(Math.max(0, quick.volumeSd ** 2 - slow.dayVolumeSd ** 2))),
    dayVolumeSd: rounded(slow.dayVolumeSd),
    dayVolumeHalfLifeDays: rounded(slow.dayVolumeHalfLifeDays),
    gapShare: rounded(quick.gapShare),
    rhythm: quick.rhythm.map(rounded)
  }
}
