/**
 * A plan of faults drawn from a seed: every kind that the market knows, some seeds more of one, some of another.
 * Invariants: 1. the same seed, intensity and length give the same plan. 2. about `intensity` of the calls are spoilt by chance; besides,
 * a few longer spells (maintenance, a lost session, a currency, …) happen inside the given length of market time and end inside it.
 * 3. a result code that is a definitive no never comes after the effect: such a market could not be traded on by anybody.
 */
import { below, type Chance, chanceOf, uniform } from "./Chance.ts"
import { type FaultPlan, type FaultRule, knownCodes } from "./FaultsPlan.ts"

const minute = 60_000
const hour = 60 * minute

interface Length {
  /** Share of calls, 0 to 1. */
  readonly intensity?: number
  /** Market time in which the spells fall, milliseconds. */
  readonly lengthMillis?: number
}

const defaultIntensity = 0.05
const defaultLengthMillis = 24 * hour

const some = <A>(chance: Chance, all: readonly [A, ...ReadonlyArray<A>]): A =>
  all[below(chance, all.length)] ?? all[0]

/** Faults of single calls, before their probability. */
const singles = (chance: Chance): ReadonlyArray<FaultRule> => [
  { kind: "rate-limited" },
  { kind: "null", effect: "none" },
  { kind: "null", effect: "done" },
  { kind: "html", effect: some(chance, ["none", "done"]) },
  { kind: "login" },
  { kind: "server-error", status: some(chance, [500, 502, 503]) },
  { kind: "server-error", status: 502, effect: "done" },
  { kind: "lost-answer" },
  { kind: "reset" },
  { kind: "truncated" },
  { kind: "delay", delay: minute },
  { kind: "delay", delay: (1 + below(chance, 9)) * 1000, before: true },
  ...knownCodes.map((code) => ({ kind: "code", code }) as const),
  { kind: "code", code: 16, effect: "done" },
  {
    kind: "session",
    signal: some(chance, ["anonymous", "redirect", "lost-auth", "sign-in-page", "unauthorized"])
  },
  { kind: "confirmations", how: "twice" },
  { kind: "confirmations", how: "needauth" },
  { kind: "history", how: "duplicated" },
  { kind: "history", how: "reordered" },
  { kind: "bought" }
]

/** Kinds that go on for a while, with the longest that they may. */
const spells = (chance: Chance): ReadonlyArray<readonly [FaultRule, longest: number]> => [
  [{ kind: "maintenance" }, hour],
  [{ kind: "session", signal: some(chance, ["anonymous", "header", "empty-lists"]) }, 20 * minute],
  [{ kind: "confirmations", how: "late", delay: (30 + below(chance, 300)) * 1000 }, 2 * hour],
  [{ kind: "confirmations", how: "never" }, hour],
  [{ kind: "clock", offset: (below(chance, 2) === 0 ? 1 : -1) * (1 + below(chance, 600)) * 1000 }, 2 * hour],
  [{ kind: "currency" }, hour],
  [{ kind: "funds-held", hold: hour }, 4 * hour],
  [{ kind: "rate-limited" }, 10 * minute]
]

const withProbability = (rule: FaultRule, probability: number): FaultRule => ({ ...rule, probability })

/** Whether a spell is part of this seed's plan. */
const spellShare = 0.4
const mostManualOrders = 3

export const randomPlan = (seed: number, options: Length = {}): FaultPlan => {
  const { intensity = defaultIntensity, lengthMillis = defaultLengthMillis } = options
  if (intensity <= 0) return { seed, faults: [] }
  const chance = chanceOf("fault plan", seed)
  // Squares of uniforms: a seed has a few kinds in plenty and the others rarely.
  const drawn = singles(chance).map((rule) => ({ rule, weight: uniform(chance) ** 2 }))
  const sum = drawn.reduce((total, { weight }) => total + weight, 0)
  const byChance: ReadonlyArray<FaultRule> = drawn.map(({ rule, weight }) =>
    withProbability(rule, Math.min(1, (intensity * weight) / sum))
  )
  const bySpell = spells(chance).flatMap(([rule, longest]): ReadonlyArray<FaultRule> => {
    const [isDrawn, start, share] = [uniform(chance) < spellShare, uniform(chance), uniform(chance)]
    if (!isDrawn) return []
    const lasts = Math.max(1, Math.round(Math.min(longest, lengthMillis / 4) * share))
    return [{ ...rule, from: Math.max(1, Math.round(start * (lengthMillis - lasts))), lasts }]
  })
  const manual: FaultRule = {
    kind: "manual-order",
    probability: intensity / 10,
    times: 1 + below(chance, mostManualOrders)
  }
  return { seed, faults: [...bySpell, ...byChance, manual] }
}
