/**
 * `npm run soak -- --days 30 --items 2000 [--json]`: lets the daemon run for many market days and says what it weighs; ends with 1 when it
 * grows, is refused, or stands still: one verdict for each line of what it must keep.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Data, Effect } from "effect"
import { Command, Flag } from "effect/cli"

import { type Day, soak } from "./Soak.ts"

/** The most that the daemon may weigh, and how much more at the end than after the first day. */
const mostMegabytes = 200
const mostGrowth = 1.1
/** How much the files may grow in the second half of the days, when the journal's old events are removed. */
const mostFileGrowth = 1.25

/** Told already; only the exit code is left to set. */
class Failed extends Data.TaggedError("Failed") {}

/** One line of the requirement. */
interface Verdict {
  readonly of: string
  readonly holds: boolean
  readonly seen: string
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const verdicts = (wanted: number, days: ReadonlyArray<Day>): ReadonlyArray<Verdict> => {
  const [first, last, middle] = [days[0], days.at(-1), days[Math.ceil(days.length / 2) - 1]]
  if (first === undefined || last === undefined || middle === undefined)
    return [{ of: "days", holds: false, seen: "no day was over" }]
  const growth = last.rssMegabytes / first.rssMegabytes
  const heaviest = Math.max(...days.map(({ rssMegabytes }) => rssMegabytes))
  const fileGrowth = last.fileMegabytes / middle.fileMegabytes
  const stood = days.flatMap((one, index) => {
    const before = days[index - 1] ?? { polls: 0, steps: 0, passes: 0 }
    const still = (["polls", "steps", "passes"] as const).filter((name) => one[name] <= before[name])
    return [...still, ...one.silent, ...(one.loops === 0 ? ["door"] : [])].map(
      (name) => `${name} on day ${one.day}`
    )
  })
  return [
    { of: "days", holds: days.length === wanted, seen: `${days.length} of ${wanted}` },
    {
      of: `RSS within ${percent(mostGrowth - 1)} of the first day's`,
      holds: growth <= mostGrowth,
      seen: `${first.rssMegabytes} MB after a day, ${last.rssMegabytes} MB at the end: ${growth < 1 ? "" : "+"}${percent(growth - 1)}`
    },
    {
      of: `RSS under ${mostMegabytes} MB`,
      holds: heaviest < mostMegabytes,
      seen: `${last.rssMegabytes} MB at the end, ${heaviest} MB after the heaviest day, ${last.peakMegabytes} MB for a moment`
    },
    {
      of: "files bounded",
      holds: fileGrowth <= mostFileGrowth,
      seen: `${middle.fileMegabytes} MB after ${middle.day} days, ${last.fileMegabytes} MB at the end`
    },
    {
      of: "no request over a budget",
      holds: last.tooFast === 0,
      seen: `${last.tooFast} of ${last.requests} requests were too fast`
    },
    {
      of: "every loop alive",
      holds: stood.length === 0,
      seen: stood.length === 0 ? `${last.loops} loops, each within its bound every day` : stood.join(", ")
    }
  ]
}

const lineOf = (one: Day): string =>
  [
    `day ${one.day}: ${one.rssMegabytes} MB (heap ${one.heapMegabytes}), files ${one.fileMegabytes} MB,`,
    `${one.requests} requests, ${one.tooFast} too fast, ${one.steps} steps, ${one.passes} looks, ${one.events} events, ${one.loops} loops`
  ].join(" ")

const command = Command.make(
  "soak",
  {
    days: Flag.Int("days").pipe(Flag.withDefault(30), Flag.withDescription("Market days")),
    items: Flag.Int("items").pipe(Flag.withDefault(2_000), Flag.withDescription("Items that are watched")),
    json: Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print one object"))
  },
  Effect.fnUntraced(function* ({ days, items, json }) {
    const found: Array<Day> = []
    const ended = yield* soak({
      days,
      items,
      onDay: (one) => {
        found.push(one)
        return Console.error(lineOf(one))
      }
    }).pipe(
      Effect.as(undefined),
      Effect.catchTag("Ended", ({ code }) => Effect.succeed(`the daemon ended with ${code}`))
    )
    const told = verdicts(days, found)
    const lines = told.map(({ holds, of, seen }) => `${holds ? "holds " : "BROKEN"}  ${of}: ${seen}`)
    yield* Console.log(
      json
        ? JSON.stringify({ days: found, verdicts: told, ended })
        : [...lines, ...(ended === undefined ? [] : [ended])].join("\n")
    )
    if (ended !== undefined || told.some(({ holds }) => !holds)) return yield* new Failed()
  })
).pipe(Command.withDescription("Let the daemon run for many market days"))

Command.run(command, { version: "1" }).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
