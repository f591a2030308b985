/** Commands that try strategies on recorded markets. */
import { Command, Flag } from "effect/cli"

import { fromDecimal } from "../domain/Money.ts"
import { every, selection } from "./CliTapes.ts"
import { optionalText, strategies } from "./Flags.ts"
import { handler } from "./Handler.ts"

/** Flags of everything that plays tapes. */
export const replayed = {
  tape: Flag.String("tape").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("A tape to play; may be repeated"),
    Flag.atLeast(1)
  ),
  ...selection,
  balance: Flag.String("balance").pipe(
    Flag.withMetavar("AMOUNT"),
    Flag.withDescription("What the account begins with, such as 250.00 (default: paper.balance)"),
    Flag.filterMap(fromDecimal, (text) => `Expected: an amount such as 250.00, not "${text}"`),
    Flag.optional
  ),
  warmUp: every("warm-up", "Market time at the beginning in which nothing is traded yet"),
  pessimism: Flag.Finite("pessimism").pipe(
    Flag.withMetavar("SHARE"),
    Flag.withDescription("Share of the trades in the books that is not believed (default: paper.pessimism)"),
    Flag.filter(
      (share) => share >= 0 && share <= 1,
      (share) => `Expected: a share from 0 to 1, not ${share}`
    ),
    Flag.optional
  ),
  strategies
}

export const backtest = Command.make(
  "backtest",
  {
    ...replayed,
    html: optionalText("html", "FILE", "Also write the report as one page with charts"),
    csv: optionalText("csv", "DIR", "Also write its tables, trades, orders and equity as CSV"),
    out: optionalText("out", "FILE", "Also keep the whole result as JSON, without what is reckoned of it")
  },
  handler(() => import("./Backtest.ts"))
).pipe(
  Command.withDescription(
    "Play recorded markets to the strategies: the same rules, guard and ledger, in virtual time"
  ),
  Command.withExamples([
    {
      command: "haggle backtest --strategies strategies --tape week.tape --warm-up 1d --html week.html",
      description: "What the strategies would have made of that week"
    }
  ])
)
