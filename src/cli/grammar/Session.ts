/** Commands about the login. */
import { Argument, Command } from "effect/cli"

import { onOff, optionalText } from "./Flags.ts"
import { handler } from "./Handler.ts"

const file = optionalText("session", "FILE", "Session file (default: session.file of the configuration)")
const url = optionalText("url", "URL", "Address of the market")

export const session = Command.make("session").pipe(
  Command.withDescription("The login that a live run trades with"),
  Command.withSubcommands([
    Command.make(
      "check",
      { session: file, url },
      handler(() => import("../commands/SessionCheck.ts"))
    ).pipe(Command.withDescription("Whose session it is, until when, and whether the market knows it")),
    Command.make(
      "import",
      {
        session: file,
        replace: onOff("replace", "Keep nothing of the session that is there"),
        files: Argument.String("file").pipe(
          Argument.withMetavar("FILE"),
          Argument.withDescription("Exported cookies (Netscape's table or JSON) or an authenticator's file"),
          Argument.atLeast(1)
        )
      },
      handler(() => import("../commands/SessionImport.ts"))
    ).pipe(
      Command.withDescription(
        "Write cookies and authenticator into the session file; a running daemon takes it up"
      )
    )
  ])
)
