/** Commands about the market itself: one of our own on a port, one operation of any, the interface. */
import { Argument, Command, Flag } from "effect/cli"

import {
  currencyCodes,
  database,
  faults,
  faultsIntensity,
  faultsSeed,
  history,
  onOff,
  operation,
  optionalText,
  param,
  platformName,
  seed,
  session
} from "./Flags.ts"
import { handler } from "./Handler.ts"

export const exchange = Command.make(
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
    accounts: Flag.Int("accounts").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription("Accounts of the market (default 3)"),
      Flag.filter(
        (count) => count >= 1 && count <= 100,
        (count) => `Expected: a number from 1 to 100, not ${count}`
      ),
      Flag.withDefault(3)
    ),
    currencies: currencyCodes,
    confirmPurchases: onOff(
      "confirm-purchases",
      "New buy orders and purchases ask for a mobile confirmation first"
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
  handler(() => import("../commands/Exchange.ts"))
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

export const call = Command.make(
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
  handler(() => import("../commands/Call.ts"))
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

export const contract = Command.make("contract").pipe(
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
      handler(() => import("../commands/ContractCheck.ts"))
    ).pipe(Command.withDescription("Decode recorded bodies; say per file ok, or what differs and where")),
    Command.make(
      "drift",
      database,
      handler(() => import("../commands/ContractDrift.ts"))
    ).pipe(Command.withDescription("How the market's answers to the daemon depart from the interface")),
    Command.make(
      "openapi",
      {},
      handler(() => import("../commands/ContractOpenapi.ts"))
    ).pipe(Command.withDescription("Print the interface as an OpenAPI document"))
  ])
)
