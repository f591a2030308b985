/** Events about the account as a whole, its session, its authenticator and its books, as one line that a person reads. */
import type { CurrencyId } from "../../domain/Currency.ts"
import type { Event } from "../../domain/Event.ts"
import { itemKey } from "../../domain/Item.ts"
import { amount, moment } from "./Format.ts"

const kinds = [
  "OperationDrifted",
  "OperationRecovered",
  "LedgerDiffers",
  "LedgerAgrees",
  "LedgerAdjusted",
  "FundsReleased",
  "FundsRevoked",
  "ConfirmedByHand",
  "OrphansSeen",
  "SessionExpired",
  "SessionRenewed",
  "SessionExpiring",
  "SessionRenewalFailed",
  "Banned",
  "BanLifted"
] as const satisfies ReadonlyArray<Event["_tag"]>
type AccountEvent = Extract<Event, { readonly _tag: (typeof kinds)[number] }>

/** What a line of the live log is about; kinds without one are not told there. */
export const accountSubjects: { readonly [K in Event["_tag"]]?: string } = {
  OperationDrifted: "interface",
  OperationRecovered: "interface",
  LedgerDiffers: "ledger",
  LedgerAgrees: "ledger",
  LedgerAdjusted: "ledger",
  FundsRevoked: "ledger",
  OrphansSeen: "authenticator",
  ConfirmedByHand: "authenticator",
  SessionExpired: "session",
  SessionRenewed: "session",
  SessionExpiring: "session",
  SessionRenewalFailed: "session",
  Banned: "market",
  BanLifted: "market"
}

const tags: ReadonlySet<string> = new Set(kinds)
export const isOfAccount = (event: Event): event is AccountEvent => tags.has(event._tag)

export const ofAccount = (event: AccountEvent, currency: CurrencyId | undefined): string => {
  switch (event._tag) {
    case "OperationDrifted":
      return `${event.operation} is out of service: its answers are no longer understood at ${event.path === "" ? "their root" : event.path}; see \`haggle contract drift\``
    case "OperationRecovered":
      return `${event.operation} is understood again`
    case "LedgerDiffers":
      return `ledger ${amount(event.ledger, currency)} differs from wallet ${amount(event.wallet, currency)}: ${event.item === undefined ? "the account" : itemKey(event.item)} is paused; see \`haggle ledger\``
    case "LedgerAgrees":
      return "ledger and wallet agree again"
    case "LedgerAdjusted":
      return `${event.who} booked ${amount(event.difference, currency)} as the owner's${event.why === "" ? "" : `: ${event.why}`}`
    case "FundsReleased":
      return `${amount(event.amount, currency)} of sale ${event.fill} are no longer on hold`
    case "FundsRevoked":
      return `the market took ${amount(event.amount, currency)} of a sale of ${itemKey(event.item)} back (${event.fill}); what became of the unit it does not tell`
    case "ConfirmedByHand":
      return `${event.who} said ${event.op} to confirmation ${event.confirmation} (${event.kind}, ${event.headline}): ${event.outcome}`
    case "OrphansSeen":
      return event.confirmations.length + event.listings.length === 0
        ? "nothing waits on the authenticator that is not ours"
        : `not ours and left alone: ${event.confirmations.length} confirmations, ${event.listings.length} staged listings; see \`haggle confirmations\``
    case "SessionExpired":
      return `session lost (${event.signal}): nothing is sent until it is renewed, by \`haggle session import\` or a new session file`
    case "SessionRenewed":
      return event.expiresAt === undefined
        ? "session in force again"
        : `session in force until ${moment(event.expiresAt)}`
    case "SessionExpiring":
      return `session ends at ${moment(event.expiresAt)}: renew it`
    case "SessionRenewalFailed":
      return `session not renewed: ${event.message}`
    case "Banned":
      return `the market refuses our requests: no market data and nothing new until ${moment(event.until)} at least; exits and confirmations go on`
    case "BanLifted":
      return "the market takes our requests again"
  }
}
