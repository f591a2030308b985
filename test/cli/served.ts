/** Processes of the command line: one that is started, and what one says in its first line. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { resolve } from "node:path"

export const started = (...args: ReadonlyArray<string>): ChildProcessWithoutNullStreams =>
  spawn(resolve("node_modules/.bin/node"), [resolve("src/haggle.mjs"), ...args])

/** Its first line as data; fails when it ends before. */
export const firstLine = <A>(child: ChildProcess): Promise<A> =>
  new Promise((done, fail) => {
    let text = ""
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      const end = text.indexOf("\n")
      if (end >= 0) done(JSON.parse(text.slice(0, end)) as A)
    })
    child.once("exit", (code) => fail(new Error(`ended with ${code} before its first line`)))
  })
