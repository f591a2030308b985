/**
 * The real process with secrets everywhere that it may have some: it trades over a socket on a market full of faults, at log level
 * trace, is killed and stopped, and asked everything. Then all that it said and left behind is searched.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { env, execPath } from "node:process"
import { createInterface } from "node:readline"
import { setTimeout as wait } from "node:timers/promises"

import Database from "better-sqlite3"

import type { ExchangeAccount } from "../../src/exchange/Exchange.ts"
import { type FaultKind, faultKinds } from "../../src/exchange/FaultsKinds.ts"
import { churn, launcher } from "./Churn.ts"
import { dice } from "./Dice.ts"
import { finderOf, type Secret, secretsOf } from "./Leaks.ts"
import { type Face, faces, wrongs } from "./SecretFaces.ts"
import { canary, secretHook, secretMarket } from "./SecretMarket.ts"

export interface SecretOptions {
  readonly seed: number
  /** How often the daemon is started. */
  readonly lives: number
  readonly lifeSeconds: number
  readonly tell: (line: string) => void
}

export interface Searched {
  readonly lives: number
  readonly faults: Readonly<Record<string, number>>
  readonly events: number
  readonly faces: number
  /** Faces that ended otherwise than with 0, and how. */
  readonly refused: ReadonlyArray<string>
  readonly files: number
  readonly bytes: number
  readonly secrets: number
  /** Which secret was found where. */
  readonly leaks: ReadonlyArray<string>
}

/** Listings that stand until somebody is made to buy them. */
const patient = churn.replace("at: book.bid,", "at: book.ask + tick(9),")

const strategy = `${patient}  - { id: look, when: overview.median > money("0.01") && history.median(duration("7d")) > money("0.01"), do: notify, message: '"it trades"' }
`

/** Kinds that can happen to a few requests only. */
const rare: ReadonlySet<FaultKind> = new Set(["code", "confirmations", "bought", "history"])

/** Every kind, each a few times: a market that refuses all the time would hide what comes after. */
const faults = (seed: number): string => {
  const own: Readonly<Record<string, string>> = {
    delay: "delay: 1s, ",
    code: "code: 16, effect: done, ",
    confirmations: "how: twice, ",
    currency: "currency: EUR, ",
    clock: "offset: 20s, lasts: 5s, ",
    history: "how: duplicated, ",
    maintenance: "lasts: 3s, ",
    session: "signal: redirect, lasts: 2s, ",
    "manual-order": "price: low, ",
    "funds-held": "hold: 10m, ",
    "rate-limited": "operations: [orderbook], "
  }
  const rules = faultKinds.map(
    (kind) =>
      `  - { kind: "${kind}", ${own[kind] ?? ""}probability: ${rare.has(kind) ? 0.3 : 0.015}, times: 5 }`
  )
  return `seed: ${seed}\nfaults:\n${rules.join("\n")}\n`
}

interface Planted {
  readonly header: string
  readonly hook: string
  readonly argument: string
  readonly refresh: string
  readonly stderr: string
}

const config = (url: string, hook: string, of: Planted): string => `mode: live
logLevel: trace
strategies: strategies
state: state
session: { file: secrets.json, command: ["./renew.sh", "${of.argument}"], renewBefore: 1m }
market: { url: "${url}", timeout: 5s, headers: { x-api-key: "${of.header}" } }
recording: { on: true }
notify:
  channels: [log, { file: notices.jsonl }, { command: ["./renew.sh", "${of.argument}"] }, { webhook: "${hook}" }]
  repeatAfter: 1s
  summaryEvery: 5s
engine: { trackEvery: 2s, idleTrackEvery: 5s, reconcileEvery: 10s, coolDown: 2s, longestCoolDown: 10s, crashesToPause: null }
`

/** Files that secrets are kept in by whoever runs the daemon, and its own key. */
const keepers = /(?:^|\/)(?:secrets\.json|renew\.sh|control\.json(?:\.\d+)?|haggle\.yaml|wrong[^/]*)$/u

