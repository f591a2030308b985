/**
 * The market as a function: a command at a moment makes the next world, a reply, and what happened on the way.
 * Invariants: 1. the world is advanced to the moment before the command is looked at. 2. a refused command leaves exactly the advanced
 * world. 3. the same world, command and moment give the same result.
 */
import { advance } from "./Advance.ts"
import { type Command, type Reply } from "./Command.ts"
import { type Draft, finish, open } from "./Draft.ts"
import { removeListing, sellItem, settleConfirmation } from "./Listings.ts"
import { type MarketEvent } from "./MarketEvent.ts"
import { cancelBuyOrder, createBuyOrder } from "./Orders.ts"
import { buyListing } from "./Purchases.ts"
import { type World } from "./World.ts"

export interface Applied {
  readonly world: World
  readonly reply: Reply
  readonly events: ReadonlyArray<MarketEvent>
  /** Whether the command changed anything beyond the passing of time. */
  readonly changed: boolean
}

const decide = (draft: Draft, command: Command): Reply => {
  switch (command._tag) {
    case "CreateBuyOrder":
      return createBuyOrder(draft, command)
    case "BuyListing":
      return buyListing(draft, command)
    case "CancelBuyOrder":
      return cancelBuyOrder(draft, command)
    case "SellItem":
      return sellItem(draft, command)
    case "RemoveListing":
      return removeListing(draft, command)
    case "SettleConfirmation":
      return settleConfirmation(draft, command)
  }
}

export const apply = (world: World, command: Command, now: number): Applied => {
  const before = advance(world, now)
  const draft = open(before.world)
  const reply = decide(draft, command)
  // Every change that a reply promises is seen by somebody, so that one without an event changed nothing.
  const changed = reply._tag !== "Refused" && (draft.events.length > 0 || reply._tag === "Done")
  if (!changed) return { world: before.world, reply, events: before.events, changed }
  return { world: finish(draft), reply, events: [...before.events, ...draft.events], changed }
}
