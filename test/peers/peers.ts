/**
 * `npm run peers`: clients that others wrote for markets of this family, driven against `haggle exchange` through everything they support.
 * Invariants: 1. the clients are installed outside the repository, at fixed versions, without their scripts, and their code is not changed.
 * 2. a client's process reaches the loopback only. 3. every client meets a market of its own. 4. it ends with 0 once it ran, whatever
 * was met; without a registry it says so and skips.
 *
 * node test/peers/peers.ts [--json] [--verbose] [--only NAME]
 */
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { clearTimeout, setTimeout } from "node:timers"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

import { type Certificate, certificateFor } from "./Certificate.ts"
import { overrides, peers, versions } from "./Clients.ts"
import { openFront } from "./Front.ts"
import { type Greeting, nameOf, type Peer, type Verdict } from "./Peer.ts"

const here = dirname(fileURLToPath(import.meta.url))
const launcher = join(here, "../../src/haggle.mjs")

const { values: flags } = parseArgs({
  options: { json: { type: "boolean" }, verbose: { type: "boolean" }, only: { type: "string" } }
})

const say = (text: string) => process.stderr.write(`${text}\n`)

const longestInstallMillis = 300_000

const isInstalled = (folder: string, [name, version]: readonly [string, string]): boolean => {
  const manifest = join(folder, "node_modules", name, "package.json")
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === version
}

/** npm's own sentence about what went wrong, without the codes around it. */
const complaintOf = (npm: string | undefined): string => {
  const line = /npm error (?!code|errno|syscall|A complete)(.*)/.exec(npm ?? "")
  return line?.[1] ?? "npm failed"
}

/** The folder with the clients, or why there is none. One folder serves later runs until its list of versions changes. */
const install = (): { readonly folder: string } | { readonly missing: string } => {
  const folder = join(tmpdir(), "haggle-peers")
  const wanted = Object.entries(versions)
  if (wanted.every((one) => isInstalled(folder, one))) return { folder }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, overrides }))
  const quietly = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0"]
  const specs = wanted.map(([name, version]) => `${name}@${version}`)
  const npm = spawnSync("npm", ["install", ...quietly, ...specs], {
    cwd: folder,
    encoding: "utf8",
    timeout: longestInstallMillis,
    shell: process.platform === "win32"
  })
  return npm.status === 0 ? { folder } : { missing: complaintOf(npm.stderr) }
}

const longestStartMillis = 60_000

/** Starts a market for one client; `stop` ends it and waits until it is gone. */
const startMarket = async ({ lenient, settings }: Peer, scratch: string) => {
  const config = join(scratch, "haggle.yaml")
  const { balance, currency } = settings ?? { balance: 100, currency: "USD" }
  writeFileSync(config, `exchange:\n  currency: ${currency}\n  balance: ${balance.toFixed(2)}\n`)
  const args = ["exchange", "--port", "0", "--json", "--platform-name", "steam", "--config", config]
  const market = spawn(process.execPath, [launcher, ...args, ...(lenient === true ? ["--lenient"] : [])], {
    stdio: ["ignore", "pipe", "pipe"]
  })
  const complaints: Array<string> = []
  market.stderr.on("data", (chunk: Buffer) => complaints.push(chunk.toString()))
  const ended = new Promise<void>((resolve) => market.once("exit", () => resolve()))
  const greeting = await new Promise<Greeting>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the market did not start")), longestStartMillis)
    createInterface({ input: market.stdout }).once("line", (line) => {
      clearTimeout(timer)
      resolve(JSON.parse(line))
    })
    market.once("exit", (code) => reject(new Error(`the market ended with ${code}: ${complaints.join("")}`)))
  })
  const stop = async () => {
    market.kill()
    await ended
  }
  return { greeting, stop, complaints }
}

interface Run {
  readonly verdicts: ReadonlyArray<Verdict>
  readonly complaints: ReadonlyArray<string>
}

