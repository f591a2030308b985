/** `haggle notify test`: one message through every configured channel, and what became of it. */
import { Clock, Console, Effect } from "effect"
import { FetchHttpClient } from "effect/http"

import type { Millis } from "../../domain/Ids.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { channelsOf } from "../config/NotifySettings.ts"
import { badConfig, cliError, failed, Reported } from "../Exit.ts"

const patience = "10 seconds"

export const run = Effect.fn("cli.notify.test")(function* (
  flags: { readonly json: boolean },
  { settings }: ResolvedConfig
) {
  const channels = yield* Effect.provide(channelsOf(settings.notify), FetchHttpClient.layer)
  if (channels.length === 0)
    return yield* cliError(
      badConfig,
      "nobody is told: notify.channels is empty",
      "name channels in config/haggle.yaml, such as `channels: [log]`"
    )
  const notice = {
    at: (yield* Clock.currentTimeMillis) as Millis,
    urgency: "info",
    kind: "Test",
    title: "A test",
    text: "haggle can reach you here"
  } as const
  const results = yield* Effect.forEach(channels, ({ name, send }) =>
    send(notice).pipe(
      Effect.timeout(patience),
      Effect.match({
        onSuccess: () => ({ channel: name, told: true, detail: "" }),
        onFailure: (error) => ({
          channel: name,
          told: false,
          detail: error._tag === "NotTold" ? error.detail : "no answer in time"
        })
      })
    )
  )
  for (const result of results)
    yield* Console.log(
      flags.json
        ? JSON.stringify(result)
        : `${result.channel}: ${result.told ? "told" : `not told, ${result.detail}`}`
    )
  if (results.some(({ told }) => !told)) return yield* new Reported({ exitCode: failed })
})
