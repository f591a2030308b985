/**
 * `npm run fills -- [--seeds 4] [--seed 101] [--rounds 12] [--minutes 60] [--pessimism 0.1]`: how many units single orders fill on the embedded
 * market and on paper, by how far they are from the best price of others. The figures of `src/paper/Trades.ts` and `Demand.ts` come from here.
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"

import { defaults } from "../../src/cli/config/Settings.ts"
import { type Filled, offsets, singles } from "./Single.ts"

const minuteMillis = 60_000

const line = (name: string, of: ReadonlyArray<Filled>): string => {
  const sum = (what: "orders" | "real" | "paper") => of.reduce((total, one) => total + one[what], 0)
  const [orders, real, paper] = [sum("orders"), sum("real"), sum("paper")]
  const mean = (units: number) => (units / Math.max(1, orders)).toFixed(3).padStart(9)
  const ratio = real === 0 ? "" : `${((100 * paper) / real).toFixed(1)} %`
  return `${name.padEnd(12)}${String(orders).padStart(7)}${mean(real)}${mean(paper)}${ratio.padStart(10)}`
}

const command = Command.make(
  "fills",
  {
    seeds: Flag.Int("seeds").pipe(Flag.withDefault(4), Flag.withDescription("How many markets")),
    seed: Flag.Int("seed").pipe(Flag.withDefault(101), Flag.withDescription("The first of them")),
    rounds: Flag.Int("rounds").pipe(
      Flag.withDefault(12),
      Flag.withDescription("Orders of each kind and item")
    ),
    minutes: Flag.Int("minutes").pipe(
      Flag.withDefault(60),
      Flag.withDescription("How long an order stands; a multiple of a half")
    ),
    pessimism: Flag.Finite("pessimism").pipe(
      Flag.withDefault(defaults.paper.pessimism),
      Flag.withDescription("Of the fills on paper")
    )
  },
  Effect.fnUntraced(function* ({ minutes, pessimism, rounds, seed, seeds }) {
    const all = Array.from({ length: seeds }, (_, index) =>
      singles({ seed: seed + index, rounds, holdMillis: minutes * minuteMillis, pessimism })
    ).flat()
    yield* Console.log("side, half   orders     real    paper     ratio\nspreads better")
    for (const side of ["bids", "asks"] as const) {
      const own = all.filter((one) => one.side === side)
      for (const offset of offsets)
        yield* Console.log(
          line(
            `${side} ${offset}`,
            own.filter((one) => one.offset === offset)
          )
        )
      yield* Console.log(line(`${side} all`, own))
    }
  })
).pipe(Command.withDescription("Fill single orders on the embedded market and on paper, and compare"))

Command.run(command, { version: "1" }).pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain)
