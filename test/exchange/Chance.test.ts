import { describe, expect, it } from "vitest"

import { chanceOf, digits, exponential, lot, normal, poisson, uniform } from "../../src/exchange/Chance.ts"

const draws = 20_000
const many = (draw: () => number): ReadonlyArray<number> => Array.from({ length: draws }, draw)
const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
const variance = (values: ReadonlyArray<number>): number => {
  const centre = mean(values)
  return mean(values.map((value) => (value - centre) ** 2))
}

describe("chance", () => {
  it("draws the same numbers from the same state, through JSON too, and others from other parts", () => {
    const chance = chanceOf("a", 1)
    const copy = JSON.parse(JSON.stringify(chance)) as Array<number>
    const drawn = many(() => uniform(chance))
    expect(many(() => uniform(copy))).toEqual(drawn)
    expect(uniform(chanceOf("a", 2))).not.toBe(uniform(chanceOf("a", 1)))
    expect(uniform(chanceOf("a1"))).not.toBe(uniform(chanceOf("a", 1)))
  })

  it("draws evenly from 0 up to, never including, 1", () => {
    const chance = chanceOf("even")
    const drawn = many(() => uniform(chance))
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...drawn)).toBeLessThan(1)
    expect(mean(drawn)).toBeCloseTo(0.5, 1)
    expect(variance(drawn)).toBeCloseTo(1 / 12, 2)
  })

  it("follows the laws that it names", () => {
    const chance = chanceOf("laws")
    const normals = many(() => normal(chance))
    expect(Math.abs(mean(normals))).toBeLessThan(0.03)
    expect(Math.abs(variance(normals) - 1)).toBeLessThan(0.05)
    expect(Math.abs(mean(many(() => exponential(chance, 5))) - 5)).toBeLessThan(0.2)
    for (const expected of [0.3, 7, 90]) {
      const counts = many(() => poisson(chance, expected))
      expect(Math.abs(mean(counts) / expected - 1)).toBeLessThan(0.05)
      expect(Math.abs(variance(counts) / expected - 1)).toBeLessThan(0.08)
    }
    const lots = many(() => lot(chance, 3))
    expect(Math.min(...lots)).toBe(1)
    expect(Math.abs(mean(lots) - 3)).toBeLessThan(0.15)
    expect(lot(chance, 1)).toBe(1)
  })

  it("writes as many digits as asked for, the first not 0", () => {
    const chance = chanceOf("digits")
    for (let count = 0; count < 100; count++) expect(digits(chance, 19)).toMatch(/^[1-9]\d{18}$/)
  })
})
