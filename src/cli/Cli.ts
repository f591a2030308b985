/** The command line: every command with its flags, as `--help` shows them. The work stands in one file per command. */
import { Console, Effect } from "effect"
import { Argument, CliOutput, Command, Flag } from "effect/cli"

import { Event, type EventKind } from "../domain/Event.ts"
import {
  database,
  faults,
  faultsIntensity,
  faultsSeed,
  forTime,
  history,
  limit,
  onOff,
  operation,
  optionalNumber,
  optionalText,
  param,
  platformName,
  seed,
  session,
  state,
  strategies
} from "./Flags.ts"
import { handler } from "./Handler.ts"
import { root } from "./Root.ts"

const run = Command.make(
  "run",
  {
    live: onOff("live", "Trade on the real market"),
    dryRun: onOff("dry-run", "Read the real market, send nothing to it"),
    for: forTime,
    speed: optionalNumber("speed", "Market seconds per second of an embedded run"),
    history,
    seed,
    session: optionalText("session", "FILE", "Session file of the account to trade for, with --live"),
    strategies,
    state,
    noDashboard: onOff("no-dashboard", "Accepted for later versions: this one has no dashboard")
  },
  handler(
    () => import("./RunEntry.ts"),
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
  handler(() => import("./Check.ts"))
).pipe(
  Command.withDescription("Check configuration and strategies, run their tests, tell what each would poll")
)

const exchange = Command.make(
  "exchange",
  {
    port: Flag.Int("port").pipe(
      Flag.withMetavar("PORT"),
      Flag.withDescription("Port on the loopback; 0, the default, picks a free one"),
      Flag.filter(
        (port) => port >= 0 && port <= 65_535,
        (port) => `Expected: a port from 0 to 65535, not ${port}`
      ),
      Flag.withDefault(0)
    ),
    seed,
    pace: Flag.Finite("speed").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription("Market seconds per second (default 1)"),
      Flag.filter(
        (speed) => speed > 0,
        (speed) => `Expected: a number above 0, not ${speed}`
      ),
      Flag.withDefault(1)
    ),
    lenient: onOff(
      "lenient",
      "Take signatures with any tag that clients are known to use, and any device id"
    ),
    faults,
    faultsSeed,
    faultsIntensity,
    platformName,
    history,
    keep: optionalText(
      "state",
      "DIR",
      "Keep the market's journal here and go on with it; without it nothing is kept"
    )
  },
  handler(() => import("./Exchange.ts"))
).pipe(
  Command.withDescription("Serve the embedded market until a signal; tells its address and accounts first"),
  Command.withExamples([
    { command: "haggle exchange --port 8801 --json", description: "For clients in any language" },
    {
      command: "haggle exchange --faults-seed 7",
      description: "A market on a bad day: lost answers, 429, an hour of maintenance"
    }
  ])
)

const call = Command.make(
  "call",
  {
    operation: operation("Operation to call").pipe(Argument.optional),
    list: onOff("list", "List the thirty operations and their parameters"),
    url: optionalText("url", "URL", "Address of the market, such as that of haggle exchange"),
    param,
    body: optionalText("body", "JSON", "A JSON object whose fields are more parameters"),
    platformName,
    ...session
  },
  handler(() => import("./Call.ts"))
).pipe(
  Command.withDescription("Call one operation of the market and print its decoded answer"),
  Command.withExamples([
    {
      command:
        "haggle call orderbook --url http://127.0.0.1:8801 --param appid=730 --param 'market_hash_name=Glove Case'",
      description: "The order book of an item"
    }
  ])
)

const contract = Command.make("contract").pipe(
  Command.withDescription("The market's interface as this version understands it"),
  Command.withSubcommands([
    Command.make(
      "check",
      {
        operation: operation("Operation whose bodies the files are"),
        files: Argument.String("file").pipe(
          Argument.withMetavar("FILE"),
          Argument.withDescription("Recorded bodies"),
          Argument.atLeast(1)
        ),
        platformName
      },
      handler(() => import("./ContractCheck.ts"))
    ).pipe(Command.withDescription("Decode recorded bodies; say per file ok, or what differs and where")),
    Command.make(
      "openapi",
      {},
      handler(() => import("./ContractOpenapi.ts"))
    ).pipe(Command.withDescription("Print the interface as an OpenAPI document"))
  ])
)

const status = Command.make(
  "status",
  database,
  handler(() => import("./Status.ts"))
).pipe(Command.withDescription("Whether the daemon runs, and the figures of its state"))
const orders = Command.make(
  "orders",
  database,
  handler(() => import("./Orders.ts"))
).pipe(Command.withDescription("Our buy orders on the market"))
const listings = Command.make(
  "listings",
  database,
  handler(() => import("./Listings.ts"))
).pipe(Command.withDescription("Our sell listings on the market"))
const positions = Command.make(
  "positions",
  database,
  handler(() => import("./Positions.ts"))
).pipe(Command.withDescription("What we hold, and what came of what we sold"))
const trades = Command.make(
  "trades",
  { ...database, limit: limit(50) },
  handler(() => import("./Trades.ts"))
).pipe(Command.withDescription("Our fills, the last at the end"))

const why = Command.make(
  "why",
  {
    ...database,
    id: Argument.String("id").pipe(
      Argument.withMetavar("ID"),
      Argument.withDescription("Id of an intent, order, listing, asset or trade")
    )
  },
  handler(() => import("./Why.ts"))
).pipe(Command.withDescription("The story behind an id: the rule, what it saw, and all that came of it"))

const journal = Command.make(
  "journal",
  {
    ...database,
    limit: limit(50),
    kind: Flag.Literals("kind", Object.keys(Event.cases) as ReadonlyArray<EventKind>).pipe(
      Flag.withMetavar("EVENT"),
      Flag.withDescription("Only events of this kind, such as Filled; may be repeated"),
      Flag.atLeast(0)
    ),
    about: optionalText("about", "ID", "Only events that name this id")
  },
  handler(() => import("./Journal.ts"))
).pipe(Command.withDescription("What was decided, sent, answered and seen; the last at the end"))

const config = Command.make(
  "config",
  {},
  handler(() => import("./ShowConfig.ts"))
).pipe(Command.withDescription("Show each setting, its value and where it came from"))

export const cli = root.pipe(
  Command.withDescription("An unattended, rule-driven trading daemon for a community market"),
  Command.withSubcommands([
    run,
    check,
    exchange,
    call,
    status,
    orders,
    listings,
    positions,
    trades,
    why,
    journal,
    contract,
    config
  ])
)

/** Help on stdout, but a wrong command line is told on stderr: what is wrong and where the help is. */
export const presenter = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Effect.forEach(event.errors, (error) => Console.error(`haggle: ${error.message}`)).pipe(
          Effect.andThen(Console.error(`  = see \`${event.commandPath.join(" ")} --help\``))
        )
      : CliOutput.defaultPresenter.present(event)
})
