/** Commands that try strategies on recorded markets. */
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"

import { goals } from "../../backtest/SweepGoals.ts"
import { fromDecimal } from "../../domain/Money.ts"
import { database, onOff, optionalText, seed, strategies } from "./Flags.ts"
import { handler } from "./Handler.ts"
import { every, selection } from "./Tapes.ts"

const positive = (name: string, description: string) =>
  Flag.Int(name).pipe(
    Flag.withMetavar("N"),
    Flag.withDescription(description),
    Flag.filter(
      (count) => count > 0,
      (count) => `Expected: a number above 0, not ${count}`
    )
  )

const tape = Flag.String("tape").pipe(
  Flag.withMetavar("FILE"),
  Flag.withDescription("A tape to play; may be repeated")
)

/** Flags of everything that plays tapes. */
const replayed = {
  tape: Flag.atLeast(tape, 1),
  ...selection,
  balance: Flag.String("balance").pipe(
    Flag.withMetavar("AMOUNT"),
    Flag.withDescription("What the account begins with, such as 250.00 (default: paper.balance)"),
    Flag.filterMap(
      (text) => Option.filter(fromDecimal(text), (amount) => amount > 0),
      (text) => `Expected: an amount above 0 such as 250.00, not "${text}"`
    ),
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
    tape: Flag.atLeast(tape, 0),
    embedded: onOff("embedded", "Play the embedded market instead of a tape: the daemon itself trades on it"),
    seed,
    days: Flag.Finite("days").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription("Days of the embedded market (default 7)"),
      Flag.filter(
        (days) => days > 0,
        (days) => `Expected: a number of days above 0, not ${days}`
      ),
      Flag.optional
    ),
    html: optionalText("html", "FILE", "Also write the report as one page with charts"),
    csv: optionalText("csv", "DIR", "Also write its tables, trades, orders and equity as CSV"),
    out: optionalText("out", "FILE", "Also keep the whole result, for `haggle drift`")
  },
  handler(() => import("../commands/Backtest.ts"))
).pipe(
  Command.withDescription(
    "Play recorded markets, or the embedded one, to the strategies: the same rules, guard and ledger, in virtual time"
  ),
  Command.withExamples([
    {
      command: "haggle backtest --strategies strategies --tape week.tape --warm-up 1d --html week.html",
      description: "What the strategies would have made of that week"
    },
    {
      command: "haggle backtest --embedded --seed 3 --days 7",
      description: "A week of the embedded market, without a tape"
    }
  ])
)

const { strategies: _folder, ...playedAlone } = replayed

export const sweep = Command.make(
  "sweep",
  {
    strategy: Argument.String("strategy").pipe(
      Argument.withMetavar("STRATEGY"),
      Argument.withDescription("A strategy's file")
    ),
    ...playedAlone,
    param: Flag.String("param").pipe(
      Flag.withMetavar("NAME[=VALUES]"),
      Flag.withDescription(
        "A param to turn: margin=0.04,0.08 or margin=0.04:0.12:0.02, or its name for its bounds (default: all with bounds)"
      ),
      Flag.atLeast(0)
    ),
    seed: Flag.Int("seed").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription("Chance by which --random draws; the same seed draws the same"),
      Flag.optional
    ),
    random: positive("random", "Only so many combinations, drawn by --seed").pipe(Flag.optional),
    parts: positive("parts", "Cut the time into so many parts; the best of each is tried on the next").pipe(
      Flag.withDefault(2)
    ),
    by: Flag.Literals("by", goals).pipe(
      Flag.withMetavar("GOAL"),
      Flag.withDescription(`By what the best is chosen: ${goals.join(", ")} (default profit)`),
      Flag.withDefault("profit" as const)
    ),
    threads: positive("threads", "Runs that are played at the same time (default: one a core)").pipe(
      Flag.optional
    ),
    results: optionalText("results", "FILE", "Keep every outcome there, and play none that it has again"),
    html: optionalText("html", "FILE", "Also write ranking and heat maps as one page")
  },
  handler(() => import("../commands/Sweep.ts"))
).pipe(
  Command.withDescription("Play a strategy with many values of its params, and see which hold up later"),
  Command.withExamples([
    {
      command:
        "haggle sweep strategies/spread-catcher.yaml --tape month.tape --param margin=0.02:0.12:0.02 --param stock=2,4,8 --parts 4",
      description: "Chosen by one week, tried on the next"
    }
  ])
)

export const drift = Command.make(
  "drift",
  {
    result: Argument.String("result").pipe(
      Argument.withMetavar("RESULT"),
      Argument.withDescription("What `haggle backtest --out FILE` wrote, or the haggle.db of a dry-run")
    ),
    ...database
  },
  handler(() => import("../commands/Drift.ts"))
).pipe(
  Command.withDescription(
    "Compare a backtest or a dry-run with what a daemon really did in the same time, and say why they differ"
  ),
  Command.withExamples([
    {
      command: "haggle drift monday.json --db state/live/haggle.db",
      description: "Fills, prices and profit, side by side"
    },
    {
      command: "haggle drift state/dry-run-1a2b3c4d/haggle.db --db state/live-5e6f7a8b/haggle.db",
      description: "A dry-run against the real run beside it"
    }
  ])
)

export const shadow = Command.make(
  "shadow",
  {
    ...database,
    name: Argument.String("name").pipe(
      Argument.withMetavar("NAME"),
      Argument.withDescription("Only this shadow"),
      Argument.optional
    ),
    why: onOff("why", "Also tell what both rules saw where they differed")
  },
  handler(() => import("../commands/Shadow.ts"))
).pipe(
  Command.withDescription(
    "How an edited strategy that runs beside the one in force would have done: a file with `shadowOf: NAME`"
  ),
  Command.withExamples([
    {
      command: "haggle shadow wider --why",
      description: "Where it differed, and on what grounds"
    }
  ])
)
