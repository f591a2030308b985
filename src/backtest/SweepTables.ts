/** What came of a sweep, with the columns of its tables for terminal and page. */
import { type CurrencyId, formatPrice } from "../domain/Currency.ts"
import type { Millis } from "../domain/Ids.ts"
import { money } from "../domain/Money.ts"
import type { Finding } from "./Finding.ts"
import type { ReportColumn } from "./ReportColumns.ts"
import { dayText, gainText, momentText } from "./Shown.ts"
import {
  type Forward,
  type Part,
  type Played,
  type Ranked,
  ranking,
  sweepFindings,
  type SweepPlan,
  walkForward
} from "./Sweep.ts"
import type { Goal } from "./SweepGoals.ts"
import type { Combination } from "./SweepSpace.ts"

export interface SweepResult {
  readonly strategy: string
  readonly file: string
  readonly currency: CurrencyId
  readonly goal: Goal
  readonly plan: SweepPlan
  readonly ranked: ReadonlyArray<Ranked>
  readonly forward: ReadonlyArray<Forward>
  readonly findings: ReadonlyArray<Finding>
}

export const sweepResult = (
  about: Pick<SweepResult, "strategy" | "file" | "currency" | "goal" | "plan">,
  outcomes: ReadonlyArray<Played>
): SweepResult => {
  const ranked = ranking(about.plan, outcomes, about.goal)
  const forward = walkForward(about.plan, outcomes, about.goal)
  return { ...about, ranked, forward, findings: sweepFindings(ranked, forward) }
}

export const paramsText = (params: Combination): string =>
  Object.entries(params)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ")

/** Parts shorter than this are told with the time of day. */
const shortMillis = 3 * 86_400_000
const startText = ({ from, to }: Part): string => (to - from < shortMillis ? momentText(from) : dayText(from))

export const partText = (part: Part): string =>
  `${startText(part)} to ${startText({ from: part.to, to: (part.to + part.to - part.from) as Millis })}`

export const rankedColumns = ({
  currency,
  plan
}: Pick<SweepResult, "currency" | "plan">): ReadonlyArray<ReportColumn<Ranked>> => {
  const gain = (title: string, name: string, value: (row: Ranked) => number): ReportColumn<Ranked> => ({
    title,
    name,
    text: (row) => gainText(money(value(row)), currency),
    value,
    signed: true
  })
  return [
    { title: "#", name: "rank", text: ({ rank }) => String(rank), value: ({ rank }) => rank },
    ...plan.axes.map(({ name }): ReportColumn<Ranked> => ({
      title: name,
      name,
      text: ({ params }) => String(params[name] ?? ""),
      value: ({ params }) => plan.axes.find((axis) => axis.name === name)?.values.indexOf(params[name] ?? "")
    })),
    gain("Profit", "profit", ({ profit }) => profit),
    gain("Worst part", "worstPart", ({ worstPart }) => worstPart),
    ...(plan.parts.length < 2
      ? []
      : plan.parts.map((part, index) =>
          gain(`from ${startText(part)}`, `part${index + 1}`, ({ outcomes }) => outcomes[index]?.profit ?? 0)
        )),
    {
      title: "Drawdown",
      name: "drawdown",
      text: ({ drawdown }) => formatPrice(drawdown, currency),
      value: ({ drawdown }) => drawdown
    },
    { title: "Trades", name: "trips", text: ({ trips }) => String(trips), value: ({ trips }) => trips }
  ]
}

export const forwardColumns = ({
  currency,
  plan
}: Pick<SweepResult, "currency" | "plan">): ReadonlyArray<ReportColumn<Forward>> => {
  const gain = (title: string, name: string, value: (row: Forward) => number): ReportColumn<Forward> => ({
    title,
    name,
    text: (row) => gainText(money(value(row)), currency),
    value,
    signed: true
  })
  const time = (index: number) => {
    const part = plan.parts[index]
    return part === undefined ? "" : partText(part)
  }
  return [
    { title: "Chosen in", name: "chosenIn", text: ({ part }) => time(part) },
    { title: "Best params", name: "params", text: ({ params }) => paramsText(params) },
    gain("Won there", "inSample", ({ inSample }) => inSample.profit),
    { title: "Tried in", name: "triedIn", text: ({ part }) => time(part + 1) },
    gain("Won then", "outOfSample", ({ outOfSample }) => outOfSample.profit),
    gain("Middle of all", "median", ({ median }) => median)
  ]
}

/** Profit by the values of two params: the mean over everything else. */
export interface HeatMap {
  readonly down: string
  readonly across: string
  readonly rows: ReadonlyArray<{
    readonly value: string
    readonly cells: ReadonlyArray<number | undefined>
  }>
  readonly columns: ReadonlyArray<string>
}

/** One map for each pair of params; for a single param a map of one column. */
export const heatMaps = ({ plan: { axes }, ranked }: SweepResult): ReadonlyArray<HeatMap> => {
  const pairs =
    axes.length === 1
      ? axes.map((down) => ({ down, across: { name: "", values: [""] } }))
      : axes.flatMap((down, index) => axes.slice(index + 1).map((across) => ({ down, across })))
  return pairs.map(({ across, down }) => ({
    down: down.name,
    across: across.name,
    columns: across.values.map(String),
    rows: down.values.map((value) => ({
      value: String(value),
      cells: across.values.map((other) => {
        const own = ranked.filter(
          ({ params }) => params[down.name] === value && (across.name === "" || params[across.name] === other)
        )
        return own.length === 0
          ? undefined
          : own.reduce((total, { profit }) => total + profit, 0) / own.length
      })
    }))
  }))
}
