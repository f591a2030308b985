import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"

import { fieldsOf, joined, readParts } from "../../src/market/SessionText.ts"

const account = "76561197960287930"
const login = `${account}%7C%7Cheader.body.signature`
const whole = (...texts: ReadonlyArray<string>) =>
  fieldsOf(joined(...texts.map((text) => Result.getOrThrow(readParts(text, "market.example")))))
const fieldsIn = (...texts: ReadonlyArray<string>) => Result.getOrThrow(whole(...texts))

describe("A session's text", () => {
  it("may be a Netscape cookie file, of which only the market's own cookies are taken", () => {
    const text = [
      "# Netscape HTTP Cookie File",
      "other.example\tFALSE\t/\tTRUE\t0\tplatformLoginSecure\t1%7C%7Cother",
      `#HttpOnly_.market.example\tTRUE\t/\tTRUE\t0\tplatformLoginSecure\t${login}`,
      ".market.example\tTRUE\t/\tTRUE\t0\tsessionid\t0123456789abcdef01234567",
      ""
    ].join("\n")
    assert.deepStrictEqual(fieldsIn(text), {
      accountId: account,
      sessionid: "0123456789abcdef01234567",
      cookies: { platformLoginSecure: login, sessionid: "0123456789abcdef01234567" }
    })
  })

  it("may be a list of cookies, a browser's state or cookies by name", () => {
    const cookie = { domain: ".market.example", name: "platformLoginSecure", value: login }
    for (const text of [
      JSON.stringify([cookie]),
      JSON.stringify({ cookies: [cookie] }),
      JSON.stringify({ platformLoginSecure: login })
    ]) {
      const { accountId, cookies, sessionid } = fieldsIn(text)
      assert.strictEqual(accountId, account)
      assert.deepStrictEqual(cookies, { platformLoginSecure: login })
      assert.match(sessionid, /^[0-9a-f]{24}$/)
    }
  })

  it("is made whole by an authenticator's file, whose long numbers keep all their digits", () => {
    const authenticator = `{"shared_secret":"c2hhcmVk","identity_secret":"aWRlbnRpdHk=","device_id":"android:1","Session":{"AnyID":${account}}}`
    const fields = fieldsIn(JSON.stringify({ platformLoginSecure: login }), authenticator)
    assert.strictEqual(fields.identitySecret, "aWRlbnRpdHk=")
    assert.strictEqual(fields.deviceId, "android:1")
    assert.strictEqual(Result.getOrThrow(readParts(authenticator)).accountId, account)
  })

  it("that lacks a login says so without repeating anything of it", () => {
    for (const text of [
      "# Netscape HTTP Cookie File\n.market.example\tTRUE\t/\tTRUE\t0\tsessionid\ttopsecret",
      JSON.stringify([{ name: "sessionid", value: "topsecret" }]),
      '{"sessionid": "topsecret'
    ]) {
      const parts = readParts(text)
      assert.isTrue(Result.isFailure(parts))
      assert.notInclude(Result.isFailure(parts) ? parts.failure : "", "topsecret")
    }
  })
})
