/** Cases by number: the same seed and number are the same case. */
import { Effect } from "effect"

import { type Operation, operations } from "../../src/domain/Operation.ts"
import { mutated } from "./Mutate.ts"
import { rngOf } from "./Random.ts"
import { generated } from "./Samples.ts"
import { type Case, type Finding, makeTarget } from "./Target.ts"

export interface Found extends Finding {
  /** Number of the case; `--seed` and this repeat it. */
  readonly case: number
  readonly operation: Operation
  readonly status: number
  /** The beginning of the body. */
  readonly body: string
}

export interface Fuzz {
  readonly caseOf: (index: number) => Case
  readonly run: (index: number) => Promise<ReadonlyArray<Found>>
}

const statuses = [200, 200, 200, 200, 200, 200, 302, 304, 400, 401, 403, 404, 406, 429, 500, 502, 503]
const locations = [
  "/market/",
  "/login/home/?goto=market",
  "http://market.test/market/",
  "platformmobile://lostauth",
  "/market/eligibilitycheck/",
  "",
  "\u0001",
  "//x"
]

export const makeFuzz = async (seed: number): Promise<Fuzz> => {
  const samples = await Effect.runPromise(generated)
  const target = await makeTarget()
  const caseOf = (index: number): Case => {
    const rng = rngOf(seed * 1_000_003 + index)
    const operation = operations[index % operations.length] ?? "home"
    const texts = samples.get(rng.chance(0.9) ? operation : rng.pick(operations)) ?? []
    const text = mutated(texts.length === 0 ? "" : rng.pick(texts), rng)
    const status = rng.chance(0.75) ? 200 : rng.pick(statuses)
    const isRedirect = (status >= 300 && status < 400) || rng.chance(0.02)
    const location = isRedirect ? rng.pick(locations) : undefined
    return {
      operation,
      status,
      location: location === "\u0001" ? undefined : location,
      text,
      platformName: rng.chance(0.8) ? "platform" : "acme"
    }
  }
  const run = async (index: number): Promise<ReadonlyArray<Found>> => {
    const one = caseOf(index)
    const findings = await target.run(one, index)
    return findings.map((finding) =>
      Object.assign(
        { case: index, operation: one.operation, status: one.status, body: one.text.slice(0, 300) },
        finding
      )
    )
  }
  return { caseOf, run }
}
