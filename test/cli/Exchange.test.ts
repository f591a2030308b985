import { type ChildProcess, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { get } from "node:http"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"

import { firstLine, started } from "./served.ts"

const node = resolve("node_modules/.bin/node")
const launcher = resolve("src/haggle.mjs")

interface Account {
  readonly accountId: string
  readonly cookies: Readonly<Record<string, string>>
  readonly sessionid: string
  readonly identitySecret: string
  readonly deviceId: string
  readonly wallet: { readonly currency: number; readonly balance: number }
}
interface FirstLine {
  readonly url: string
  readonly accounts: ReadonlyArray<Account>
  readonly items: ReadonlyArray<{ readonly app: number; readonly name: string }>
}

const serve = (...args: ReadonlyArray<string>) => started("exchange", "--json", ...args)

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((done) => child.once("exit", (code) => done(code)))

let child: ChildProcess
let market: FirstLine
const folder = mkdtempSync(join(tmpdir(), "haggle-cli-"))

beforeAll(() => {
  child = serve("--port", "0", "--seed", "1")
  return firstLine<FirstLine>(child).then((line) => {
    market = line
  })
})
afterAll(() => {
  child.kill()
  rmSync(folder, { recursive: true })
})

/** `haggle call` as the market's first account. */
const call = (operation: string, params: Readonly<Record<string, string | number>> = {}) => {
  const given = Object.entries(params).flatMap(([name, value]) => ["--param", `${name}=${value}`])
  const account = JSON.stringify(market.accounts[0])
  const args = [
    launcher,
    "call",
    operation,
    "--json",
    "--url",
    market.url,
    "--account-json",
    account,
    ...given
  ]
  const { status, stderr, stdout } = spawnSync(node, args, { encoding: "utf8" })
  return { status, stderr, stdout, value: (stdout === "" ? undefined : JSON.parse(stdout)) as never }
}

describe("haggle exchange", () => {
  it("tells its address, accounts and items in its first line", () => {
    assert.match(market.url, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.isAtLeast(market.items.length, 5)
    const [account] = market.accounts
    assert.deepStrictEqual(Object.keys(account ?? {}), [
      "accountId",
      "cookies",
      "sessionid",
      "identitySecret",
      "deviceId",
      "wallet",
      "assets"
    ])
    assert.deepStrictEqual(account?.wallet, { currency: 1, balance: 10_000 })
    assert.include(account?.cookies["platformLoginSecure"], `${account?.accountId}%7C%7C`)
  })

  it("ends with 1, the reason and the remedy when its port is taken", () => {
    const port = new URL(market.url).port
    const { status, stderr, stdout } = spawnSync(node, [launcher, "exchange", "--port", port], {
      encoding: "utf8"
    })
    assert.deepStrictEqual([status, stdout], [1, ""])
    assert.match(stderr, new RegExp(`^haggle: cannot serve on port ${port}: it is in use; choose another`))
    assert.notMatch(stderr, /\n\s+at /)
  })

  it("ends with 0 on SIGINT and on SIGTERM", () =>
    Promise.all(
      (["SIGINT", "SIGTERM"] as const).map((signal) => {
        const other = serve()
        return firstLine<FirstLine>(other)
          .then(() => {
            const end = ended(other)
            other.kill(signal)
            return end
          })
          .then((code) => assert.strictEqual(code, 0))
      })
    ))

  it("goes on with the market that it kept, with the same accounts", () => {
    const args = ["--state", folder, "--seed", "7"]
    const first = serve(...args)
    return firstLine<FirstLine>(first).then((one) => {
      const end = ended(first)
      first.kill("SIGKILL")
      return end.then(() => {
        const second = serve(...args)
        return firstLine<FirstLine>(second).then((two) => {
          second.kill()
          assert.deepStrictEqual(two.accounts, one.accounts)
        })
      })
    })
  })

  it("refuses a history that is none, and an item that it does not have", () => {
    writeFileSync(join(folder, "bad.json"), '{"success":true,"prices":false}')
    const bad = spawnSync(node, [launcher, "exchange", "--history", join(folder, "bad.json")], {
      encoding: "utf8"
    })
    assert.strictEqual(bad.status, 4)
    assert.include(bad.stderr, "is no price history")
    const foreign = spawnSync(node, [launcher, "exchange", "--history", "Nothing=x.json"], {
      encoding: "utf8"
    })
    assert.strictEqual(foreign.status, 4)
    assert.include(foreign.stderr, "has no item Nothing")
  })
})

describe("haggle exchange --faults", () => {
  /** What the market told on stderr while it was asked for an order book so often; some answers are late or lost. */
  const toldBy = (times: number, ...args: ReadonlyArray<string>): Promise<string> => {
    const faulty = serve(...args)
    let told = ""
    faulty.stderr.on("data", (chunk: Buffer) => (told += chunk.toString()))
    return firstLine<FirstLine>(faulty)
      .then(({ url }) => {
        const query = new URLSearchParams({ q: "Load", qp: '[730,"Glove Case"]' })
        const ask = () =>
          new Promise<void>((done) => {
            const request = get(`${url}/market/orderbook?${query}`, { timeout: 500 }, (answer) =>
              answer.resume().once("close", done)
            )
            request.once("timeout", () => request.destroy())
            request.once("error", () => done())
          })
        return Promise.all(Array.from({ length: times }, ask))
      })
      .then(() => {
        const end = ended(faulty)
        faulty.kill()
        return end
      })
      .then(() => told)
  }
  const file = join(folder, "faults.yaml")

  it("plays the plan of the file and tells each fault on stderr", () => {
    writeFileSync(file, "faults:\n  - { kind: rate-limited, operations: [orderbook], times: 1 }\n")
    return toldBy(3, "--faults", file).then((told) => {
      const line = told.split("\n").find((one) => one.startsWith("{")) ?? ""
      assert.lengthOf(told.match(/rate-limited/g) ?? [], 1)
      assert.deepInclude(JSON.parse(line), {
        number: 1,
        operation: "orderbook",
        kind: "rate-limited",
        rule: 1
      })
    })
  })

  it("draws a plan from a seed, as thick as it is told", () =>
    toldBy(20, "--faults-seed", "3", "--faults-intensity", "1").then((told) =>
      assert.match(told, /"operation":"orderbook"/)
    ))

  it("ends with 4 and the place when the plan is wrong, or not there", () => {
    writeFileSync(file, "faults:\n  - { kind: maintenence }\n  - { kind: reset }\n")
    const wrong = spawnSync(node, [launcher, "exchange", "--faults", file], { encoding: "utf8" })
    assert.strictEqual(wrong.status, 4)
    assert.include(wrong.stderr, `${file}:2:13: \`kind\` takes one of rate-limited`)
    assert.include(wrong.stderr, "did you mean `maintenance`?")
    writeFileSync(file, "faults:\n  - { kind: reset, probabilty: 0.5 }\n")
    const unknown = spawnSync(node, [launcher, "exchange", "--faults", file], { encoding: "utf8" })
    assert.include(unknown.stderr, "unknown key `probabilty`")
    const missing = spawnSync(node, [launcher, "exchange", "--faults", join(folder, "none.yaml")], {
      encoding: "utf8"
    })
    assert.deepStrictEqual([missing.status, missing.stdout], [4, ""])
  })
})

describe("haggle call", () => {
  const item = () => ({ appid: market.items[0]?.app ?? 0, market_hash_name: market.items[0]?.name ?? "" })

  it("places, follows and cancels a buy order with a decoded answer each time", () => {
    const book = call("orderbook", item()).value as { data: { data: { amtMaxBuyOrder: number } } }
    assert.isAbove(book.data.data.amtMaxBuyOrder, 0)
    const order = { ...item(), currency: 1, price_total: 3, quantity: 1 }
    const placed = call("create-buyorder", order)
    assert.strictEqual(placed.status, 0, placed.stderr)
    const { buy_orderid } = placed.value as { buy_orderid: string }
    assert.deepInclude(call("buyorder-status", { buy_orderid }).value, { success: 1, active: 1 })
    assert.deepInclude(call("cancel-buyorder", { buy_orderid }).value, { success: 1 })
  })

  it("reads wallet, listings, history and confirmations of the account that it was given", () => {
    for (const operation of ["billing", "mylistings", "myhistory", "confirmations"]) {
      const { status, stderr, value } = call(operation)
      assert.strictEqual(status, 0, stderr)
      assert.isObject(value)
    }
  })

  it("takes the session from single flags too", () => {
    const [account] = market.accounts
    const args = [
      "--cookie",
      `platformLoginSecure=${account?.cookies["platformLoginSecure"]}`,
      "--sessionid",
      account?.sessionid ?? ""
    ]
    const { status, stdout } = spawnSync(
      node,
      [launcher, "call", "billing", "--json", "--url", market.url, ...args],
      { encoding: "utf8" }
    )
    assert.strictEqual(status, 0)
    assert.strictEqual((JSON.parse(stdout) as { country_code: string }).country_code, "US")
  })

  it("ends with 1 when the market says no, when a parameter is wrong, and when nobody is there", () => {
    assert.strictEqual(call("cancel-buyorder", { buy_orderid: "1" }).status, 1)
    const missing = call("cancel-buyorder")
    assert.strictEqual(missing.status, 1)
    assert.include(missing.stderr, "cancel-buyorder needs --param buy_orderid=")
    const nobody = spawnSync(node, [launcher, "call", "billing", "--url", "http://127.0.0.1:1"], {
      encoding: "utf8"
    })
    assert.strictEqual(nobody.status, 1)
    assert.include(nobody.stderr, "cannot be reached")
    const anonymous = spawnSync(node, [launcher, "call", "billing", "--url", market.url], {
      encoding: "utf8"
    })
    assert.strictEqual(anonymous.status, 1)
  })

  it("never repeats a secret on stderr", () => {
    const { stderr } = call("cancel-buyorder", { buy_orderid: "1" })
    assert.notInclude(stderr, market.accounts[0]?.sessionid ?? "-")
    const bad = spawnSync(
      node,
      [launcher, "call", "billing", "--url", market.url, "--account-json", '{"sessionid":"topsecret"}'],
      { encoding: "utf8" }
    )
    assert.strictEqual(bad.status, 4)
    assert.notInclude(bad.stderr, "topsecret")
  })

  it("lists the thirty operations", () => {
    const { stdout } = spawnSync(node, [launcher, "call", "--list", "--json"], { encoding: "utf8" })
    const { operations } = JSON.parse(stdout) as {
      operations: ReadonlyArray<{ operation: string; covered: boolean }>
    }
    assert.strictEqual(operations.length, 30)
    assert.isAtLeast(operations.filter(({ covered }) => covered).length, 14)
  })
})
