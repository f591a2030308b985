/** 7. A confirmation is allowed only for an intent of the journal, and none is cancelled. */
import { type Checker, nothingWrong } from "../Occasion.ts"

export const ownConfirmations = (): Checker => ({
  promise: 7,
  see: (occasion, { intents }) => {
    if (occasion._tag !== "Commanded" || occasion.command._tag !== "SettleConfirmation") return nothingWrong
    const { account, id, op } = occasion.command
    const subject = occasion.world.accounts[account]?.confirmations.find((one) => one.id === id)?.subject
    if (subject === undefined) return nothingWrong
    if (op === "cancel") return [`confirmation ${id} was cancelled`]
    const isOurs = [...intents.values()].some(({ intent, pended, sent }) =>
      subject._tag === "Listing"
        ? sent && intent._tag === "ListAsset" && intent.asset === subject.asset
        : pended === subject.pending
    )
    return isOurs ? nothingWrong : [`confirmation ${id} of a ${subject._tag.toLowerCase()}`]
  }
})
