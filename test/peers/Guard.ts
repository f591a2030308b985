/**
 * Loaded before a peer's code: every name is the loopback, and nothing but the market's stand-in can be reached.
 * Invariants: 1. no socket of this process leaves 127.0.0.1; an attempt at another port fails and is told on stderr. 2. ports 80 and 443
 * of any name are the stand-in's two ports, so that a client's code needs no change.
 */
import dgram from "node:dgram"
import dns from "node:dns"
import { syncBuiltinESMExports } from "node:module"
import net from "node:net"
import process from "node:process"

const loopback = "127.0.0.1"
const [plainPort, securePort] = (process.env["PEER_PORTS"] ?? "").split(",").map(Number)

type Looked = (error: Error | null, address?: unknown, family?: number) => void

const lookup = (_name: string, options: unknown, done?: Looked) => {
  const callback = typeof options === "function" ? (options as Looked) : done
  const all = typeof options === "object" && options !== null && "all" in options && options.all === true
  process.nextTick(() => {
    if (all) callback?.(null, [{ address: loopback, family: 4 }])
    else callback?.(null, loopback, 4)
  })
}

const refuse = (what: string): never => {
  process.stderr.write(`guard: refused ${what}\n`)
  throw new Error(`the guard refused ${what}`)
}

interface Target {
  readonly host?: string
  readonly port?: number | string
  readonly path?: string | null
}

const redirected = (target: Target): Target => {
  const { host, path, port } = target
  if (path !== undefined && path !== null && port === undefined) return refuse(`the local socket ${path}`)
  const wanted = Number(port)
  const known = new Map([
    [80, plainPort],
    [443, securePort],
    [plainPort, plainPort],
    [securePort, securePort]
  ])
  const to = known.get(wanted)
  if (to === undefined) return refuse(`${host}:${port}`)
  return { ...target, host: loopback, port: to, lookup } as Target
}

const connect = net.Socket.prototype.connect
const guarded = function (this: net.Socket, ...args: Array<unknown>) {
  const [first, second] = args
  // net.connect hands its arguments over as [options, callback], already in order
  if (Array.isArray(first)) first[0] = redirected(first[0] as Target)
  else if (typeof first === "object" && first !== null) args[0] = redirected(first)
  else
    args.splice(
      0,
      typeof second === "string" ? 2 : 1,
      redirected({ port: Number(first), ...(typeof second === "string" ? { host: second } : {}) })
    )
  return Reflect.apply(connect, this, args)
}
Object.assign(net.Socket.prototype, { connect: guarded })
Object.assign(dgram.Socket.prototype, { send: () => refuse("a datagram") })
Object.assign(dns, { lookup })
Object.assign(dns.promises, {
  lookup: (_name: string, options?: { all?: boolean }) =>
    Promise.resolve(
      options?.all === true ? [{ address: loopback, family: 4 }] : { address: loopback, family: 4 }
    )
})
for (const name of Object.keys(dns).filter((name) => name.startsWith("resolve")))
  Object.assign(dns, { [name]: () => refuse(`dns.${name}`) })
syncBuiltinESMExports()
