/** Commands that change what the daemon may do. */
import { Argument, Command } from "effect/cli"

import type { ControlWord } from "../domain/Control.ts"
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
    handler(() => import("./Words.ts").then((words) => words[name]))
  ).pipe(Command.withDescription(description))

export const pause = word("pause", "Send nothing new; settle what is in flight, leave standing what stands")
export const resume = word("resume", "Let the rules decide again, after a pause, a drain or a halt")
export const drain = word("drain", "Cancel our bids, buy nothing, sell what is held, then pause")
export const halt = word("halt", "The kill switch: cancel our bids and send nothing else until `resume`")
