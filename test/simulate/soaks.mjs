/** Starts the soak as the daemon is started: with compiled modules, so that the compiler of types is not loaded and weighed as well. */
import { enableCompileCache } from "node:module"

enableCompileCache()
await import("./soaks.ts")
