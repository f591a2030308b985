/** Everything that a person may ask of a daemon while it runs, and what a person may get wrong with a secret in hand. */
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

import Database from "better-sqlite3"

import type { ExchangeAccount } from "../../src/exchange/Exchange.ts"

export interface Face {
  readonly name: string
  readonly args: ReadonlyArray<string>
}

const face = (...args: ReadonlyArray<string>): Face => ({ name: `haggle ${args.join(" ")}`, args })

const below = (folder: string, end: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(end))
    .map((name) => join(folder, name))

/** The first intents of the journal. */
const intentsIn = (folder: string): ReadonlyArray<string> =>
  below(join(folder, "state"), "haggle.db").flatMap((file) => {
    const database = new Database(file, { readonly: true })
    const ids = database
      .prepare("SELECT DISTINCT intent FROM events WHERE intent IS NOT NULL LIMIT 3")
      .pluck()
      .all()
    database.close()
    return ids.map(String)
  })

const questions: ReadonlyArray<ReadonlyArray<string>> = [
  ["status"],
  ["orders"],
  ["listings"],
  ["positions"],
  ["trades"],
  ["journal"],
  ["ledger"],
  ["config"],
  ["confirmations"],
  ["contract", "drift"],
  ["explain", "churn", "Glove Case"],
  ["session", "check"],
  ["check"]
]

/** With the market's address for those that ask the market themselves. */
export const faces = (folder: string, url: string, round: number): ReadonlyArray<Face> => {
  const out = (name: string): string => join(folder, `${round}-${name}`)
  // the first was closed when its process ended
  const tapes = below(join(folder, "state"), ".tape").toSorted().slice(0, 1)
  const session = ["--url", url, "--session", "secrets.json"]
  return [
    ...questions.flatMap((words) => [
      face(...words, "--log-level", "trace"),
      face(...words, "--json", "--log-level", "trace")
    ]),
    ...["mylistings", "myhistory", "home", "eligibility", "confirmations"].map((operation) =>
      face("call", operation, ...session, "--json", "--log-level", "trace")
    ),
    ...intentsIn(folder).flatMap((id) => [
      face("why", id),
      face("why", id, "--json", "--log-level", "trace")
    ]),
    face("notify", "test", "--log-level", "trace"),
    face("pause", "by hand", "--log-level", "trace"),
    face("resume", "by hand", "--log-level", "trace"),
    face("db", "backup", "--json", "--log-level", "trace"),
    ...tapes.flatMap((tape) => [
      face("tape", "info", tape, "--json", "--log-level", "trace"),
      face("tape", "export", tape, "--format", "ndjson", "--out", out("tape.ndjson")),
      face(
        "backtest",
        "--tape",
        tape,
        "--html",
        out("report.html"),
        "--csv",
        out("csv"),
        "--out",
        out("result.json")
      )
    ])
  ]
}

/** Files and flags that are wrong, with secrets in them; each has to be refused. */
export const wrongs = (folder: string, secret: string, account: ExchangeAccount): ReadonlyArray<Face> => {
  const written = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return name
  }
  const configs = [
    `notify: { channels: [ { webhok: "https://hooks.example/${secret}" } ] }`,
    `market:\n  headers: { x-api-key: "${secret} }`,
    `session:\n  command: "renew ${secret}"`
  ].map((text, index) => face("config", "--config", written(`wrong-${index}.yaml`, text)))
  const whole = JSON.stringify(account)
  const sessions = [
    whole.slice(0, -9),
    whole.replace(account.sessionid, `${account.sessionid}é`),
    whole.replace(account.identitySecret, `!${account.identitySecret}`),
    JSON.stringify({ ...account, accountId: account.identitySecret }),
    JSON.stringify({ ...account, cookies: account.sessionid }),
    `cookies: [${account.sessionid}\n  - x`
  ].flatMap((text, index) => {
    const file = written(`wrong-session-${index}`, text)
    return [
      face("session", "check", "--session", file, "--log-level", "trace"),
      face("session", "import", file, "--session", "wrong-target", "--log-level", "trace")
    ]
  })
  const corrupt = written("wrong.db", `SQLite format 3\u0000${"x".repeat(5_000)}`)
  return [
    ...configs,
    ...sessions,
    face("status", "--db", corrupt, "--log-level", "trace"),
    face(
      "call",
      "billing",
      "--url",
      "http://127.0.0.1:1",
      "--session",
      "secrets.json",
      "--log-level",
      "trace"
    ),
    face(
      "call",
      "billing",
      "--url",
      "http://127.0.0.1:1",
      "--account-json",
      whole.slice(0, -4),
      "--log-level",
      "trace"
    )
  ]
}
