/**
 * Everything that reads what a market answers, behind one function: the check of recorded bodies, the drift, the pages' readers and the
 * port itself over a client that answers with the case. A clock that gives short sleeps at once keeps retries from taking time.
 */
import { Cause, Clock, Duration, Effect, Exit, Layer, Result } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"

import { type AssetId, type BuyOrderId, type ConfirmationId, type ListingId } from "../../src/domain/Ids.ts"
import { item } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import { type Operation } from "../../src/domain/Operation.ts"
import { checkBody } from "../../src/market/contract/Check.ts"
import { operationInfo } from "../../src/market/contract/Operations.ts"
import { namesOf } from "../../src/market/contract/Platform.ts"
import { readConfirmationList, readSubjects } from "../../src/market/html/ConfirmationPage.ts"
import { readHomePage } from "../../src/market/html/HomePage.ts"
import { readListingPage } from "../../src/market/html/ListingPage.ts"
import { readListingRows } from "../../src/market/html/ListingRows.ts"
import { readOrderTable } from "../../src/market/html/OrderTable.ts"
import { readHistoryRows, readOwnRows } from "../../src/market/html/OwnRows.ts"
import { type Read } from "../../src/market/html/PageError.ts"
import { readSearchPage } from "../../src/market/html/SearchPage.ts"
import { readSearchRows } from "../../src/market/html/SearchRows.ts"
import { Market } from "../../src/market/Market.ts"
import { MarketConfig, settings } from "../../src/market/MarketConfig.ts"
import { layer as marketLayer } from "../../src/market/MarketHttp.ts"
import { RateLimiter } from "../../src/market/RateLimiter.ts"
import { emptyFilter } from "../../src/market/SearchFilter.ts"
import * as Session from "../../src/market/Session.ts"
import { session } from "../market/support.ts"
import { mayBeShape, mayBeSuccess, type Sent, wrongNumbers } from "./Expect.ts"

export interface Case extends Sent {
  readonly operation: Operation
  readonly platformName: string
}

export type Finding = { readonly kind: "crash" | "wrongSuccess"; readonly detail: string }

const gloves = item(730, "Glove Case")
const billing = JSON.stringify({
  wallet_info: { success: 1, wallet_currency: 1, wallet_country: "US", wallet_balance: "10412" }
})

/** Longer sleeps are time-outs that must not strike. */
const longestSleepMillis = 10_000
const clockOf = (): Clock.Clock => {
  let now = 1_700_000_000_000
  const nanos = () => BigInt(now) * 1_000_000n
  return {
    currentTimeMillisUnsafe: () => now,
    currentTimeNanosUnsafe: nanos,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) => {
      const millis = Duration.toMillis(duration)
      if (millis >= longestSleepMillis) return Effect.never
      return Effect.andThen(
        Effect.sync(() => {
          now += Math.ceil(millis)
        }),
        Effect.yieldNow
      )
    }
  }
}

const unlimited = RateLimiter.of({
  take: () => Effect.void,
  waitMillis: () => 0,
  refused: () => Effect.void,
  failed: () => Effect.void,
  succeeded: () => Effect.void,
  over: () => Effect.void,
  budgets: () => [],
  usage: Effect.succeed(new Map()),
  banned: Effect.succeed(undefined)
})

/** Answers billing as it should be, everything else with the case. */
const clientOf = (current: () => Case) =>
  HttpClient.make((request, url) =>
    Effect.sync(() => {
      const { location, operation, status, text } = current()
      const isAside = operation !== "billing" && url.pathname === "/market/userbillinginfo"
      const headers = {
        "content-type": "application/json",
        ...(location === undefined || isAside ? {} : { location })
      }
      const isEmpty = !isAside && (status === 304 || status === 204)
      const body = isAside ? billing : isEmpty ? null : text
      return HttpClientResponse.fromWeb(
        request,
        new Response(body, { status: isAside ? 200 : status, headers })
      )
    })
  )

const confirmation = {
  id: "1" as ConfirmationId,
  nonce: "2",
  kind: "Listing" as const,
  creator: "3",
  headline: ""
}
const offer = {
  listing: "5" as ListingId,
  item: gloves,
  asset: "34" as AssetId,
  context: "2",
  units: 1,
  currency: 1 as const,
  subtotal: money(87),
  fee: money(13),
  isMine: false,
  properties: new Map(),
  accessories: []
}
const order = "7" as BuyOrderId
const text = { ...emptyFilter, text: "x" }

/** What the port makes of the operation's answers; reads fail with a MarketError, mutations have an outcome. */
const portOf = (market: Market["Service"], operation: Operation): Effect.Effect<unknown, NoSuccess> => {
  const { offers } = market
  switch (operation) {
    case "orderbook":
      return market.orderBook(gloves)
    case "priceoverview":
      return market.priceOverview(gloves)
    case "pricehistory":
      return market.priceHistory(gloves)
    case "billing":
      return market.wallet
    case "mylistings":
      return market.ownOpen
    case "myhistory":
      return market.ownHistory(() => true)
    case "buyorder-status":
      return market.buyOrderStatus(order)
    case "create-buyorder":
      return outcome(market.placeBuyOrder({ item: gloves, price: money(5), quantity: 1 }))
    case "cancel-buyorder":
      return outcome(market.cancelBuyOrder(order))
    case "buylisting":
      return outcome(market.purchase({ offer }))
    case "sellitem":
      return outcome(
        market.listAsset({ item: gloves, asset: "34" as AssetId, context: "2", sellerReceives: money(87) })
      )
    case "removelisting":
      return outcome(market.removeListing("5" as ListingId))
    case "confirmations":
      return market.confirmations
    case "confirmation-details":
      return market.confirmationSubjects(confirmation)
    case "confirmation-op":
      return outcome(market.allowConfirmation(confirmation))
    case "search":
      return Effect.catch(offers.search(text), () => offers.searchListings(text))
    case "search-render":
      return offers.searchByText(text)
    case "suggestions":
      return offers.suggestions("x")
    case "appfacets":
      return offers.tags(gloves.app)
    case "appaccessories":
      return offers.accessories(gloves.app)
    case "popular":
      return offers.popular
    case "recent":
      return offers.recent
    case "listings":
      return offers.listings(gloves)
    case "listing-page":
      return offers.itemNameId(gloves)
    case "histogram":
      return offers.histogram("1")
    case "activity":
      return offers.activity("1")
    case "eligibility":
      return market.eligibility
    case "home":
    case "search-page":
    case "listings-render":
      return Effect.fail({ _tag: "NoPort" })
  }
}

