/** The strategies of a simulated world: they outlive the daemon as files do, and are edited by plan while it runs. */
import { Effect, Layer, PubSub, Result, Stream } from "effect"
import { parse } from "yaml"

import type { CurrencyId } from "../../src/domain/Currency.ts"
import { compileStrategy } from "../../src/rules/Compile.ts"
import { renderErrors } from "../../src/rules/Source.ts"
import { type CompiledStrategy, Strategies, type StrategyChange } from "../../src/rules/Strategies.ts"
import type { Edit, WorldPlan } from "./Plan.ts"
import type { Referee } from "./Referee.ts"

const changesKept = 256

export interface Shelf {
  readonly layer: Layer.Layer<Strategies>
  /** Writes or removes one file now. */
  readonly edit: (edit: Omit<Edit, "atSeconds">) => Effect.Effect<void>
  /** Every edit of the plan at its time. */
  readonly edits: Effect.Effect<void>
  readonly counts: { written: number; broken: number }
}

export const makeShelf = Effect.fnUntraced(function* (
  { currency, edits, strategies }: Pick<WorldPlan, "currency" | "edits" | "strategies">,
  referee: Referee
) {
  const compiled = new Map<string, CompiledStrategy>()
  const hub = yield* PubSub.sliding<StrategyChange>(changesKept)
  const counts = { written: 0, broken: 0 }

  const put = (name: string, text: string): StrategyChange => {
    const previous = compiled.get(name)?.revision
    const read = compile(name, text, currency)
    if (typeof read === "string")
      return { _tag: "Rejected", file: fileOf(name), message: read, kept: previous }
    compiled.set(name, read)
    const { limits, revision } = read
    referee.see({ _tag: "Written", name, revision, limits, lossRules: lossRulesOf(text) })
    return { _tag: "Loaded", strategy: read, previous }
  }
  const edit = Effect.fnUntraced(function* ({ name, text }: Omit<Edit, "atSeconds">) {
    counts.written++
    const change: StrategyChange =
      text === undefined ? { _tag: "Removed", name, file: fileOf(name) } : put(name, text)
    if (change._tag === "Rejected") counts.broken++
    if (change._tag === "Removed" && !compiled.delete(name)) return
    yield* PubSub.publish(hub, change)
  })

  for (const { name, text } of strategies) {
    const change = put(name, text)
    if (change._tag === "Rejected") throw new Error(change.message)
  }
  const shelf: Shelf = {
    layer: Layer.succeed(
      Strategies,
      Strategies.of({
        current: Effect.sync(() => ({ strategies: [...compiled.values()] })),
        changes: Stream.fromPubSub(hub),
        failed: Effect.never
      })
    ),
    edit,
    edits: atTheirTimes(edits, edit),
    counts
  }
  return shelf
})

/** Does each in turn, at its second from now. */
export const atTheirTimes = <A extends { readonly atSeconds: number }>(
  all: ReadonlyArray<A>,
  one: (item: A) => Effect.Effect<unknown>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    let second = 0
    for (const item of all.toSorted((a, b) => a.atSeconds - b.atSeconds)) {
      yield* Effect.sleep((item.atSeconds - second) * 1_000)
      second = item.atSeconds
      yield* one(item)
    }
  })

/** Read with nothing but the YAML parser: the checkers share no code with the rules. */
const lossRulesOf = (text: string): ReadonlySet<string> => {
  const { rules = [] } = parse(text) as { rules?: ReadonlyArray<{ id: string; allowLoss?: boolean }> }
  return new Set(rules.flatMap(({ allowLoss, id }) => (allowLoss === true ? [id] : [])))
}

const fileOf = (name: string): string => `${name}.yaml`

const compile = (name: string, text: string, currency: CurrencyId): CompiledStrategy | string => {
  const result = compileStrategy(fileOf(name), text, { currency })
  return Result.isFailure(result) ? renderErrors(result.failure) : result.success
}
