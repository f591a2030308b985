/** The device id of an authenticator, where no stored one is known (facts of the interface's signature parameter `p`). */
import { createHash } from "node:crypto"

/** `android:` and the SHA-1 of the account id, written like a UUID. */
export const deviceIdOf = (accountId: string): string => {
  const hex = createHash("sha1").update(accountId).digest("hex")
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)]
  return `android:${parts.join("-")}`
}
