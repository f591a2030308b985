/**
 * What the operator has allowed the daemon to do: a part of the state, so that it outlives every restart.
 * Invariants: 1. a halt is left by `resume` alone. 2. a word that changes nothing is no event.
 */
import { Result, Schema } from "effect"

import type { Event } from "./Event.ts"
import { Millis } from "./Ids.ts"

/** Since when, by whose word, and why. */
const said = { since: Millis, who: Schema.String, why: Schema.String }

export const Control = Schema.TaggedUnion({
  Trading: {},
  /** Nothing new is sent; what is in flight is settled and confirmed, reads go on. */
  Paused: said,
  /** Our bids are cancelled, nothing is bought, what is held is sold; once flat it is paused. */
  Draining: said,
  /** The kill switch: our bids are cancelled and nothing else is sent. */
  Halted: said
})
export type Control = typeof Control.Type

export const trading: Control = { _tag: "Trading" }

/** Who speaks when the daemon does so by itself, and why it does when it has drained. */
export const itself = "haggle"
export const drained = "drained: nothing is held, and nothing stands on the market"

/** The words that an operator has. */
export const controlWords = ["pause", "resume", "drain", "halt"] as const
export type ControlWord = (typeof controlWords)[number]

/** A word with its speaker and reason. */
export interface Command {
  readonly word: ControlWord
  readonly who: string
  readonly why: string
}

/**
 * The event that a command makes of this control; none when it is in force already; a sentence when it cannot be. `stopped` says that some
 * strategy is halted, so that a resume is not for nothing.
 */
export const commanded = (
  control: Control,
  { who, why, word }: Command,
  at: Millis,
  stopped: boolean
): Result.Result<ReadonlyArray<Event>, string> => {
  if (control._tag === "Halted" && word !== "resume" && word !== "halt")
    return Result.fail(`trading is halted (${control.why}), and only \`haggle resume\` clears a halt`)
  if (control._tag === inForce[word] && !(word === "resume" && stopped)) return Result.succeed([])
  switch (word) {
    case "pause":
      return Result.succeed([{ _tag: "Paused", at, who, why }])
    case "drain":
      return Result.succeed([{ _tag: "Draining", at, who, why }])
    case "halt":
      return Result.succeed([{ _tag: "Halted", at, who, why }])
    case "resume":
      return Result.succeed([{ _tag: "Resumed", at, who, why }])
  }
}

const inForce = {
  pause: "Paused",
  resume: "Trading",
  drain: "Draining",
  halt: "Halted"
} satisfies Record<ControlWord, Control["_tag"]>

/** The control after an event. */
export const controlAfter = (control: Control, event: Event): Control => {
  switch (event._tag) {
    case "Resumed":
      return trading
    case "Paused":
    case "Draining":
      return control._tag === "Halted"
        ? control
        : { _tag: event._tag, since: event.at, who: event.who, why: event.why }
    case "Halted":
      return { _tag: "Halted", since: event.at, who: event.who ?? "a rule", why: event.why }
    default:
      return control
  }
}

/** In one line: `paused since …` is put together by the face; here what it is and why. */
export const showControl = (control: Control): string =>
  control._tag === "Trading"
    ? "trading"
    : `${control._tag.toLowerCase()} by ${control.who}${control.why === "" ? "" : `: ${control.why}`}`
