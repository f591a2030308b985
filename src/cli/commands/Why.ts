/** `haggle why ID`: the story of an intent, order, listing, asset or trade: the rule, what it saw, and all that came of it. */
import { Console, Effect, Option } from "effect"

import type { Intent } from "../../domain/Intent.ts"
import { type Story, why } from "../../store/Queries.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { cliError, notFound } from "../Exit.ts"
import { moment } from "../text/Format.ts"
import { intentSentence } from "../text/Sentence.ts"
import { fields } from "../text/Table.ts"
import { type DatabaseFlags, type Seen, seenAsData, withDatabase } from "./Database.ts"
import { entriesText } from "./Journal.ts"

export interface WhyFlags extends DatabaseFlags {
  readonly id: string
}

const indented = (text: string): string => text.replaceAll(/^/gm, "    ")

const intentText = (intent: Intent, seen: Seen): string => {
  const saw = Object.entries(intent.reason.saw)
  const head = `${moment(intent.at)}  ${intent.id} ${intentSentence(intent, seen.currency)}`
  return saw.length === 0 ? head : `${head}\n  saw\n${indented(fields(saw))}`
}

const text = (story: Story, seen: Seen): string =>
  [...story.intents.map((intent) => intentText(intent, seen)), entriesText(story.entries, seen)].join("\n\n")

export const run = Effect.fn("cli.why")(function* (flags: WhyFlags, config: ResolvedConfig) {
  yield* withDatabase(flags, config, (seen) =>
    Effect.gen(function* () {
      const story = yield* why(flags.id)
      if (Option.isNone(story))
        return yield* cliError(
          notFound,
          `the journal of ${seen.file} does not know ${flags.id}`,
          "`haggle journal`, `haggle orders`, `haggle listings` and `haggle trades` show the ids that it knows"
        )
      yield* Console.log(
        flags.json ? JSON.stringify({ ...seenAsData(seen), ...story.value }) : text(story.value, seen)
      )
    })
  )
})
