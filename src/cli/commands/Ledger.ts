/**
 * `haggle ledger`: the accounts of the double-entry books, their trial balance, funds on hold and a difference to the wallet that lasts.
 * `--take REASON` books that difference as the owner's doing and lets what it paused go on.
 */
import { Console, Effect, Option } from "effect"

import { accountNames, type AccountName, accounts, trialBalance } from "../../domain/Books.ts"
import type { Money } from "../../domain/Money.ts"
import { taken } from "../../domain/Operator.ts"
import type { State } from "../../domain/State.ts"
import { Store } from "../../store/Store.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { amount, moment } from "../text/Format.ts"
import { fields, table } from "../text/Table.ts"
import { type DatabaseFlags, type Seen, seenAsData, withDatabase } from "./Database.ts"
import { toDaemon, toDatabase, user } from "./Operator.ts"

export interface LedgerFlags extends DatabaseFlags {
  readonly take: Option.Option<string>
}

/** A hold without an end that the market told lies beyond every calendar. */
const latestMoment = 8.64e15

const signed = (of: Money, { currency }: Seen): string =>
  of < 0 ? `-${amount(-of as Money, currency)}` : amount(of, currency)

const difference = ({ ledgerOff }: State, seen: Seen): string =>
  ledgerOff === undefined
    ? "none that lasts"
    : `${signed(ledgerOff.difference, seen)} since ${moment(ledgerOff.since)}: ${ledgerOff.item ?? "the account"} is paused`

const text = (state: State, seen: Seen): string => {
  const { books, heldFunds } = state
  const held = Object.entries(heldFunds).map(
    ([fill, { amount: of, until }]) =>
      `  ${amount(of, seen.currency)} of sale ${fill} ${until > latestMoment ? "until the market says so" : `until ${moment(until)}`}`
  )
  return [
    table<AccountName>(
      [
        { title: "ACCOUNT", cell: (name) => name },
        { title: "BALANCE", align: "right", cell: (name) => signed(books[name], seen) },
        { title: "", cell: (name) => accounts[name] }
      ],
      accountNames,
      ""
    ),
    "",
    fields([
      ["trial balance", signed(trialBalance(books), seen)],
      ["profit after fees", signed(-(books.profit + books.fees) as Money, seen)],
      ["to the wallet", difference(state, seen)]
    ]),
    ...(held.length === 0 ? [] : ["on hold:", ...held])
  ].join("\n")
}

export const run = Effect.fn("cli.ledger")(function* (flags: LedgerFlags, config: ResolvedConfig) {
  yield* withDatabase(flags, config, (seen) =>
    Effect.gen(function* () {
      const { file, nowMillis } = seen
      if (Option.isSome(flags.take)) {
        const speaker = { who: yield* user, why: flags.take.value }
        const live = yield* toDaemon(file, (daemon) => daemon.take({ payload: speaker }))
        if (live === undefined) yield* toDatabase(file, nowMillis, (state, at) => taken(state, speaker, at))
      }
      const state = yield* (yield* Store).state
      const { books, heldFunds, ledger, ledgerOff = null } = state
      const data = {
        ...seenAsData(seen),
        ledger,
        books,
        trialBalance: trialBalance(books),
        heldFunds,
        difference: ledgerOff
      }
      yield* Console.log(flags.json ? JSON.stringify(data) : text(state, seen))
    })
  )
})
