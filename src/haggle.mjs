#!/usr/bin/env node
/**
 * The launcher: says in one line when this Node is too old for the sources, otherwise starts them with a compile cache.
 * Invariant: every line parses under Node 12, so no newer syntax and no import with the prefix `node:` stands at the top.
 */
import process from "process"

import { lean } from "./lean.mjs"

const needed = [22, 19]
const found = process.versions.node.split(".").map(Number)
const tooOld = found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])

// a reader that has seen enough (`haggle journal | head`) is no failure of ours
const ignoreClosedPipe = function (error) {
  if (error.code !== "EPIPE") throw error
}

if (tooOld) {
  process.stderr.write(
    "haggle needs Node " +
      needed.join(".") +
      " or newer, and this is Node " +
      process.versions.node +
      ": run `npm ci`, which brings a suitable Node along, then `npm start` or `npm run haggle -- COMMAND`\n"
  )
  process.exitCode = 1
} else {
  // the daemon runs for months and a backtest reads years; other commands end before their weight matters
  if (process.argv.indexOf("run") > 1 || process.argv.indexOf("backtest") > 1) lean()
  process.stdout.on("error", ignoreClosedPipe)
  process.stderr.on("error", ignoreClosedPipe)
  import("node:module").then(function (module) {
    // commands answer in a third of the time once their modules are compiled; off with NODE_DISABLE_COMPILE_CACHE=1
    module.enableCompileCache()
    return import("./main.ts")
  })
}
