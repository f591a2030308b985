/**
 * All shadows of a running daemon: made when their files are in force, begun anew with every new text of either file, fed with what the
 * engine tells. Invariant: at most `mostShadows`; what is remembered of trades is what the newest looks may still need.
 */
import type { Facts } from "../domain/Facts.ts"
import { type ItemKey, itemKey } from "../domain/Item.ts"
import { type OrderBook, orderBook } from "../domain/OrderBook.ts"
import type { Standing, Traded } from "../domain/Standing.ts"
import type { State } from "../domain/State.ts"
import type { Happening } from "../engine/Activity.ts"
import type { Known } from "../paper/Known.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import type { TrackOptions } from "./PaperTrack.ts"
import { isOf, Shadow } from "./Shadow.ts"
import type { Kept } from "./ShadowFile.ts"

/** Each one decides three times a look. */
const mostShadows = 8
/** A look after a longer pause knows nothing of the trades in it. */
const tradesMillis = 6 * 3_600_000

const knownOf = (own: Standing, { currency }: OrderBook, trades: ReadonlyArray<Traded>): Known => {
  const { asks, bids } = orderBook({ currency, ...own })
  return { asks, bids, trades }
}

export class Shadows {
  private readonly options: TrackOptions
  /** Whether orders of the daemon really stand in the books that are seen. */
  private readonly areReal: boolean
  /** What was kept before a restart and is not taken up yet. */
  private before: ReadonlyArray<Kept>
  private shadows: ReadonlyArray<Shadow> = []
  private readonly trades = new Map<ItemKey, ReadonlyArray<Traded>>()
  /** Grows with every look. */
  looks = 0

  constructor(options: TrackOptions, areReal: boolean, before: ReadonlyArray<Kept>) {
    this.options = options
    this.areReal = areReal
    this.before = before
  }

  /** Hears what happens; `inForce` are the strategies as they are now, `real` the daemon's state. */
  hear(happening: Happening, inForce: ReadonlyArray<CompiledStrategy>, real: State): void {
    if (happening._tag === "Journaled") {
      const { event } = happening
      if (event._tag !== "Filled" || event.intent === undefined) return
      const { amount, fee, item, side, units } = event.fill
      const price = (side === "Buy" ? amount : amount + fee) / Math.max(1, units)
      this.traded(itemKey(item), {
        side: side === "Buy" ? "bids" : "asks",
        price: Math.round(price) as Traded["price"],
        units,
        at: event.fill.at
      })
    } else if (happening._tag === "Stepped") this.stepped(happening, inForce, real)
  }

  private traded(key: ItemKey, trade: Traded): void {
    const before = this.trades.get(key) ?? []
    const known = [...before.filter(({ at }) => at >= trade.at - tradesMillis), trade]
    this.trades.set(
      key,
      known.toSorted((a, b) => a.at - b.at)
    )
  }

  private stepped(
    { facts, own }: { readonly facts: Facts; readonly own: Standing },
    inForce: ReadonlyArray<CompiledStrategy>,
    real: State
  ): void {
    this.looks++
    this.follow(inForce, facts, real)
    const trades = this.trades.get(itemKey(facts.item)) ?? []
    const known =
      this.areReal && facts.book._tag === "Seen" ? knownOf(own, facts.book.value, trades) : undefined
    for (const shadow of this.shadows) shadow.see(facts, real, known)
  }

  private follow(inForce: ReadonlyArray<CompiledStrategy>, facts: Facts, real: State): void {
    const wanted = inForce.filter(({ mode }) => mode === "shadow").slice(0, mostShadows)
    const besideOf = ({ shadowOf }: CompiledStrategy) =>
      inForce.find(({ mode, name }) => name === shadowOf && mode !== "shadow" && mode !== "off")
    const isSame =
      wanted.length === this.shadows.length &&
      wanted.every((one, index) => {
        const shadow = this.shadows[index]
        return shadow?.of === one && shadow.beside === besideOf(one)
      })
    if (isSame) return
    this.shadows = wanted.map((one) => {
      const beside = besideOf(one)
      const running = this.shadows.find(({ of, beside: was }) => of === one && was === beside)
      const kept = this.before.find(({ report }) => isOf(report, beside, one))
      this.before = this.before.filter((other) => other !== kept)
      return running ?? new Shadow(one, beside, { facts, real }, this.options, kept)
    })
  }

  /** Everything about all of them. */
  kept(real: State): ReadonlyArray<Kept> {
    return this.shadows.map((shadow) => shadow.kept(real))
  }
}
