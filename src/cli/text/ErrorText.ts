/**
 * The rooms' errors as a person reads them: what happened, where, and the remedy.
 * Invariant: every error that a room declares has its own words here; only a defect has none.
 */
import { PlatformError } from "effect"

import { MarketError } from "../../market/Market.ts"
import { SessionFileError } from "../../market/SessionFile.ts"
import { PaperError } from "../../paper/PaperAccount.ts"
import { StrategiesError } from "../../rules/StrategiesYaml.ts"
import { StoreError } from "../../store/Store.ts"
import { TapeError } from "../../tape/Tape.ts"
import {
  badConfig,
  cliError,
  CliError,
  failed,
  messageOf,
  notFound,
  notRunning,
  Reported,
  timedOut
} from "../Exit.ts"

type StoreReason = StoreError["reason"]
type MarketReason = MarketError["reason"]

const ofStore = (reason: StoreReason): CliError => {
  switch (reason._tag) {
    case "Corrupt":
      return cliError(
        failed,
        `the database ${reason.file} is damaged or is no database: ${reason.detail}`,
        "nothing was written to it; restore a copy, or move it away and haggle starts a new one and reads the market again"
      )
    case "NotWritable":
      return cliError(
        failed,
        `${reason.path} cannot be written: ${reason.detail}`,
        "give its owner the right to write, or choose another folder with --state DIR"
      )
    case "OtherStamp":
      return cliError(
        badConfig,
        `the database ${reason.file} belongs to ${reason.found}, not to ${reason.wanted}`,
        "choose another folder with --state DIR: accounts, modes and markets never share a database"
      )
    case "InUse":
      return cliError(
        failed,
        `another haggle (process ${reason.pid}) works with ${reason.file}`,
        "stop it first, or choose another folder with --state DIR"
      )
    case "TooNew":
      return cliError(
        failed,
        `the database ${reason.file} has version ${reason.found}, and this haggle knows up to ${reason.known}`,
        "use the newer haggle that wrote it"
      )
    case "Missing":
      return cliError(
        notRunning,
        `not running: there is no database ${reason.file}`,
        "start it with `haggle run`"
      )
    case "Failed":
      return cliError(failed, `the database failed in ${reason.operation}: ${reason.detail}`)
  }
}

const ofMarket = (operation: string, reason: MarketReason): CliError => {
  switch (reason._tag) {
    case "RateLimited":
      return cliError(
        failed,
        `${operation}: the market says too many requests`,
        "wait some minutes before the next one"
      )
    case "SessionExpired":
      return cliError(
        failed,
        `${operation}: the session is not valid (${reason.signal})`,
        "sign in again and give the new cookies"
      )
    case "Unreachable":
      return /time|timed/i.test(reason.detail)
        ? cliError(
            timedOut,
            `${operation}: no answer in time (${reason.detail})`,
            "try again, or raise market.timeout"
          )
        : cliError(
            failed,
            `${operation}: the market cannot be reached (${reason.detail})`,
            "check the address after --url"
          )
    case "BadStatus":
      return cliError(failed, `${operation}: the market answered HTTP ${reason.status} without a usable body`)
    case "NoData":
      return cliError(
        failed,
        `${operation}: no data (${reason.detail})`,
        "this is often transient: try again"
      )
    case "Undecodable":
      return cliError(
        failed,
        `${operation}: the answer differs from the contract at ${reason.path === "" ? "its root" : reason.path}: ${reason.detail}`,
        "save the body and run `haggle contract check`"
      )
    case "NoSuchItem":
      return cliError(notFound, `${operation}: the market does not know ${reason.item}`)
  }
}

const ofPlatform = ({ reason }: PlatformError.PlatformError): CliError => {
  const path = "pathOrDescriptor" in reason ? String(reason.pathOrDescriptor ?? "") : ""
  const what = path === "" ? reason.message : path
  switch (reason._tag) {
    case "NotFound":
      return cliError(notFound, `${what} does not exist`, "check the path")
    case "PermissionDenied":
      return cliError(
        failed,
        `${what} may not be read or written`,
        "check its permissions and those of its folder"
      )
    default:
      return cliError(failed, messageOf(reason))
  }
}

/** Any failure of a command as one of its two kinds. */
export const explained = (error: unknown): CliError | Reported => {
  if (error instanceof CliError || error instanceof Reported) return error
  if (error instanceof StoreError) return ofStore(error.reason)
  if (error instanceof StrategiesError)
    return error.errors.length > 0
      ? cliError(badConfig, error.message)
      : cliError(badConfig, error.message, "check the path; --strategies DIR names the folder of the files")
  if (error instanceof PaperError) return cliError(failed, error.message, error.remedy)
  if (error instanceof TapeError) return cliError(failed, error.message, error.remedy)
  if (error instanceof SessionFileError)
    return cliError(
      badConfig,
      error.message,
      ...(error.kind === "Missing"
        ? ["`haggle session import cookies.txt authenticator.json` writes it; --session FILE names another"]
        : [])
    )
  if (error instanceof MarketError) return ofMarket(error.operation, error.reason)
  if (error instanceof PlatformError.PlatformError) return ofPlatform(error)
  // errors of rooms that only one command uses say themselves what happened and what to do
  return cliError(failed, messageOf(error))
}
