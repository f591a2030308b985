/**
 * 4. Every fill that the journal books is the exchange's, to the minor unit and on the right side of what is the bot's and what is the
 * owner's; at the end ledger and wallet, lots and inventory agree.
 */
import type { EventOf } from "../../../src/domain/Event.ts"
import { itemKey } from "../../../src/domain/Item.ts"
import type { World } from "../../../src/exchange/World.ts"
import { type Checker, nothingWrong, type Record } from "../Occasion.ts"
import { isOwnPurchase, isOwnSale, unitsOf } from "../Truth.ts"

export const books = (): Checker => {
  let ledger: number | undefined
  /** By `app/name`: units of fills with and without an intent of the bot. */
  const own = new Map<string, number>()
  const foreign = new Map<string, number>()
  const fills = new Set<string>()

  const book = ({ fill, intent }: EventOf<"Filled">, world: World, record: Record): ReadonlyArray<string> => {
    if (fills.has(fill.id)) return [`fill ${fill.id} was booked twice`]
    fills.add(fill.id)
    const isBuy = fill.side === "Buy"
    ledger = (ledger ?? 0) + (isBuy ? -fill.amount : fill.amount)
    const units = intent === undefined ? foreign : own
    const key = itemKey(fill.item)
    units.set(key, (units.get(key) ?? 0) + (isBuy ? fill.units : -fill.units))
    const row = world.accounts[0]?.history.find(
      ({ listing, purchase }) => purchase !== "" && `${listing}_${purchase}` === fill.id
    )
    if (row === undefined) return [`fill ${fill.id} never happened`]
    const amount = isBuy ? row.price : row.take
    const wrong: Array<string> = []
    if (row.kind !== (isBuy ? "Bought" : "Sold")) wrong.push(`fill ${fill.id} is on the wrong side`)
    if (fill.amount !== amount)
      wrong.push(`fill ${fill.id} is booked with ${fill.amount} instead of ${amount}`)
    const isOwn = isBuy ? isOwnPurchase(world, row.purchase, record) : isOwnSale(row.asset, record)
    if ((intent !== undefined) !== isOwn)
      wrong.push(`fill ${fill.id} is ${intent === undefined ? "the bot's" : "the owner's"}, not the other's`)
    return wrong
  }

  return {
    promise: 4,
    see: (occasion, record) => {
      if (occasion._tag !== "Journaled") return nothingWrong
      return occasion.events.flatMap((event) => {
        if (event._tag === "Filled") return book(event, occasion.world, record)
        if (event._tag !== "LedgerOpened") return []
        const again = ledger !== undefined
        ledger = event.balance
        return again ? ["the ledger was opened twice"] : []
      })
    },
    differs: ({ starter, state, world }) => {
      const [account] = world.accounts
      if (account === undefined) return ["no account"]
      const found: Array<string> = []
      const equal = (what: string, ours: number, theirs: number) => {
        if (ours !== theirs) found.push(`${what}: ${ours} by the bot, ${theirs} in truth`)
      }
      equal("ledger of the journal and wallet", ledger ?? 0, account.balance)
      equal("ledger of the state and wallet", state.ledger, account.balance)
      const truth = unitsOf(world, account)
      for (const key of new Set([...truth.keys(), ...own.keys(), ...foreign.keys(), ...state.units.keys()])) {
        const of = (units: ReadonlyMap<string, number>) => units.get(key) ?? 0
        equal(`units of ${key}`, of(own) + of(foreign), of(truth) - of(starter))
        equal(`lots of ${key}`, of(state.units), of(own))
      }
      return found
    }
  }
}
