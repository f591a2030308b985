/** Notices as HTTP POST to an address that is a secret, in the words of the service behind it. */
import { Effect, Redacted } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"

import { type Channel, type Notice, NotTold } from "./Notifier.ts"

/** Whose words: a JSON object of ours, or what these services take. */
export const dialects = ["json", "discord", "slack", "telegram", "ntfy"] as const
export type Dialect = (typeof dialects)[number]

/** Services cut or refuse longer messages. */
const longestText = 1_800

const short = (text: string): string => (text.length > longestText ? `${text.slice(0, longestText)}…` : text)

const priorities = { info: "default", warning: "high", critical: "urgent" } as const

const spoken =
  (dialect: Dialect, notice: Notice) =>
  (request: HttpClientRequest.HttpClientRequest): HttpClientRequest.HttpClientRequest => {
    const { text, title, urgency } = notice
    switch (dialect) {
      case "json":
        return HttpClientRequest.bodyJsonUnsafe(request, notice)
      case "discord":
        return HttpClientRequest.bodyJsonUnsafe(request, {
          content: short(`**${title}**\n${text}`),
          // a strategy's message cannot call everybody
          allowed_mentions: { parse: [] }
        })
      case "slack":
      case "telegram":
        return HttpClientRequest.bodyJsonUnsafe(request, { text: short(`${title}\n${text}`) })
      case "ntfy":
        return request.pipe(
          HttpClientRequest.bodyText(short(text)),
          // a header carries Latin-1 only
          HttpClientRequest.setHeaders({
            title: title.replaceAll(/[^\x20-\x7e]/gu, "?"),
            priority: priorities[urgency]
          })
        )
    }
  }

/** The address may carry a token, so errors tell their kind and status alone. */
export const webhook = (client: HttpClient.HttpClient, url: Redacted.Redacted, dialect: Dialect): Channel => {
  const name = dialect === "json" ? "webhook" : dialect
  return {
    name,
    send: (notice) =>
      client.execute(spoken(dialect, notice)(HttpClientRequest.post(Redacted.value(url)))).pipe(
        Effect.flatMap((response) => Effect.as(response.text, response.status)),
        // spans and logs of the client would name the address
        Effect.withTracerEnabled(false),
        Effect.mapError(({ reason }) => new NotTold({ channel: name, detail: reason._tag })),
        Effect.filterOrFail(
          (status) => status >= 200 && status < 300,
          (status) => new NotTold({ channel: name, detail: `HTTP ${status}` })
        ),
        Effect.asVoid
      )
  }
}
