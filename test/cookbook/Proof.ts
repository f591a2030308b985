/** A day of the cookbook on an embedded market, through the command line as a trader runs it: what each strategy decided, and what is stuck. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { execPath } from "node:process"

const root = resolve(import.meta.dirname, "..", "..")
export const cookbook = join(root, "docs", "cookbook")

/** The rules that a strategy is named for, of which one must have decided something. */
export const essential: Readonly<Record<string, ReadonlyArray<string>>> = {
  "market-making": ["buy-side", "sell-side"],
  "dip-buying": ["wait"],
  "undercut-and-relist": ["undercut"],
  "sell-by-history": ["sell"],
  "snipe-float": ["low-float", "four-stickers"],
  collection: ["complete"],
  scheduled: ["night-order"],
  "stop-loss": ["stop"],
  accumulate: ["one-more"],
  liquidate: ["no-more", "cheapest-by-far", "at-any-price"]
}

interface Origin {
  readonly strategy: string
  readonly rule: string
}
interface Event {
  readonly _tag: string
  readonly intent?: { readonly _tag: string; readonly reason: { readonly origin: Origin } } | string
  readonly origin?: Origin
}

export interface Proof {
  readonly ok: boolean
  readonly rows: ReadonlyArray<{
    readonly strategy: string
    readonly ok: boolean
    /** How often, by rule and kind of intent. */
    readonly decisions: Readonly<Record<string, number>>
  }>
  readonly unsettled: number
  readonly stuck: ReadonlyArray<string>
  readonly journalHash: string
}

const haggle = (state: string, ...args: ReadonlyArray<string>): string => {
  const line = [join(root, "src", "haggle.mjs"), ...args, "--state", state, "--json"]
  const { status, stderr, stdout } = spawnSync(execPath, line, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28
  })
  if (status !== 0) throw new Error(`haggle ${args.join(" ")} ended with ${status}: ${stderr}`)
  return stdout
}

const decisionOf = ({ _tag, intent, origin }: Event): readonly [Origin, string] | undefined => {
  if (_tag === "IntentRecorded" && typeof intent === "object") return [intent.reason.origin, intent._tag]
  return _tag === "Notified" && origin !== undefined ? [origin, "Notify"] : undefined
}

const decisionsIn = (journal: string): ReadonlyMap<string, Record<string, number>> => {
  const decided = new Map<string, Record<string, number>>()
  for (const line of journal.trim().split("\n")) {
    const decision = decisionOf(JSON.parse(line) as Event)
    if (decision === undefined) continue
    const [{ rule, strategy }, what] = decision
    const counts = decided.get(strategy) ?? {}
    counts[`${rule} ${what}`] = (counts[`${rule} ${what}`] ?? 0) + 1
    decided.set(strategy, counts)
  }
  return decided
}

export const prove = (seed: number): Proof => {
  const state = mkdtempSync(join(tmpdir(), "haggle-cookbook-"))
  try {
    const run = ["run", "--for", "24h", "--speed", "100000", "--seed", String(seed), "--strategies", cookbook]
    const { intents, journalHash } = JSON.parse(
      haggle(state, ...run)
        .trim()
        .split("\n")
        .at(-1) ?? "{}"
    ) as {
      readonly intents: { readonly unsettled: number }
      readonly journalHash: string
    }
    const { stuck } = JSON.parse(haggle(state, "status")) as { readonly stuck: ReadonlyArray<string> }
    const decided = decisionsIn(haggle(state, "journal", "--limit", "1000000"))
    const rows = readdirSync(cookbook).map((file) => {
      const strategy = file.replace(".yaml", "")
      const decisions = decided.get(strategy) ?? {}
      const rules = Object.keys(decisions).map((what) => what.split(" ")[0] ?? "")
      return { strategy, ok: rules.some((rule) => essential[strategy]?.includes(rule)), decisions }
    })
    const isWhole = intents.unsettled === 0 && stuck.length === 0
    return {
      ok: isWhole && rows.every(({ ok }) => ok),
      rows,
      unsettled: intents.unsettled,
      stuck,
      journalHash
    }
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}
