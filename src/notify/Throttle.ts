/**
 * What of many notices a channel is given: the same one once in a while, and not more than so many in an hour. Pure.
 * Invariants: 1. what is held back is counted and told with the next notice that goes out. 2. a critical notice is held back only when
 * the same one was told a moment ago.
 */
import type { Notice } from "./Notifier.ts"

export interface ThrottleRules {
  readonly perHour: number
  /** The same notice again only after this long. */
  readonly repeatMillis: number
}

export interface Throttle {
  /** When each text was told last, oldest first. */
  readonly told: ReadonlyMap<string, number>
  /** When the last ones went out, oldest first. */
  readonly recent: ReadonlyArray<number>
  readonly heldBack: number
}

export const quiet: Throttle = { told: new Map(), recent: [], heldBack: 0 }

const hourMillis = 3_600_000
/** Texts that are remembered; more different ones in `repeatMillis` may be told twice. */
const rememberedTexts = 500

/** The throttle after a notice, and the notice as it goes out, if it does. */
export const throttled = (
  throttle: Throttle,
  notice: Notice,
  now: number,
  { perHour, repeatMillis }: ThrottleRules
): readonly [Throttle, Notice | undefined] => {
  const text = `${notice.kind} ${notice.text}`
  const recent = throttle.recent.filter((at) => at > now - hourMillis)
  const before = throttle.told.get(text)
  const again = before !== undefined && now - before < repeatMillis
  const full = recent.length >= perHour && notice.urgency !== "critical"
  if (again || full) return [{ ...throttle, recent, heldBack: throttle.heldBack + 1 }, undefined]
  const told = new Map([...throttle.told].filter(([known]) => known !== text).slice(1 - rememberedTexts))
  told.set(text, now)
  const { heldBack } = throttle
  const out =
    heldBack === 0
      ? notice
      : { ...notice, text: `${notice.text}\n(${heldBack} more since the last message were held back)` }
  return [{ told, recent: [...recent, now].slice(-Math.max(1, perHour)), heldBack: 0 }, out]
}
