/** What proofs with real processes have in common: the program, and a strategy that always has something to do. */
import { resolve } from "node:path"

/** What starts the real program; the proofs run at the project's top. */
export const launcher = resolve("src/haggle.mjs")

/** Trades all the time with what is cheap. */
export const churn = `version: 1
name: churn
universe:
  - { app: 730, items: ["Glove Case", "Chroma 2 Case", "Meridian Case", "Recoil Sticker Capsule"] }
freshness: { book: 20s }
rules:
  - { id: take, when: position.units < 3, do: bid, at: book.ask, qty: 1, expire: 40s, minAge: 5s }
  - { id: give, when: position.units > 0, do: ask, at: book.bid, allowLoss: true, minAge: 10s }
`
