/** What the checkers are told, in the order in which it happens, and what they answer. */
import type { Limits } from "../../src/domain/Decision.ts"
import type { Event } from "../../src/domain/Event.ts"
import type { Intent } from "../../src/domain/Intent.ts"
import type { Operation } from "../../src/domain/Operation.ts"
import type { Command, Reply } from "../../src/exchange/Command.ts"
import type { World } from "../../src/exchange/World.ts"

export const promises = {
  1: "no two live orders for one item or listings for one asset",
  2: "no mutation without a journaled intent, none sent twice",
  3: "no limit exceeded and no word of the operator passed over, also across a restart",
  4: "ledger equals wallet, lots equal inventory",
  5: "no request over a published budget",
  6: "every unknown outcome is settled or quarantined in time",
  7: "no confirmation allowed that is not ours",
  8: "no secret in any event, log line or error",
  9: "trading goes on once faults are gone",
  10: "same seed, same journal"
} as const
export type Promised = keyof typeof promises

/** Amounts in minor units, times in market milliseconds. */
export type Occasion =
  /** These events are on disk now. */
  | {
      readonly _tag: "Journaled"
      readonly events: ReadonlyArray<Event>
      readonly now: number
      readonly world: World
      readonly life: number
    }
  /** A request of the bot leaves, and is answered; `isFault`: the answer was made up by the plan. */
  | {
      readonly _tag: "Asked"
      readonly operation: Operation | undefined
      /** What a budget of distinct items counts. */
      readonly item: string
      readonly now: number
    }
  | {
      readonly _tag: "Answered"
      readonly operation: Operation | undefined
      readonly status: number
      readonly isFault: boolean
      readonly now: number
    }
  /** A command of the bot has reached the exchange and is about to be carried out in this world. */
  | {
      readonly _tag: "Commanded"
      readonly command: Command
      readonly world: World
      readonly now: number
      readonly life: number
    }
  | { readonly _tag: "Replied"; readonly command: Command; readonly reply: Reply }
  /** Anything that the bot says, to whomever. */
  | { readonly _tag: "Said"; readonly where: string; readonly text: string }
  /** A strategy file is on disk in this revision. */
  | {
      readonly _tag: "Written"
      readonly name: string
      readonly revision: string
      readonly limits: Limits
      /** Rules that may sell under cost. */
      readonly lossRules: ReadonlySet<string>
    }
  | { readonly _tag: "Booted" | "Up" | "Died" | "Quiet"; readonly now: number }
  /** The bot believes that the market refuses it altogether, and rests. */
  | { readonly _tag: "LeftAlone"; readonly until: number }
  | { readonly _tag: "Ended"; readonly ending: Ending }

/** The bot's own view of itself beside the truth, when it has stopped in order. */
export interface Ending {
  readonly now: number
  readonly world: World
  /** What the account had before the bot came, by `app/name`. */
  readonly starter: ReadonlyMap<string, number>
  readonly state: {
    readonly ledger: number
    readonly units: ReadonlyMap<string, number>
    readonly orders: ReadonlySet<string>
    readonly assets: ReadonlySet<string>
    readonly unsettled: number
  }
}

/** An intent as the journal and the wire know it. */
export interface Known {
  readonly intent: Intent
  readonly life: number
  sent: boolean
  posts: number
  reposts: number
  pended: string | undefined
}

/** What every checker may look up; kept by the referee alone. */
export interface Record {
  readonly intents: ReadonlyMap<string, Known>
  /** Intents by the order that the exchange made of them. */
  readonly orders: ReadonlyMap<string, Intent>
  /** Intents by the listing that they bought outright. */
  readonly listings: ReadonlyMap<string, Intent>
}

/** Watches over one promise. */
export interface Checker {
  readonly promise: Promised
  /** What is wrong now, in words. */
  readonly see: (occasion: Occasion, record: Record) => ReadonlyArray<string>
  /** What would be wrong if the bot's books were closed now; empty when they agree. */
  readonly differs?: (ending: Ending, record: Record) => ReadonlyArray<string>
}

export const nothingWrong: ReadonlyArray<string> = []