/** A read's error, an outcome that is no success, or an operation that the port does not have. */
interface NoSuccess {
  readonly _tag: string
}

/** A mutation's outcome as a success or a failure. */
const outcome = <A extends NoSuccess>(sent: Effect.Effect<A>): Effect.Effect<A, NoSuccess> =>
  Effect.filterOrFail(
    sent,
    ({ _tag }) => _tag === "Accepted",
    (other): NoSuccess => other
  )

/** Readers of pages; each gets every text, whatever it is. */
const pages: ReadonlyArray<readonly [string, (text: string, platformName: string) => Read<unknown>]> = [
  ["listing page", (html, word) => readListingPage(html, namesOf(word))],
  ["home page", (html, word) => readHomePage(html, namesOf(word))],
  ["search page", (html, word) => readSearchPage(html, namesOf(word))],
  ["own rows", (html) => readOwnRows(html, html)],
  ["history rows", (html) => readHistoryRows(html, html)],
  ["listing rows", (html) => readListingRows(html, html)],
  ["search rows", (html) => readSearchRows(html)],
  ["order table", (html) => readOrderTable(html)],
  ["subjects", (html) => readSubjects(html)],
  ["confirmation list", (html) => readConfirmationList(html)]
]

/** A page's reader sees a text of this length in every case, and of longer texts every so often. */
const readersFor = (one: Case, index: number) =>
  one.text.length < 3000 || index % 8 === 0 ? pages : [pages[index % pages.length] ?? pages[0]!]

export interface Target {
  readonly run: (one: Case, index: number) => Promise<ReadonlyArray<Finding>>
}

/** One market per platform name is built once; cases go through it one after the other. */
export const makeTarget = async (): Promise<Target> => {
  let current: Case | undefined
  const clock = clockOf()
  const build = (platformName: string) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.map(
          Layer.build(
            Layer.provide(
              marketLayer,
              Layer.mergeAll(
                Layer.succeed(
                  HttpClient.HttpClient,
                  clientOf(() => current ?? empty)
                ),
                Layer.succeed(MarketConfig, settings({ baseUrl: "http://market.test", platformName })),
                Session.layerOf(session),
                Layer.succeed(RateLimiter, unlimited)
              )
            )
          ),
          (context) => context
        )
      )
    )
  const contexts = new Map([
    ["platform", await build("platform")],
    ["acme", await build("acme")]
  ])
  const run = async (one: Case, index: number): Promise<ReadonlyArray<Finding>> => {
    current = one
    const findings: Array<Finding> = []
    const info = operationInfo(one.operation)
    const context = contexts.get(one.platformName)
    if (info === undefined || context === undefined) throw new Error(one.operation)
    const crash = (detail: string) => findings.push({ kind: "crash", detail })
    const wrong = (detail: string) => findings.push({ kind: "wrongSuccess", detail })
    try {
      const checked = checkBody({
        operation: info,
        platformName: one.platformName,
        text: one.text,
        status: one.status
      })
      const shape = checked._tag === "Ok" ? info.shapes[checked.shape] : undefined
      const isPlain = one.location === undefined && (one.status < 300 || one.status > 399)
      if (shape?.meaning === "success" && isPlain && !isLoose(one) && !mayBeShape(one.operation, one))
        wrong(`check: ${checked._tag}`)
      JSON.stringify(checked)
    } catch (error) {
      crash(`check: ${String(error)}`)
    }
    for (const [name, read] of readersFor(one, index)) {
      try {
        const result = read(one.text, one.platformName)
        if (Result.isSuccess(result) && wrongNumbers(result.success).length > 0)
          wrong(`${name}: ${wrongNumbers(result.success).join()}`)
      } catch (error) {
        crash(`${name}: ${String(error)}`)
      }
    }
    const effect = Effect.flatMap(Market, (market) => portOf(market, one.operation))
    const exit = await Effect.runPromiseExit(
      effect.pipe(Effect.provide(context), Effect.provideService(Clock.Clock, clock))
    )
    if (Exit.isSuccess(exit)) {
      if (!mayBeSuccess(one.operation, one)) wrong(`port: ${JSON.stringify(exit.value)?.slice(0, 200)}`)
      const numbers = wrongNumbers(exit.value)
      if (numbers.length > 0) wrong(`port: ${numbers.join()} is no number`)
    } else if (Cause.hasDies(exit.cause)) crash(`port: ${Cause.pretty(exit.cause).slice(0, 500)}`)
    return findings
  }
  return { run }
}

const empty: Case = {
  operation: "home",
  platformName: "platform",
  status: 200,
  location: undefined,
  text: ""
}

/** The check takes bundles of several bodies, whose statuses are their own, and a bare billing body. */
const isLoose = ({ text: body }: Case): boolean => body.includes('"status"') && body.includes('"body"')
