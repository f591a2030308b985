/** Flags that several commands share; one whose name is a setting's (see Handler) overrides that setting. */
import { Option } from "effect"
import { Argument, Flag } from "effect/cli"

import { currencyOfCode } from "../../domain/Currency.ts"
import { operations } from "../../domain/Operation.ts"
import { parseDuration } from "../../rules/Strategy.ts"
import { historyFile } from "../run/RunFlags.ts"

export const optionalText = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.optional)

export const optionalNumber = (name: string, description: string) =>
  Flag.Finite(name).pipe(Flag.withMetavar("N"), Flag.withDescription(description), Flag.optional)

/** Off unless it stands there. */
export const onOff = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false), Flag.withoutNegation)

export const seed = Flag.Int("seed").pipe(
  Flag.withMetavar("N"),
  Flag.withDescription("Chance of the embedded market; the same seed gives the same market"),
  Flag.optional
)

export const history = Flag.String("history").pipe(
  Flag.withMetavar("[ITEM=]FILE"),
  Flag.withDescription("Replay a recorded price history as an item's price path; may be repeated"),
  Flag.map(historyFile),
  Flag.atLeast(0)
)

/** What goes wrong on an embedded market. */
export const faults = optionalText("faults", "FILE", "Play the faults of this plan; each is told on stderr")
export const faultsSeed = Flag.Int("faults-seed").pipe(
  Flag.withMetavar("N"),
  Flag.withDescription("Chance of the plan's faults; without --faults the whole plan is drawn from it"),
  Flag.optional
)
export const faultsIntensity = Flag.Finite("faults-intensity").pipe(
  Flag.withMetavar("SHARE"),
  Flag.withDescription("Share of calls that a drawn plan spoils (default 0.05)"),
  Flag.filter(
    (share) => share > 0 && share <= 1,
    (share) => `Expected: a share above 0, at most 1, not ${share}`
  ),
  Flag.optional
)

export const platformName = optionalText(
  "platform-name",
  "WORD",
  "The word that the market's cookies and fields begin with"
)
export const state = optionalText("state", "DIR", "Folder of the databases")
export const strategies = optionalText("strategies", "DIR", "Folder of the strategy files")

const marketTime = (text: string): Option.Option<number> => {
  const millis = parseDuration(text)
  return millis === undefined || millis <= 0 ? Option.none() : Option.some(millis)
}

/** `--for 2h`, milliseconds. */
export const forTime = Flag.String("for").pipe(
  Flag.withMetavar("TIME"),
  Flag.withDescription("Stop after this much market time, such as 2h or 30d"),
  Flag.filterMap(marketTime, (text) => `Expected: a time such as 90s, 2h or 30d, not "${text}"`),
  Flag.optional
)

const pairs = (name: string, description: string) =>
  Flag.KeyValuePair(name).pipe(
    Flag.withMetavar("NAME=VALUE"),
    Flag.withDescription(`${description}; may be repeated`),
    Flag.withDefault({})
  )

export const param = pairs("param", "A parameter of the operation")

const secret = (name: string, metavar: string, description: string) =>
  Flag.Redacted(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.optional)

/** Whose session a call uses; flags are seen by other users of the machine, a file is not. */
export const session = {
  session: optionalText("session", "FILE", "Session file, readable by its owner only"),
  accountJson: secret("account-json", "JSON", 'One element of "accounts" of haggle exchange --json'),
  account: optionalText("account", "ID", "Account id; without it the one that the login cookie begins with"),
  cookie: pairs("cookie", "A cookie of the session"),
  sessionid: secret("sessionid", "HEX", "The CSRF value; without it one is chosen"),
  identitySecret: secret("identity-secret", "BASE64", "The authenticator's key, for confirmations"),
  deviceId: optionalText("device-id", "ID", "The authenticator's device; without it derived from the account")
}

/** What every command takes that reads a database. */
export const database = {
  db: optionalText("db", "FILE", "Database to read; without it the latest below the state folder"),
  state
}

export const limit = (shown: number) =>
  Flag.Int("limit").pipe(
    Flag.withMetavar("N"),
    Flag.withDescription(`Show the last so many (default ${shown})`),
    Flag.filter(
      (count) => count > 0,
      (count) => `Expected: a number above 0, not ${count}`
    ),
    Flag.withDefault(shown)
  )

/** One of the thirty operations. */
export const operation = (description: string) =>
  Argument.Literals("operation", operations).pipe(
    Argument.withMetavar("OPERATION"),
    Argument.withDescription(description)
  )

/** `USD,EUR,JPY`: the accounts' wallets, one after the other and again from the first. */
export const currencyCodes = Flag.String("currencies").pipe(
  Flag.withMetavar("CODES"),
  Flag.withDescription(
    "Currencies of the accounts' wallets, such as USD,EUR,JPY (default: the configured one for all)"
  ),
  Flag.filterMap(
    (text) => Option.all(text.split(",").map((code) => currencyOfCode(code.trim().toUpperCase()))),
    (text) => `Expected: currency codes such as USD,EUR,JPY, not "${text}"`
  ),
  Flag.map((currencies) => currencies.map(({ id }) => id)),
  Flag.withDefault([])
)
