/**
 * Time passes: the background traders' events are carried out in order of time over all items.
 * Invariants: 1. advancing to t1 and then to t2 equals advancing to t2. 2. of two events of the same moment the item with the lower
 * index comes first, and within an item the step before the order. 3. time never goes back. 4. what is traded changes no fair price and
 * no flow: the same seed has the same days whoever trades in them.
 */
import { type Draft, editItem, type ItemDraft, finish, open } from "./Draft.ts"
import { type MarketEvent } from "./MarketEvent.ts"
import { activity, type FairState, fairPrice, hourMillis, step } from "./Process.ts"
import { closeHour } from "./SalesLog.ts"
import { type Tape, tapeLogPrice, tapeUnitsPerHour } from "./Tape.ts"
import { requote, scheduleOrder, trade } from "./Traders.ts"
import { type MarketItem, type World } from "./World.ts"

/** Recorded hours of tens of thousands of sales are thinned to this many, so that one item cannot stall the market. */
const unitsPerHourLimit = 300

const followTape = (item: ItemDraft, tape: Tape, at: number): void => {
  item.price = Math.exp(tapeLogPrice(tape, at))
  item.flow = Math.min(unitsPerHourLimit, Math.max(0.05, tapeUnitsPerHour(tape, at)))
}

/** After a recording's end the process starts from its last price. */
const leaveTape = (fair: FairState, item: ItemDraft): FairState => ({
  ...fair,
  level: Math.log(item.price / item.basePrice),
  swing: 0,
  fast: 0,
  jump: 0
})

const takeStep = (item: ItemDraft, at: number): void => {
  if (at % hourMillis === 0) closeHour(item, at)
  const { character } = item.of
  const { tape } = item
  if (tape !== undefined && at <= tape.endsAt) {
    followTape(item, tape, at)
    item.fair = leaveTape(item.fair, item)
  } else {
    item.fair = step(item.fair, character, item.fairChance, at)
    item.price = fairPrice(item.basePrice, item.fair)
    item.flow = Math.min(unitsPerHourLimit, character.unitsPerHour * activity(item.fair, at))
  }
  item.price = Math.max(item.price, item.fees.floor * 4)
  requote(item, at)
  scheduleOrder(item, at)
  item.nextStepAt = at + character.stepMillis
}

const dueAt = ({ nextOrderAt, nextStepAt }: MarketItem): number =>
  nextStepAt <= nextOrderAt ? nextStepAt : nextOrderAt

/** Carries out everything that is due up to and including the moment. */
const advanceDraft = (draft: Draft, now: number): void => {
  // Most of the items sleep most of the time: only those with something to do are looked through for the next event.
  const awake: Array<number> = []
  const times: Array<number> = []
  draft.items.forEach((item, index) => {
    const at = dueAt(item)
    if (at > now) return
    awake.push(index)
    times.push(at)
  })
  for (;;) {
    let [due, place] = [Infinity, -1]
    for (let at = 0; at < times.length; at++) {
      const time = times[at] ?? Infinity
      if (time < due) {
        due = time
        place = at
      }
    }
    const index = awake[place]
    if (index === undefined || due > now) break
    const item = editItem(draft, index)
    draft.now = due
    if (item.nextStepAt <= item.nextOrderAt) takeStep(item, due)
    else trade(draft, index)
    times[place] = dueAt(item)
  }
  draft.now = Math.max(draft.world.now, now)
}

export interface Advanced {
  readonly world: World
  readonly events: ReadonlyArray<MarketEvent>
}

/** The world at a later moment; at an earlier one it stays as it is. Accounts keep their identity when nothing happened to them. */
export const advance = (world: World, now: number): Advanced => {
  if (now <= world.now) return { world, events: [] }
  const draft = open(world)
  advanceDraft(draft, now)
  return { world: finish(draft), events: draft.events }
}
