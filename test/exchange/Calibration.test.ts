import { describe, expect, it } from "vitest"

import { advance } from "../../src/exchange/Advance.ts"
import { calibration } from "../../src/exchange/Calibration.ts"
import { measuredItem } from "../../src/exchange/Catalogue.ts"
import { published } from "../../src/exchange/SalesLog.ts"
import { itemIndex, type MarketItem, type World } from "../../src/exchange/World.ts"
import { estimateDaily, estimateHourly, median, type Point } from "./Estimate.ts"
import { hour, startAt, worldOf } from "./Fixture.ts"

const day = 24 * hour

const points = (item: MarketItem): ReadonlyArray<Point> =>
  published(item).map(([at, price, units]) => ({ at, price, units }))
const measured = (world: World): MarketItem =>
  world.items[itemIndex(world, measuredItem.app, measuredItem.name)]!

/** Thirty days of trading, hour by hour, of the item whose process is the calibration itself; several seeds stand for longer. */
const runs = [1, 2, 3, 4, 5, 6].map((seed) => {
  const world = advance(worldOf({ seed, startAt }), startAt + 31 * day).world
  return estimateHourly(points(measured(world)).filter(({ at }) => at > startAt))
})
const over = (read: (run: (typeof runs)[number]) => number): number => median(runs.map(read))

describe("simulated trading against the fitted calibration", () => {
  it("scatters around the fair price and reverts within hours like the recording", () => {
    // One month cannot tell prints from the fastest reversion, so the two are compared together.
    const scatter = over((run) => Math.hypot(run.printSd, run.fastSd))
    const wanted = Math.hypot(calibration.printSd, calibration.fastSd)
    expect(scatter).toBeGreaterThan(wanted * 0.75)
    expect(scatter).toBeLessThan(wanted * 1.35)
    expect(over((run) => run.fastHalfLifeHours)).toBeGreaterThanOrEqual(1.5)
    expect(over((run) => run.fastHalfLifeHours)).toBeLessThanOrEqual(2 * calibration.fastHalfLifeHours)
  })

  it("has bursts as often, as large, as short and mostly upwards", () => {
    expect(over((run) => run.jumpsPerDay)).toBeGreaterThan(calibration.jumpsPerDay * 0.5)
    expect(over((run) => run.jumpsPerDay)).toBeLessThan(calibration.jumpsPerDay * 1.6)
    expect(over((run) => run.jumpMeanLog)).toBeGreaterThan(calibration.jumpMeanLog * 0.6)
    expect(over((run) => run.jumpMeanLog)).toBeLessThan(calibration.jumpMeanLog * 1.5)
    expect(over((run) => run.jumpHours)).toBeLessThan(calibration.jumpHours * 1.5)
    expect(over((run) => run.jumpVolume)).toBeGreaterThan(calibration.jumpVolume * 0.7)
    expect(over((run) => run.jumpVolume)).toBeLessThan(calibration.jumpVolume * 1.5)
    expect(over((run) => run.jumpUpShare)).toBeGreaterThan(0.6)
  })

  it("disperses its volume alike and follows the rhythm of the day", () => {
    const wanted = Math.sqrt(calibration.hourVolumeSd ** 2 + calibration.dayVolumeSd ** 2)
    expect(over((run) => run.volumeSd)).toBeGreaterThan(wanted * 0.7)
    expect(over((run) => run.volumeSd)).toBeLessThan(wanted * 1.5)
    const rhythm = Array.from({ length: 24 }, (_, of) => over((run) => run.rhythm[of]!))
    const mean = (values: ReadonlyArray<number>): number =>
      values.reduce((sum, value) => sum + value, 0) / values.length
    const night = mean(rhythm.slice(0, 8)) / mean(calibration.rhythm.slice(0, 8))
    const evening = mean(rhythm.slice(14, 21)) / mean(calibration.rhythm.slice(14, 21))
    expect(Math.abs(night - 1)).toBeLessThan(0.25)
    expect(Math.abs(evening - 1)).toBeLessThan(0.25)
    expect(over((run) => run.gapShare)).toBeLessThan(0.02)
  })

  it("generates a past whose level and swings are those of the recording", () => {
    const pasts = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) =>
      estimateDaily(measured(worldOf({ seed })).daily.map(([at, price, units]) => ({ at, price, units })))
    )
    const sd = median(pasts.map((past) => Math.hypot(past.swingSd, past.levelSdPerDay * Math.sqrt(30))))
    const wanted = Math.hypot(calibration.swingSd, calibration.levelSdPerDay * Math.sqrt(30))
    expect(sd).toBeGreaterThan(wanted * 0.5)
    expect(sd).toBeLessThan(wanted * 1.6)
  })
})

describe("the catalogue in motion", () => {
  const world = worldOf({ seed: 3 })
  const spreads = world.items.map((): Array<number> => [])
  let later = world
  for (let step = 0; step < 7 * 24; step++) {
    later = advance(later, later.now + hour).world
    later.items.forEach(({ asks, bids }, index) => {
      const [bid, ask] = [bids[0]?.price, asks[0]?.price]
      if (bid !== undefined && ask !== undefined) spreads[index]!.push((ask - bid) / ((ask + bid) / 2))
    })
  }
  const spreadOf = (name: string): number => median(spreads[itemIndexByName(world, name)]!)

  it("has thick items with narrow spreads and several others where a patient spread pays its fees", () => {
    expect(spreadOf("Workshop Supply Key")).toBeLessThan(0.08)
    expect(spreadOf("Meridian Case")).toBeLessThan(0.1)
    const wide = ["Glove Case", "Chroma 2 Case", "Harbour Case", "Tundra Weapon Case", "Signal Flare Pack"]
    for (const name of wide) {
      expect(spreadOf(name)).toBeGreaterThan(0.22)
      expect(spreadOf(name)).toBeLessThan(0.4)
    }
  })

  it("has both sides of every book nearly always, and at least thirty days of past sales", () => {
    for (const [index, item] of world.items.entries()) {
      expect(spreads[index]!.length).toBeGreaterThan(7 * 24 * 0.95)
      const first = published(item)[0]!
      expect(startAt - first[0]).toBeGreaterThan(30 * day)
    }
  })

  it("is of two applications, at least twelve items, cheap and dear ones", () => {
    expect(new Set(world.items.map(({ of }) => of.app))).toEqual(new Set([730, 440]))
    expect(world.items.length).toBeGreaterThanOrEqual(12)
    expect(Math.min(...world.items.map(({ of }) => of.price))).toBeLessThan(20)
    expect(Math.max(...world.items.map(({ of }) => of.price))).toBeGreaterThan(10_000)
  })
})

const itemIndexByName = (world: World, name: string): number =>
  world.items.findIndex(({ of }) => of.name === name)
