/**
 * `haggle check`: reads configuration and strategies strictly, runs the strategies' tests, and tells what each would poll.
 * Invariant: every error of every file is told at once, and the good strategies nevertheless.
 */
import { Console, Effect, FileSystem } from "effect"

import type { Millis } from "../../domain/Ids.ts"
import { item, itemKey } from "../../domain/Item.ts"
import type { Operation } from "../../domain/Operation.ts"
import { emptyState, type State } from "../../domain/State.ts"
import { noRecord } from "../../domain/StrategyRecord.ts"
import { defaultOptions, type Desk, makeDesk } from "../../engine/Desk.ts"
import { demand } from "../../engine/Poll.ts"
import { marketFacts, operationOf } from "../../engine/Polled.ts"
import { pagesOf, searchesIn } from "../../engine/Resolve.ts"
import { inForce, relist } from "../../engine/Universe.ts"
import type { Quotas } from "../../market/Quotas.ts"
import { errorsAsData, renderErrors } from "../../rules/Source.ts"
import { didYouMean } from "../../rules/SourceError.ts"
import type { CompiledStrategy } from "../../rules/Strategies.ts"
import { checkFiles } from "../../rules/StrategiesYaml.ts"
import { namedItems, searchesOf } from "../../rules/Universe.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { quotas } from "../config/Options.ts"
import { badConfig, cliError, notFound, Reported } from "../Exit.ts"
import { table } from "../text/Table.ts"

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

/** A state in which every search found as many items as it may. */
const allFound = (strategies: ReadonlyArray<CompiledStrategy>): State => {
  const found = strategies
    .flatMap(({ universe }) => searchesOf(universe))
    .map(({ about, app, key, top }) => {
      const items = Array.from({ length: top }, (_, index) => item(app, `${key} ${index + 1}`))
      return [key, { at: 0 as Millis, about, items, problems: [] }] as const
    })
  return { ...emptyState, strategies: { ...noRecord, found: Object.fromEntries(found) } }
}

/** A desk on which every item that a universe may have is traded: what is asked for at most. */
const fullDesk = (strategies: ReadonlyArray<CompiledStrategy>): Desk => {
  const desk = makeDesk(defaultOptions)
  const state = allFound(strategies)
  inForce(desk.universes, strategies, state)
  for (const [name, keys] of desk.universes.listed)
    desk.universes.judged.set(name, new Map([...keys].map((key) => [key, { holds: true, at: 0 as Millis }])))
  relist(desk.universes, state)
  return desk
}

const searchCost = (desk: Desk): ReadonlyArray<Cost> => {
  const searches = [...searchesIn(desk).values()]
  const perHour = searches.reduce((sum, one) => sum + (pagesOf(one) * hourMillis) / one.refreshMillis, 0)
  const items = searches.reduce((sum, { top }) => sum + top, 0)
  return searches.length === 0 ? [] : [{ operation: "search", items, perHour: Math.ceil(perHour) }]
}

const costs = (strategies: ReadonlyArray<CompiledStrategy>): ReadonlyArray<Cost> => {
  const desk = fullDesk(strategies)
  const reads = marketFacts.flatMap((fact) => {
    const intervals = [...demand(desk, fact).values()]
    const perHour = intervals.reduce((sum, millis) => sum + hourMillis / millis, 0)
    return perHour === 0
      ? []
      : [{ operation: operationOf[fact], items: intervals.length, perHour: Math.ceil(perHour) }]
  })
  return [...reads, ...searchCost(desk)]
}

/** Items that a search adds are not known before it is asked: at most so many. */
const searchedItems = ({ universe }: CompiledStrategy): number =>
  searchesOf(universe).reduce((sum, { top }) => sum + top, 0)

const itemsText = (of: CompiledStrategy): string => {
  const named = namedItems(of.universe).length
  const searched = searchedItems(of)
  const held = of.universe.entries.some(({ _tag }) => _tag === "Inventory") ? "what is held" : ""
  const most = named + searched === 0 && held !== "" ? "" : `${searched > 0 ? "≤ " : ""}${named + searched}`
  return [most, held].filter((part) => part !== "").join(" + ")
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
    searches: searchesOf(one.universe).map((search) => ({
      about: search.about,
      top: search.top,
      refreshSeconds: search.refreshMillis / 1000
    })),
    where: one.universe.where?.text,
    requests: costs([one])
  })),
  requests
})

/** Shadows of a strategy that is not there are compared with doing nothing: mostly a slip of the pen. */
const strays = (strategies: ReadonlyArray<CompiledStrategy>): ReadonlyArray<string> => {
  const names = strategies.flatMap(({ mode, name }) => (mode === "shadow" ? [] : [name]))
  return strategies.flatMap(({ file, mode, shadowOf = "" }) =>
    mode !== "shadow" || names.includes(shadowOf)
      ? []
      : [
          `haggle: ${file}: \`shadowOf\` names no strategy here, so it is compared with doing nothing: ${shadowOf}\n  = ${didYouMean(shadowOf, names, "there are") ?? "check it together with the strategy that it stands beside"}`
        ]
  )
}

const costText = (of: ReadonlyArray<Cost>): string =>
  of.map(({ operation, perHour }) => `${operation} ${perHour}/h`).join(", ")

const asText = ({ requests, strategies }: Report): string =>
  [
    table<CompiledStrategy>(
      [
        { title: "STRATEGY", cell: (row) => `${row.name}@${row.revision}` },
        { title: "MODE", cell: (row) => row.mode },
        { title: "ITEMS", align: "right", cell: itemsText },
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
  const checked = yield* checkFiles(paths, { currency: settings.exchange.currency })
  const { strategies } = checked
  const errors = [...config.errors, ...checked.errors]
  const report = reportOf(strategies, quotas(settings))
  if (flags.json) yield* Console.log(JSON.stringify({ ...asData(report), errors: errorsAsData(errors) }))
  else {
    yield* Console.log(asText(report))
    for (const stray of strays(strategies)) yield* Console.error(stray)
    if (errors.length > 0) yield* Console.error(renderErrors(errors))
  }
  if (errors.length > 0) return yield* new Reported({ exitCode: badConfig })
})
