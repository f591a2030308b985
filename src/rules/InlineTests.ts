/**
 * The tests inside a strategy file: given these values, this must be decided. Run whenever the file is read; a failing one refuses it.
 * Invariants: 1. `for` counts as long enough in a test. 2. a test that names no item gets the params' defaults where any item has them.
 */
import type { Decision } from "../domain/Decision.ts"
import type { Millis } from "../domain/Ids.ts"
import { item, type Item } from "../domain/Item.ts"
import { type Money, toDecimal } from "../domain/Money.ts"
import { factsOfTest, givable, kindWords, readGiven } from "./GivenFacts.ts"
import type { ProgramRule } from "./Program.ts"
import type { Decoded, Path, Positions } from "./Source.ts"
import { didYouMean, type SourceError } from "./SourceError.ts"
import type { CompiledStrategy, Target } from "./Strategies.ts"
import { type Action, type InlineTest, type StrategyFile } from "./Strategy.ts"
import { namedItems, type UniverseEntry } from "./Universe.ts"

/** What one rule made happen; amounts as decimals. */
interface Outcome {
  readonly rule: string
  readonly does: Action
  readonly at?: string
  readonly limit?: string
  readonly qty?: number
}

const outcomesOf = (
  { ask, bid, buys, signals, verdicts }: Decision,
  rules: ReadonlyArray<ProgramRule>
): ReadonlyArray<Outcome> => {
  const outcomes: Array<Outcome> = []
  if (bid?._tag === "Bid")
    outcomes.push({ rule: bid.reason.origin.rule, does: "bid", at: toDecimal(bid.price), qty: bid.quantity })
  if (bid?._tag === "NoBid") outcomes.push({ rule: bid.reason.origin.rule, does: "cancel-bid" })
  if (ask?._tag === "Ask")
    outcomes.push({ rule: ask.reason.origin.rule, does: "ask", at: toDecimal(ask.price) })
  if (ask?._tag === "NoAsk") outcomes.push({ rule: ask.reason.origin.rule, does: "cancel-ask" })
  const [buy] = buys
  if (buy !== undefined)
    outcomes.push({
      rule: buy.reason.origin.rule,
      does: "buy",
      limit: toDecimal(buy.limit),
      qty: buys.length
    })
  for (const { _tag, reason } of signals)
    outcomes.push({ rule: reason.origin.rule, does: _tag === "Halt" ? "halt" : "notify" })
  const holding = new Set(rules.filter(({ action }) => action === "hold").map(({ id }) => id))
  for (const { rule, verdict } of verdicts)
    if (holding.has(rule) && verdict._tag === "Match") outcomes.push({ rule, does: "hold" })
  return outcomes
}

const words = (of: { readonly [K in keyof Outcome]?: Outcome[K] | undefined }): string =>
  [
    of.does ?? "something",
    of.at === undefined ? "" : `at ${of.at}`,
    of.limit === undefined ? "" : `limit ${of.limit}`,
    of.qty === undefined ? "" : `qty ${of.qty}`,
    of.rule === undefined ? "" : `by ${of.rule}`
  ]
    .filter((word) => word !== "")
    .join(" ")

const decimal = (amount: Money | undefined): string | undefined =>
  amount === undefined ? undefined : toDecimal(amount)

const meets = (outcome: Outcome, { at, do: does, limit, qty, rule }: InlineTest["expect"]): boolean =>
  (rule === undefined || rule === outcome.rule) &&
  (does === undefined || does === outcome.does) &&
  (at === undefined || decimal(at) === outcome.at) &&
  (limit === undefined || decimal(limit) === outcome.limit) &&
  (qty === undefined || qty === outcome.qty)

/** What a rule's own expressions came out as; the parts of each are for `haggle explain`. */
const traced: ReadonlySet<string> = new Set(["when", "limit", "at", "qty"])

/** How each rule came out, with its values where it had a say. */
const verdictWords = ({ trace, verdicts }: Decision): string =>
  verdicts
    .map(({ rule, verdict }) => {
      const values = trace(rule).filter(({ name }) => traced.has(name))
      const seen = values.map(({ expression, name, value }) => `${name} ${expression} = ${value}`).join(", ")
      if (verdict._tag === "Unknown") return `${rule} is unknown: ${verdict.why}`
      return verdict._tag === "Match"
        ? `${rule} matches: ${seen}`
        : `${rule} does not match: ${values[0]?.expression ?? ""} is ${values[0]?.value ?? ""}`
    })
    .join("; ")

