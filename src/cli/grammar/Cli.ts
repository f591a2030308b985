/** The command line: every command with its flags, as `--help` shows them. The work stands in one file per command. */
import { Console, Effect } from "effect"
import { Argument, CliOutput, Command } from "effect/cli"

import { db, drain, halt, notify, pause, resume } from "./Control.ts"
import { explain, journal, listings, orders, positions, status, trades, why } from "./Faces.ts"
import { forTime, history, onOff, optionalNumber, optionalText, seed, state, strategies } from "./Flags.ts"
import { handler } from "./Handler.ts"
import { call, contract, exchange } from "./Market.ts"
import { confirmations, ledger, release } from "./Operator.ts"
import { root } from "./Root.ts"
import { session } from "./Session.ts"
import { record, tape } from "./Tapes.ts"
import { backtest, drift, shadow, sweep } from "./Trials.ts"

const run = Command.make(
  "run",
  {
    live: onOff("live", "Trade on the real market"),
    dryRun: onOff("dry-run", "Read the market, send nothing to it: orders are filled on paper"),
    for: forTime,
    speed: optionalNumber("speed", "Market seconds per second of an embedded run (default 240)"),
    history,
    seed,
    session: optionalText("session", "FILE", "Session file of the account to trade for, with --live"),
    strategies,
    state,
    noDashboard: onOff("no-dashboard", "Accepted for later versions: this one has no dashboard")
  },
  handler(
    () => import("../run/RunEntry.ts"),
    ({ dryRun, live }) => [
      ...(live ? [{ path: "mode", flag: "--live", value: "live" }] : []),
      ...(dryRun ? [{ path: "mode", flag: "--dry-run", value: "dry-run" }] : [])
    ]
  )
).pipe(
  Command.withDescription("Trade by the strategies until a signal or --for ends it; then print a summary"),
  Command.withExamples([
    {
      command: "haggle run --for 2h --speed 240",
      description: "Two hours of the embedded market in half a minute"
    },
    { command: "haggle run --live", description: "Trade on the real market" }
  ])
)

const check = Command.make(
  "check",
  {
    strategies,
    files: Argument.String("file").pipe(
      Argument.withMetavar("FILE"),
      Argument.withDescription("Strategy files or folders; without any the configured folder"),
      Argument.atLeast(0)
    )
  },
  handler(
    () => import("../commands/Check.ts"),
    () => [],
    { tolerant: true }
  )
).pipe(
  Command.withDescription("Check configuration and strategies, run their tests, tell what each would poll")
)

const config = Command.make(
  "config",
  {},
  handler(() => import("../commands/ShowConfig.ts"))
).pipe(Command.withDescription("Show each setting, its value and where it came from"))

const schema = Command.make(
  "schema",
  {
    write: onOff("write", "Write them into config/schema, where the first line of each file points at"),
    what: Argument.Literals("what", ["strategy", "config"]).pipe(
      Argument.withMetavar("strategy|config"),
      Argument.withDescription("Which; without it both"),
      Argument.optional
    )
  },
  handler(() => import("../commands/Schemas.ts"))
).pipe(
  Command.withDescription(
    "JSON Schemas of strategy and configuration files: an editor completes and checks by them"
  )
)

export const cli = root.pipe(
  Command.withDescription("An unattended, rule-driven trading daemon for a community market"),
  Command.withSubcommands([
    run,
    check,
    explain,
    exchange,
    call,
    pause,
    resume,
    drain,
    halt,
    notify,
    db,
    status,
    orders,
    listings,
    positions,
    trades,
    why,
    journal,
    contract,
    record,
    tape,
    backtest,
    sweep,
    drift,
    shadow,
    session,
    confirmations,
    ledger,
    release,
    config,
    schema
  ])
)

/** A negative value (`--for -1h`) is the flag's before it; else its letters would be flags, `-h` the help. */
export const joined = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const all: Array<string> = []
  for (const arg of args)
    if (/^--[^=]+$/.test(all.at(-1) ?? "") && /^-\d/.test(arg)) all.push(`${all.pop()}=${arg}`)
    else all.push(arg)
  return all
}

/** Help on stdout, but a wrong command line is told on stderr: what is wrong and where the help is. */
export const presenter = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Effect.forEach(event.errors, (error) => Console.error(`haggle: ${error.message}`)).pipe(
          Effect.andThen(Console.error(`  = see \`${event.commandPath.join(" ")} --help\``))
        )
      : CliOutput.defaultPresenter.present(event)
})
