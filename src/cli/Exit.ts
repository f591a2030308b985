/**
 * How a command ends: its exit code and the one message that a person needs.
 * Invariants: 1. 0 ok, 1 failed (also a wrong command line), 2 not found, 3 not running, 4 bad configuration or strategy, 5 timed
 * out; 130 interrupted. 2. an expected failure is a CliError with a place and a remedy, never a stack trace.
 */
import { Cause, Context, Effect, Exit, Option, Schema } from "effect"
import { CliError as ParseError } from "effect/cli"

export const failed = 1
export const notFound = 2
export const notRunning = 3
export const badConfig = 4
export const timedOut = 5
const interrupted = 130

export const ExitCode = Schema.Literals([failed, notFound, notRunning, badConfig, timedOut])
export type ExitCode = typeof ExitCode.Type

/** A failure that is expected: what happened and where, and what to do about it. */
export class CliError extends Schema.TaggedError<CliError>()("CliError", {
  exitCode: ExitCode,
  message: Schema.String,
  remedy: Schema.optionalKey(Schema.String)
}) {}

export const cliError = (exitCode: ExitCode, message: string, remedy?: string): CliError =>
  new CliError({ exitCode, message, ...(remedy === undefined ? {} : { remedy }) })

/** The command has already said on stdout what is wrong; only the exit code is left. */
export class Reported extends Schema.TaggedError<Reported>()("Reported", { exitCode: ExitCode }) {}

/** Set while a command runs whose normal end is a signal; `runMain` then exits with 0. */
export const EndsBySignal = Context.Reference<{ ended: boolean }>("haggle/cli/EndsBySignal", {
  defaultValue: () => ({ ended: false })
})

/** Ctrl-C (or SIGTERM) is the normal end of this work: its finalizers run and the process exits with 0. */
export const untilSignal = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.onInterrupt(work, () =>
    Effect.map(EndsBySignal, (signal) => {
      signal.ended = true
    })
  )

/** What the process says last on stderr (undefined: nothing) and its exit code. */
export interface Ending {
  readonly exitCode: number
  readonly message: string | undefined
}

const quiet = (exitCode: number): Ending => ({ exitCode, message: undefined })

const withRemedy = (message: string, remedy: string | undefined): string =>
  remedy === undefined ? `haggle: ${message}` : `haggle: ${message}\n  = ${remedy}`

const isShowHelp = (error: unknown): error is ParseError.ShowHelp =>
  ParseError.isCliError(error) && error._tag === "ShowHelp"

const endingOfError = (error: unknown): Ending => {
  if (error instanceof CliError)
    return { exitCode: error.exitCode, message: withRemedy(error.message, error.remedy) }
  if (error instanceof Reported) return quiet(error.exitCode)
  // its presenter has printed the help and the errors
  if (isShowHelp(error)) return quiet(error.errors.length === 0 ? 0 : failed)
  return { exitCode: failed, message: withRemedy(messageOf(error), undefined) }
}

/** The first line of whatever was thrown. */
export const messageOf = (error: unknown): string => {
  const text = error instanceof Error && error.message !== "" ? error.message : String(error)
  return text.split("\n")[0] ?? text
}

/** How the process ends, from how its main effect ended. */
export const endingOf = (exit: Exit.Exit<unknown, unknown>, endsBySignal: boolean): Ending => {
  if (Exit.isSuccess(exit)) return quiet(0)
  const error = Cause.findErrorOption(exit.cause)
  if (Option.isSome(error)) return endingOfError(error.value)
  if (Cause.hasInterruptsOnly(exit.cause)) return quiet(endsBySignal ? 0 : interrupted)
  return {
    exitCode: failed,
    message: withRemedy(
      `internal error: ${messageOf(Cause.squash(exit.cause))}`,
      "this is a defect of haggle: run again with --log-level debug for the place, and report it"
    )
  }
}
