/**
 * What of many notices a channel is given: the same one once in a while, and not more than so many in an hour. Pure.
 * Invariants: 1. what is held back is counted and told with the next notice that goes out. 2. a critical notice is held back only when
 * the same one was told a moment ago and nothing else on the matter since.
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
  /** The last text on each thing that notices are about. */
  readonly last: ReadonlyMap<string, string>
  /** When the last ones went out, oldest first. */
  readonly recent: ReadonlyArray<number>
  readonly heldBack: number
}

export const quiet: Throttle = { told: new Map(), last: new Map(), recent: [], heldBack: 0 }

const hourMillis = 3_600_000
/** Texts that are remembered; more different ones in `repeatMillis` may be told twice. */
const rememberedTexts = 500

/** With the newest entry behind the others, and not more of them than are remembered. */
const remembering = <V>(before: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> => {
  const others = [...before].filter(([known]) => known !== key)
  return new Map([...others.slice(1 - rememberedTexts), [key, value]])
}

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
  const { about } = notice
  const isOld = about === undefined || throttle.last.get(about) === text
  const again = isOld && before !== undefined && now - before < repeatMillis
  const last = about === undefined ? throttle.last : remembering(throttle.last, about, text)
  const full = recent.length >= perHour && notice.urgency !== "critical"
  if (again || full) return [{ ...throttle, last, recent, heldBack: throttle.heldBack + 1 }, undefined]
  const told = remembering(throttle.told, text, now)
  const { heldBack } = throttle
  const out =
    heldBack === 0
      ? notice
      : { ...notice, text: `${notice.text}\n(${heldBack} more since the last message were held back)` }
  return [{ told, last, recent: [...recent, now].slice(-Math.max(1, perHour)), heldBack: 0 }, out]
}
