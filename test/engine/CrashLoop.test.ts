import { assert, describe, it } from "@effect/vitest"

import type { Event } from "../../src/domain/Event.ts"
import { breaker, defaultCrashLoopRules } from "../../src/engine/CrashLoop.ts"
import { at } from "./Given.ts"

const started = (minutes: number): Event => ({ _tag: "RunStarted", at: at(minutes * 60), mode: "live" })
const stopped = (minutes: number): Event => ({ _tag: "RunStopped", at: at(minutes * 60), why: "signal" })
const resumed = (minutes: number): Event => ({
  _tag: "Resumed",
  at: at(minutes * 60),
  who: "somebody",
  why: ""
})
const paused = (...events: ReadonlyArray<Event>): boolean =>
  breaker(
    events.map((event, index) => ({ seq: index + 1, event })),
    at(600),
    defaultCrashLoopRules
  ).some(({ _tag }) => _tag === "Paused")

describe("The crash-loop breaker", () => {
  it("pauses a daemon that has died five times within ten minutes", () => {
    assert.isTrue(paused(...[1, 2, 3, 4, 5].map(started)))
    assert.isFalse(paused(...[1, 2, 3, 4].map(started)))
  })

  it("does not count ends in order, nor what is long ago", () => {
    assert.isFalse(paused(...[1, 3, 5, 7, 9].flatMap((minute) => [started(minute), stopped(minute + 1)])))
    assert.isFalse(paused(...[-3, -2, -1, 5, 9].map(started)))
  })

  it("begins to count anew when the operator resumes", () => {
    assert.isFalse(paused(started(1), started(2), started(3), resumed(4), started(5), started(6)))
    assert.isTrue(paused(resumed(0), ...[1, 2, 3, 4, 5].map(started)))
  })
})
