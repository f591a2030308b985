/** steamcommunity-mobile-confirmations: accept and deny, signed for an older app. Pointed at the market by its names. */
import { setTimeout } from "node:timers/promises"

import { called, expect, must, type Peer, type Stage, unixSeconds } from "../Peer.ts"

interface Shown {
  readonly id: string
  readonly key: string
}

interface Client {
  readonly FetchConfirmations: (done: (error: unknown, value?: ReadonlyArray<Shown>) => void) => void
  readonly AcceptConfirmation: (of: Shown, done: (error: unknown, value?: boolean) => void) => void
  readonly DenyConfirmation: (of: Shown, done: (error: unknown, value?: boolean) => void) => void
}

interface Totp {
  readonly getConfirmationKey: (secret: string, time: number, tag: string) => string
}

const host = "https://steamcommunity.com"

const expectationsOf = async (stage: Stage) => {
  const { account, cookies, load } = stage
  const client = new (load("steamcommunity-mobile-confirmations") as new (options: object) => Client)({
    steamid: account.accountId,
    identity_secret: account.identitySecret,
    device_id: account.deviceId,
    webCookie: cookies
  })
  const totp = load("steam-totp") as Totp
  const cookie = cookies.join("; ")

  /** The list as JSON, which this client is too old for: asked for without it, with another client's signature. */
  const listed = async (): Promise<ReadonlyArray<{ id: string; nonce: string }>> => {
    await setTimeout(1100)
    const t = unixSeconds()
    const query = new URLSearchParams({
      p: account.deviceId,
      a: account.accountId,
      k: totp.getConfirmationKey(account.identitySecret, t, "conf"),
      t: String(t),
      m: "android",
      tag: "conf"
    })
    const answer = await globalThis.fetch(`${host}/mobileconf/getlist?${query}`, { headers: { cookie } })
    const { conf, success } = (await answer.json()) as {
      success: boolean
      conf?: ReadonlyArray<{ id: string; nonce: string }>
    }
    expect(success, "getlist has no success")
    return conf ?? []
  }

  let sold = 0
  const staged = async (): Promise<Shown> => {
    const { asset, context, item } = must(account.assets[sold++], "an asset to sell")
    const body = new URLSearchParams({
      sessionid: account.sessionid,
      appid: String(item.app),
      contextid: context,
      assetid: asset,
      amount: "1",
      price: String(90_000 + sold)
    })
    await globalThis.fetch(`${host}/market/sellitem/`, { method: "POST", headers: { cookie }, body })
    const { id, nonce } = must((await listed())[0], "a confirmation")
    return { id, key: nonce }
  }

  return [
    {
      operation: "GET /mobileconf/ajaxop (allow)",
      expects: "AcceptConfirmation as an older app (m=android), signed with allow: success, and it is gone",
      check: async () => {
        const confirmation = await staged()
        expect(
          (await called<boolean>((done) => client.AcceptConfirmation(confirmation, done))) === true,
          "no success"
        )
        expect(!(await listed()).some(({ id }) => id === confirmation.id), "still listed")
        return undefined
      }
    },
    {
      operation: "GET /mobileconf/ajaxop (cancel)",
      expects: "DenyConfirmation, signed with cancel: success, and it is gone",
      check: async () => {
        const confirmation = await staged()
        expect(
          (await called<boolean>((done) => client.DenyConfirmation(confirmation, done))) === true,
          "no success"
        )
        expect(!(await listed()).some(({ id }) => id === confirmation.id), "still listed")
        return undefined
      }
    },
    {
      operation: "GET /mobileconf/conf",
      expects: "FetchConfirmations: rows of an HTML page",
      beyond: "not an operation of the interface: the list is getlist, as JSON",
      check: async () => {
        await staged()
        const rows = must(
          await called<ReadonlyArray<Shown>>((done) => client.FetchConfirmations(done)),
          "rows"
        )
        expect(rows.length > 0, "no rows")
        return undefined
      }
    }
  ]
}

export const mobileConfirmations: Peer = {
  package: "steamcommunity-mobile-confirmations",
  seam: "its names resolve to the loopback, TLS ends there",
  expectations: expectationsOf
}
