/** How far a replay or a sweep is: one line on stderr that is written over, when somebody sits before it. */
import { stderr } from "node:process"

import { Effect } from "effect"

import type { Progress } from "../../backtest/Replay.ts"

type Counted = Pick<Progress, "books" | "ofBooks">

/** Between two looks of a person. */
const everyMillis = 200
const width = 30

const counted = new Intl.NumberFormat("en")

const lineOf = ({ books, ofBooks }: Counted, seconds: number, unit: string): string => {
  const done = ofBooks === 0 ? 1 : Math.min(1, books / ofBooks)
  const bar = "█".repeat(Math.round(done * width)).padEnd(width, "░")
  const rate = seconds > 0 ? books / seconds : 0
  const shown = rate < 10 ? rate.toFixed(1) : counted.format(Math.round(rate))
  const left = rate > 0 ? `${Math.ceil((ofBooks - books) / rate)} s left` : ""
  return `${bar} ${(done * 100).toFixed(0).padStart(3)} %  ${shown} ${unit}/s  ${left}`
}

/** Tells the progress now and then; `clear` takes the line away. Nothing at all without a terminal. */
export const progressLine = (unit = "books") => {
  const isSeen = stderr.isTTY
  const began = performance.now()
  let told = began
  return {
    tell: (progress: Counted) =>
      Effect.sync(() => {
        const now = performance.now()
        if (!isSeen || now - told < everyMillis) return
        told = now
        stderr.write(`\r\u001b[2K${lineOf(progress, (now - began) / 1000, unit)}`)
      }),
    clear: Effect.sync(() => {
      if (isSeen) stderr.write("\r\u001b[2K")
    })
  }
}
