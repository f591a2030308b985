/**
 * Typed expressions at random, over facts at random: what both evaluators must agree about. They are written as text, so that the parser
 * and the checker take part; every fact of the vocabulary comes up.
 */
import { type Facts, type Observed, seen, unseen } from "../../src/domain/Facts.ts"
import { money } from "../../src/domain/Money.ts"
import type { Offer } from "../../src/domain/Offer.ts"
import { priceHistory, salesPoint } from "../../src/domain/Sales.ts"
import type { Scalar, Type } from "../../src/rules/Value.ts"
import { type KnownFact, facts as known } from "../../src/rules/Vocabulary.ts"
import type { Rng } from "../fuzz/Random.ts"
import { at, book, facts, holding, hour, now, offer, ownBid } from "./support.ts"

type Known = Exclude<Type, "error" | "percent">

const types: ReadonlyArray<Known> = ["Money", "int", "double", "bool", "string", "duration", "timestamp"]
const comparisons = ["<", "<=", ">", ">=", "==", "!="]

/** The params of every random file, by name. */
export const randomParams: ReadonlyArray<readonly [string, Known]> = [
  ["cap", "Money"],
  ["ratio", "double"],
  ["count", "int"],
  ["age", "duration"],
  ["flag", "bool"]
]

export const paramValues = (rng: Rng): ReadonlyArray<Scalar> => [
  rng.below(3000),
  rng.next(),
  rng.below(10),
  rng.below(48) * hour,
  rng.chance(0.5)
]

export interface Let {
  readonly name: string
  readonly type: Type
}

const matches = (wanted: Known, given: Type): boolean =>
  given === wanted || (wanted === "double" && (given === "percent" || given === "int"))

const literal = (rng: Rng, type: Known): string => {
  switch (type) {
    case "Money":
      return `money("${rng.below(30)}.${10 + rng.below(90)}")`
    case "int":
      return String(rng.below(40))
    case "double":
      return rng.chance(0.1) ? rng.pick(["1e308", "0.0", "1e-320"]) : (rng.next() * 3).toFixed(3)
    case "bool":
      return String(rng.chance(0.5))
    case "string":
      return rng.pick(['"Case"', '"Glove Case"', '""', '"x"', '"Type"', '"Crown"'])
    case "duration":
      return `duration("${rng.pick(["1ms", "3h", "24h", "7d", "90d"])}")`
    case "timestamp":
      return 'timestamp("2026-01-09T00:00:00Z")'
  }
}

/** An expression of the type that the checker takes; `depth` bounds it. */
export const randomExpression = (rng: Rng, type: Known, depth: number, lets: ReadonlyArray<Let>): string => {
  const of = (wanted: Known): string => randomExpression(rng, wanted, depth - 1, lets)
  const leaf = (): string => {
    const named = [
      ...lets.filter((one) => matches(type, one.type)).map(({ name }) => name),
      ...randomParams.filter((one) => matches(type, one[1])).map(([name]) => `params.${name}`)
    ]
    if (named.length > 0 && rng.chance(0.25)) return rng.pick(named)
    const facts = known.filter(({ member }) => matches(type, member.type) && member.takes === undefined)
    return facts.length > 0 && rng.chance(0.6) ? nameOf(rng.pick(facts)) : literal(rng, type)
  }
  if (depth <= 0) return leaf()
  const withArguments = known.filter(({ member }) => member.takes !== undefined && matches(type, member.type))
  if (withArguments.length > 0 && rng.chance(0.15)) {
    const fact = rng.pick(withArguments)
    return `${nameOf(fact)}(${(fact.member.takes ?? []).map((wanted) => of(wanted as Known)).join(", ")})`
  }
  if (rng.chance(0.1)) return `(${of("bool")} ? ${of(type)} : ${of(type)})`
  const forms = operators[type]
  return rng.chance(0.25) ? leaf() : rng.pick(forms)(rng, of)
}

const nameOf = ({ group, name }: KnownFact): string => `${group}.${name}`

type Form = (rng: Rng, of: (type: Known) => string) => string

