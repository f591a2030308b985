/** Strategy files as a person could have written them: a few kinds, with items and numbers by chance. */
import { catalogue, type CatalogueItem } from "../../src/exchange/Catalogue.ts"
import type { Dice } from "./Dice.ts"

export interface StrategyText {
  readonly name: string
  readonly items: ReadonlyArray<CatalogueItem>
  readonly kind: Kind
  readonly text: string
}

const kinds = ["spread", "churn", "dip", "quoted"] as const
type Kind = (typeof kinds)[number]

/** One to four strategies that share no item, over most of what is cheap enough to be bought often. */
export const someTexts = (dice: Dice): ReadonlyArray<StrategyText> => {
  const pool = dice.some(
    catalogue.filter(({ commodity, price }) => commodity && price < 3_000),
    dice.between(5, 9)
  )
  const count = dice.between(1, 4)
  return Array.from({ length: count }, (_, index) => {
    const kind = dice.pick(kinds)
    const items = pool.filter((_item, at) => at % count === index)
    return textOf(dice, `${kind}-${index}`, kind, items)
  }).filter(({ items }) => items.length > 0)
}

/** The same strategy with other numbers. */
export const otherNumbers = (dice: Dice, { items, kind, name }: StrategyText): StrategyText =>
  textOf(dice, name, kind, items)

const textOf = (dice: Dice, name: string, kind: Kind, items: ReadonlyArray<CatalogueItem>): StrategyText => ({
  name,
  kind,
  items,
  text: [...head(name, items), ...bodies[kind](dice), ...limits(dice)].join("\n")
})

const head = (name: string, items: ReadonlyArray<CatalogueItem>): ReadonlyArray<string> => [
  "version: 1",
  `name: ${name}`,
  "universe:",
  ...[730, 440].flatMap((app) => {
    const names = items.filter((item) => item.app === app).map((item) => JSON.stringify(item.name))
    return names.length === 0 ? [] : [`  - { app: ${app}, items: [${names.join(", ")}] }`]
  })
]

const decimals = (dice: Dice, least: number, most: number): string =>
  (least + dice.next() * (most - least)).toFixed(3)

const bodies: Readonly<Record<Kind, (dice: Dice) => ReadonlyArray<string>>> = {
  /** Earns the spread: one tick better on both sides. */
  spread: (dice) => [
    "params:",
    `  margin: { default: ${decimals(dice, 0.01, 0.1)} }`,
    `  stock: { default: ${dice.between(1, 6)} }`,
    "let:",
    "  edge: (fees.sellerReceives(book.ask) - book.bid) / book.bid",
    "rules:",
    "  - id: enter",
    "    when: edge > params.margin && position.units < params.stock",
    "    do: bid",
    "    at: book.bid + tick(1)",
    "    qty: params.stock - position.units",
    `    expire: ${dice.between(10, 60)}m`,
    "  - id: leave",
    "    when: edge < params.margin / 2",
    "    do: cancel-bid",
    ...exit("book.ask - tick(1)", dice)
  ],
  /** Pays the spread: fills at once and often, on both sides. */
  churn: (dice) => [
    "params:",
    `  stock: { default: ${dice.between(1, 4)} }`,
    "rules:",
    "  - id: take",
    "    when: position.units < params.stock",
    "    do: bid",
    `    at: ${dice.pick(["book.ask", "book.mid", "book.bid + tick(2)"])}`,
    "    qty: params.stock - position.units",
    `    expire: ${dice.between(3, 15)}m`,
    ...exit(dice.pick(["book.bid", "book.mid", "book.ask - tick(2)"]), dice)
  ],
  /** Waits under the usual price. */
  dip: (dice) => [
    "params:",
    `  dip: { default: ${decimals(dice, 0.02, 0.2)} }`,
    "rules:",
    "  - id: wait",
    `    when: position.units < ${dice.between(2, 6)}`,
    "    do: bid",
    '    at: min(history.median(duration("7d")) * (1 - params.dip), book.bid + tick(1))',
    `    qty: ${dice.between(1, 3)}`,
    ...exit('max(history.median(duration("7d")), book.ask - tick(1))', dice)
  ],
  /** Follows the overview, which has a tight budget of its own. */
  quoted: (dice) => [
    `freshness: { overview: ${dice.between(20, 240)}s }`,
    "rules:",
    "  - id: quote",
    `    when: overview.volume > 0 && position.units < ${dice.between(1, 4)}`,
    "    do: bid",
    `    at: min(overview.median * ${decimals(dice, 0.8, 1)}, book.ask)`,
    "    qty: 1",
    ...exit(`overview.median * ${decimals(dice, 0.9, 1.1)}`, dice)
  ]
}

const exit = (price: string, dice: Dice): ReadonlyArray<string> => [
  "  - id: sell",
  "    when: position.units > 0",
  "    do: ask",
  `    at: ${price}`,
  `    reprice: { after: ${dice.between(15, 45)}m, step: -${dice.between(1, 5)}%, floor: fees.buyerPays(position.avgCost * 0.7) }`,
  // many of these sell at any price; some may only sell at a profit and sit on what they have
  ...(dice.hits(0.85) ? ["    allowLoss: true"] : [])
]

const limits = (dice: Dice): ReadonlyArray<string> => [
  "limits:",
  `  { spendPerDay: ${dice.between(30, 300)}.00, exposure: ${dice.between(20, 150)}.00, perItemUnits: ${dice.between(2, 8)}, openOrders: ${dice.between(1, 6)}, maxPrice: 40.00, minPrice: 0.03 }`,
  ""
]
