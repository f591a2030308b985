/**
 * Where the ledger of requests of a real market is. A market counts addresses and accounts, not folders, so whoever runs haggle on this
 * machine shares one file; a market on the loopback is one's own and keeps its ledger with the state.
 */
import { Config as Variable, Effect, Option, Path } from "effect"

import type { Settings } from "../config/Settings.ts"

const name = "requests.db"

/** The file for the market at this address. */
export const ledgerFile = Effect.fn("LedgerFile.ledgerFile")(function* (settings: Settings, url: string) {
  const path = yield* Path.Path
  if (settings.market.ledger !== null) return path.resolve(settings.market.ledger)
  const home = isLoopback(url) ? undefined : yield* userState
  return home === undefined ? path.join(settings.state, name) : path.join(home, "haggle", name)
})

export const isLoopback = (url: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(new URL(url).hostname)

/** The user's folder for what programs remember, as the system's conventions have it. */
const userState = Effect.gen(function* () {
  const path = yield* Path.Path
  const [stated, home] = yield* Effect.all([
    Effect.orDie(Variable.option(Variable.String("XDG_STATE_HOME"))),
    Effect.orDie(Variable.option(Variable.String("HOME")))
  ])
  return Option.getOrUndefined(
    Option.orElse(Option.filter(stated, path.isAbsolute), () =>
      Option.map(home, (folder) => path.join(folder, ".local", "state"))
    )
  )
})
