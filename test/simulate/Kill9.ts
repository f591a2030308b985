/**
 * The real process killed with `kill -9` again and again while it trades on an exchange in another process, over a socket and with
 * faults; then one run that ends in order, and both sides' books beside each other.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { env, execPath } from "node:process"
import { createInterface } from "node:readline"

import { Clock, Effect } from "effect"

import { churn, launcher } from "./Churn.ts"
import { type Dice, dice } from "./Dice.ts"

export interface Kill9Options {
  readonly kills: number
  readonly seed: number
  /** Longest time that a process lives, milliseconds. */
  readonly longestMillis: number
  /** How long the last run may take to settle everything, seconds. */
  readonly settleSeconds: number
  readonly onKill?: (count: number) => void
}

export interface Killed {
  /** What both sides' differences can be looked into by; it is kept when there are any. */
  readonly folder?: string
  readonly kills: number
  /** Processes that were killed after they had decided on something. */
  readonly afterIntents: number
  readonly faults: number
  readonly intents: number
  readonly unknown: number
  readonly unitsBought: number
  readonly sold: number
  /** What differs between the two sides; empty when all is equal. */
  readonly differences: ReadonlyArray<string>
}

/** Takes everything back, so that nothing moves any more while both sides are asked. */
const strategyOfTheEnd = churn.replace(
  /rules:[\s\S]*/,
  `rules:
  - { id: no-bids, when: true, do: cancel-bid }
  - { id: no-asks, when: true, do: cancel-ask }
`
)

/** Three kinds of operations that are told "too fast" make a ban: a quarter of an hour without an order, which the simulation plays. */
const faults = (seed: number, seconds: number): string => `seed: ${seed}
faults:
${[
  "lost-answer, probability: 0.04",
  "reset, probability: 0.03",
  "server-error, status: 502, effect: done, probability: 0.02",
  "server-error, status: 503, probability: 0.02",
  "rate-limited, operations: [orderbook, create-buyorder], probability: 0.01",
  "html, probability: 0.01",
  "truncated, probability: 0.01",
  "delay, delay: 2s, probability: 0.03",
  "history, how: duplicated, probability: 0.1"
]
  .map((rule) => `  - { kind: ${rule}, until: ${seconds}s }`)
  .join("\n")}
`

const config = (url: string): string => `mode: live
strategies: strategies
state: state
session: { file: secrets.json }
market: { url: "${url}", timeout: 1500ms }
engine: { trackEvery: 2s, idleTrackEvery: 5s, reconcileEvery: 10s, coolDown: 2s, longestCoolDown: 10s, crashesToPause: null }
`

interface Market {
  readonly child: ChildProcess
  readonly url: string
  readonly account: { readonly accountId: string }
  faults: number
}

/** Lines of a stream, one after the other. */
const eachLine = (stream: NodeJS.ReadableStream | null, line: (text: string) => void): void => {
  if (stream !== null) createInterface({ input: stream }).on("line", line)
}

const opened = (folder: string): Effect.Effect<Market> =>
  Effect.callback<Market>((resume) => {
    const child = spawn(
      execPath,
      [
        launcher,
        "exchange",
        "--port",
        "0",
        "--seed",
        "7",
        "--speed",
        "1",
        "--json",
        "--faults",
        "faults.yaml"
      ],
      { cwd: folder, stdio: ["ignore", "pipe", "pipe"], env: { ...env, HAGGLE_LOG_LEVEL: "error" } }
    )
    let market: Market | undefined
    eachLine(child.stdout, (text) => {
      if (market !== undefined) return
      const { accounts, url } = JSON.parse(text) as {
        url: string
        accounts: ReadonlyArray<Market["account"]>
      }
      const [account = { accountId: "" }] = accounts
      market = { child, url, account, faults: 0 }
      resume(Effect.succeed(market))
    })
    eachLine(child.stderr, () => {
      if (market !== undefined) market.faults++
    })
  })

const ended = (child: ChildProcess): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) resume(Effect.void)
    else child.once("exit", () => resume(Effect.void))
  })

/** A market that said "too fast" is left alone for minutes, and a daemon that starts anew each few seconds waits for its turn each time. */
const decidesWithinMillis = 150_000

/** What a process takes until it has read its account, rests of the market included, about. */
const startMillis = 9_000

/** One life: until a random moment, or until just after it has decided on something. */
const life = Effect.fn("Kill9.life")(function* (folder: string, chance: Dice, longestMillis: number) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(execPath, [launcher, "run", "--live", "--no-dashboard"], {
        cwd: folder,
        stdio: ["ignore", "pipe", "pipe"]
      })
    ),
    (process) =>
      Effect.andThen(
        Effect.sync(() => process.kill("SIGKILL")),
        ended(process)
      )
  )
  let decided = false
  const onDecision = chance.hits(0.5)
  const [after, delay] = [chance.between(0, 150), chance.between(0, longestMillis)]
  const decision = Effect.callback<void>((resume) => {
    const see = (text: string) => {
      if (!text.includes("→")) return
      decided = true
      if (onDecision) resume(Effect.void)
    }
    eachLine(child.stdout, see)
    eachLine(child.stderr, see)
  })
  yield* Effect.raceFirst(
    Effect.sleep(onDecision ? decidesWithinMillis : delay),
    Effect.andThen(decision, Effect.sleep(after))
  )
  return decided
}, Effect.scoped)

