/** Which deployment is traded on, and how requests to it look. */
import { Context } from "effect"

import { type Operation } from "../domain/Operation.ts"
import { defaultPlatformName } from "./contract/Platform.ts"

export interface MarketSettings {
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** The platform's own word in cookie and field names (contract/Platform). */
  readonly platformName: string
  /** Sent with every request: the User-Agent, its hints, Accept-Language, a vendor's headers. */
  readonly headers: Readonly<Record<string, string>>
  /** Sent with one operation's requests in addition, such as the action that a vendor's route wants named. */
  readonly operationHeaders?: Readonly<Partial<Record<Operation, Readonly<Record<string, string>>>>>
  /** Time-out per attempt, not counting the wait for a permit. */
  readonly timeoutMillis: number
  /** Two letters, for operations that format prices. */
  readonly country: string
  readonly language: string
  /** How create-buyorder is encoded: the interface says multipart, older markets take urlencoded as well. */
  readonly buyOrderEncoding: "multipart" | "urlencoded"
}

export class MarketConfig extends Context.Service<MarketConfig, MarketSettings>()(
  "haggle/market/MarketConfig"
) {}

/** Headers of a browser; a market answers 403 or 429 to an exotic or truncated User-Agent. */
const defaultHeaders: Readonly<Record<string, string>> = {
  accept: "*/*",
  "accept-language": "en-US,en;q=0.9",
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36"
}

export const settings = (
  given: Partial<MarketSettings> & Pick<MarketSettings, "baseUrl">
): MarketSettings => ({
  platformName: defaultPlatformName,
  timeoutMillis: 15_000,
  country: "US",
  language: "english",
  buyOrderEncoding: "multipart",
  ...given,
  headers: { ...defaultHeaders, ...given.headers }
})
