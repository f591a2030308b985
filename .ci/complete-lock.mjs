/**
 * Completes package-lock.json after `npm install`: some registries do not hold every platform's build of an optional package, npm then
 * leaves its entry out, and `npm ci` refuses the lock. The entries are what npm would write, without the integrity it could not see.
 * Run: node .ci/complete-lock.mjs
 */
import { readFileSync, writeFileSync } from "node:fs"

const systems = ["darwin", "linux", "win32", "android", "freebsd", "openharmony"]
const processors = ["arm64", "x64", "ppc64", "riscv64", "s390x", "ia32", "loong64", "wasm32", "arm"]

const platformOf = (name) => {
  const parts = name.split("/").at(-1).split("-")
  const os = systems.find((system) => parts.includes(system))
  const cpu = processors.find((processor) => parts.includes(processor))
  const libc = os !== "linux" ? undefined : parts.some((part) => part.startsWith("musl")) ? "musl" : parts.some((part) => part.startsWith("gnu")) ? "glibc" : undefined
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(libc === undefined ? {} : { libc: [libc] }),
    ...(os === undefined ? {} : { os: [os] })
  }
}

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"))
const { "": root, ...packages } = lock.packages
let added = 0
for (const parent of [root, ...Object.values(packages)])
  for (const [name, range] of Object.entries(parent.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (packages[key] !== undefined) continue
    packages[key] = {
      version: range.replace(/^[\^~]/, ""),
      ...(parent.dev === true ? { dev: true } : {}),
      optional: true,
      ...platformOf(name)
    }
    added += 1
  }
const sorted = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync("package-lock.json", `${JSON.stringify({ ...lock, packages: { "": root, ...sorted } }, null, 2)}\n`)
process.stdout.write(`${added} platform packages added\n`)
