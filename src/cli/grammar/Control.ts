/** Commands of who looks after the daemon: what it may do, who is told of it. */
import { Argument, Command, Flag } from "effect/cli"

import type { ControlWord } from "../../domain/Control.ts"
import { database } from "./Flags.ts"
import { handler } from "./Handler.ts"

const word = (name: ControlWord, description: string) =>
  Command.make(
    name,
    {
      ...database,
      reason: Argument.String("reason").pipe(
        Argument.withMetavar("REASON"),
        Argument.withDescription("Why, in a few words: kept in the journal"),
        Argument.optional
      )
    },
    handler(() => import("../commands/Words.ts").then((words) => words[name]))
  ).pipe(Command.withDescription(description))

export const pause = word("pause", "Send nothing new; settle what is in flight, leave standing what stands")
export const resume = word("resume", "Let the rules decide again, after a pause, a drain or a halt")
export const drain = word("drain", "Cancel our bids, buy nothing, sell what is held, then pause")
export const halt = word("halt", "The kill switch: cancel our bids and send nothing else until `resume`")

const notifyTest = Command.make(
  "test",
  {},
  handler(() => import("../commands/NotifyTest.ts"))
).pipe(Command.withDescription("Send a test message through every configured channel, and say which took it"))

export const notify = Command.make("notify").pipe(
  Command.withDescription("Who is told of what a person should know"),
  Command.withSubcommands([notifyTest])
)

const backup = Command.make(
  "backup",
  {
    ...database,
    keep: Flag.Int("keep").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription("Remove all but the newest N of the backups beside the database"),
      Flag.filter(
        (count) => count > 0,
        (count) => `Expected: a number above 0, not ${count}`
      ),
      Flag.optional
    ),
    file: Argument.String("file").pipe(
      Argument.withMetavar("FILE"),
      Argument.withDescription("Where to; without it below `backups` beside the database, named by the time"),
      Argument.optional
    )
  },
  handler(() => import("../commands/DbBackup.ts"))
).pipe(Command.withDescription("Copy the database, also while its daemon runs, and check the copy"))

export const db = Command.make("db").pipe(
  Command.withDescription("Look after the database"),
  Command.withSubcommands([backup])
)
