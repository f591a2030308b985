/** Starts a soak's daemon as the launcher starts the daemon: lean, and with compiled modules. */
import { enableCompileCache } from "node:module"

import { lean } from "../../src/lean.mjs"

lean()
enableCompileCache()
await import("./SoakDaemon.ts")
