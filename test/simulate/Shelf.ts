/** The strategies of a simulated world: they outlive the daemon as files do, and change their numbers by chance while it runs. */
import { Effect, Layer, PubSub, Result, Stream } from "effect"

import { compileStrategy } from "../../src/rules/Compile.ts"
import { renderErrors } from "../../src/rules/Source.ts"
import { type CompiledStrategy, Strategies, type StrategyChange } from "../../src/rules/Strategies.ts"
import type { Dice } from "./Dice.ts"
import type { Referee } from "./Referee.ts"
import { otherNumbers, someTexts, type StrategyText } from "./Texts.ts"

/** Minutes of market time between two edits, and seconds that a removed file stays away. */
const editEvery = [5, 40] as const
const awaySeconds = [30, 600] as const
const changesKept = 256

export interface Shelf {
  readonly layer: Layer.Layer<Strategies>
  /** Edits files for ever. */
  readonly edits: Effect.Effect<never>
  readonly changes: () => number
}

export const makeShelf = Effect.fnUntraced(function* (chance: Dice, referee: Referee) {
  const texts = new Map<string, StrategyText>()
  const compiled = new Map<string, CompiledStrategy>()
  const hub = yield* PubSub.sliding<StrategyChange>(changesKept)
  let changes = 0

  const put = (text: StrategyText): CompiledStrategy => {
    const strategy = compile(text)
    texts.set(text.name, text)
    compiled.set(text.name, strategy)
    referee.maySpend(text.name, strategy.limits.spendPerDay)
    return strategy
  }
  const publish = (text: StrategyText) => {
    changes++
    const previous = compiled.get(text.name)?.revision
    return PubSub.publish(hub, { _tag: "Loaded", strategy: put(text), previous })
  }
  const edit = Effect.gen(function* () {
    yield* Effect.sleep(chance.between(...editEvery) * 60_000)
    const [text] = chance.some([...texts.values()], 1)
    if (text === undefined) return
    if (!chance.hits(0.2)) {
      yield* publish(otherNumbers(chance, text))
      return
    }
    changes++
    compiled.delete(text.name)
    yield* PubSub.publish(hub, { _tag: "Removed", name: text.name, file: fileOf(text) })
    yield* Effect.sleep(chance.between(...awaySeconds) * 1_000)
    yield* publish(text)
  })

  for (const text of someTexts(chance)) put(text)
  const shelf: Shelf = {
    layer: Layer.succeed(
      Strategies,
      Strategies.of({
        current: Effect.sync(() => ({ strategies: [...compiled.values()] })),
        changes: Stream.fromPubSub(hub)
      })
    ),
    edits: Effect.forever(edit),
    changes: () => changes
  }
  return shelf
})

const fileOf = ({ name }: StrategyText): string => `${name}.yaml`

const compile = (text: StrategyText): CompiledStrategy => {
  const result = compileStrategy(fileOf(text), text.text, { currency: 1 })
  if (Result.isFailure(result)) throw new Error(renderErrors(result.failure))
  return result.success
}
