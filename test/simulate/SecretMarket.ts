/**
 * A market that tells secrets: it stands between the daemon and an exchange, puts words into the answers that nobody may repeat, breaks
 * some answers with such a word in them, and remembers what is secret in what passes. Beside it a place that notices are sent to.
 */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

import type { Dice } from "./Dice.ts"
import type { Secret } from "./Leaks.ts"

export interface Place {
  readonly url: string
  readonly close: () => void
}

const listening = (server: Server): Promise<Place> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resolve({
        url: `http://127.0.0.1:${port}`,
        close: () => {
          server.closeAllConnections()
          server.close()
        }
      })
    })
  })

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const parts: Array<Buffer> = []
  for await (const part of message) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** A word that stands nowhere else. */
export const canary = (chance: Dice): string =>
  `cnry-${Array.from({ length: 20 }, () => "abcdefghjkmnpqrstuvwxyz23456789"[chance.between(0, 30)]).join("")}`

const billingFields = ["firstname", "lastname", "address1", "address2", "city", "state", "postcode", "phone"]
/** Operations whose answers are broken now and then, so that they are told, kept as samples and taken out of service. */
const broken = /\/(?:priceoverview|pricehistory)/u
const often = 0.3

export interface SecretMarket extends Place {
  /** What has passed that is secret; grows. */
  readonly secrets: Array<Secret>
}

/** Passes everything on to the exchange at `to`. */
export const secretMarket = async (to: string, chance: Dice): Promise<SecretMarket> => {
  const secrets: Array<Secret> = []
  const known = new Set<string>()
  const keep = (name: string, value: string | null | undefined): string => {
    if (value != null && value.length >= 8 && !known.has(value)) {
      known.add(value)
      secrets.push({ name, value })
    }
    return value ?? ""
  }
  const words = new Map(
    [...billingFields, "account_name", "cookie", "token", "email"].map((name) => [
      name,
      keep(`the market's ${name}`, canary(chance))
    ])
  )
  const word = (name: string): string => words.get(name) ?? ""

  const planted = (path: string, text: string): string => {
    if (broken.test(path) && chance.hits(often))
      return JSON.stringify({
        success: true,
        prices: word("token"),
        owner: { email: word("email"), id: word("city") }
      })
    // of no use to anybody but who was meant to have them
    for (const [, nonce] of text.matchAll(/"nonce":"([^"]+)"/gu)) keep("a confirmation's nonce", nonce)
    const told = billingFields.reduce(
      (before, field) => before.replace(new RegExp(`"${field}":"[^"]*"`, "u"), `"${field}":"${word(field)}"`),
      text
    )
    return told
      .replace(/"account_name":"[^"]*"/u, `"account_name":"${word("account_name")}"`)
      .replace(/^\{"success":(true|1)\b/u, `{"success":$1,"debug_token":"${word("token")}"`)
  }

  const pass = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const path = asked.url ?? "/"
    const { searchParams } = new URL(path, to)
    keep("a confirmation's key", searchParams.get("k"))
    keep("a confirmation's nonce", searchParams.get("ck"))
    const body = await bodyOf(asked)
    const onward = request(new URL(path, to), {
      method: asked.method,
      headers: { ...asked.headers, host: new URL(to).host, "accept-encoding": "identity" }
    })
    onward.on("error", () => answer.destroy())
    onward.on("response", (given) => {
      given.on("error", () => answer.destroy())
      void bodyOf(given).then(
        (text) => {
          const told = planted(path, text.toString("utf8"))
          const { "content-length": _, "transfer-encoding": __, ...headers } = given.headers
          const cookies = [...(given.headers["set-cookie"] ?? []), `steamRotated=${word("cookie")}; Path=/`]
          answer.writeHead(given.statusCode ?? 502, { ...headers, "set-cookie": cookies })
          // a cut body stays cut
          if (given.complete) answer.end(told)
          else answer.destroy()
        },
        () => answer.destroy()
      )
    })
    onward.end(body)
  }

  const place = await listening(
    createServer((asked, answer) => void pass(asked, answer).catch(() => answer.destroy()))
  )
  return { ...place, secrets }
}

/** Takes notices, and refuses every other one. */
export const secretHook = async (
  path: string
): Promise<Place & { readonly heard: ReadonlyArray<string> }> => {
  const heard: Array<string> = []
  const server = createServer((asked, answer) => {
    void bodyOf(asked).then((body) => {
      heard.push(body.toString("utf8"))
      answer.writeHead(asked.url === path && heard.length % 2 === 1 ? 204 : 500).end()
    })
  })
  return { ...(await listening(server)), heard }
}
