/**
 * A throw-away certificate for the names that peers ask for, made anew for every run and trusted by the peers' processes alone.
 * Written out as DER because no library of this project makes certificates.
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto"

const der = (tag: number, ...parts: ReadonlyArray<Buffer>): Buffer => {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

const sequence = (...parts: ReadonlyArray<Buffer>) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"))
const commonName = (name: string) =>
  sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(name)))))
const time = (at: Date) =>
  der(
    0x17,
    Buffer.from(
      at
        .toISOString()
        .replace(/\.\d+Z$/, "Z")
        .replace(/^\d\d|[-:T]/g, "")
    )
  )
const bits = (data: Buffer) => der(0x03, Buffer.from([0]), data)

const dayMillis = 86_400_000

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A self-signed certificate that is valid for these names from yesterday until tomorrow. */
export const certificateFor = (names: ReadonlyArray<string>): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  const alternatives = sequence(...names.map((name) => der(0x82, Buffer.from(name))))
  const extensions = sequence(sequence(oid("551d11"), der(0x04, alternatives)))
  const now = globalThis.Date.now()
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)])
  const who = commonName("haggle peers")
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    who,
    sequence(time(new globalThis.Date(now - dayMillis)), time(new globalThis.Date(now + dayMillis))),
    who,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions)
  )
  const certificate = sequence(content, ecdsaWithSha256, bits(sign("sha256", content, privateKey)))
  const lines = certificate.toString("base64").replace(/.{64}(?=.)/g, "$&\n")
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
  }
}
