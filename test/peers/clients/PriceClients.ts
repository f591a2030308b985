/** Small clients that ask for prices alone: steam-market-pricing, steam-price-api, csgo-market. Pointed at the market by their names. */
import { asError, called, expect, must, type Peer, type Stage } from "../Peer.ts"

interface Overview {
  readonly success: boolean
  readonly lowest_price: string
  readonly market_hash_name?: string
}

const byName = "its names resolve to the loopback"
const operation = "GET /market/priceoverview/"

const shown = (overview: Overview | undefined): string => {
  const { lowest_price, success } = must(overview, "an overview")
  expect(success, "no success")
  return must(lowest_price, "lowest_price")
}

interface Pricing {
  readonly getItemPrice: (app: number, name: string) => Promise<Overview>
  readonly getItemsPrices: (
    app: number,
    names: ReadonlyArray<string>
  ) => Promise<Readonly<Record<string, Overview>>>
}

export const steamMarketPricing: Peer = {
  package: "steam-market-pricing",
  seam: byName,
  expectations: async ({ commodity, load, unique }: Stage) => {
    const client = load("steam-market-pricing") as Pricing
    return [
      {
        operation,
        expects: "getItemPrice at //market/priceoverview, without a country: lowest price",
        check: async () => shown(await client.getItemPrice(commodity.app, commodity.name))
      },
      {
        operation: `${operation} (several)`,
        expects: "getItemsPrices: a price under every name",
        check: async () => {
          const names = [commodity.name, unique.name]
          const prices = await client.getItemsPrices(commodity.app, names)
          return names.map((name) => shown(prices[name])).join(", ")
        }
      }
    ]
  }
}

interface PriceApi {
  readonly getprice: (app: number, name: string, currency: number) => Promise<Overview>
  readonly getprices: (
    app: number,
    names: ReadonlyArray<string>,
    currency: number
  ) => Promise<ReadonlyArray<Overview>>
}

/** The client mixed up the two functions of its promises: its answers come as rejections. */
const swapped = <A>(promise: Promise<A>): Promise<A> =>
  promise.then(
    (failure) => {
      throw asError(failure)
    },
    (answer: A) => {
      if (answer instanceof Error) throw answer
      return answer
    }
  )

export const steamPriceApi: Peer = {
  package: "steam-price-api",
  seam: byName,
  expectations: async ({ commodity, load, unique }: Stage) => {
    const client = load("steam-price-api") as PriceApi
    return [
      {
        operation,
        expects: "getprice without a country: lowest price",
        check: async () => shown(await swapped(client.getprice(commodity.app, commodity.name, 1)))
      },
      {
        operation: `${operation} (several)`,
        expects: "getprices: as many prices as names",
        check: async () => {
          const prices = await swapped(client.getprices(commodity.app, [commodity.name, unique.name], 1))
          expect(prices.length === 2, `${prices.length} prices`)
          return prices.map(shown).join(", ")
        }
      }
    ]
  }
}

interface WeaponPrices {
  strictNameMode: boolean
  readonly getSinglePrice: (
    weapon: string,
    skin: string,
    wear: string,
    counted: boolean,
    done: (error: unknown, value?: Overview) => void
  ) => void
  readonly getSinglePriceAsync: (
    weapon: string,
    skin: string,
    wear: string,
    counted: boolean
  ) => Promise<Overview>
  readonly getSingleStickerPrice: (
    name: string,
    foil: boolean,
    done: (error: unknown, value?: Overview) => void
  ) => void
}

export const csgoMarket: Peer = {
  package: "csgo-market",
  seam: byName,
  expectations: async ({ greeting, load }: Stage) => {
    const client = load("csgo-market") as WeaponPrices
    const sticker = greeting.items.find(({ name }) => /^Sticker \| [^|(]+$/.test(name))
    return [
      {
        operation,
        expects: "getSinglePrice of a weapon, skin and wear, without a country: lowest price",
        check: async () =>
          shown(
            await called<Overview>((done) =>
              client.getSinglePrice("AK-47", "Copperline", "Field-Tested", false, done)
            )
          )
      },
      {
        operation: `${operation} (promise)`,
        expects: "getSinglePriceAsync: the same as a promise",
        check: async () =>
          shown(await client.getSinglePriceAsync("AK-47", "Copperline", "Factory New", false))
      },
      {
        operation: `${operation} (sticker)`,
        expects: "getSingleStickerPrice: lowest price of a sticker",
        check: async () => {
          const name = must(sticker, "a sticker in the catalogue").name.replace(/^Sticker \| /, "")
          return shown(await called<Overview>((done) => client.getSingleStickerPrice(name, false, done)))
        }
      },
      {
        operation: `${operation} (unknown)`,
        expects: "getSinglePrice of an item that does not exist: an error or no success, no price",
        check: async () => {
          const answer = await called<Overview>((done) =>
            client.getSinglePrice("AK-47", "Nowhere", "Field-Tested", false, done)
          ).catch((error: unknown) => asError(error).message)
          expect(typeof answer === "string" || answer?.lowest_price === undefined, "it has a price")
          return typeof answer === "string" ? answer : JSON.stringify(answer)
        }
      }
    ]
  }
}
