/** Commands with which a person settles what the daemon has put before them. */
import { Option } from "effect"
import { Argument, Command } from "effect/cli"

import { database, optionalText } from "./Flags.ts"
import { handler } from "./Handler.ts"

const reason = Argument.String("reason").pipe(
  Argument.withMetavar("REASON"),
  Argument.withDescription("Why, in a few words: kept in the journal"),
  Argument.optional
)

export const release = Command.make(
  "release",
  {
    ...database,
    target: Argument.String("item").pipe(
      Argument.withMetavar("ITEM|ID"),
      Argument.withDescription("Name of the item, or id of the intent")
    ),
    reason
  },
  handler(() => import("../commands/Release.ts"))
).pipe(Command.withDescription("Let go what could not be settled, after a look: its item is free again"))

export const ledger = Command.make(
  "ledger",
  {
    ...database,
    take: optionalText("take", "REASON", "Take a lasting difference to the wallet for the owner's doing")
  },
  handler(() => import("../commands/Ledger.ts"))
).pipe(Command.withDescription("The accounts of the books and their trial balance"))

const confirmation = Argument.String("id").pipe(
  Argument.withMetavar("ID"),
  Argument.withDescription("Id of the confirmation, as the list shows it")
)

const settling = (op: "allow" | "cancel", description: string) =>
  Command.make(op, { ...database, id: confirmation }, ({ id, ...flags }) =>
    handler(() => import("../commands/Confirmations.ts"))({ ...flags, settle: Option.some({ op, id }) })
  ).pipe(Command.withDescription(description))

export const confirmations = Command.make("confirmations", database, (flags) =>
  handler(() => import("../commands/Confirmations.ts"))({ ...flags, settle: Option.none() })
).pipe(
  Command.withDescription("What waits on the authenticator, and what of it is ours"),
  Command.withSubcommands([
    settling("allow", "Allow the confirmation of this id"),
    settling("cancel", "Cancel the confirmation of this id")
  ])
)
