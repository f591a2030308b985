import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { env } from "node:process"

import { Option } from "effect"
import { describe, expect, it } from "vitest"

import { type Millis } from "../../src/domain/Ids.ts"
import { formatLabel } from "../../src/domain/SalesLabel.ts"
import { advance } from "../../src/exchange/Advance.ts"
import { parseRecording } from "../../src/exchange/History.ts"
import { published } from "../../src/exchange/SalesLog.ts"
import { type World } from "../../src/exchange/World.ts"
import { median } from "./Estimate.ts"
import { hour, startAt, worldOf } from "./Fixture.ts"

const day = 24 * hour
const recordedEnd = 1_650_000_000_000 - (1_650_000_000_000 % hour)

/** Ninety days: daily, then thirty days by the hour; the price climbs from 2 to 4 units over the last thirty days. */
const body = JSON.stringify({
  success: true,
  price_prefix: "$",
  price_suffix: "",
  prices: [
    ...Array.from({ length: 60 }, (_, index) => [
      formatLabel((recordedEnd - (90 - index) * day) as Millis),
      2,
      "2400"
    ]),
    ...Array.from({ length: 720 }, (_, index) => [
      formatLabel((recordedEnd - (719 - index) * hour) as Millis),
      Math.round(2000 * 2 ** (index / 719)) / 1000,
      "60"
    ])
  ]
})

const glove = (world: World) => world.items.find(({ of }) => of.name === "Glove Case")!
const replayed = (text: string, periodDays = 30) =>
  worldOf({ recordings: new Map([["730/Glove Case", Option.getOrThrow(parseRecording(text, periodDays))]]) })

describe("a recorded history", () => {
  it("is an item's past before the market opens, shifted in time", () => {
    const world = replayed(body)
    const past = published(glove(world)).filter(([at]) => at < startAt - 24 * hour)
    expect(past.length).toBeGreaterThan(50)
    for (const [at, price] of past) {
      expect(at).toBeLessThan(startAt)
      expect(price).toBeGreaterThan(190)
      expect(price).toBeLessThan(210)
    }
  })

  it("is followed by the fair price and by the sales while it lasts", () => {
    const world = replayed(body)
    expect(glove(world).price).toBeCloseTo(200, -1)
    const middle = advance(world, startAt + 15 * day).world
    expect(glove(middle).price).toBeGreaterThan(275)
    expect(glove(middle).price).toBeLessThan(290)
    const end = advance(middle, startAt + 30 * day - hour).world
    expect(glove(end).price).toBeGreaterThan(390)
    const lastDay = published(glove(end)).filter(([at]) => at > end.now - day)
    expect(median(lastDay.map(([, price]) => price))).toBeGreaterThan(330)
    expect(median(lastDay.map(([, price]) => price))).toBeLessThan(470)
    expect(median(lastDay.map(([, , units]) => units))).toBeGreaterThan(30)
  })

  it("goes over into the simulated process from its last price", () => {
    const after = advance(replayed(body), startAt + 30 * day + 2 * hour).world
    expect(glove(after).price).toBeGreaterThan(330)
    expect(glove(after).price).toBeLessThan(480)
    const later = advance(after, startAt + 40 * day).world
    expect(glove(later).price).not.toBe(glove(after).price)
    expect(glove(later).bids.length).toBeGreaterThan(5)
  })

  it("leaves every other item as it is without", () => {
    const [plain, other] = [worldOf(), replayed(body)]
    expect(other.items.filter(({ of }) => of.name !== "Glove Case")).toEqual(
      plain.items.filter(({ of }) => of.name !== "Glove Case")
    )
  })

  it("is none when it is another body or too short", () => {
    expect(Option.isNone(parseRecording("{}"))).toBe(true)
    expect(Option.isNone(parseRecording("<html>"))).toBe(true)
    expect(Option.isNone(parseRecording(JSON.stringify({ prices: [["Dec 06 2018 01: +0", 1, "1"]] })))).toBe(
      true
    )
  })

  const recorded = join(env["HAGGLE_RECORDED"] ?? "", "pricehistory", "01.json")
  it.skipIf(env["HAGGLE_RECORDED"] === undefined || !existsSync(recorded))(
    "from a real market can be replayed",
    () => {
      const world = replayed(readFileSync(recorded, "utf8"))
      const end = advance(world, startAt + 30 * day).world
      expect(glove(end).price).toBeGreaterThan(1000)
      expect(glove(end).price).toBeLessThan(1700)
      expect(published(glove(end)).length).toBeGreaterThan(3000)
    }
  )
})
