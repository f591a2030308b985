/**
 * What happens in a simulated world, as plain data: market, strategies and their edits, the owner's acts, faults, deaths. The seed draws
 * it; a shrunk plan is the same with less in it. Invariant: a world is a function of its plan and of nothing else.
 */
import type { ControlWord } from "../../src/domain/Control.ts"
import type { CurrencyId } from "../../src/domain/Currency.ts"
import type { FaultPlan, FaultRule } from "../../src/exchange/FaultsPlan.ts"
import { randomPlan } from "../../src/exchange/FaultsRandom.ts"
import { exchanged } from "../../src/exchange/Rates.ts"
import { type Dice, dice } from "./Dice.ts"
import { brokenText, type StrategyText, someTexts, otherNumbers } from "./Texts.ts"

/** A death at the nth journal append, mutation or read of the world, counted over all lives. */
export interface Death {
  readonly at: "append" | "mutation" | "read"
  readonly nth: number
  /** `late`: the process is dead, and what it had sent arrives some seconds later. */
  readonly when: "before" | "after" | "late"
}

/** A file that is written with other words, or removed; seconds from the world's start. */
export interface Edit {
  readonly atSeconds: number
  readonly name: string
  readonly text: string | undefined
}

/** What the account's owner does by hand; `roll` is the chance of it, so that dropping one act leaves the others as they are. */
export interface Act {
  readonly atSeconds: number
  readonly act: "stage" | "sell" | "order" | "cancel"
  readonly roll: number
}

/** What an operator says; `renew` puts the session in force again, as a file or a command would. */
export interface Word {
  readonly atSeconds: number
  readonly word: ControlWord | "renew"
}

/** Limits of the whole account, minor units. */
export interface Caps {
  readonly spendPerDay?: number
  readonly exposure?: number
  readonly openOrders?: number
}

export interface WorldPlan {
  readonly seed: number
  /** Market minutes in which things go wrong; a quiet while follows. */
  readonly minutes: number
  /** Market minutes of the quiet while. */
  readonly quietMinutes: number
  readonly currency: CurrencyId
  readonly balance: number
  readonly confirmPurchases: boolean
  readonly confirmationCreator: "asset" | "listing"
  readonly minBidAgeMillis: number
  readonly minAskAgeMillis: number
  readonly strategies: ReadonlyArray<Pick<StrategyText, "name" | "text">>
  readonly edits: ReadonlyArray<Edit>
  readonly acts: ReadonlyArray<Act>
  readonly words: ReadonlyArray<Word>
  readonly caps: Caps
  readonly faults: FaultPlan
  readonly deaths: ReadonlyArray<Death>
  /** Seconds until a dead daemon is started again, one death after the other and again from the first. */
  readonly downSeconds: readonly [number, ...ReadonlyArray<number>]
}

export interface PlanOptions {
  /** Instead of as many as the seed draws. */
  readonly minutes?: number
}

export const planOf = (seed: number, options: PlanOptions = {}): WorldPlan => {
  const chance = dice(seed, "world")
  const drawn = chance.pick([10, 15, 20, 30, 45, 75])
  const minutes = options.minutes ?? drawn
  const currency = chance.hits(0.75) ? usd : chance.pick(others)
  const balance = exchanged(chance.between(3_000, 40_000), usd, currency)
  const many = chance.hits(0.06)
  const texts = someTexts(dice(seed, "texts"), currency, many)
  const played = many ? Math.min(minutes, 30) : minutes
  return {
    seed,
    minutes: played,
    quietMinutes: 12,
    currency,
    balance,
    confirmPurchases: chance.hits(0.25),
    confirmationCreator: chance.pick(["asset", "listing"]),
    minBidAgeMillis: chance.between(20, 120) * 1_000,
    minAskAgeMillis: chance.between(60, 900) * 1_000,
    strategies: texts.map(({ name, text }) => ({ name, text })),
    edits: editsOf(dice(seed, "edits"), texts, minutes),
    acts: chance.hits(0.4) ? actsOf(dice(seed, "owner"), minutes) : [],
    words: chance.hits(0.4) ? wordsOf(dice(seed, "operator"), minutes) : [],
    caps: chance.hits(0.3) ? capsOf(chance, balance) : {},
    faults: endedAfter(played, faultsOf(seed, minutes)),
    ...deathsOf(dice(seed, "deaths"))
  }
}

const usd = 1 as CurrencyId
/** Pounds and euros, roubles, yuan, won: other smallest prices and increments. */
const others = [2, 3, 5, 23, 16].map((id) => id as CurrencyId) as [CurrencyId, ...Array<CurrencyId>]

const editsOf = (chance: Dice, texts: ReadonlyArray<StrategyText>, minutes: number): ReadonlyArray<Edit> => {
  const edits: Array<Edit> = []
  for (let at = chance.between(60, 2_400); at < minutes * 60; at += chance.between(60, 2_400)) {
    const [text] = chance.some(texts, 1)
    if (text === undefined) break
    const { name } = text
    const other = otherNumbers(chance, text).text
    if (chance.hits(0.3)) edits.push({ atSeconds: at, name, text: brokenText(chance, other) })
    else if (chance.hits(0.7)) edits.push({ atSeconds: at, name, text: other })
    else {
      edits.push({ atSeconds: at, name, text: undefined })
      at += chance.between(30, 600)
      edits.push({ atSeconds: at, name, text: text.text })
    }
  }
  return edits
}

