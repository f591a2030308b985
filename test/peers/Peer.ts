/**
 * What a peer is: a client written by others, a seam that points it at our market, and what it expects of each operation.
 * Invariants: 1. an expectation is checked on what the client itself made of the answer, not on the answer. 2. an expectation that is
 * not met for a reason that lies outside the interface says so in `beyond`; without it a failure is the exchange's.
 */
import { createRequire } from "node:module"
import { join } from "node:path"

/** What `haggle exchange --json` prints first. */
export interface Greeting {
  readonly url: string
  readonly accounts: ReadonlyArray<Account>
  readonly items: ReadonlyArray<Item>
}

export interface Item {
  readonly app: number
  readonly name: string
}

export interface Account {
  readonly accountId: string
  readonly cookies: Readonly<Record<string, string>>
  readonly sessionid: string
  readonly identitySecret: string
  readonly deviceId: string
  readonly assets: ReadonlyArray<{ readonly item: Item; readonly context: string; readonly asset: string }>
}

export interface Stage {
  readonly greeting: Greeting
  readonly account: Account
  /** The account's cookies as `name=value`. */
  readonly cookies: ReadonlyArray<string>
  /** The market's address as an HTTP proxy would be named. */
  readonly proxy: string
  /** Loads a module that the peers' folder has, as a program there would. */
  readonly load: (name: string) => unknown
  /** Where an installed module lies, for `import`. */
  readonly resolve: (name: string) => string
  readonly commodity: Item
  readonly unique: Item
}

export interface Expectation {
  /** The operation of the interface, by method and path. */
  readonly operation: string
  /** What the client does and expects, as a sentence. */
  readonly expects: string
  /** Why the interface does not ask for it, where that is so. */
  readonly beyond?: string
  /** Rejects when the client's expectation is not met; may tell what it saw. */
  readonly check: () => Promise<string | undefined>
}

export interface Peer {
  readonly package: string
  /** Distinguishes two runs of the same package. */
  readonly variant?: string
  /** How it is pointed at the market without a change to its code. */
  readonly seam: string
  /** The market takes signatures as lenient markets do. */
  readonly lenient?: boolean
  /** Wallets of the market it meets; 100.00 USD otherwise. */
  readonly settings?: { readonly currency: string; readonly balance: number }
  /** Environment of its process. */
  readonly env?: (proxy: string) => Readonly<Record<string, string>>
  readonly expectations: (stage: Stage) => Promise<ReadonlyArray<Expectation>>
}

export interface Verdict {
  readonly client: string
  readonly operation: string
  readonly expects: string
  readonly met: boolean
  readonly told?: string
  readonly beyond?: string
}

export const stageOf = (greeting: Greeting, folder: string, proxy: string): Stage => {
  const { require, resolve } = loaderOf(folder)
  const account = must(greeting.accounts[0], "an account")
  return {
    greeting,
    account,
    cookies: Object.entries(account.cookies).map(([name, value]) => `${name}=${value}`),
    proxy,
    load: require,
    resolve,
    commodity: must(
      greeting.items.find(({ name }) => name === "Glove Case"),
      "a commodity"
    ),
    unique: must(
      greeting.items.find(({ name }) => name === "AK-47 | Copperline (Field-Tested)"),
      "an item with wear"
    )
  }
}

const loaderOf = (folder: string) => {
  const require = createRequire(join(folder, "package.json"))
  return {
    require: (name: string): unknown => require(name),
    resolve: (name: string) => require.resolve(name)
  }
}

/** The value, or an error that says what is missing. */
export const must = <A>(value: A | null | undefined, what: string): A => {
  if (value === undefined || value === null) throw new Error(`${what} is missing`)
  return value
}

/** Fails with a sentence unless the condition holds. */
export function expect(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise)
}

/** An asset of the account that is worth a sale. */
export const assetOf = ({ account }: Stage, item: Item, skip = 0) =>
  must(
    account.assets.filter((asset) => asset.item.name === item.name && asset.item.app === item.app)[skip],
    `an asset of ${item.name}`
  )

/** A function with a callback (error, value) as a promise. */
export const called = <A>(use: (done: (error: unknown, value?: A) => void) => void): Promise<A | undefined> =>
  new Promise((resolve, reject) => {
    use((error, value) => (error === null || error === undefined ? resolve(value) : reject(asError(error))))
  })

export const asError = (cause: unknown): Error =>
  cause instanceof Error ? cause : new Error(typeof cause === "string" ? cause : JSON.stringify(cause))

/** The time that signatures carry. */
export const unixSeconds = (): number => Math.floor((performance.timeOrigin + performance.now()) / 1000)

/** How a peer is called in tables and tasks. */
export const nameOf = ({ package: name, variant }: Peer): string =>
  variant === undefined ? name : `${name} (${variant})`