interface Said {
  readonly where: string
  readonly text: string
}

/** How long a start may take until something is decided; each budget that a fault has closed makes it wait. */
const decidesWithinMillis = 90_000

/** Keeps each line; over with the first decision. */
const listen = (child: ChildProcess, where: string, said: Array<Said>): Promise<void> =>
  new Promise((decided) => {
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null)
        createInterface({ input: stream }).on("line", (text) => {
          said.push({ where, text })
          if (text.includes("→")) decided()
        })
  })

const opened = (folder: string, seed: number, counts: Record<string, number>) =>
  new Promise<{ child: ChildProcess; url: string; account: ExchangeAccount }>((done, failed) => {
    const args = [
      "exchange",
      "--port",
      "0",
      "--seed",
      `${seed}`,
      "--speed",
      "1",
      "--json",
      "--faults",
      "faults.yaml"
    ]
    const child = spawn(execPath, [launcher, ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] })
    child.once("exit", () => failed(new Error("the exchange ended")))
    createInterface({ input: child.stdout }).once("line", (text) => {
      const { accounts, url } = JSON.parse(text) as { url: string; accounts: ReadonlyArray<ExchangeAccount> }
      const [account] = accounts
      if (account !== undefined) done({ child, url, account })
    })
    createInterface({ input: child.stderr }).on("line", (text) => {
      const kind = /"kind":"([^"]+)"/u.exec(text)?.[1]
      if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1
    })
  })

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) done()
    else child.once("exit", () => done())
  })

/** Names and texts of all files, of databases every value: a row may be cut over the pages of its file. */
const filesOf = (folder: string): ReadonlyArray<Said> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((file) => !keepers.test(file))
    .flatMap((file) => {
      const where = `the file ${file.slice(folder.length + 1)}`
      const text = readFileSync(file, "latin1")
      const whole: ReadonlyArray<Said> = [{ where, text: `${file}\n${text}` }]
      return text.startsWith("SQLite format 3") ? whole.concat({ where, text: rowsOf(file) }) : whole
    })

const rowsOf = (file: string): string => {
  const database = new Database(file, { readonly: true })
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all()
    return tables
      .flatMap((table) =>
        database
          .prepare(`SELECT * FROM "${String(table)}"`)
          .raw()
          .all()
          .flat()
      )
      .map(String)
      .join("\n")
  } finally {
    database.close()
  }
}

/** What the command ended with, if not with 0. The market lives in this process, so nothing here may block it. */
const asked = (folder: string, { args, name }: Face, said: Array<Said>): Promise<string | undefined> =>
  new Promise((done) => {
    const child = spawn(execPath, [launcher, ...args], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 120_000
    })
    let text = ""
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (part: string) => (text += part))
    child.once("close", (status) => {
      said.push({ where: name, text })
      done(status === 0 ? undefined : `${name}: ${status ?? "no end"}`)
    })
  })

