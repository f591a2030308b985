/** 8. No secret in anything that the bot says or keeps. */
import { type Checker, nothingWrong } from "../Occasion.ts"

export const secrets = (words: ReadonlyArray<string>): Checker => {
  const found = (where: string, text: string): ReadonlyArray<string> =>
    words.some((word) => text.includes(word)) ? [`in ${where}`] : nothingWrong
  return {
    promise: 8,
    see: (occasion) => {
      if (occasion._tag === "Said") return found(occasion.where, occasion.text)
      if (occasion._tag !== "Journaled") return nothingWrong
      return occasion.events.flatMap((event) => found(`event ${event._tag}`, JSON.stringify(event)))
    }
  }
}
