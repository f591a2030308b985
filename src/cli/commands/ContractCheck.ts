/** `haggle contract check`: decodes recorded bodies against the contract and says per file what it is or where it differs. */
import { Console, Effect, FileSystem } from "effect"

import type { Operation } from "../../domain/Operation.ts"
import { checkBody, type CheckResult } from "../../market/contract/Check.ts"
import { type OperationInfo, operationInfo, registry } from "../../market/contract/Operations.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { cliError, type ExitCode, failed, notFound, Reported } from "../Exit.ts"

export interface ContractCheckFlags {
  readonly json: boolean
  readonly operation: Operation
  readonly files: ReadonlyArray<string>
}

type Finding = CheckResult | { readonly _tag: "Missing"; readonly why: string }

interface Checked {
  readonly file: string
  readonly finding: Finding
}

/** The operation's entry, or a failure that says what is covered. */
export const covered = (operation: Operation): Effect.Effect<OperationInfo, ReturnType<typeof cliError>> => {
  const info = operationInfo(operation)
  return info === undefined
    ? cliError(
        notFound,
        `the operation ${operation} is not covered by this version`,
        `covered: ${registry.map((one) => one.operation).join(", ")}`
      )
    : Effect.succeed(info)
}

const check = Effect.fnUntraced(function* (file: string, operation: OperationInfo, platformName: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(file).pipe(
    Effect.map((text): Checked => ({ file, finding: checkBody({ operation, platformName, text }) })),
    Effect.catchTag("PlatformError", (error) =>
      Effect.succeed<Checked>({ file, finding: { _tag: "Missing", why: error.reason._tag } })
    )
  )
})

const asData = ({ file, finding }: Checked) =>
  finding._tag === "Ok"
    ? { file, ok: true, shape: finding.shape }
    : finding._tag === "Differs"
      ? { file, ok: false, differences: finding.differences }
      : { file, ok: false, missing: finding.why }

const asText = ({ file, finding }: Checked): string => {
  if (finding._tag === "Ok") return `ok       ${file}  ${finding.shape}`
  if (finding._tag === "Missing") return `missing  ${file}  ${finding.why}`
  const lines = finding.differences.map(
    ({ message, path }) => `           ${path === "" ? "(the body)" : path}: ${message.replaceAll("\n", " ")}`
  )
  return [`differs  ${file}`, ...lines].join("\n")
}

const exitCodeOf = (all: ReadonlyArray<Checked>): ExitCode | undefined => {
  if (all.some(({ finding }) => finding._tag === "Missing")) return notFound
  return all.some(({ finding }) => finding._tag === "Differs") ? failed : undefined
}

export const run = Effect.fn("cli.contractCheck")(function* (
  flags: ContractCheckFlags,
  config: ResolvedConfig
) {
  const operation = yield* covered(flags.operation)
  const { platformName } = config.settings.market
  // one after the other: a folder of recordings may be larger than memory
  const all = yield* Effect.forEach(flags.files, (file) =>
    check(file, operation, platformName).pipe(
      Effect.tap((checked) => Console.log(flags.json ? JSON.stringify(asData(checked)) : asText(checked)))
    )
  )
  const exitCode = exitCodeOf(all)
  if (exitCode !== undefined) return yield* new Reported({ exitCode })
})
