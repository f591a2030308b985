/** A sweep for a terminal: the best combinations, what walking forward left of the choice, and its doubts. */
import { forwardColumns, partText, rankedColumns, type SweepResult } from "../../backtest/SweepTables.ts"
import { columnsOf, doubtsText } from "./ReportText.ts"
import { fields, table } from "./Table.ts"

/** Rows of the ranking that are shown; the page has more. */
const shown = 20

export const sweepText = (result: SweepResult): string => {
  const { file, findings, forward, goal, plan, ranked, strategy } = result
  const left = ranked.length - shown
  return [
    fields([
      ["strategy", `${strategy} (${file})`],
      ["swept", plan.axes.map(({ name, values }) => `${name} ${values.join(" ")}`).join("; ")],
      [
        "runs",
        `${plan.combinations.length} combinations on ${plan.parts.length} parts of the time, by ${goal}`
      ],
      ["parts", plan.parts.map(partText).join(", ")]
    ]),
    table(columnsOf(rankedColumns(result)), ranked.slice(0, shown), "nothing was played") +
      (left > 0 ? `\n${left} more` : ""),
    ...(forward.length === 0
      ? []
      : [`Walking forward:\n${table(columnsOf(forwardColumns(result)), forward, "")}`]),
    ...(findings.length === 0 ? [] : [doubtsText(findings)])
  ].join("\n\n")
}