/** One client from first to last expectation, against a market of its own. */
const drive = async (peer: Peer, folder: string, scratch: string, certificate: Certificate): Promise<Run> => {
  const market = await startMarket(peer, scratch)
  const front = await openFront(market.greeting.url, certificate)
  const proxy = `http://127.0.0.1:${front.port}`
  const trusted = join(scratch, "certificate.pem")
  writeFileSync(trusted, certificate.cert)
  const child = spawn(
    process.execPath,
    ["--no-deprecation", "--import", join(here, "Guard.ts"), join(here, "Child.ts")],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        NODE_EXTRA_CA_CERTS: trusted,
        PEER_PORTS: `${front.port},${front.securePort}`,
        PEER_TASK: JSON.stringify({ folder, greeting: market.greeting, name: nameOf(peer), proxy }),
        ...peer.env?.(proxy)
      }
    }
  )
  const verdicts: Array<Verdict> = []
  const complaints: Array<string> = []
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!line.startsWith("{")) return
    const told = JSON.parse(line)
    if (told.verdict === undefined) front.lines.push(`-- ${told.mark}`)
    else verdicts.push(told.verdict)
  })
  child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk.toString().trim()))
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  if (code !== 0) complaints.push(`the client's process ended with ${code}`)
  front.close()
  await market.stop()
  if (flags.verbose === true) for (const line of front.lines) say(line)
  return { verdicts, complaints: [...complaints, ...market.complaints] }
}

/** Met; not met for a reason beyond the interface; or the exchange's fault. */
const verdictOf = ({ beyond, met }: Verdict): string => {
  if (met) return "met"
  return beyond === undefined ? "NOT MET" : "not met"
}

const whyOf = ({ beyond, met, told }: Verdict): string =>
  met
    ? ""
    : [told, beyond === undefined ? undefined : `beyond the interface: ${beyond}`].filter(Boolean).join("; ")

const print = (verdicts: ReadonlyArray<Verdict>) => {
  const wide = (of: (verdict: Verdict) => string) =>
    Math.max(...verdicts.map((verdict) => of(verdict).length))
  const [client, operation] = [wide((one) => one.client), wide((one) => one.operation)]
  for (const verdict of verdicts)
    process.stdout.write(
      `${verdict.client.padEnd(client)}  ${verdict.operation.padEnd(operation)}  ${verdictOf(verdict)}${
        verdict.met ? "" : `\n    ${verdict.expects}\n    ${whyOf(verdict)}`
      }\n`
    )
  const count = (of: string) => verdicts.filter((verdict) => verdictOf(verdict) === of).length
  process.stdout.write(
    `\n${verdicts.length} expectations of ${new Set(verdicts.map(({ client }) => client.replace(/ \(.*/, ""))).size} clients: ` +
      `${count("met")} met, ${count("NOT MET")} not met, ${count("not met")} not met that lie beyond the interface\n`
  )
}

const main = async () => {
  const installed = install()
  if ("missing" in installed) {
    if (flags.json === true) process.stdout.write(`${JSON.stringify({ skipped: installed.missing })}\n`)
    else say(`SKIPPED: the clients could not be installed: ${installed.missing}`)
    return
  }
  const scratch = mkdtempSync(join(tmpdir(), "haggle-peers-run-"))
  const certificate = certificateFor(["steamcommunity.com", "www.steamcommunity.com", "api.steampowered.com"])
  const verdicts: Array<Verdict> = []
  const complaints: Record<string, ReadonlyArray<string>> = {}
  for (const peer of peers.filter(
    (peer) => flags.only === undefined || [nameOf(peer), peer.package].includes(flags.only)
  )) {
    say(`${nameOf(peer)}: ${peer.seam}`)
    const run = await drive(peer, installed.folder, scratch, certificate)
    verdicts.push(...run.verdicts)
    if (run.complaints.length > 0) complaints[nameOf(peer)] = run.complaints
    for (const complaint of run.complaints) say(`  ${complaint}`)
  }
  rmSync(scratch, { recursive: true, force: true })
  if (flags.json === true) process.stdout.write(`${JSON.stringify({ versions, verdicts, complaints })}\n`)
  else print(verdicts)
}

await main()
