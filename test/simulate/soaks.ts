/**
 * `npm run soak -- --days 30 --items 2000 [--json]`: lets the daemon run for many market days and says what it weighs; ends with 1 when it
 * grows, is refused, or stands still.
 */
// The schemas are compiled in the daemon, too.
// oxlint-disable-next-line import/no-unassigned-import
import "effect/schema/SchemaJITCompiler/enable"
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Effect } from "effect"
import { Command, Flag } from "effect/cli"

import { smallHeap } from "../../src/cli/SmallHeap.ts"
import { type Day, soak } from "./Soak.ts"

// As the daemon's.
smallHeap()

/** The most that the daemon may weigh, and how much more at the end than after the first day. */
const mostMegabytes = 200
const mostGrowth = 1.1

/** Told already; only the exit code is left to set. */
class Failed extends Data.TaggedError("Failed") {}

const wrongWith = (days: ReadonlyArray<Day>): ReadonlyArray<string> => {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return ["no day was over"]
  const idle = days.flatMap((one, index) => {
    const before = days[index - 1]
    if (before === undefined) return []
    return (["polls", "steps", "passes"] as const).flatMap((name) =>
      one[name] > before[name] ? [] : [`no ${name} on day ${one.day}`]
    )
  })
  return [
    ...(last.rssMegabytes > mostMegabytes ? [`${last.rssMegabytes} MB at the end`] : []),
    ...(last.rssMegabytes > first.rssMegabytes * mostGrowth
      ? [`${first.rssMegabytes} MB after a day, ${last.rssMegabytes} MB at the end`]
      : []),
    ...(last.rateLimited > 0 ? [`${last.rateLimited} requests were refused`] : []),
    ...idle
  ]
}

const lineOf = (one: Day): string =>
  [
    `day ${one.day}: ${one.rssMegabytes} MB (heap ${one.heapMegabytes}), files ${one.fileMegabytes} MB,`,
    `${one.requests} requests, ${one.rateLimited} refused, ${one.steps} steps, ${one.passes} looks, ${one.events} events`
  ].join(" ")

const command = Command.make(
  "soak",
  {
    days: Flag.Int("days").pipe(Flag.withDefault(30), Flag.withDescription("Market days")),
    items: Flag.Int("items").pipe(Flag.withDefault(2_000), Flag.withDescription("Items that are watched")),
    json: Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print one object"))
  },
  Effect.fnUntraced(function* ({ days, items, json }) {
    const found = yield* soak({ days, items, onDay: (one) => Console.error(lineOf(one)) })
    const wrong = wrongWith(found)
    yield* Console.log(json ? JSON.stringify({ days: found, wrong }) : wrong.join("\n") || "nothing grew")
    if (wrong.length > 0) return yield* new Failed()
  }, Effect.scoped)
).pipe(Command.withDescription("Let the daemon run for many market days"))

Command.run(command, { version: "1" }).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
