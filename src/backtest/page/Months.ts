/**
 * The months of a run as a calendar of gains and losses: the colour tells at a glance whether one month made it all.
 * Invariant: the months of a year are its change of equity.
 */
import { type CurrencyId } from "../../domain/Currency.ts"
import { add, type Money, money, zero } from "../../domain/Money.ts"
import type { PeriodRow } from "../Breakdown.ts"
import { dayText, gainText, percentText } from "../Shown.ts"
import { escapeHtml, section } from "./Html.ts"

/** Shares of the colour that the palest and the strongest month take. */
const [palest, strongest] = [8, 70]
const names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

interface Span {
  readonly change: Money
  /** Equity when it began. */
  readonly before: Money
}

const spans = (days: ReadonlyArray<PeriodRow>, length: number): ReadonlyMap<string, Span> => {
  const found = new Map<string, Span>()
  for (const { change, equity, start } of days) {
    const key = dayText(start).slice(0, length)
    const known = found.get(key)
    found.set(key, {
      change: add(known?.change ?? zero, change),
      before: known?.before ?? money(equity - change)
    })
  }
  return found
}

const cell = (of: Span | undefined, most: number, currency: CurrencyId): string => {
  if (of === undefined) return "<td></td>"
  const { before, change } = of
  const strength = most === 0 ? 0 : palest + (Math.abs(change) / most) * (strongest - palest)
  const colour = `color-mix(in srgb,var(--${change < 0 ? "loss" : "gain"}) ${Math.round(strength)}%,var(--panel))`
  const part = before === 0 ? undefined : change / before
  return `<td style="background:${change === 0 ? "none" : colour}">${escapeHtml(gainText(change, currency))}<small>${escapeHtml(percentText(part))}</small></td>`
}

const yearLength = 4
const monthLength = 7

/** Nothing for a run within two months: its weeks say more. */
export const months = (days: ReadonlyArray<PeriodRow>, currency: CurrencyId): string => {
  const [byMonth, byYear] = [spans(days, monthLength), spans(days, yearLength)]
  if (byMonth.size <= 2) return ""
  const mostOf = (of: ReadonlyMap<string, Span>) =>
    Math.max(...[...of.values()].map(({ change }) => Math.abs(change)))
  const rows = [...byYear].map(([year, whole]) => {
    const cells = names.map((_, index) =>
      cell(byMonth.get(`${year}-${String(index + 1).padStart(2, "0")}`), mostOf(byMonth), currency)
    )
    return `<tr><th scope="row">${year}</th>${cells.join("")}${cell(whole, mostOf(byYear), currency)}</tr>`
  })
  const head = [...names, "Year"].map((name) => `<th scope="col">${name}</th>`).join("")
  return section(
    "months",
    "Months",
    `<div class="scroll"><table class="heat calendar"><thead><tr><th></th>${head}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`
  )
}
