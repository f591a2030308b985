/** The text of docs/language.md: the words by hand, the facts and functions from their tables. */
import { functions } from "../../src/rules/Functions.ts"
import { typeName } from "../../src/rules/Value.ts"
import { facts } from "../../src/rules/Vocabulary.ts"

const words = `# The rule language

A strategy is a YAML file; its conditions, prices and texts are expressions of CEL. This page is the whole vocabulary. The facts and functions
below are written from the checker's own tables (\`node test/rules/language.ts\`), so nothing is here that it does not take.

## Types

| type | what it is | how it is written |
| --- | --- | --- |
| Money | minor units of the wallet's currency, exact | \`money("0.12")\`; a bare \`0.12\` where a key takes an amount |
| int, double | whole and other numbers; they mix, and \`/\` never rounds | \`5\`, \`0.25\`; 12 % is \`0.12\` |
| duration, timestamp | milliseconds | \`duration("6h")\`, \`timestamp("2026-01-31T00:00:00Z")\` |
| bool, string | | \`true\`, \`"text"\` |

Amounts are added, subtracted and compared with amounts, multiplied and divided by numbers, and divided by amounts to a ratio. Amounts that differ
by less than a millionth of a minor unit are equal.

## Unknown

A fact that was never seen, is older than its \`freshness\` or does not exist at the moment (no bid, no units, no such tag) is Unknown, and so is what is
computed from it, a division by zero, and a number beyond every number. \`false && x\` is false and \`true || x\` is true whatever x is. A rule
whose condition or price is Unknown does nothing, says why, and lets a later rule decide.

## Actions

| \`do\` | side | needs | may have | what it wants |
| --- | --- | --- | --- | --- |
| \`bid\` | bid | \`at\`, \`qty\` | \`expire\`, \`minStep\`, \`minAge\` | one buy order stands: this price, this many |
| \`cancel-bid\` | bid | | | no buy order |
| \`ask\` | ask | \`at\` | \`reprice\`, \`allowLoss\`, \`minStep\`, \`minAge\` | every sellable unit is listed at what the buyer pays |
| \`cancel-ask\` | ask | | | nothing is listed |
| \`buy\` | beside | \`limit\` | \`qty\` (1) | these listings, bought outright |
| \`hold\` | both | | | what stands there stays |
| \`notify\`, \`halt\` | none | \`message\` | | somebody is told; trading stops |

Every rule has \`id\`, \`when\` and \`do\`, and may have \`because\` and, but for \`buy\`, \`for\`: how long the condition must have held. The time begins
again when the condition is false or Unknown, and with a restart; what is Unknown for a moment because an order of ours has just changed
the book, for no longer than \`freshness\`, does not break it. \`minStep\` and
\`minAge\` may also stand at the head of the file, for all its rules: smaller differences of price, and younger orders, are left alone.

**Which rule decides.** In file order the first that matches decides its side. \`buy\` stands beside the sides: the first buying rule that matches
decides what is bought. \`hold\` decides each side that is still open, and nothing below it is bought.

**Several strategies on one item.** The higher \`priority\` goes first, then the file's name. A strategy that decides a side, and \`hold\` does, takes it
from those after it; what is bought outright takes the bid side. The others are told who decides. A strategy in dry-run takes
nothing from anybody.

**Buying outright.** \`when\`, \`limit\` and \`because\` of a buying rule are computed for each of the hundred cheapest listings, in ascending total, and
only there \`listing\` can be read, also by a \`let\`. A listing about which the rule is Unknown is passed over.

## Limits

An expression has at most 2,000 characters, 300 parts and 24 levels; a list behind \`in\` has 100 members. \`matches\`, comprehensions and indexes are
refused: no condition can run away.
`

const factTable = (): string => {
  const rows = facts.map(({ group, member, name, polls }) => {
    const args = member.takes === undefined ? "" : `(${member.takes.map(typeName).join(", ")})`
    return `| \`${group}.${name}${args}\` | ${typeName(member.type)} | ${polls.join(", ")} |`
  })
  return ["| fact | type | asks the market for |", "| --- | --- | --- |", ...rows].join("\n")
}

const functionList = (): string =>
  Object.values(functions)
    .map(({ usage }) => `\`${usage}\``)
    .join(", ")

export const languageText = (): string => `${words}
## Facts

${factTable()}

\`params.name\` is a param of the file, and a name under \`let\` stands for its expression. Times are UTC; Monday is 1.

## Functions

${functionList()}; and of a text \`contains\`, \`startsWith\`, \`endsWith\`.
`
