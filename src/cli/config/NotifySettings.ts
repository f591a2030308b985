/** What `notify:` in the configuration says, and the notifier that it makes. */
import { Clock, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"

import * as Channels from "../../notify/Channels.ts"
import { defaultRules, layer } from "../../notify/Dispatch.ts"
import type { Channel, Notifier } from "../../notify/Notifier.ts"
import { dialects, webhook } from "../../notify/Webhook.ts"
import { PathText, Time } from "./Leaf.ts"

const said = (expected: string) => ({ expected, title: expected })

const Address = Schema.String.annotate(said("an address such as https://hooks.example/abc")).check(
  Schema.isPattern(/^https?:\/\/\S+$/u, { message: "takes an address such as https://hooks.example/abc" })
)

const ChannelSetting = Schema.Union([
  Schema.Literal("log"),
  Schema.Struct({ file: PathText }),
  Schema.Struct({ command: Schema.NonEmptyArray(Schema.NonEmptyString) }),
  Schema.Struct({ webhook: Address, as: Schema.optionalKey(Schema.Literals(dialects)) })
]).annotate(
  said('`log`, or a mapping with `file`, `command` or `webhook`, such as {webhook: "https://…", as: discord}')
)

export const NotifySettings = Schema.Struct({
  channels: Schema.Array(ChannelSetting),
  perHour: Schema.Int.check(Schema.isGreaterThan(0, { message: "takes a number above 0" })),
  repeatAfter: Time,
  summaryEvery: Schema.NullOr(Time)
})
export type NotifySettings = typeof NotifySettings.Type

export const defaultNotifySettings: NotifySettings = {
  channels: [],
  perHour: defaultRules.perHour,
  repeatAfter: Duration.millis(defaultRules.repeatMillis),
  summaryEvery: null
}

export const notifyDescriptions: Readonly<Record<string, string>> = {
  "notify.channels":
    "Who is told of halts, lost sessions, quarantines, differences, refused strategies and `do: notify`: log, {file: PATH}, {command: [PROGRAM, ARGUMENT]} or {webhook: ADDRESS, as: json, discord, slack, telegram or ntfy}",
  "notify.perHour": "At most so many messages an hour for each; critical ones always go out",
  "notify.repeatAfter": "The same message again only after this long",
  "notify.summaryEvery": "How often a summary is told, such as 24h; null never"
}

export const channelsOf = Effect.fnUntraced(function* ({ channels }: NotifySettings) {
  const client = yield* HttpClient.HttpClient
  return channels.map((setting): Channel => {
    if (setting === "log") return Channels.log
    if ("file" in setting) return Channels.file(setting.file)
    if ("command" in setting) {
      const [program, ...args] = setting.command
      return Channels.command(program, args)
    }
    return webhook(client, Redacted.make(setting.webhook), setting.as ?? "json")
  })
})

/** Works on the wall's time: people and their services live there, also while the market's time is virtual. */
export const notifierLayer = (settings: NotifySettings, wall: Clock.Clock): Layer.Layer<Notifier> =>
  Layer.unwrap(
    Effect.map(channelsOf(settings), (channels) =>
      layer(channels, {
        perHour: settings.perHour,
        repeatMillis: Duration.toMillis(settings.repeatAfter)
      })
    )
  ).pipe(Layer.provide(FetchHttpClient.layer), Layer.provide(Layer.succeed(Clock.Clock, wall)))
