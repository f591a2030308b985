/**
 * Starts this process once more in its own place (same pid, same streams), with what only the start of a process can set: small half
 * spaces for V8's young objects, one arena for glibc's malloc, which else has one per thread that is never given back, and fixed
 * thresholds, which else grow with the largest answer that was ever read, so that less and less is given back.
 * Invariants: 1. every line parses under Node 12. 2. at most once, and what the operator has set stays. 3. where a process cannot be
 * replaced (Windows), or somebody talks to it over a channel that would be cut, nothing happens.
 */
import process from "process"

const flags = ["--max-semi-space-size=2"]
const malloc = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" }

const nameOf = function (flag) {
  return flag.split("=")[0].replace(/_/g, "-")
}

export const lean = function () {
  const { argv, env, execArgv, execPath, platform } = process
  const given = execArgv.concat((env.NODE_OPTIONS || "").split(" ")).map(nameOf)
  const missing = flags.filter(function (flag) {
    return given.indexOf(nameOf(flag)) < 0
  })
  const isSet = function (name) {
    return env[name] !== undefined
  }
  if (missing.length === 0 && Object.keys(malloc).every(isSet)) return
  if (typeof process.execve !== "function" || platform === "win32" || process.send !== undefined) return
  process.execve(
    execPath,
    [execPath].concat(missing, execArgv, argv.slice(1)),
    Object.assign({}, malloc, env)
  )
}
