/** A comparison of a try with a run for a terminal: totals, items, and the causes of what only one of them did. */
import { type Cause, causes, type Deeds, type Drift } from "../../backtest/Drift.ts"
import type { CurrencyId } from "../../domain/Currency.ts"
import type { Millis } from "../../domain/Ids.ts"
import type { ItemKey } from "../../domain/Item.ts"
import { type Money, money } from "../../domain/Money.ts"
import { amount, moment } from "./Format.ts"
import { fields, table } from "./Table.ts"

/** One of the two that are compared. */
export interface Side {
  readonly file: string
  /** What it is, for a person: backtest, dry-run, live, embedded. */
  readonly what: string
  readonly currency: CurrencyId | undefined
  readonly from: Millis
  readonly to: Millis
  /** All when undefined. */
  readonly items: ReadonlySet<ItemKey> | undefined
  readonly deeds: Deeds
}

/** How the try differs from the run: `+12 %`. */
const differs = (run: number, replay: number): string =>
  run === 0
    ? replay === 0
      ? "equal"
      : "–"
    : `${replay >= run ? "+" : ""}${(((replay - run) / Math.abs(run)) * 100).toFixed(1)} %`

const byCause = (of: Drift["onlyRun"]): ReadonlyArray<readonly [Cause, number]> =>
  [...Map.groupBy(of, ({ cause }) => cause)]
    .map(([cause, all]) => [cause, all.reduce((units, one) => units + one.units, 0)] as const)
    .toSorted(([, a], [, b]) => b - a)

export const driftText = (
  drift: Drift,
  run: Side,
  replay: Side,
  { from, to }: { readonly from: number; readonly to: number }
): string => {
  const currency = run.currency ?? replay.currency
  const show = (of: number | undefined) =>
    of === undefined ? "–" : amount(money(Math.round(of)) as Money, currency)
  const more = (of: number | undefined) => {
    const cents = Math.round(of ?? 0)
    return cents === 0 ? "at the same price" : `for ${show(Math.abs(cents))} ${cents > 0 ? "more" : "less"}`
  }
  // two of a kind are told apart by their place
  const [real, tried] = run.what === replay.what ? ["second", "first"] : [run.what, replay.what]
  const line = (name: "bought" | "sold") =>
    `${drift.run[name]} ${real}, ${drift.replay[name]} ${tried} (${differs(drift.run[name], drift.replay[name])})`
  const right = (title: string, cell: (row: Drift["items"][number]) => string) => ({
    title,
    align: "right" as const,
    cell
  })
  const reasons = [
    ...byCause(drift.onlyRun).map(([cause, units]) => ({ who: real, units, cause })),
    ...byCause(drift.onlyReplay).map(([cause, units]) => ({ who: tried, units, cause }))
  ]
  const { paidMore, receivedMore, units } = drift.same
  return [
    fields([
      [tried, replay.file],
      [real, run.file],
      ["period", `${moment(from)} to ${moment(to)} UTC`],
      ["units bought", line("bought")],
      ["units sold", line("sold")],
      [
        "profit",
        `${show(drift.run.profit)} ${real}, ${show(drift.replay.profit)} ${tried} (${differs(drift.run.profit, drift.replay.profit)})`
      ],
      [
        "same fills",
        `${units} units within an hour of each other; there the ${tried} bought ${more(paidMore)} and sold ${more(receivedMore)} a unit`
      ]
    ]),
    table(
      [
        { title: `${real} / ${tried}`.toUpperCase(), cell: ({ item }) => item },
        right("BOUGHT", ({ replay, run }) => `${run.bought} / ${replay.bought}`),
        right("PAID", ({ replay, run }) => `${show(run.paid)} / ${show(replay.paid)}`),
        right("SOLD", ({ replay, run }) => `${run.sold} / ${replay.sold}`),
        right("RECEIVED", ({ replay, run }) => `${show(run.received)} / ${show(replay.received)}`),
        right("PROFIT", ({ replay, run }) => `${show(run.profit)} / ${show(replay.profit)}`)
      ],
      drift.items,
      "neither traded"
    ),
    table(
      [
        { title: "ONLY IN THE", cell: ({ who }) => who },
        { title: "UNITS", align: "right", cell: ({ units }) => String(units) },
        { title: "WHAT THE OTHER DID", cell: ({ cause }) => causes[cause] }
      ],
      reasons,
      "every fill has its counterpart"
    )
  ].join("\n\n")
}
