/** Strategy files as a person could have written them: a few kinds with items and numbers by chance, and some straight from the grammar. */
import { type CurrencyId } from "../../src/domain/Currency.ts"
import { catalogue, type CatalogueItem } from "../../src/exchange/Catalogue.ts"
import { exchanged } from "../../src/exchange/Rates.ts"
import type { Dice } from "./Dice.ts"
import { wild } from "./Grammar.ts"

export interface StrategyText {
  readonly name: string
  readonly items: ReadonlyArray<CatalogueItem>
  readonly kind: Kind
  readonly currency: CurrencyId
  readonly text: string
}

const kinds = ["spread", "churn", "churn", "dip", "quoted", "snipe", "wild"] as const
type Kind = (typeof kinds)[number]
const shared = 0.25
/** Names of the catalogue that are watched in a world of many. */
const many = [60, 250] as const

/** One to four strategies over most of what is cheap enough to be bought often; some of them want the same items. */
export const someTexts = (
  dice: Dice,
  currency: CurrencyId,
  isLarge: boolean
): ReadonlyArray<StrategyText> => {
  const cheap = catalogue.filter(({ commodity, price }) => commodity && price < 3_000)
  const lively = dice.some(cheap.slice(0, 40), dice.between(3, 14))
  const pool = isLarge ? [...new Set([...lively, ...dice.some(cheap, dice.between(...many))])] : lively
  const count = dice.between(1, 4)
  const overlap = dice.hits(shared)
  return Array.from({ length: count }, (_, index) => {
    const kind = dice.pick(kinds)
    const own = pool.filter((_item, at) => at % count === index || (overlap && at % 3 === 0))
    return textOf(dice, { name: `${kind}-${index}`, kind, items: itemsOf(dice, kind, own, cheap), currency })
  }).filter(({ items }) => items.length > 0)
}

const singular = catalogue.filter(({ commodity, price }) => !commodity && price < 3_000)

/** Snipes want single listings; a budget is exceeded by many things asked at once, so that is what a quoted strategy does. */
const itemsOf = (
  dice: Dice,
  kind: Kind,
  own: StrategyText["items"],
  cheap: typeof catalogue
): StrategyText["items"] => {
  switch (kind) {
    case "snipe":
      return [...dice.some(singular, 2), ...own.slice(0, 2)]
    case "quoted":
      return [...new Set([...own, ...dice.some(cheap, dice.between(12, 30))])]
    default:
      return own
  }
}

type Head = Omit<StrategyText, "text">

/** The same strategy with other numbers. */
export const otherNumbers = (dice: Dice, text: StrategyText): StrategyText => textOf(dice, text)

const textOf = (dice: Dice, { currency, items, kind, name }: Head): StrategyText => ({
  name,
  kind,
  items,
  currency,
  text: [
    ...head(dice, name, items),
    ...protections(dice),
    ...bodies[kind](dice),
    ...limits(dice, currency)
  ].join("\n")
})

/** A file as an editor may leave it: cut, with a word that is none, or of the wrong shape. */
export const brokenText = (dice: Dice, text: string): string => {
  const lines = text.split("\n")
  const broken: readonly [() => string, ...Array<() => string>] = [
    () =>
      lines
        .slice(0, dice.between(1, lines.length - 3))
        .join("\n")
        .replace("rules:", "rule:"),
    () => text.replace(/when: .*/, "when: nobody.knows > 3"),
    () => text.replace("version: 1", "version: 99"),
    () => `${text}\n\t: {`,
    () => ""
  ]
  return dice.pick(broken)()
}

/** Keeps one cheap order far under the market: shows that a bot goes on trading. */
export const canaryText = (item: CatalogueItem): string =>
  [
    "version: 1",
    "name: canary",
    "universe:",
    `  - { app: ${item.app}, items: [${JSON.stringify(item.name)}] }`,
    "rules:",
    "  - { id: keep, when: position.units < 1, do: bid, at: book.bid, qty: 1 }",
    "limits: { openOrders: 1 }",
    ""
  ].join("\n")