const haggle = (folder: string, ...args: ReadonlyArray<string>): string => {
  const { stderr, stdout } = spawnSync(execPath, [launcher, ...args], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 26
  })
  if (stdout === "") throw new Error(`haggle ${args.join(" ")}: ${stderr.slice(-2_000)}`)
  return stdout
}

interface Summary {
  readonly intents: { readonly recorded: number; readonly unknown: number; readonly unsettled: number }
  readonly buyOrders: { readonly unitsBought: number }
  readonly listings: { readonly sold: number }
  readonly wallet: { readonly ledger: number; readonly market: number }
  readonly inventory: { readonly lots: number; readonly market: number }
}

interface OwnLists {
  readonly buy_orders: ReadonlyArray<{ readonly buy_orderid: string }>
}

interface Orders {
  readonly orders: ReadonlyArray<{ readonly order?: string }>
}

/** The last run, and what both sides say then. */
const compared = (folder: string, { url }: Market, seconds: number) => {
  const summary = JSON.parse(haggle(folder, "run", "--live", "--for", `${seconds}s`, "--json")) as Summary
  const market = JSON.parse(
    haggle(folder, "call", "mylistings", "--url", url, "--session", "secrets.json", "--json")
  ) as OwnLists
  const theirs = market.buy_orders.map(({ buy_orderid }) => buy_orderid).toSorted()
  const { orders } = JSON.parse(haggle(folder, "orders", "--json")) as Orders
  const ours = orders.flatMap(({ order }) => order ?? []).toSorted()
  const pairs: ReadonlyArray<readonly [string, unknown, unknown]> = [
    ["ledger and wallet", summary.wallet.ledger, summary.wallet.market],
    ["lots and inventory", summary.inventory.lots, summary.inventory.market],
    ["outcomes still open", summary.intents.unsettled, 0],
    ["open orders", ours.join(" "), theirs.join(" ")]
  ]
  const differences = pairs.flatMap(([what, one, other]) =>
    one === other ? [] : [`${what}: ${String(one)} by haggle, ${String(other)} on the market`]
  )
  return { summary, differences }
}

export const kill9 = Effect.fn("Kill9.kill9")(function* (options: Kill9Options) {
  const { kills, longestMillis, seed, settleSeconds } = options
  const folder = mkdtempSync(join(tmpdir(), "haggle-kill9-"))
  const chance = dice(seed, "kill9")
  const stumblesSeconds = Math.ceil((kills * (longestMillis + startMillis)) / 1_000) + 20
  mkdirSync(join(folder, "strategies"))
  writeFileSync(join(folder, "strategies", "churn.yaml"), churn)
  writeFileSync(join(folder, "faults.yaml"), faults(seed, stumblesSeconds))
  let isEqual = false
  const market = yield* Effect.acquireRelease(opened(folder), ({ child }) =>
    Effect.andThen(
      Effect.sync(() => child.kill("SIGTERM")),
      Effect.andThen(
        ended(child),
        // what differs is looked into by what is left
        Effect.sync(() => (isEqual ? rmSync(folder, { recursive: true, force: true }) : undefined))
      )
    )
  )
  const openedAt = yield* Clock.currentTimeMillis
  mkdirSync(join(folder, "config"))
  writeFileSync(join(folder, "config", "haggle.yaml"), config(market.url))
  writeFileSync(join(folder, "secrets.json"), JSON.stringify(market.account))
  chmodSync(join(folder, "secrets.json"), 0o600)
  let afterIntents = 0
  for (let count = 1; count <= kills; count++) {
    if (yield* life(folder, chance, longestMillis)) afterIntents++
    options.onKill?.(count)
  }
  const left = openedAt + stumblesSeconds * 1_000 - (yield* Clock.currentTimeMillis)
  yield* Effect.sleep(Math.max(0, left))
  writeFileSync(join(folder, "strategies", "churn.yaml"), strategyOfTheEnd)
  const { differences, summary } = compared(folder, market, settleSeconds)
  isEqual = differences.length === 0
  const killed: Killed = {
    kills,
    ...(isEqual ? {} : { folder }),
    afterIntents,
    faults: market.faults,
    intents: summary.intents.recorded,
    unknown: summary.intents.unknown,
    unitsBought: summary.buyOrders.unitsBought,
    sold: summary.listings.sold,
    differences
  }
  return killed
}, Effect.scoped)