const actsOf = (chance: Dice, minutes: number): ReadonlyArray<Act> => {
  const acts: Array<Act> = []
  for (let at = chance.between(60, 1_800); at < minutes * 60; at += chance.between(60, 1_800))
    acts.push({
      atSeconds: at,
      act: chance.pick(["stage", "sell", "order", "order", "cancel"]),
      roll: chance.between(0, 1_000_000)
    })
  return acts
}

const wordsOf = (chance: Dice, minutes: number): ReadonlyArray<Word> => {
  const words: Array<Word> = []
  for (let at = chance.between(60, 1_800); at < minutes * 60; at += chance.between(60, 900)) {
    const word = chance.pick<Word["word"]>(["pause", "drain", "halt", "renew"])
    words.push({ atSeconds: at, word })
    if (word === "renew") continue
    at += chance.between(5, 400)
    words.push({ atSeconds: at, word: "resume" })
  }
  return words
}

const capsOf = (chance: Dice, balance: number): Caps => ({
  ...(chance.hits(0.6) ? { spendPerDay: Math.round(balance * chance.next() * 0.5) } : {}),
  ...(chance.hits(0.6) ? { exposure: Math.round(balance * chance.next() * 0.5) } : {}),
  ...(chance.hits(0.6) ? { openOrders: chance.between(1, 6) } : {})
})

/** What may go wrong at the market in so many minutes. */
const faultsOf = (seed: number, minutes: number): FaultPlan => {
  const chance = dice(seed, "faults")
  const intensity = chance.hits(0.8) ? chance.next() ** 2 * 0.2 : 0
  const lengthMillis = minutes * 60_000
  const { faults } = randomPlan(seed, { intensity, lengthMillis })
  // The owner's orders are acts of the plan: one that a request sets off could not be told from the bot's.
  const drawn = faults.filter(({ kind }) => kind !== "manual-order")
  return { seed, faults: [...drawn, ...onOrders(chance)] }
}

/** The plan with every rule ended when the time of faults is over; those that would begin later are left out. */
export const endedAfter = (minutes: number, { faults, ...plan }: FaultPlan): FaultPlan => {
  const lengthMillis = minutes * 60_000
  const ended: ReadonlyArray<FaultRule> = faults
    .filter(({ from = 0 }) => from < lengthMillis)
    .map((rule) => Object.assign({}, rule, { until: Math.min(rule.until ?? lengthMillis, lengthMillis) }))
  return { ...plan, faults: ended }
}

const mutations = ["create-buyorder", "cancel-buyorder", "sellitem", "removelisting"] as const

/** What makes outcomes unknown, where it hurts most. */
const onOrders = (chance: Dice): ReadonlyArray<FaultRule> => {
  const share = chance.hits(0.7) ? chance.next() * 0.05 : 0
  if (share === 0) return []
  const often = { operations: mutations, probability: share }
  return [
    { kind: "lost-answer", ...often },
    { kind: "reset", ...often },
    { kind: "delay", delay: 60_000, ...often },
    { kind: "server-error", status: 502, effect: chance.pick(["none", "done"]), ...often }
  ]
}

/** More deaths than this would leave no time to trade. */
const mostDeaths = 40
/** Deaths are drawn for so many appends, mutations and reads; a world has fewer of each. */
const horizon = { append: 2_000, mutation: 1_000, read: 20_000 }

const deathsOf = (chance: Dice): Pick<WorldPlan, "deaths" | "downSeconds"> => {
  // A supervisor that starts a process again at once, and one that keeps dying.
  const storm = chance.hits(0.2)
  const upTo = (most: number): number => (chance.hits(0.75) ? chance.next() * most : 0)
  const share = { append: upTo(0.04), mutation: upTo(0.08), read: storm ? 0.02 : upTo(0.004) }
  const deaths = (["append", "mutation", "read"] as const).flatMap((at) =>
    ordinals(chance, share[at], horizon[at]).map((nth): Death => ({ at, nth, when: whenOf(chance, at) }))
  )
  const downSeconds = Array.from({ length: 16 }, () => (storm ? chance.between(1, 3) : chance.between(1, 90)))
  return { deaths, downSeconds: [chance.between(1, 10), ...downSeconds] }
}

const whenOf = (chance: Dice, at: Death["at"]): Death["when"] =>
  at === "mutation" ? chance.pick(["before", "after", "late"]) : chance.pick(["before", "after"])

const ordinals = (chance: Dice, probability: number, most: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  if (probability <= 0) return found
  for (let nth = 1; nth <= most && found.length < mostDeaths; nth++)
    if (chance.hits(probability)) found.push(nth)
  return found
}