const head = (dice: Dice, name: string, items: ReadonlyArray<CatalogueItem>): ReadonlyArray<string> => [
  "version: 1",
  `name: ${name}`,
  `priority: ${dice.between(-2, 2)}`,
  ...(dice.hits(0.3) ? ["onRemove: keep"] : []),
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
    `  stock: { default: ${dice.between(1, 8)} }`,
    "rules:",
    "  - id: take",
    "    when: position.units < params.stock",
    "    do: bid",
    `    at: ${dice.pick(["book.ask", "book.mid", "book.bid + tick(2)"])}`,
    "    qty: params.stock - position.units",
    `    expire: ${dice.between(3, 15)}m`,
    ...exit(dice.pick(["book.bid", "book.mid", "book.ask - tick(2)"]), dice)
  ],
  /** Buys the cheapest listings outright, and bids beside it. */
  snipe: (dice) => [
    "params:",
    `  stock: { default: ${dice.between(1, 5)} }`,
    "rules:",
    "  - id: snipe",
    "    when: position.units < params.stock",
    "    do: buy",
    `    limit: book.ask * ${decimals(dice, 1, 1.1)}`,
    "  - id: beside",
    "    when: position.units < params.stock - 1",
    "    do: bid",
    "    at: book.bid",
    "    qty: 1",
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
  /** Follows the overview, which has a tight budget of its own: asked for too often, or seldom and then all at once. */
  quoted: (dice) => [
    `freshness: { overview: ${dice.hits(0.3) ? dice.between(10, 120) : dice.between(300, 1_800)}s }`,
    "rules:",
    "  - id: quote",
    `    when: overview.volume > 0 && position.units < ${dice.between(1, 4)}`,
    "    do: bid",
    `    at: min(overview.median * ${decimals(dice, 0.8, 1)}, book.ask)`,
    "    qty: 1",
    ...exit(`overview.median * ${decimals(dice, 0.9, 1.1)}`, dice)
  ],
  /** Whatever the grammar gives. */
  wild
}

const protections = (dice: Dice): ReadonlyArray<string> =>
  dice.hits(0.75)
    ? []
    : [
        "protections:",
        ...dice.some(
          [
            `  - { kind: cooldown, after: ${dice.pick(["buy", "sell", "loss"])}, for: ${dice.between(2, 20)}m }`,
            "  - { kind: losing-streak, sales: 3, over: 1h, for: 10m }",
            `  - { kind: price-jump, max: ${dice.between(2, 20)}%, over: 15m, for: 10m }`,
            `  - { kind: drawdown, over: 1d, max: ${dice.between(3, 30)}%, then: ${dice.pick(["reduce", "halt", "halt-all"])} }`
          ],
          dice.between(1, 2)
        )
      ]

const exit = (price: string, dice: Dice): ReadonlyArray<string> => [
  "  - id: sell",
  "    when: position.units > 0",
  "    do: ask",
  `    at: ${price}`,
  `    reprice: { after: ${dice.between(15, 45)}m, step: -${dice.between(1, 5)}%, floor: fees.buyerPays(position.avgCost * 0.7) }`,
  // many of these sell at any price; some may only sell at a profit and sit on what they have
  ...(dice.hits(0.7) ? ["    allowLoss: true"] : [])
]

/** A decimal amount that is worth so many US cents. */
const inCurrency = (currency: CurrencyId, cents: number): string =>
  (exchanged(cents, 1 as CurrencyId, currency) / 100).toFixed(2)

const limits = (dice: Dice, currency: CurrencyId): ReadonlyArray<string> => {
  // Some caps bind within minutes.
  const cap = (least: number, most: number) =>
    inCurrency(currency, dice.hits(0.4) ? dice.between(100, 1_500) : dice.between(least, most))
  return [
    "limits:",
    `  spendPerDay: ${cap(3_000, 30_000)}`,
    ...(dice.hits(0.6) ? [`  exposure: ${cap(2_000, 15_000)}`] : []),
    ...(dice.hits(0.8) ? [`  perItemUnits: ${dice.between(2, 8)}`] : []),
    ...(dice.hits(0.8) ? [`  openOrders: ${dice.between(1, 6)}`] : []),
    ...(dice.hits(0.8) ? [`  maxPrice: ${inCurrency(currency, 4_000)}`] : []),
    ""
  ]
}
