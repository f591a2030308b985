/** `haggle journal`: what was decided, sent, answered and seen, in order; the last so many. */
import { Console, Effect, Option } from "effect"

import type { EventKind } from "../../domain/Event.ts"
import { type Entry, type JournalQuery, Store } from "../../store/Store.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { moment } from "../text/Format.ts"
import { sentence } from "../text/Sentence.ts"
import { table } from "../text/Table.ts"
import { type DatabaseFlags, type Seen, withDatabase } from "./Database.ts"

export interface JournalFlags extends DatabaseFlags {
  readonly limit: number
  readonly kind: ReadonlyArray<EventKind>
  readonly about: Option.Option<string>
}

/** The entries as aligned lines. */
export const entriesText = (entries: ReadonlyArray<Entry>, { currency }: Seen): string =>
  table<Entry>(
    [
      { title: "SEQ", align: "right", cell: ({ seq }) => String(seq) },
      { title: "TIME (UTC)", cell: ({ event }) => moment(event.at) },
      { title: "EVENT", cell: ({ event }) => event._tag },
      { title: "WHAT", cell: ({ event }) => sentence(event, currency) }
    ],
    entries,
    "no events"
  )

export const run = Effect.fn("cli.journal")(function* (flags: JournalFlags, config: ResolvedConfig) {
  const query: JournalQuery = {
    last: flags.limit,
    ...(flags.kind.length === 0 ? {} : { kinds: flags.kind }),
    ...Option.match(flags.about, { onNone: () => ({}), onSome: (about) => ({ about }) })
  }
  yield* withDatabase(flags, config, (seen) =>
    Effect.gen(function* () {
      const entries = yield* (yield* Store).journal(query)
      if (!flags.json) return yield* Console.log(entriesText(entries, seen))
      for (const { event, seq } of entries) yield* Console.log(JSON.stringify({ seq, ...event }))
    })
  )
})
