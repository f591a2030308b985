/** Rules straight from the language's grammar: well typed, and of no use to anybody. */
import type { Dice } from "./Dice.ts"

type Grow = (dice: Dice, depth: number) => string

const span = (dice: Dice): string => `duration("${dice.pick(["1h", "6h", "24h", "7d", "30d"])}")`
const smaller = (depth: number): number => depth - 1

const money: Grow = (dice, depth) => {
  const leaf = () =>
    dice.pick([
      "book.bid",
      "book.ask",
      "book.mid",
      `history.median(${span(dice)})`,
      `history.vwap(${span(dice)})`,
      `history.low(${span(dice)})`,
      `history.quantile(0.${dice.between(1, 9)}, ${span(dice)})`,
      "position.avgCost",
      "overview.lowest"
    ])
  if (depth <= 0) return leaf()
  const less = smaller(depth)
  return dice.pick([
    leaf,
    leaf,
    () => `min(${money(dice, less)}, ${money(dice, less)})`,
    () => `max(${money(dice, less)}, ${money(dice, less)})`,
    () => `(${money(dice, less)} + tick(${dice.between(1, 3)}))`,
    () => `(${money(dice, less)} - tick(${dice.between(1, 3)}))`,
    () => `(${money(dice, less)} * ${(0.8 + dice.next() * 0.4).toFixed(2)})`,
    () => `fees.sellerReceives(${money(dice, less)})`,
    () => `fees.buyerPays(${money(dice, less)})`,
    () => `(${truth(dice, less)} ? ${money(dice, less)} : ${money(dice, less)})`
  ])()
}

const number: Grow = (dice, depth) =>
  dice.pick([
    () => "book.imbalance",
    () => "book.spreadPct",
    () => `history.change(${span(dice)})`,
    () => `(${money(dice, smaller(depth))} / ${money(dice, smaller(depth))})`
  ])()

const whole: Grow = (dice) =>
  dice.pick(["position.units", "position.sellable", "book.bidUnits", "orders.bidUnits", "orders.askUnits"])

const truth: Grow = (dice, depth) => {
  const less = smaller(depth)
  const compare = dice.pick(["<", "<=", ">", ">="])
  const leaf = () =>
    dice.pick([
      () => `${money(dice, 0)} ${compare} ${money(dice, 0)}`,
      () => `${whole(dice, 0)} ${compare} ${dice.between(0, 6)}`,
      () => `${number(dice, 1)} ${compare} ${(dice.next() - 0.3).toFixed(2)}`
    ])()
  if (depth <= 0) return leaf()
  return dice.pick([
    leaf,
    () => `(${truth(dice, less)} && ${truth(dice, less)})`,
    () => `(${truth(dice, less)} || ${truth(dice, less)})`,
    () => `!(${truth(dice, less)})`,
    () => `${money(dice, less)} ${compare} ${money(dice, less)}`
  ])()
}

const deepest = 3
const often = (dice: Dice): string =>
  dice.hits(0.4) ? `(${truth(dice, 1)} || position.units < 3)` : truth(dice, deepest)

export const wild = (dice: Dice): ReadonlyArray<string> => [
  "rules:",
  ...Array.from({ length: dice.between(1, 6) }, (_, index) => ruleOf(dice, index)).flat(),
  "  - id: way-out",
  `    when: position.units > ${dice.between(0, 2)}`,
  "    do: ask",
  `    at: '${money(dice, 2)}'`,
  ...(dice.hits(0.5) ? ["    allowLoss: true"] : [])
]

const ruleOf = (dice: Dice, index: number): ReadonlyArray<string> => {
  const action = dice.pick(["bid", "bid", "bid", "cancel-bid", "ask", "cancel-ask", "notify", "hold"])
  const quote = (more: ReadonlyArray<string>) => [`    at: '${money(dice, 2)}'`, ...more]
  const rest: Readonly<Record<string, () => ReadonlyArray<string>>> = {
    bid: () =>
      quote([
        `    qty: ${dice.between(1, 4)}`,
        ...(dice.hits(0.5) ? [`    expire: ${dice.between(2, 30)}m`] : [])
      ]),
    ask: () => quote([]),
    notify: () => [`    message: '"rule ${index} says so"'`]
  }
  return [
    `  - id: rule-${index}`,
    `    when: '${often(dice)}'`,
    ...(dice.hits(0.2) ? [`    for: ${dice.between(1, 5)}m`] : []),
    `    do: ${action}`,
    ...(rest[action]?.() ?? [])
  ]
}
