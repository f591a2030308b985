/** 2. What changes the market has a journaled intent, and each intent leaves once, from the process that wrote it. */
import { type Checker, type Known, nothingWrong, type Occasion, type Record } from "../Occasion.ts"
import { means } from "../Truth.ts"

export const sentOnce = (): Checker => ({
  promise: 2,
  see: (occasion, record) => {
    if (occasion._tag === "Journaled") return occasion.events.flatMap((event) => onDisk(event, record))
    return occasion._tag === "Commanded" ? arriving(occasion, record) : nothingWrong
  }
})

const onDisk = (
  event: Extract<Occasion, { _tag: "Journaled" }>["events"][number],
  { intents }: Record
): ReadonlyArray<string> => {
  if (event._tag === "Accepted" || event._tag === "Refused")
    return intents.has(event.intent) ? nothingWrong : [`an answer to intent ${event.intent}, never sent`]
  if (event._tag !== "Sent") return nothingWrong
  const known = intents.get(event.intent)
  if (known === undefined) return [`intent ${event.intent} was sent, never recorded`]
  if (known.sent) return [`intent ${event.intent} was sent twice`]
  known.sent = true
  return nothingWrong
}

const arriving = (
  { command, life }: Extract<Occasion, { _tag: "Commanded" }>,
  { intents, orders }: Record
): ReadonlyArray<string> => {
  if (command._tag === "SettleConfirmation") return nothingWrong
  if (command._tag === "CancelBuyOrder" && !orders.has(command.order))
    return [`order ${command.order} was cancelled, but never placed by the bot`]
  const meant = [...intents.values()].filter(({ intent, sent }) => sent && means(intent, command))
  if (meant.some((known) => known.posts === 0 && known.life === life)) return nothingWrong
  if (meant.some((known) => isRepost(known, command))) return nothingWrong
  return [`${command._tag} ${meant.length === 0 ? "has no journaled intent" : "was sent before"}`]
}

/** A purchase is posted again with the id of the confirmation that was allowed for it, once. */
const isRepost = (
  { pended, reposts }: Known,
  command: Extract<Occasion, { _tag: "Commanded" }>["command"]
): boolean =>
  "confirmation" in command &&
  command.confirmation !== "0" &&
  pended === command.confirmation &&
  reposts === 0
