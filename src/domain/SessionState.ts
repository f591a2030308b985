/**
 * Whether the market still knows who we are. A signal of a lost login is only a doubt: it may be one bad answer. The canary, a read that
 * the account alone gets, decides.
 */
import type { Millis } from "./Ids.ts"

export type SessionState =
  | { readonly _tag: "Alive"; readonly expiresAt: Millis | undefined }
  | { readonly _tag: "Doubtful"; readonly since: Millis; readonly signal: string }
  | { readonly _tag: "Expired"; readonly since: Millis; readonly signal: string }

/** What happens to a session apart from the market's answers. */
export type SessionNews =
  /** Other cookies are in force; the canary has yet to say whether they are good. */
  | { readonly _tag: "Replaced"; readonly expiresAt: Millis | undefined; readonly from: string }
  /** A new session was offered and cannot be used, or none came; `message` holds no secret. */
  | { readonly _tag: "RenewalFailed"; readonly message: string }
