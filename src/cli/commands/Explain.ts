/**
 * `haggle explain STRATEGY ITEM`: what the strategy makes of the item now, asked of the running daemon; or of facts that are given, without
 * one. Invariant: it changes nothing.
 */
import { Console, Effect, FileSystem, Option, Result } from "effect"

import { connect } from "../../control/ControlClient.ts"
import type { Millis } from "../../domain/Ids.ts"
import { itemKey, itemOfKey, type ItemKey } from "../../domain/Item.ts"
import { factsSeen, keyMeant, NotThere, rulesSeen, strategyMeant } from "../../engine/Explain.ts"
import type { Explanation, Outcome } from "../../engine/Explanation.ts"
import { wishesOf } from "../../engine/Wishes.ts"
import { factsOfTest } from "../../rules/GivenFacts.ts"
import { checkGiven } from "../../rules/InlineTests.ts"
import { decodeYaml, renderErrors, type SourceError } from "../../rules/Source.ts"
import { didYouMean } from "../../rules/SourceError.ts"
import type { CompiledStrategy } from "../../rules/Strategies.ts"
import { checkFiles } from "../../rules/StrategiesYaml.ts"
import { GivenFacts, StrategyFile } from "../../rules/Strategy.ts"
import { namedItems } from "../../rules/Universe.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { badConfig, cliError, failed, notFound, notRunning } from "../Exit.ts"
import { explanationText } from "../text/ExplanationText.ts"
import { type DatabaseFlags, withDatabase } from "./Database.ts"

export interface ExplainFlags extends DatabaseFlags {
  readonly strategy: string
  readonly item: string
  readonly given: Option.Option<string>
  readonly test: Option.Option<string>
}

const missing = ({ message, remedy }: NotThere) => cliError(notFound, message, remedy)
const broken = (errors: ReadonlyArray<SourceError>) => cliError(badConfig, renderErrors(errors))

const ofDaemon = Effect.fnUntraced(function* (flags: ExplainFlags, file: string) {
  const daemon = yield* connect(file)
  if (daemon === undefined)
    return yield* cliError(
      notRunning,
      "not running: only a daemon has live facts",
      "start it with `haggle run`, or give the facts: --test NAME takes those of an inline test, --given FILE those of a YAML file"
    )
  return yield* daemon
    .explain({ query: { strategy: flags.strategy, item: flags.item } })
    .pipe(
      Effect.mapError((error) =>
        error instanceof NotThere
          ? missing(error)
          : cliError(failed, `the daemon (process ${daemon.found.pid}) did not answer`, "see `haggle status`")
      )
    )
})

type Given = typeof GivenFacts.Type

/** The facts of the strategy's inline test of that name. */
const givenOfTest = Effect.fnUntraced(function* ({ file, name }: CompiledStrategy, wanted: string) {
  const fs = yield* FileSystem.FileSystem
  const decoded = decodeYaml(file, yield* fs.readFileString(file), StrategyFile)
  if (Result.isFailure(decoded)) return yield* broken(decoded.failure)
  const tests = decoded.success.value.tests ?? []
  const part = wanted.toLowerCase()
  const [test, ...others] = tests.filter((one) => one.name.toLowerCase().includes(part))
  const exact = tests.find((one) => one.name === wanted) ?? (others.length === 0 ? test : undefined)
  if (exact !== undefined) return exact.given
  const names = tests.map((one) => one.name)
  return yield* cliError(
    notFound,
    `${name} has no test "${wanted}"`,
    didYouMean(wanted, names, "its tests") ?? `see \`tests\` in ${file}`
  )
})

const givenOfFile = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const decoded = decodeYaml(file, yield* fs.readFileString(file), GivenFacts)
  if (Result.isFailure(decoded)) return yield* broken(decoded.failure)
  const wrong = checkGiven(decoded.success, decoded.success.value, [])
  return wrong.length > 0 ? yield* broken(wrong) : decoded.success.value
})

/** The item that is meant: one that the file names, or any as `app/name`, which a search may find. */
const itemGiven = Effect.fnUntraced(function* (wanted: string, strategy: CompiledStrategy) {
  const named = namedItems(strategy.universe).map(itemKey)
  const meant = keyMeant(wanted, named)
  if ("key" in meant) return meant.key
  if (meant.among.length === 0 && /^\d+\/./u.test(wanted)) return wanted as ItemKey
  return yield* cliError(
    notFound,
    meant.among.length > 0
      ? `\`${wanted}\` may be several items of ${strategy.name}`
      : `\`${wanted}\` is no item that ${strategy.file} names`,
    meant.among.length > 0
      ? `say which: ${meant.among.join(", ")}`
      : (didYouMean(
          wanted,
          named.map((key) => itemOfKey(key).name),
          "its items"
        ) ?? "write it as application and name, such as `730/Glove Case`")
  )
})

const explained = (
  strategy: CompiledStrategy,
  item: ItemKey,
  given: Given,
  currency: Parameters<typeof factsOfTest>[2]
) => {
  const facts = factsOfTest(given, itemOfKey(item), currency)
  // as in an inline test, what must hold for a time has held for long enough
  const held = new Map(strategy.rules.map(({ id }) => [id, 0 as Millis]))
  const { decision } = strategy.evaluate(facts, held)
  const why = "with the facts that were given; no account was held against it"
  const explanation: Explanation = {
    strategy: strategy.name,
    revision: strategy.revision,
    file: strategy.file,
    mode: strategy.mode,
    item,
    at: facts.now,
    universe: "assumed to be in it",
    notes: [],
    facts: factsSeen(strategy, facts),
    rules: rulesSeen(strategy, decision),
    outcomes: wishesOf(decision).map((wish): Outcome =>
      Object.assign({}, wish, { is: "wished" as const, why })
    )
  }
  return explanation
}

const ofFacts = Effect.fnUntraced(function* (flags: ExplainFlags, { settings }: ResolvedConfig) {
  const { currency } = settings.exchange
  const { errors, strategies } = yield* checkFiles([settings.strategies], { currency })
  const strategy = yield* strategyMeant(flags.strategy, strategies).pipe(
    Effect.mapError((error) => (errors.length > 0 ? broken(errors) : missing(error)))
  )
  const given = Option.isSome(flags.given)
    ? yield* givenOfFile(flags.given.value)
    : yield* givenOfTest(
        strategy,
        Option.getOrElse(flags.test, () => "")
      )
  return explained(strategy, yield* itemGiven(flags.item, strategy), given, currency)
})

export const run = Effect.fn("cli.explain")(function* (flags: ExplainFlags, config: ResolvedConfig) {
  const tell = (explanation: Explanation) =>
    Console.log(flags.json ? JSON.stringify(explanation) : explanationText(explanation))
  if (Option.isSome(flags.given) || Option.isSome(flags.test))
    return yield* tell(yield* ofFacts(flags, config))
  yield* withDatabase(flags, config, ({ file }) => Effect.flatMap(ofDaemon(flags, file), tell))
})
