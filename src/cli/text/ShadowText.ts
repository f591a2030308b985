/** A shadow for a terminal: agreement, both on paper side by side, items, and the last differences with their grounds. */
import type { CurrencyId } from "../../domain/Currency.ts"
import type { TraceEntry } from "../../domain/Decision.ts"
import { itemOfKey } from "../../domain/Item.ts"
import { type Money, subtract } from "../../domain/Money.ts"
import { showDuration } from "../../rules/Strategy.ts"
import type { Difference, Figures, ShadowReport, Wanted } from "../../shadow/ShadowReport.ts"
import { age, amount, moment } from "./Format.ts"
import { fields, table } from "./Table.ts"

/** Differences that are shown, the newest. */
const shown = 12

const share = (part: number, of: number): string => (of === 0 ? "–" : `${((part / of) * 100).toFixed(1)} %`)

const kindWords = (kind: Difference["kind"], { current, shadow }: ShadowReport): string => {
  switch (kind) {
    case "only-shadow":
      return `only ${shadow.name} acts`
    case "only-current":
      return `only ${current.name} acts`
    case "price":
      return "another price"
    case "quantity":
      return "another quantity"
    case "other":
      return "another deed"
  }
}

const gain = (of: Money, currency: CurrencyId | undefined): string =>
  `${of > 0 ? "+" : ""}${amount(of, currency)}`

const paperTable = ({ current, onPaper, shadow }: ShadowReport, currency: CurrencyId | undefined): string => {
  const beside = onPaper.current
  const row = (name: string, of: (figures: Figures) => string) => ({
    name,
    current: beside === undefined ? "–" : of(beside),
    shadow: of(onPaper.shadow)
  })
  const rows = [
    row("profit", ({ profit }) => gain(profit, currency)),
    row("realised", ({ realised }) => gain(realised, currency)),
    row("units bought / sold", ({ bought, sold }) => `${bought} / ${sold}`),
    row("units held", ({ held }) => String(held)),
    row("orders and listings", ({ orders }) => String(orders)),
    row("refused", ({ refused }) => String(refused))
  ]
  return table(
    [
      { title: "ON PAPER", cell: ({ name }) => name },
      { title: current.name.toUpperCase(), align: "right", cell: (one) => one.current },
      { title: shadow.name.toUpperCase(), align: "right", cell: (one) => one.shadow }
    ],
    rows,
    ""
  )
}

const itemTable = ({ compared, onPaper }: ShadowReport, currency: CurrencyId | undefined): string => {
  const profitOf = (figures: Figures | undefined, item: string) =>
    figures?.items.find((one) => one.item === item)?.profit
  const show = (of: Money | undefined) => (of === undefined ? "–" : gain(of, currency))
  return table(
    [
      { title: "ITEM", cell: ({ item }) => item },
      { title: "LOOKS", align: "right", cell: ({ steps }) => String(steps) },
      { title: "AGREED", align: "right", cell: ({ agreed, steps }) => share(agreed, steps) },
      { title: "PROFIT", align: "right", cell: ({ item }) => show(profitOf(onPaper.current, item)) },
      { title: "SHADOW'S", align: "right", cell: ({ item }) => show(profitOf(onPaper.shadow, item)) }
    ],
    compared.items,
    "no item was looked at yet"
  )
}

const lasted = ({ from, to }: Difference): string => (from === to ? "a look" : age(from, to))

const wantedText = ({ because, rule, wish }: Wanted): string =>
  `${wish}${rule === undefined ? "" : ` [${rule}]`}${because === "" ? "" : `: ${because}`}`

const entryText = ({ ageMillis, expression, value }: TraceEntry): string =>
  `        ${expression} = ${value}${ageMillis === undefined ? "" : ` (${showDuration(Math.max(1_000, Math.round(ageMillis / 1_000) * 1_000))} old)`}`

const differenceText = (
  difference: Difference,
  report: ShadowReport,
  why: boolean
): ReadonlyArray<string> => {
  const { current, shadow } = report
  const { from, item, kind, side } = difference
  const who = Math.max(current.name.length, shadow.name.length)
  const of = (name: string, wanted: Wanted) => [
    `    ${name.padEnd(who)}  ${wantedText(wanted)}`,
    ...(why ? new Set(wanted.trace.map(entryText)) : [])
  ]
  return [
    `${moment(from)}  ${itemOfKey(item as never).name}, ${side}: ${kindWords(kind, report)}, for ${lasted(difference)}`,
    ...of(current.name, difference.current),
    ...of(shadow.name, difference.shadow)
  ]
}

export const shadowText = (report: ShadowReport, currency: CurrencyId | undefined, why: boolean): string => {
  const { at, compared, current, onPaper, really, shadow, since } = report
  const isAlone = current.revision === undefined
  const counts = Object.entries(compared.counts).filter(([, count]) => count > 0)
  const newest = compared.differences.slice(-shown)
  const better =
    onPaper.current === undefined ? undefined : subtract(onPaper.shadow.profit, onPaper.current.profit)
  return [
    fields([
      ["shadow", `${shadow.name}@${shadow.revision}`],
      [
        "beside",
        isAlone
          ? `${current.name}: no strategy of that name trades, so it is compared with doing nothing`
          : `${current.name}@${current.revision}`
      ],
      ["time", `${moment(since)} to ${moment(at)} UTC, ${age(since, at)}`],
      [
        "agreed",
        `${share(compared.agreed, compared.steps)} of ${compared.steps} looks at ${compared.items.length} items`
      ],
      ...(counts.length === 0
        ? []
        : [
            [
              "differed",
              counts
                .map(([kind, count]) => `${kindWords(kind as Difference["kind"], report)} ${count} times`)
                .join(", ")
            ] as const
          ]),
      ...(better === undefined ? [] : [["the edit is worth", `${gain(better, currency)} on paper`] as const]),
      ...(really === undefined
        ? []
        : [["really realised", `${gain(really, currency)} by ${current.name}`] as const])
    ]),
    paperTable(report, currency),
    itemTable(report, currency),
    newest.length === 0
      ? "they wanted the same all the time"
      : [
          newest.length < compared.differences.length
            ? `The last ${shown} differences:`
            : "Where they differed:",
          ...newest.flatMap((one) => differenceText(one, report, why))
        ].join("\n")
  ].join("\n\n")
}
