/** What must be so before tapes can be played to strategies: the time, the items; each with what to do when it is not. */
import { Effect, Option } from "effect"

import { type ItemKey, itemKey, itemOfKey } from "../../domain/Item.ts"
import type { CompiledStrategy } from "../../rules/Strategies.ts"
import { namedItems, searchesOf } from "../../rules/Universe.ts"
import { spanOf, type Tape } from "../../tape/Tape.ts"
import { badConfig, type CliError, cliError, notFound } from "../Exit.ts"
import { moment } from "../text/Format.ts"
import type { SelectionFlags } from "./Tapes.ts"

type Period = Pick<SelectionFlags, "from" | "to">

/** Fails when the period ends before it begins. */
export const mustBePeriod = ({ from, to }: Period) =>
  Option.isSome(from) && Option.isSome(to) && from.value >= to.value
    ? cliError(
        badConfig,
        `--from ${moment(from.value)} is not before --to ${moment(to.value)}`,
        "give --from the earlier moment; both are UTC"
      )
    : Effect.void

/** There is no book to play, and where books would be. */
export const nothingToPlay = (tapes: ReadonlyArray<Tape>): CliError => {
  const spans = tapes.map(spanOf)
  const from = Math.min(...spans.map((span) => span.from ?? Number.POSITIVE_INFINITY))
  const to = Math.max(...spans.map((span) => span.to ?? Number.NEGATIVE_INFINITY))
  return from > to
    ? cliError(
        notFound,
        `no book to play: there is none on ${tapes.length === 1 ? "the tape" : "the tapes"}`,
        "`haggle record` records books; of a price history `haggle tape import --spread 0.1` makes some"
      )
    : cliError(
        notFound,
        "no book to play in that time",
        `the books are of ${moment(from)} to ${moment(to)} UTC: choose a part of that with --from and --to`
      )
}

/** Items that are told. */
const told = 6
const listed = (names: ReadonlyArray<string>): string =>
  `${names.slice(0, told).join(", ")}${names.length > told ? ", …" : ""}`

/** Fails when none of the items that are played is any strategy's. */
export const mustLookAfter = (
  tapes: ReadonlyArray<Tape>,
  chosen: ReadonlyArray<ItemKey>,
  strategies: ReadonlyArray<CompiledStrategy>
) => {
  const all = [...new Set(tapes.flatMap(({ items }) => items.map(({ item }) => item)))]
  const played = chosen.length === 0 ? all : chosen
  const isWanted = ({ universe }: CompiledStrategy): boolean => {
    const named = new Set(namedItems(universe).map(itemKey))
    const apps = new Set(searchesOf(universe).map(({ app }) => app))
    return played.some((key) => named.has(key) || apps.has(itemOfKey(key).app))
  }
  if (played.length === 0 || strategies.some(isWanted)) return Effect.void
  const wanted = strategies.flatMap(({ universe }) => namedItems(universe).map(itemKey))
  return cliError(
    notFound,
    `no strategy looks after an item that is played: ${listed(played)}`,
    wanted.length === 0
      ? "name such items in a strategy's `universe`"
      : `they look after ${listed([...new Set(wanted)])}: record those, or name another folder with --strategies DIR`
  )
}
