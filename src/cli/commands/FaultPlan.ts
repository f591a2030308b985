/**
 * The faults that `haggle exchange` plays: a plan from a file, read as strictly as every file a person writes, or one drawn from a seed.
 * Invariant: a seed given on the command line is the chance of a file's plan, too, and wins over the file's own.
 */
import { Effect, FileSystem, Option, Result } from "effect"

import { FaultKindsOf, FaultPlan, noFaults } from "../../exchange/FaultsPlan.ts"
import { randomPlan } from "../../exchange/FaultsRandom.ts"
import { decodeYaml, renderErrors } from "../../rules/Source.ts"
import { badConfig, cliError } from "../Exit.ts"

export interface FaultFlags {
  readonly faults: Option.Option<string>
  readonly faultsSeed: Option.Option<number>
  readonly faultsIntensity: Option.Option<number>
}

const read = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs
    .readFileString(file)
    .pipe(
      Effect.mapError(({ reason }) =>
        reason._tag === "NotFound"
          ? cliError(badConfig, `there is no fault plan ${file}`, "check the path after --faults")
          : cliError(
              badConfig,
              `the fault plan ${file} cannot be read (${reason._tag})`,
              "check its permissions"
            )
      )
    )
  const known = decodeYaml(file, text, FaultKindsOf)
  const decoded = Result.isSuccess(known) ? decodeYaml(file, text, FaultPlan) : known
  return Result.isSuccess(decoded)
    ? decoded.success.value
    : yield* cliError(badConfig, renderErrors(decoded.failure))
})

export const faultPlan = Effect.fn("cli.faultPlan")(function* ({
  faults,
  faultsIntensity,
  faultsSeed
}: FaultFlags) {
  if (Option.isSome(faults)) {
    const plan = yield* read(faults.value)
    return Option.isSome(faultsSeed) ? { ...plan, seed: faultsSeed.value } : plan
  }
  if (Option.isNone(faultsSeed)) return noFaults
  return randomPlan(
    faultsSeed.value,
    Option.match(faultsIntensity, { onNone: () => ({}), onSome: (intensity) => ({ intensity }) })
  )
})
