/** Events about the account as a whole, its session, its authenticator and its books, as one line that a person reads. */
import type { Event } from "../domain/Event.ts"
import { moment } from "./Format.ts"

const kinds = [
  "ConfirmedByHand",
  "OrphansSeen",
  "SessionExpired",
  "SessionRenewed",
  "SessionExpiring",
  "SessionRenewalFailed"
] as const satisfies ReadonlyArray<Event["_tag"]>
type AccountEvent = Extract<Event, { readonly _tag: (typeof kinds)[number] }>

const tags: ReadonlySet<string> = new Set(kinds)
export const isOfAccount = (event: Event): event is AccountEvent => tags.has(event._tag)

export const ofAccount = (event: AccountEvent): string => {
  switch (event._tag) {
    case "ConfirmedByHand":
      return `${event.who} said ${event.op} to confirmation ${event.confirmation} (${event.kind}, ${event.headline}): ${event.outcome}`
    case "OrphansSeen":
      return event.confirmations.length + event.listings.length === 0
        ? "nothing waits on the authenticator that is not ours"
        : `not ours and left alone: ${event.confirmations.length} confirmations, ${event.listings.length} staged listings; see \`haggle confirmations\``
    case "SessionExpired":
      return `session lost (${event.signal}): nothing is sent until it is renewed`
    case "SessionRenewed":
      return event.expiresAt === undefined
        ? "session in force again"
        : `session in force until ${moment(event.expiresAt)}`
    case "SessionExpiring":
      return `session ends at ${moment(event.expiresAt)}: renew it`
    case "SessionRenewalFailed":
      return `session not renewed: ${event.message}`
  }
}
