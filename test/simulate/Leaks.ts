/**
 * Finds secrets in what a program says or leaves behind, also in disguise: URL-encoded, base64 at any offset, hex, escaped as JSON does,
 * cut into long pieces, and, with `thorough`, broken over lines, quotes and escapes. Invariant: what is found is named, never shown.
 */
import type { ExchangeAccount } from "../../src/exchange/Exchange.ts"

export interface Secret {
  readonly name: string
  readonly value: string
}

/** The names of the secrets in a text, each with the form in which it was found. */
export type Finder = (text: string, thorough?: boolean) => ReadonlyArray<string>

/** Pieces of a long secret that are as bad as all of it: logs cut long lines. */
const pieceLength = 32

const piecesOf = (value: string): ReadonlyArray<string> =>
  value.length < 2 * pieceLength
    ? []
    : Array.from({ length: Math.floor(value.length / pieceLength) }, (_, index) =>
        value.slice(index * pieceLength, (index + 1) * pieceLength)
      )

/** The characters of the base64 of any text with the value in it, where it begins after 3n + `offset` bytes. */
const base64Within = (value: string, offset: number): string => {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)])
  const whole = Math.floor((bytes.length * 8) / 6)
  return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), whole)
}

const formsOf = (value: string): ReadonlyArray<readonly [form: string, text: string]> => {
  const coded = [0, 1, 2].map((offset) => base64Within(value, offset))
  const hex = Buffer.from(value).toString("hex")
  const once = encodeURIComponent(value)
  const escaped = [...value].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")
  return [
    ["as it is", value],
    ...piecesOf(value).map((piece) => ["in part", piece] as const),
    ["URL-encoded", once],
    ["URL-encoded twice", encodeURIComponent(once)],
    ["as JSON", JSON.stringify(value).slice(1, -1)],
    ["as JSON", escaped],
    ...coded.map((text) => ["in base64", text] as const),
    ...coded.map((text) => ["in base64", text.replaceAll("+", "-").replaceAll("/", "_")] as const),
    ["in hex", hex],
    ["in hex", hex.toUpperCase()]
  ]
}

const unescaped = (text: string): string =>
  text
    .replaceAll(/\\u([0-9a-f]{4})/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\x([0-9a-f]{2})/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d{1,5});/gu, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(String.raw`\/`, "/")
const unquoted = (text: string): string =>
  text.replaceAll(/%([0-9a-f]{2})/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
/** Without what stands between the parts of a text that is broken over lines or put together of strings. */
const squeezed = (text: string): string => text.replaceAll(/\\n|[\s"'`\\+|,;]/gu, "")

/** Shorter words stand in texts by chance. */
const shortest = 8

/** The secrets of an account of the exchange; of a login token its parts, the first of which every token has. */
export const secretsOf = ({
  cookies,
  deviceId,
  identitySecret,
  sessionid
}: Pick<ExchangeAccount, "cookies" | "deviceId" | "identitySecret" | "sessionid">): ReadonlyArray<Secret> => [
  { name: "the identity secret", value: identitySecret },
  { name: "the session id", value: sessionid },
  { name: "the device id", value: deviceId },
  ...Object.values(cookies).flatMap((cookie) =>
    cookie
      .split("%7C%7C")
      .slice(1)
      .flatMap((token) => [token].concat(token.split(".").slice(1)))
      .map((value) => ({ name: "the login", value }))
  )
]

export const finderOf = (secrets: ReadonlyArray<Secret>): Finder => {
  const needles = new Map<string, string>()
  const thin = new Map<string, string>()
  for (const { name, value } of secrets) {
    if (value.length < shortest) throw new Error(`the secret "${name}" is too short to be told from chance`)
    for (const [form, text] of formsOf(value)) {
      if (!needles.has(text)) needles.set(text, `${name} ${form}`)
      if (!thin.has(squeezed(text))) thin.set(squeezed(text), `${name} ${form}, in pieces`)
    }
  }
  const anyOf = (words: Iterable<string>): RegExp =>
    new RegExp(
      [...words].map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`)).join("|"),
      "gu"
    )
  const [needle, thinNeedle] = [anyOf(needles.keys()), anyOf(thin.keys())]
  const found = (text: string, expression: RegExp, names: ReadonlyMap<string, string>) =>
    (text.match(expression) ?? []).flatMap((word) => names.get(word) ?? [])
  return (text, thorough = false) => {
    if (secrets.length === 0) return []
    const plain = found(text, needle, needles)
    if (!thorough || plain.length > 0) return [...new Set(plain)]
    const open = unescaped(text)
    return [open, unescaped(unquoted(open))].flatMap((one) =>
      found(one, needle, needles).concat(found(squeezed(one), thinNeedle, thin))
    )
  }
}
