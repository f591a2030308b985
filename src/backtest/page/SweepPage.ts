/** A sweep as one page that needs nothing else: its doubts, heat maps, what walking forward left of it, and the ranking. */
import { currencyOf } from "../../domain/Currency.ts"
import { money } from "../../domain/Money.ts"
import { gainText } from "../Shown.ts"
import {
  forwardColumns,
  type HeatMap,
  heatMaps,
  paramsText,
  partText,
  rankedColumns,
  type SweepResult
} from "../SweepTables.ts"
import { doubts, escapeHtml, htmlPage, htmlTable, type PageAssets, section } from "./Html.ts"

/** Shares of the colour that the palest and the strongest cell take. */
const [palest, strongest] = [8, 70]

/** The colours of a map span its own profits: maps of nothing but gains differ, too. */
const strengthOf = (map: HeatMap): ((profit: number) => number) => {
  const sizes = map.rows.flatMap(({ cells }) =>
    cells.flatMap((cell) => (cell === undefined ? [] : Math.abs(cell)))
  )
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  return (profit) =>
    most === least
      ? palest
      : Math.round(palest + ((Math.abs(profit) - least) / (most - least)) * (strongest - palest))
}

const cellOf = (
  profit: number | undefined,
  strength: (profit: number) => number,
  { currency }: SweepResult
): string => {
  if (profit === undefined) return "<td>–</td>"
  const tone = profit >= 0 ? "gain" : "loss"
  const text = gainText(money(Math.round(profit)), currency)
  return `<td style="background:color-mix(in srgb,var(--${tone}) ${strength(profit)}%,var(--panel))">${escapeHtml(text)}</td>`
}

const mapOf = (map: HeatMap, result: SweepResult): string => {
  const strength = strengthOf(map)
  const head = map.columns.map((value) => `<th scope="col">${escapeHtml(value)}</th>`).join("")
  const rows = map.rows.map(
    ({ cells, value }) =>
      `<tr><th scope="row">${escapeHtml(value)}</th>${cells.map((cell) => cellOf(cell, strength, result)).join("")}</tr>`
  )
  const names = map.across === "" ? map.down : `${map.down} ↓ ${map.across} →`
  return `<div class="scroll"><table class="heat"><thead><tr><th scope="col">${escapeHtml(names)}</th>${head}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`
}

export const sweepPage = (result: SweepResult, assets: PageAssets): string => {
  const { currency, file, findings, forward, goal, plan, ranked, strategy } = result
  const { prefix, suffix } = currencyOf(currency)
  const [best] = ranked
  const about = `${file} · ${plan.combinations.length} combinations on ${plan.parts.length} parts of the time, by ${goal}`
  const body = [
    `<header><h1>${escapeHtml(`Sweep: ${strategy}`)}</h1><p>${escapeHtml(about)}</p><p>${escapeHtml(
      plan.parts.map(partText).join(" · ")
    )}</p></header>`,
    best === undefined
      ? ""
      : `<div class="cards"><div class="card"><span>best</span><b>${escapeHtml(gainText(best.profit, currency))}</b><i>${escapeHtml(paramsText(best.params))}</i></div></div>`,
    doubts(findings),
    section(
      "maps",
      "Profit by two params (mean over the others)",
      heatMaps(result)
        .map((map) => mapOf(map, result))
        .join("<br>")
    ),
    forward.length === 0
      ? ""
      : section(
          "forward",
          "Walking forward",
          htmlTable(forwardColumns(result), forward, { empty: "nothing was played" })
        ),
    `<div class="long">${section("ranking", "Ranking", htmlTable(rankedColumns(result), ranked, { empty: "nothing was played" }))}</div>`
  ].join("\n")
  const nothing = { money: { prefix, suffix }, charts: { curves: {}, items: [] } }
  return htmlPage(`Sweep: ${strategy}`, body, nothing, assets)
}
