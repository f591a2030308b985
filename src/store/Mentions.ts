/**
 * What an event names, read off the event alone: the keys under which the journal is searched by hand and by the faces.
 */
import type { Event } from "../domain/Event.ts"
import type { Intent } from "../domain/Intent.ts"
import type { Item } from "../domain/Item.ts"

/** Ids of intents, orders, listings, assets, fills and confirmations that the event names, each once. */
export const mentionsOf = (event: Event): ReadonlyArray<string> =>
  Array.from(new Set(named(event).filter((id) => id !== undefined)))

/** The item that the event is about, where the event itself says so. */
export const itemOf = (event: Event): Item | undefined => {
  switch (event._tag) {
    case "IntentRecorded":
      return event.intent.item
    case "ListingSeen":
      return event.listing.item
    case "Filled":
      return event.fill.item
    case "Returned":
      return event.returned.item
    case "ForeignBidSeen":
      return event.order.item
    default:
      return "item" in event ? event.item : undefined
  }
}

/** The intent that the event is about. */
export const intentIdOf = (event: Event): string | undefined => {
  if (!("intent" in event)) return undefined
  return typeof event.intent === "object" ? event.intent.id : event.intent
}

const named = (event: Event): ReadonlyArray<string | undefined> => {
  switch (event._tag) {
    case "IntentRecorded":
      return [event.intent.id, ...targetsOf(event.intent)]
    case "Accepted":
    case "Settled":
    case "Reappeared":
      return [event.intent, event.order]
    case "FundsReleased":
    case "FundsRevoked":
      return [event.fill]
    case "ConfirmedByHand":
      return [event.confirmation]
    case "OrphansSeen":
      return [...event.confirmations.map(({ id }) => id), ...event.listings]
    case "Pended":
    case "Confirming":
    case "Confirmed":
      return [event.intent, event.confirmation]
    case "BidProgressed":
    case "BidClosed":
      return [event.order]
    case "BuyClosed":
      return [event.intent, event.listing]
    case "ListingSeen":
      return [event.listing.id, event.listing.asset]
    case "ListingClosed":
      return [event.listing, event.asset]
    case "Filled":
      return [event.fill.id, event.fill.listing, event.fill.asset, event.intent]
    case "Returned":
      return [event.returned.listing, event.returned.asset, event.returned.returnedAs]
    case "ForeignBidSeen":
      return [event.order.id]
    default:
      return [intentIdOf(event)]
  }
}

/** What an intent works on, by the market's ids. */
export const targetsOf = (intent: Intent): ReadonlyArray<string> => {
  switch (intent._tag) {
    case "PlaceBid":
      return []
    case "CancelBid":
      return [intent.order]
    case "ListAsset":
      return [intent.asset]
    case "RemoveListing":
    case "BuyListing":
      return [intent.listing, intent.asset]
  }
}