export const secretRun = async ({ lifeSeconds, lives, seed, tell }: SecretOptions): Promise<Searched> => {
  const folder = mkdtempSync(join(tmpdir(), "haggle-secrets-"))
  const chance = dice(seed, "secrets")
  const counts: Record<string, number> = {}
  const said: Array<Said> = []
  writeFileSync(join(folder, "faults.yaml"), faults(seed))
  const exchange = await opened(folder, seed, counts)
  const planted: Planted = {
    header: canary(chance),
    hook: canary(chance),
    argument: canary(chance),
    refresh: canary(chance),
    stderr: canary(chance)
  }
  const market = await secretMarket(exchange.url, chance)
  const hook = await secretHook(`/hooks/${planted.hook}`)
  try {
    arrange(
      folder,
      exchange.account,
      config(market.url, `${hook.url}/hooks/${planted.hook}`, planted),
      planted
    )
    const refused: Array<string> = []
    const keys = new Set<string>()
    let asking = 0
    for (let life = 1; life <= lives; life++) {
      const child = spawn(execPath, [...dumps(folder), launcher, "run", "--live"], {
        cwd: folder,
        stdio: ["ignore", "pipe", "pipe"]
      })
      await Promise.race([listen(child, `life ${life}`, said), wait(decidesWithinMillis), ended(child)])
      await wait(lifeSeconds * 1_000)
      for (const key of keysIn(folder)) keys.add(key)
      if (life % 2 === 0 || life === lives)
        for (const face of faces(folder, market.url, life)) {
          asking++
          refused.push(...[await asked(folder, face, said)].flatMap((no) => no ?? []))
        }
      child.kill("SIGUSR2")
      await wait(500)
      child.kill(chance.hits(0.5) ? "SIGKILL" : "SIGTERM")
      await ended(child)
      tell(`life ${life} of ${lives}: ${said.length} lines and outputs so far`)
    }
    for (const face of wrongs(folder, planted.header, exchange.account)) {
      asking++
      await asked(folder, face, said)
    }
    said.push(...hook.heard.map((text) => ({ where: "a notice", text })), ...filesOf(folder))
    const secrets: ReadonlyArray<Secret> = [
      ...secretsOf(exchange.account),
      ...Object.entries(planted).map(([name, value]) => ({ name: `the ${name}`, value })),
      ...[...keys].map((value) => ({ name: "the control key", value })),
      ...market.secrets
    ]
    const finder = finderOf(secrets)
    const leaks = said.flatMap(({ text, where }) => finder(text, true).map((name) => `${name}, in ${where}`))
    return {
      lives,
      faults: counts,
      events: said.filter(({ where }) => where.startsWith("life")).length,
      faces: asking,
      refused,
      files: said.filter(({ where }) => where.startsWith("the file")).length,
      bytes: said.reduce((sum, { text }) => sum + text.length, 0),
      secrets: secrets.length,
      leaks: [...new Set(leaks)]
    }
  } finally {
    exchange.child.kill("SIGTERM")
    market.close()
    hook.close()
    await ended(exchange.child)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What Node itself writes when a process is asked, or dies of an error. */
const dumps = (folder: string): ReadonlyArray<string> => [
  "--report-on-signal",
  "--report-signal=SIGUSR2",
  "--report-uncaught-exception",
  `--report-directory=${join(folder, "dumps")}`
]

const keysIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(folder, "state"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("control.json"))
    .flatMap((name) => /"key":"([^"]+)"/u.exec(readFileSync(join(folder, "state", name), "utf8"))?.[1] ?? [])

const arrange = (folder: string, account: ExchangeAccount, text: string, of: Planted): void => {
  for (const name of ["config", "strategies", "state", "dumps"]) mkdirSync(join(folder, name))
  writeFileSync(join(folder, "strategies", "churn.yaml"), strategy)
  writeFileSync(join(folder, "config", "haggle.yaml"), text)
  const { accountId, cookies, deviceId, identitySecret, sessionid } = account
  const session = {
    accountId,
    cookies: { ...cookies, steamRefresh: of.refresh },
    sessionid,
    identitySecret,
    deviceId
  }
  writeFileSync(join(folder, "secrets.json"), JSON.stringify(session), { mode: 0o600 })
  const printed = JSON.stringify({ cookies: session.cookies, sessionid })
  // every other time it fails, and tells why to whoever listens
  const lines = [
    "#!/bin/sh",
    `echo '${of.stderr}' >&2`,
    `echo '${printed}'`,
    `[ $(( $(date +%s) % 2 )) = 0 ]`
  ]
  writeFileSync(join(folder, "renew.sh"), `${lines.join("\n")}\n`)
  chmodSync(join(folder, "renew.sh"), 0o700)
  if (env["HAGGLE_MARKET_URL"] !== undefined) throw new Error("unset HAGGLE_MARKET_URL first")
}
