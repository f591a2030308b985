/** Both evaluators on one random file: lets and an expression, over random facts. */
import { Result } from "effect"

import { letRun, type LetRun, memoised } from "../../src/rules/Closures.ts"
import { type Checked, check } from "../../src/rules/Expression.ts"
import { interpret, interpretation } from "../../src/rules/Interpret.ts"
import type { NamedLet, Names } from "../../src/rules/Names.ts"
import { scopeOf } from "../../src/rules/Scope.ts"
import { defaultFreshness } from "../../src/rules/Strategy.ts"
import { rngOf } from "../fuzz/Random.ts"
import { paramValues, randomExpression, randomFacts, randomParams, randomType } from "./RandomExpressions.ts"
import { isSame, rawOf } from "./support.ts"

const factsPerExpression = 4
const deepest = 4

export interface Agreement {
  readonly cases: number
  readonly unknown: number
  /** The expression and both values, where they differ. */
  readonly differences: ReadonlyArray<string>
}

const params = new Map(randomParams.map(([name, type], index) => [name, { type, index }]))

interface File {
  readonly lets: ReadonlyArray<Checked>
  readonly main: Checked
}

/** Expressions that are too large are drawn again; any other complaint is a mistake of the generator or the checker. */
const draw = (rng: ReturnType<typeof rngOf>, names: Names): Checked => {
  for (;;) {
    const lets = [...names.lets].map(([name, { type }]) => ({ name, type }))
    const text = randomExpression(rng, randomType(rng), 1 + rng.below(deepest), lets)
    const checked = check(text, names)
    if (Result.isSuccess(checked)) return checked.success
    const other = checked.failure.find(({ code }) => code !== "limit")
    if (other !== undefined) throw new Error(`${text}: ${other.message}`)
  }
}

export const randomFile = (rng: ReturnType<typeof rngOf>): File => {
  const named = new Map<string, NamedLet>()
  const names: Names = { params, lets: named, later: new Set(), listings: true }
  const lets = Array.from({ length: rng.below(4) }, (_, index) => {
    const checked = draw(rng, names)
    named.set(`let${index}`, { ...checked, index })
    return checked
  })
  return { lets, main: draw(rng, names) }
}

/** Holds the interpreter against the closures until that many cases are through. */
export const agreement = (seed: number, cases: number): Agreement => {
  const rng = rngOf(seed)
  const differences: Array<string> = []
  let [done, unknown] = [0, 0]
  while (done < cases) {
    const { lets, main } = randomFile(rng)
    const runs: Array<LetRun> = []
    for (const [index, one] of lets.entries()) runs.push(memoised(index, letRun(one.expr, runs)))
    const run = letRun(main.expr, runs)
    for (let index = 0; index < factsPerExpression; index++) {
      const facts = randomFacts(rng)
      const scope = scopeOf(facts, defaultFreshness, paramValues(rng), lets.length)
      scope.listing = scope.offers?.[0]
      const looking = interpretation(
        scope,
        lets.map(({ expr }) => expr)
      )
      const value = interpret(main.expr, looking, [])
      const raw = run(scope)
      done++
      if (typeof value === "object") unknown++
      if (!isSame(raw, rawOf(main, value)))
        differences.push(`${main.text}: interpreted ${JSON.stringify(value)}, run ${String(raw)}`)
    }
  }
  return { cases: done, unknown, differences }
}
