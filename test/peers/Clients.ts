/** The peers, and the versions that are installed for them. */
import { mobileConfirmations } from "./clients/MobileConfirmations.ts"
import { nodeSteamMarket } from "./clients/NodeSteamMarket.ts"
import { csgoMarket, steamMarketPricing, steamPriceApi } from "./clients/PriceClients.ts"
import { steamCommunity, steamCommunityStrict } from "./clients/SteamCommunity.ts"
import { steamcommunityMarket } from "./clients/SteamcommunityMarket.ts"
import { steamMarket, steamMarketInDollars } from "./clients/SteamMarket.ts"
import { steamMarketFetcher } from "./clients/SteamMarketFetcher.ts"
import { steamMarketParser } from "./clients/SteamMarketParser.ts"
import { steamMarketSearch } from "./clients/SteamMarketSearch.ts"
import { type Peer } from "./Peer.ts"

export const peers: ReadonlyArray<Peer> = [
  steamCommunity,
  steamCommunityStrict,
  steamMarket,
  steamMarketInDollars,
  steamMarketFetcher,
  steamcommunityMarket,
  steamMarketParser,
  steamMarketSearch,
  steamMarketPricing,
  steamPriceApi,
  csgoMarket,
  nodeSteamMarket,
  mobileConfirmations
]

/** Installed outside the repository, never a dependency of it. */
export const versions: Readonly<Record<string, string>> = {
  "csgo-market": "1.5.2",
  "node-steam-market": "0.0.1",
  request: "2.88.2",
  "steam-market": "3.0.4",
  "steam-market-fetcher": "2.1.2",
  "steam-market-parser": "1.1.5",
  "steam-market-pricing": "2.0.0",
  "steam-market-search": "1.4.3",
  "steam-price-api": "2.0.0",
  "steam-totp": "2.1.2",
  steamcommunity: "3.50.3",
  "steamcommunity-market": "3.3.0",
  "steamcommunity-mobile-confirmations": "1.0.1"
}

/** It asks for a package `fs` that the registry lost; Node's own module answers to that name, so that any package may stand in. */
export const overrides = { "node-steam-market": { fs: "npm:ms@2.1.3" } }
