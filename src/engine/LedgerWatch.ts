/**
 * The ledger against the wallet, at every look at it: a difference that lasts is journaled, and the guard then holds its item, or the whole
 * account, until it is gone or a person has looked.
 * Invariants: 1. while an outcome is open a difference says nothing. 2. it must last: several reads, some minutes, the history read again.
 */
import { Effect } from "effect"

import type { Event } from "../domain/Event.ts"
import { itemOfKey } from "../domain/Item.ts"
import { add, type Money } from "../domain/Money.ts"
import type { State } from "../domain/State.ts"
import { itemBehind } from "../domain/StateLedger.ts"
import type { Wallet } from "../domain/Wallet.ts"
import { Journal, marketNow } from "./Journal.ts"
import { slotsOf } from "./Recover.ts"

/** What wallet reads in a row said. */
export interface Differing {
  /** Wallet less ledger, minor units. */
  readonly difference: number
  readonly times: number
  readonly since: number
}

export const agreeing: Differing = { difference: 0, times: 0, since: 0 }

interface Compared {
  ledgerOff: Differing
}

/** Reads in a row that must differ by the same amount, over at least so long. */
const differsForSure = 3
const lastingMillis = 180_000

/** True when the wallet should be read again at the next look, and the history with it. */
export const isDiffering = (desk: Compared): boolean => desk.ledgerOff.difference !== 0

export const compare = Effect.fn("LedgerWatch.compare")(function* (desk: Compared, wallet: Wallet) {
  const journal = yield* Journal
  const state = yield* journal.state
  if (state.openedAt === undefined) return
  const at = yield* marketNow
  const onMarket = add(wallet.balance, wallet.delayed)
  const difference = onMarket - state.ledger
  desk.ledgerOff =
    difference === 0
      ? agreeing
      : difference === desk.ledgerOff.difference
        ? { ...desk.ledgerOff, times: desk.ledgerOff.times + 1 }
        : { difference, times: 1, since: at }
  const { since, times } = desk.ledgerOff
  const isSure = times >= differsForSure && at - since >= lastingMillis && !isOpen(state)
  yield* journal.append(eventsOf(state, isSure, onMarket, at))
})

const eventsOf = (state: State, isSure: boolean, wallet: Money, at: Event["at"]): ReadonlyArray<Event> => {
  const difference = wallet - state.ledger
  if (difference === 0) return state.ledgerOff === undefined ? [] : [{ _tag: "LedgerAgrees", at }]
  if (!isSure || state.ledgerOff?.difference === difference) return []
  const key = itemBehind(state, difference, at)
  const item = key === undefined ? {} : { item: itemOfKey(key) }
  return [{ _tag: "LedgerDiffers", at, ledger: state.ledger, wallet, ...item }]
}

/** Something is on its way whose outcome moves money; what is quarantined is not waited for. */
const isOpen = (state: State): boolean =>
  slotsOf(state).some(
    ({ _tag }) => _tag === "Uncertain" || _tag === "Settling" || _tag === "AwaitingConfirmation"
  )
