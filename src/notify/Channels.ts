/** The ways to people on the same machine: stderr, a file of JSON lines, a program. */
import { spawn } from "node:child_process"
import { appendFile } from "node:fs/promises"

import { Console, Effect } from "effect"

import { type Channel, type Notice, NotTold } from "./Notifier.ts"

const ownerOnly = 0o600

export const log: Channel = {
  name: "log",
  send: ({ text, title, urgency }) => Console.error(`haggle: ${urgency}: ${title}: ${text}`)
}

/** Appends one JSON object per line. */
export const file = (path: string): Channel => ({
  name: `file ${path}`,
  send: (notice) =>
    Effect.tryPromise({
      try: () => appendFile(path, `${JSON.stringify(notice)}\n`, { mode: ownerOnly }),
      catch: (cause) =>
        new NotTold({
          channel: `file ${path}`,
          detail: cause instanceof Error && "code" in cause ? String(cause.code) : "cannot be written"
        })
    })
})

/** Runs a program with the notice as JSON on its stdin; its output is thrown away, and it ends with the attempt. */
export const command = (program: string, args: ReadonlyArray<string>): Channel => {
  const failed = (detail: string) => Effect.fail(new NotTold({ channel: "command", detail }))
  return {
    name: "command",
    send: (notice: Notice) =>
      Effect.callback<void, NotTold>((resume) => {
        const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"] })
        child.once("error", () => resume(failed("it cannot be started")))
        child.once("exit", (code) =>
          resume(code === 0 ? Effect.void : failed(code === null ? "it was killed" : `it ended with ${code}`))
        )
        // one that does not read is no failure
        child.stdin.on("error", () => {})
        child.stdin.end(`${JSON.stringify(notice)}\n`)
        return Effect.sync(() => child.kill("SIGKILL"))
      })
  }
}
