/**
 * The loopback's stand-in for the hosts that peers name: ends TLS, answers the one question that is not the market's (the time, of the
 * platform's authenticator service) and hands every other request to the exchange unchanged, keeping a line about it.
 * Invariants: 1. request target, headers and body go through as they came; an absolute-form target stays one. 2. it listens on
 * 127.0.0.1 only.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { type AddressInfo, type Server } from "node:net"

import { type Certificate } from "./Certificate.ts"
import { unixSeconds } from "./Peer.ts"

export interface Front {
  readonly port: number
  readonly securePort: number
  /** What went through: method, target, status and the beginning of the answer. */
  readonly lines: Array<string>
  readonly close: () => void
}

const answerShown = 300
const loopback = "127.0.0.1"

const listening = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(0, loopback, () => {
      // a TCP server's address is never a string
      resolve((server.address() as AddressInfo).port)
    })
  })

/** The time service of the platform's authenticator is another host's, not the market's. */
const timePath = "/ITwoFactorService/QueryTime/v1/"

const handlerTo =
  (exchange: URL, lines: Array<string>) => (asked: IncomingMessage, answer: ServerResponse) => {
    const target = asked.url ?? "/"
    if (target.endsWith(timePath)) {
      answer.setHeader("content-type", "application/json")
      answer.end(JSON.stringify({ response: { server_time: String(unixSeconds()) } }))
      return
    }
    const onward = request({
      host: loopback,
      port: exchange.port,
      method: asked.method,
      path: target,
      headers: asked.rawHeaders
    })
    onward.on("response", (response) => {
      answer.writeHead(response.statusCode ?? 502, response.rawHeaders)
      let begin = ""
      response.on("data", (chunk: Buffer) => {
        if (begin.length < answerShown) begin += chunk.toString().slice(0, answerShown)
        answer.write(chunk)
      })
      response.on("end", () => {
        lines.push(`${asked.method} ${target} -> ${response.statusCode} ${begin.slice(0, answerShown)}`)
        answer.end()
      })
    })
    onward.on("error", (error) => {
      lines.push(`${asked.method} ${target} -> ${error.message}`)
      answer.destroy(error)
    })
    asked.pipe(onward)
  }

export const openFront = async (exchangeUrl: string, { cert, key }: Certificate): Promise<Front> => {
  const lines: Array<string> = []
  const handler = handlerTo(new URL(exchangeUrl), lines)
  const [plain, secure] = [createServer(handler), createSecureServer({ cert, key }, handler)]
  const [port, securePort] = await Promise.all([listening(plain), listening(secure)])
  const close = () => {
    for (const server of [plain, secure]) {
      server.close()
      server.closeAllConnections()
    }
  }
  return { port, securePort, lines, close }
}
