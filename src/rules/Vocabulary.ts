/**
 * The facts that expressions may read, as one table: an expression knows a fact by its index, the messages know it by group and name.
 * Invariant: the index of a fact never leaves the process, so its order here means nothing.
 */
import type { PolledFact } from "../domain/Facts.ts"
import type { Member, Namespace } from "./Member.ts"
import { missing, type Scope } from "./Scope.ts"
import { book, history, listing, overview } from "./VocabularyMarket.ts"
import { clock, fees, item, orders, position, wallet } from "./VocabularyOwn.ts"

/** Everything but `params`, whose fields depend on the file. */
export const vocabulary: Readonly<Record<string, Namespace>> = {
  book,
  listing,
  history,
  overview,
  position,
  orders,
  wallet,
  item,
  fees,
  clock
}

/** A fact with what its group adds to it. */
export interface KnownFact {
  readonly group: string
  readonly name: string
  readonly member: Member
  readonly polls: ReadonlyArray<PolledFact>
}

export const facts: ReadonlyArray<KnownFact> = Object.entries(vocabulary).flatMap(
  ([group, { members, polled }]) =>
    Object.entries(members).map(([name, member]) => ({
      group,
      name,
      member,
      polls: [polled, member.polled].filter((poll) => poll !== undefined)
    }))
)

const indexes: ReadonlyMap<string, number> = new Map(
  facts.map(({ group, name }, index) => [`${group}.${name}`, index])
)

export const factIndex = (group: string, name: string): number | undefined => indexes.get(`${group}.${name}`)

/** The fact of a checked expression. */
export const factAt = (index: number): KnownFact => {
  const fact = facts[index]
  if (fact === undefined) throw new RangeError(`no fact has the index ${index}`)
  return fact
}

/** Why a fact is missing: it was not seen, it is too old, or there is none at the moment. */
export const whyMissing = (fact: KnownFact, scope: Scope, a: never, b: never): string => {
  for (const poll of fact.polls) {
    const why = missing(scope.facts, scope.freshness, poll)
    if (why !== undefined) return why
  }
  return fact.member.none(scope, a, b)
}

/** Names that people look for, and where it is. */
export const elsewhere: Readonly<Record<string, string>> = {
  "item.tags": 'write item.hasTag("Type", "…") or item.tag("Type")',
  "listing.properties": "write listing.wear, listing.pattern or listing.property(2)",
  "listing.hasSticker": 'write listing.hasAccessory("…")',
  "listing.float": "write listing.wear"
}
