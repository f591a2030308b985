/**
 * The double-entry ledger: its accounts and their balances. Debits are positive, credits negative; StateBooks says what is posted.
 * Invariants: 1. every entry sums to zero, and so do the balances. 2. wallet + held = the state's ledger; inventory = the cost of all lots;
 * −(profit + fees) = what all positions realised. 3. what the owner trades by hand is between the wallet and the owner.
 */
import { Schema } from "effect"

import { Money, money, sum, zero } from "./Money.ts"

export const accounts = {
  wallet: "spendable funds",
  held: "sold, and the funds are on hold: not yet paid",
  inventory: "what our lots cost, fees of the purchase included",
  fees: "fees that the market kept of our sales",
  profit: "what our sales brought before those fees, less what the lots had cost (credit: a gain)",
  owner: "the opening balance and what the owner traded, added or took by hand"
} as const
export type AccountName = keyof typeof accounts
export const accountNames = Object.keys(accounts) as ReadonlyArray<AccountName>

export const Books = Schema.Struct({
  wallet: Money,
  held: Money,
  inventory: Money,
  fees: Money,
  profit: Money,
  owner: Money
})
export type Books = typeof Books.Type

export const emptyBooks: Books = {
  wallet: zero,
  held: zero,
  inventory: zero,
  fees: zero,
  profit: zero,
  owner: zero
}

/** Amounts by account, minor units; they sum to zero. */
export type Postings = Partial<Readonly<Record<AccountName, number>>>

export const posted = (books: Books, postings: Postings): Books => {
  const after = { ...books }
  for (const name of accountNames) after[name] = money(books[name] + (postings[name] ?? 0))
  return after
}

/** Debits less credits; zero, or the books are wrong. */
export const trialBalance = (books: Books): Money => sum(accountNames.map((name) => books[name]))