/** What is wrong with the given facts, which stand at the path of the source. */
export const checkGiven = (
  source: Positions,
  given: InlineTest["given"],
  at: Path
): ReadonlyArray<SourceError> => {
  const errors: Array<SourceError> = []
  for (const [group, kinds] of Object.entries(givable)) {
    const values = given[group as keyof typeof given]
    if (typeof values !== "object") continue
    for (const [name, written] of Object.entries(values)) {
      const path = [...at, group, name]
      const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
      if (kind === undefined)
        errors.push(
          source.errorAtKey(path, {
            code: "unknown-key",
            message: `a test cannot give \`${group}.${name}\``,
            remedy: didYouMean(name, Object.keys(kinds), "it can give")
          })
        )
      else if (readGiven(kind, written) === undefined)
        errors.push(
          source.errorAt(path, {
            code: "type",
            message: `\`${group}.${name}\` takes ${kindWords[kind]}, not ${JSON.stringify(written)}`
          })
        )
    }
  }
  return errors
}

/** Stands for an item of a universe that names none. */
const anyItem = "any item"

const itemOfEntry = (entry: UniverseEntry, name: string): Item =>
  item("app" in entry && entry.app !== undefined ? entry.app : 0, name)

const runOne = (
  source: Decoded<StrategyFile>,
  test: InlineTest,
  index: number,
  strategy: CompiledStrategy,
  rules: ReadonlyArray<ProgramRule>,
  target: Target
): ReadonlyArray<SourceError> => {
  const path = ["tests", index]
  const overridden = Object.keys(source.value.overrides ?? {})
  const items = namedItems(strategy.universe)
  const plain = items.find(
    ({ app, name }) => !overridden.some((one) => one === name || one === `${app}/${name}`)
  )
  const wanted = test.given.item
  const open = strategy.universe.entries.find(({ _tag }) => _tag !== "Names")
  const someOther = open === undefined ? undefined : itemOfEntry(open, wanted ?? anyItem)
  const of =
    wanted === undefined
      ? (plain ?? items[0] ?? someOther)
      : (items.find(({ name }) => name === wanted) ?? someOther)
  if (of === undefined) {
    const message = `\`${test.given.item ?? ""}\` is not an item of this strategy's universe`
    return [source.errorAt([...path, "given", "item"], { code: "unknown-item", message })]
  }
  const { rule } = test.expect
  const ids = rules.map(({ id }) => id)
  if (rule !== undefined && !ids.includes(rule))
    return [
      source.errorAt([...path, "expect", "rule"], {
        code: "unknown-name",
        message: `there is no rule \`${rule}\``,
        remedy: didYouMean(rule, ids, "rules")
      })
    ]
  const held = new Map(ids.map((id) => [id, 0 as Millis]))
  const { decision } = strategy.evaluate(factsOfTest(test.given, of, target.currency), held)
  const outcomes = outcomesOf(decision, rules)
  const { at, do: does, limit, qty } = test.expect
  const met =
    does === "nothing" ? outcomes.length === 0 : outcomes.some((outcome) => meets(outcome, test.expect))
  if (met) return []
  const expected =
    does === "nothing" ? does : words({ does, rule, qty, at: decimal(at), limit: decimal(limit) })
  const got = outcomes.length === 0 ? "nothing" : outcomes.map(words).join(" and ")
  const message = `the test "${test.name}" fails: expected ${expected}, got ${got}`
  return [source.errorAt([...path, "expect"], { code: "test", message, remedy: verdictWords(decision) })]
}

/** Every inline test that does not hold, as an error at its `expect`. */
export const runInlineTests = (
  source: Decoded<StrategyFile>,
  strategy: CompiledStrategy,
  rules: ReadonlyArray<ProgramRule>,
  target: Target
): ReadonlyArray<SourceError> =>
  (source.value.tests ?? []).flatMap((test, index) => {
    const wrong = checkGiven(source, test.given, ["tests", index, "given"])
    return wrong.length > 0 ? wrong : runOne(source, test, index, strategy, rules, target)
  })
