/**
 * systemd as the supervisor: readiness, the watchdog's sign of life and the stop, told over NOTIFY_SOCKET.
 * Invariants: 1. without NOTIFY_SOCKET nothing is done. 2. nothing here is waited for, and no failure here is one of the daemon.
 *
 * That socket is a datagram of the Unix domain, which Node cannot send; so systemd's own `systemd-notify` does, and the unit needs
 * `NotifyAccess=all`.
 */
import { spawn } from "node:child_process"
import { env } from "node:process"

import { Effect, Layer } from "effect"

import { Supervisor } from "../../engine/Supervisor.ts"

/** Signs of life per watchdog period: one may get lost. */
const signsPerPeriod = 3

const notify = (...variables: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.sync(() => {
    const child = spawn("systemd-notify", variables, { stdio: "ignore" })
    // without the program there is nobody to tell
    child.on("error", () => {})
    child.unref()
  })

const make = Effect.sync(() => {
  const periodMillis = Number(env["WATCHDOG_USEC"] ?? 0) / 1_000
  let lastSign = Number.NEGATIVE_INFINITY
  return {
    ready: notify("READY=1", "STATUS=trading"),
    stopping: notify("STOPPING=1"),
    // the daemon's own clock may be the market's, and run faster
    alive: Effect.suspend(() => {
      const now = performance.now()
      if (!(periodMillis > 0) || now - lastSign < periodMillis / signsPerPeriod) return Effect.void
      lastSign = now
      return notify("WATCHDOG=1")
    })
  }
})

export const layerSystemd: Layer.Layer<never> =
  env["NOTIFY_SOCKET"] === undefined ? Layer.empty : Layer.effect(Supervisor, make)
