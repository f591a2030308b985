/**
 * `haggle check`: reads configuration and strategies strictly, runs the strategies' tests, and tells what each would poll.
 * Invariant: every error of every file is told at once, and the good strategies nevertheless.
 */
import { Console, Effect, FileSystem } from "effect"

import { itemKey } from "../domain/Item.ts"
import type { Operation } from "../domain/Operation.ts"
import { defaultOptions, makeDesk } from "../engine/Desk.ts"
import { demand } from "../engine/Poll.ts"
import { marketFacts, operationOf } from "../engine/Polled.ts"
import { inForce } from "../engine/Universe.ts"
import type { Quotas } from "../market/Quotas.ts"
import { errorsAsData, renderErrors } from "../rules/Source.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import { checkFiles } from "../rules/StrategiesYaml.ts"
import { namedItems } from "../rules/Universe.ts"
import type { ResolvedConfig } from "./Config.ts"
import { badConfig, cliError, notFound, Reported } from "./Exit.ts"
import { quotas } from "./Options.ts"
import { table } from "./Table.ts"

export interface CheckFlags {
  readonly json: boolean
  readonly files: ReadonlyArray<string>
}

const hourMillis = 3_600_000

/** What is asked of an operation. */
interface Cost {
  readonly operation: Operation
  readonly items: number
  readonly perHour: number
}

const costs = (strategies: ReadonlyArray<CompiledStrategy>): ReadonlyArray<Cost> => {
  const desk = makeDesk(defaultOptions)
  inForce(desk.universes, strategies)
  return marketFacts.flatMap((fact) => {
    const intervals = [...demand(desk, fact).values()]
    const perHour = intervals.reduce((sum, millis) => sum + hourMillis / millis, 0)
    return perHour === 0
      ? []
      : [{ operation: operationOf[fact], items: intervals.length, perHour: Math.ceil(perHour) }]
  })
}

/** Requests per hour that the tightest budget of an operation allows. */
const allowedPerHour = (all: Quotas, operation: Operation): number =>
  Math.floor(
    all
      .filter(({ operations }) => operations.includes(operation))
      .flatMap(({ budgets }) => budgets)
      .reduce(
        (least, { requests, windowMillis }) => Math.min(least, (requests * hourMillis) / windowMillis),
        Infinity
      )
  )

const sharePercent = (perHour: number, allowed: number): number => Math.ceil((100 * perHour) / allowed)

interface Report {
  readonly strategies: ReadonlyArray<CompiledStrategy>
  readonly requests: ReadonlyArray<Cost & { readonly allowedPerHour: number }>
}

const reportOf = (strategies: ReadonlyArray<CompiledStrategy>, all: Quotas): Report => ({
  strategies,
  requests: costs(strategies.filter(({ mode }) => mode !== "off")).map(({ items, operation, perHour }) => ({
    operation,
    items,
    perHour,
    allowedPerHour: allowedPerHour(all, operation)
  }))
})

const asData = ({ requests, strategies }: Report) => ({
  strategies: strategies.map((one) => ({
    name: one.name,
    file: one.file,
    revision: one.revision,
    mode: one.mode,
    items: namedItems(one.universe).map(itemKey),
    requests: costs([one])
  })),
  requests
})

const costText = (of: ReadonlyArray<Cost>): string =>
  of.map(({ operation, perHour }) => `${operation} ${perHour}/h`).join(", ")

const asText = ({ requests, strategies }: Report): string =>
  [
    table<CompiledStrategy>(
      [
        { title: "STRATEGY", cell: (row) => `${row.name}@${row.revision}` },
        { title: "MODE", cell: (row) => row.mode },
        { title: "ITEMS", align: "right", cell: (row) => String(namedItems(row.universe).length) },
        { title: "POLLS", cell: (row) => costText(costs([row])) },
        { title: "FILE", cell: (row) => row.file }
      ],
      strategies,
      "no strategies"
    ),
    ...(requests.length === 0
      ? []
      : [
          table<Report["requests"][number]>(
            [
              { title: "OPERATION", cell: (row) => row.operation },
              { title: "REQUESTS/H", align: "right", cell: (row) => String(row.perHour) },
              { title: "BUDGET/H", align: "right", cell: (row) => String(row.allowedPerHour) },
              {
                title: "USED",
                align: "right",
                cell: (row) => `${sharePercent(row.perHour, row.allowedPerHour)} %`
              },
              {
                title: "",
                cell: (row) => (row.perHour > row.allowedPerHour ? "over: items are polled less often" : "")
              }
            ],
            requests,
            ""
          )
        ])
  ].join("\n\n")

export const run = Effect.fn("cli.check")(function* (flags: CheckFlags, config: ResolvedConfig) {
  const { settings } = config
  const fs = yield* FileSystem.FileSystem
  const paths = flags.files.length === 0 ? [settings.strategies] : flags.files
  for (const path of paths)
    if (!(yield* fs.exists(path)))
      return yield* flags.files.length === 0
        ? cliError(
            badConfig,
            `there is no folder of strategies ${path}`,
            "create it, or name another with --strategies DIR"
          )
        : cliError(notFound, `${path} does not exist`, "check the path")
  const { errors, strategies } = yield* checkFiles(paths, { currency: settings.exchange.currency })
  const report = reportOf(strategies, quotas(settings))
  if (flags.json) yield* Console.log(JSON.stringify({ ...asData(report), errors: errorsAsData(errors) }))
  else {
    yield* Console.log(asText(report))
    if (errors.length > 0) yield* Console.error(renderErrors(errors))
  }
  if (errors.length > 0) return yield* new Reported({ exitCode: badConfig })
})
