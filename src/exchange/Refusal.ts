/**
 * Everything the market says no with: an enumeration with the result code that orders carry and the message that people read.
 * Invariant: codes are those of the interface's family (8 wrong value, 25 limit, 29 duplicate, 42 nothing there); a message never
 * names another account.
 */

export const refusals = {
  UnknownItem: { code: 42, message: "There is no such item on the market." },
  WrongPrice: { code: 8, message: "The price is not valid." },
  PriceTooLow: { code: 8, message: "The price is below the lowest price that an item may have." },
  PriceTooHigh: { code: 8, message: "The price entered plus fees exceeds the maximum allowed." },
  WrongQuantity: { code: 8, message: "The quantity is not valid." },
  WrongCurrency: { code: 8, message: "The currency is not that of your wallet." },
  OrderExists: {
    code: 29,
    message:
      "You already have an active buy order for this item. Cancel that order, or wait until it is filled, before you place a new one."
  },
  OrdersExceedBalance: {
    code: 25,
    message: "Your active buy orders may not be worth more than ten times your wallet balance."
  },
  ListingGone: {
    code: 42,
    message:
      "There was a problem purchasing your item. The listing may have been removed, its price may have changed, or somebody else has already purchased it."
  },
  AlreadyBought: { code: 29, message: "You've already purchased this item." },
  OwnListing: { code: 8, message: "You cannot purchase your own listing." },
  InsufficientFunds: {
    code: 107,
    message: "Cannot purchase this item because your wallet does not have sufficient funds."
  },
  WrongConfirmation: { code: 8, message: "The confirmation does not belong to this purchase." },
  ConfirmationRejected: { code: 52, message: "The purchase was cancelled." },
  NoSuchOrder: { code: 42, message: "" },
  NotInInventory: {
    code: 8,
    message:
      "The item specified is no longer in your inventory or is not allowed to be traded on the Community Market."
  },
  AlreadyStaged: {
    code: 8,
    message:
      "You already have a listing for this item pending confirmation. Please confirm or cancel the existing listing."
  },
  ListingFailed: {
    code: 2,
    message: "There was a problem listing your item. Refresh the page and try again."
  },
  TooManyStaged: {
    code: 25,
    message:
      "You have too many listings pending confirmation. Please confirm or cancel some before listing more."
  },
  NoSuchListing: {
    code: 42,
    message: "There was a problem removing your listing. Refresh the page and try again."
  },
  NoSuchConfirmation: { code: 2, message: "It looks like that confirmation has already been settled." }
} as const

export type Refusal = keyof typeof refusals