const operators: Readonly<Record<Known, ReadonlyArray<Form>>> = {
  Money: [
    (rng, of) => `(${of("Money")} ${rng.pick(["+", "-"])} ${of("Money")})`,
    (_, of) => `(${of("Money")} * ${of("double")})`,
    (_, of) => `(${of("int")} * ${of("Money")})`,
    (_, of) => `(${of("Money")} / ${of("double")})`,
    (_, of) => `-(${of("Money")})`,
    (_, of) => `min(${of("Money")}, ${of("Money")}, ${of("Money")})`,
    (_, of) => `max(${of("Money")}, ${of("Money")})`,
    (_, of) => `tick(${of("int")})`,
    (_, of) => `abs(${of("Money")})`
  ],
  int: [
    (rng, of) => `(${of("int")} ${rng.pick(["+", "-", "*", "%"])} ${of("int")})`,
    (rng, of) => `${rng.pick(["floor", "ceil", "round", "int"])}(${of("double")})`,
    (rng, of) => `${rng.pick(["min", "max"])}(${of("int")}, ${of("int")})`,
    (_, of) => `-(${of("int")})`
  ],
  double: [
    (rng, of) => `(${of("double")} ${rng.pick(["+", "-", "*", "/"])} ${of("double")})`,
    (_, of) => `(${of("Money")} / ${of("Money")})`,
    (_, of) => `((${of("Money")} - ${of("Money")}) / ${of("Money")})`,
    (_, of) => `(${of("duration")} / ${of("duration")})`,
    (_, of) => `double(${of("int")})`,
    (_, of) => `min(${of("double")}, ${of("double")}, ${of("int")})`,
    (_, of) => `abs(${of("double")})`
  ],
  bool: [
    (rng, of) => `(${of("Money")} ${rng.pick(comparisons)} ${of("Money")})`,
    (rng, of) => `(${of("double")} ${rng.pick(comparisons)} ${of("int")})`,
    (rng, of) => `(${of("duration")} ${rng.pick(comparisons)} ${of("duration")})`,
    (rng, of) => `(${of("timestamp")} ${rng.pick(comparisons)} ${of("timestamp")})`,
    (rng, of) => `(${of("string")} ${rng.pick(["==", "!="])} ${of("string")})`,
    (rng, of) => `(${of("bool")} ${rng.pick(["==", "!="])} ${of("bool")})`,
    (rng, of) => `(${of("bool")} ${rng.pick(["&&", "||"])} ${of("bool")})`,
    (rng, of) => {
      const symbol = rng.pick(["&&", "||"])
      return `(${[0, 1, 2, 3].map(() => of("bool")).join(` ${symbol} `)})`
    },
    (_, of) => `!(${of("bool")})`,
    (rng, of) => `(${of("string")}).${rng.pick(["contains", "startsWith", "endsWith"])}(${of("string")})`,
    (rng, of) => {
      const type = rng.pick(types)
      return `(${of(type)} in [${Array.from({ length: rng.below(4) }, () => of(type)).join(", ")}])`
    }
  ],
  string: [
    (_, of) => `(${of("string")} + ${of("string")})`,
    (_, of) => `percent(${of("double")})`,
    (rng, of) => `string(${of(rng.pick(types))})`
  ],
  duration: [
    (rng, of) => `(${of("duration")} ${rng.pick(["+", "-"])} ${of("duration")})`,
    (_, of) => `(${of("duration")} * ${of("double")})`,
    (_, of) => `(${of("timestamp")} - ${of("timestamp")})`
  ],
  timestamp: [(rng, of) => `(${of("timestamp")} ${rng.pick(["+", "-"])} ${of("duration")})`]
}

/** Seen just now, too long ago, or never. */
const maybeSeen = <A>(rng: Rng, value: A): Observed<A> => {
  if (rng.chance(0.15)) return unseen
  return seen(value, rng.chance(0.15) ? at(now - 90 * 24 * hour) : now)
}

const price = (rng: Rng): number | undefined => (rng.chance(0.1) ? undefined : 1 + rng.below(3000))

const randomOffers = (rng: Rng): ReadonlyArray<Offer> =>
  Array.from({ length: rng.below(3) }, () =>
    offer(10 + rng.below(2000), {
      properties: new Map<number, number | string>(rng.chance(0.5) ? [[2, rng.next()]] : [[1, "text"]]),
      accessories: rng.chance(0.5) ? ["Sticker | Crown"] : []
    })
  )

const histories = [0, 1, 30, 400].map((points) =>
  priceHistory(
    Array.from({ length: points }, (_, index) =>
      salesPoint(at(now - index * hour), 5 + ((index * 7919) % 997) / 100, 1 + ((index * 31) % 50))
    )
  )
)

export const randomFacts = (rng: Rng): Facts => {
  const amount = (): ReturnType<typeof money> => money(rng.below(10_000))
  return facts({
    book: maybeSeen(rng, book(price(rng), price(rng), rng.below(9))),
    history: maybeSeen(rng, rng.pick(histories)),
    overview: maybeSeen(rng, { lowest: undefined, median: amount(), volume: rng.below(99) }),
    wallet: maybeSeen(rng, { balance: amount(), committed: amount() }),
    offers: maybeSeen(rng, randomOffers(rng)),
    description: maybeSeen(rng, {
      tags: new Map([["Type", ["Case", "x"]]]),
      commodity: rng.pick([true, false, undefined]),
      marketable: true
    }),
    orders: {
      bid: rng.chance(0.5) ? ownBid(1 + rng.below(2000), rng.below(9), hour) : undefined,
      ask: undefined
    },
    ...(rng.chance(0.5) ? { position: holding(1 + rng.below(9), 1 + rng.below(2000)) } : {})
  })
}

export const randomType = (rng: Rng): Known => rng.pick(types)
