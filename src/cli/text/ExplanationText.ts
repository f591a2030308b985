/**
 * An explanation as a tree on a terminal: what is wanted and what is in the way first, then every rule down to the facts.
 * Invariant: a part that stands in several places is taken apart once; elsewhere only its value is told.
 */
import type { TraceEntry } from "../../domain/Decision.ts"
import type { Explanation, Outcome, RuleSeen } from "../../engine/Explanation.ts"
import { showDuration } from "../../rules/Strategy.ts"
import { age, moment } from "./Format.ts"

const marks: Readonly<Record<Outcome["is"], string>> = {
  acts: "→",
  stands: "✔",
  blocked: "✘",
  nothing: "–",
  wished: "→"
}

const sideNames: Readonly<Record<Outcome["side"], string>> = {
  bid: "buying",
  ask: "selling",
  buy: "buying outright",
  notify: "telling",
  halt: "halting"
}

const outcomeText = ({ because, code, is, remedy, rule, side, why, wish }: Outcome): string =>
  [
    `${marks[is]} ${sideNames[side]}: ${wish === undefined ? why : `${wish}${rule === undefined ? "" : `  [${rule}]`}`}`,
    ...(because === undefined || because === "" ? [] : [`    because ${because}`]),
    ...(wish === undefined ? [] : [`    ${is === "blocked" ? "blocked: " : ""}${why}`]),
    ...(code === undefined ? [] : [`    code ${code}`]),
    ...(remedy === undefined ? [] : [`    = ${remedy}`])
  ].join("\n")

const roots: ReadonlySet<string> = new Set(["when", "limit", "at", "qty", "floor"])

const verdictWords: Readonly<Record<RuleSeen["verdict"], string>> = {
  Match: "yes",
  NoMatch: "no",
  Waiting: "not yet",
  Unknown: "unknown"
}

const agePart = ({ ageMillis }: TraceEntry): string =>
  ageMillis === undefined || ageMillis === 0 ? "" : `  (${age(0, ageMillis)} old)`

/** The entry and what it is made of; `told` are entries that were taken apart before. */
const branches = (
  name: string,
  entries: ReadonlyMap<string, TraceEntry>,
  indent: string,
  told: Set<string>
): ReadonlyArray<string> => {
  const entry = entries.get(name)
  if (entry === undefined) return []
  const text = entry.name === entry.expression ? entry.name : `${entry.name}: ${entry.expression}`
  const line = `${indent}${text} = ${entry.value}${agePart(entry)}`
  if (told.has(name)) return [line]
  told.add(name)
  // a let of one fact says the same twice
  const parts = entry.parts.filter((part) => part !== entry.expression)
  return [line, ...parts.flatMap((part) => branches(part, entries, `${indent}  `, told))]
}

const ruleText = ({ does, rule, trace, verdict, why }: RuleSeen): string => {
  const entries = new Map(trace.map((entry) => [entry.name, entry]))
  const told = new Set<string>()
  const head = `${rule} (${does}): ${verdictWords[verdict]}${why === undefined ? "" : `, ${why}`}`
  const whole = trace.filter(({ name }) => roots.has(name))
  const lines = whole.flatMap(({ name }) => branches(name, entries, "    ", told))
  // what only the reason's words read
  const shown = new Set(lines.map((line) => line.trim().split(" = ")[0]))
  for (const { expression, name } of trace) if (told.has(name)) shown.add(expression)
  const rest = trace.filter(({ name }) => !told.has(name) && !shown.has(name) && !roots.has(name))
  return [
    `  ${head}`,
    ...lines,
    ...rest.map((entry) => `    ${entry.name} = ${entry.value}${agePart(entry)}`)
  ].join("\n")
}

const factText = ({ ageMillis, fact, mayBeMillis }: Explanation["facts"][number]): string => {
  if (ageMillis === undefined) return `${fact} not seen yet`
  const old = age(0, ageMillis)
  return ageMillis > mayBeMillis
    ? `${fact} ${old}: older than ${showDuration(mayBeMillis)}`
    : `${fact} ${old}`
}

export const explanationText = (of: Explanation): string =>
  [
    `${of.strategy}@${of.revision} on ${of.item}, ${moment(of.at)}`,
    `  universe: ${of.universe}`,
    ...(of.mode === "inherit" ? [] : [`  mode: ${of.mode}`]),
    ...(of.facts.length === 0 ? [] : [`  facts: ${of.facts.map(factText).join(", ")}`]),
    ...of.notes.map((note) => `  ! ${note}`),
    "",
    ...(of.outcomes.length === 0 ? ["– no rule wants anything"] : of.outcomes.map(outcomeText)),
    "",
    "rules",
    ...of.rules.map(ruleText)
  ].join("\n")
