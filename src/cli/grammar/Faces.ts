/** Commands that only look: what a running or stopped daemon wrote down. */
import { Argument, Command, Flag } from "effect/cli"

import { Event, type EventKind } from "../../domain/Event.ts"
import { database, limit, optionalText, strategies } from "./Flags.ts"
import { handler } from "./Handler.ts"

export const status = Command.make(
  "status",
  database,
  handler(() => import("../commands/Status.ts"))
).pipe(Command.withDescription("Whether the daemon runs, and the figures of its state"))
export const orders = Command.make(
  "orders",
  database,
  handler(() => import("../commands/Orders.ts"))
).pipe(Command.withDescription("Our buy orders on the market"))
export const listings = Command.make(
  "listings",
  database,
  handler(() => import("../commands/Listings.ts"))
).pipe(Command.withDescription("Our sell listings on the market"))
export const positions = Command.make(
  "positions",
  database,
  handler(() => import("../commands/Positions.ts"))
).pipe(Command.withDescription("What we hold, and what came of what we sold"))
export const trades = Command.make(
  "trades",
  { ...database, limit: limit(50) },
  handler(() => import("../commands/Trades.ts"))
).pipe(Command.withDescription("Our fills, the last at the end"))

export const explain = Command.make(
  "explain",
  {
    ...database,
    strategies,
    given: optionalText("given", "FILE", "Take the facts of this YAML file instead of a running daemon's"),
    test: optionalText("test", "NAME", "Take the facts of this inline test of the strategy"),
    strategy: Argument.String("strategy").pipe(
      Argument.withMetavar("STRATEGY"),
      Argument.withDescription("Name of a strategy")
    ),
    item: Argument.String("item").pipe(
      Argument.withMetavar("ITEM"),
      Argument.withDescription("Application and name (730/Glove Case), a name, or a part that one item has")
    )
  },
  handler(() => import("../commands/Explain.ts"))
).pipe(
  Command.withDescription(
    "What a strategy makes of an item right now: every expression, its value and age, and what holds the action back"
  ),
  Command.withExamples([
    { command: "haggle explain spread-catcher glove", description: "Ask the running daemon" },
    {
      command: 'haggle explain spread-catcher "Glove Case" --test "enters on a wide spread"',
      description: "Without a daemon, with the facts of an inline test"
    }
  ])
)

export const why = Command.make(
  "why",
  {
    ...database,
    id: Argument.String("id").pipe(
      Argument.withMetavar("ID"),
      Argument.withDescription("Id of an intent, order, listing, asset or trade")
    )
  },
  handler(() => import("../commands/Why.ts"))
).pipe(Command.withDescription("The story behind an id: the rule, what it saw, and all that came of it"))

export const journal = Command.make(
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
  handler(() => import("../commands/Journal.ts"))
).pipe(Command.withDescription("What was decided, sent, answered and seen; the last at the end"))
