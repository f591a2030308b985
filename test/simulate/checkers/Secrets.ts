/** 8. No secret in anything that the bot says or keeps, in no form. */
import { finderOf, type Secret } from "../Leaks.ts"
import { type Checker, nothingWrong } from "../Occasion.ts"

export const secrets = (kept: ReadonlyArray<Secret>): Checker => {
  const finder = finderOf(kept)
  const found = (where: string, text: string, thorough?: boolean): ReadonlyArray<string> =>
    finder(text, thorough).map((name) => `${name}, in ${where}`)
  return {
    promise: 8,
    see: (occasion) => {
      if (occasion._tag === "Said")
        return found(occasion.where, occasion.text, occasion.where.startsWith("the file"))
      if (occasion._tag !== "Journaled") return nothingWrong
      return occasion.events.flatMap((event) => found(`event ${event._tag}`, JSON.stringify(event)))
    }
  }
}
