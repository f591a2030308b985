/** Bodies to start from: several of every shape of every operation, generated from the contract's schemas, and pages written by hand. */
import { Arbitrary, Effect } from "effect"

import { type Json } from "../../src/market/contract/Json.ts"
import { registry } from "../../src/market/contract/Operations.ts"

/** Texts of one operation's bodies. */
export type Samples = ReadonlyMap<string, ReadonlyArray<string>>

const perShape = 12

export const generated: Effect.Effect<Samples> = Effect.gen(function* () {
  const samples = new Map<string, ReadonlyArray<string>>()
  for (const { operation, shapes } of registry) {
    const texts: Array<string> = []
    for (const [name, { schema }] of Object.entries(shapes)) {
      const arbitrary = Arbitrary.schema(schema)
      const values = yield* Effect.orDie(
        Arbitrary.sampleEffect(arbitrary, { count: perShape, size: 4, seed: `${operation} ${name}` })
      )
      texts.push(...values.map((value) => JSON.stringify(value)))
    }
    samples.set(operation, [
      ...texts,
      ...(pages.get(operation) ?? []),
      ...(bodies.get(operation) ?? []).map((body) => JSON.stringify(body))
    ])
  }
  return samples
})

const asset = {
  appid: 730,
  contextid: "2",
  id: "34",
  amount: "1",
  market_hash_name: "Glove Case",
  commodity: 1
}
const assets = { "730": { "2": { "34": asset } } }
const listing = {
  listingid: "5000000001",
  price: 87,
  fee: 13,
  platform_fee: 4,
  publisher_fee: 9,
  currencyid: "2001",
  asset: { appid: 730, contextid: "2", id: "34", amount: "1" }
}
const hovers = "CreateItemHoverFromContainer( g_rgAssets, 'mylisting_5000000001_name', 730, '2', '34', 1 );"
const row = (id: string): string =>
  `<div class="market_listing_row" id="${id}"><span class="market_listing_price"><span title="x">$1.00</span><br><span title="y">($0.87)</span></span>
  <div class="market_listing_listed_date">14 Nov</div><span id="${id}_name" class="market_listing_item_name"><a href="/market/listings/730/Glove%20Case">Glove Case</a></span>
  <a href="javascript:RemoveMarketListing('mylisting', '5000000001', 730, '2', '34')">x</a></div>`
const order =
  '<div class="market_listing_row" id="mybuyorder_7"><span class="market_listing_price"><span class="market_listing_inline_buyorder_qty">3 @</span> $0.05</span><a href="/market/listings/730/Glove%20Case">Glove Case</a></div>'
const history =
  '<div class="market_home_listing_table"><div class="market_listing_row" id="history_row_5_6"><div class="market_listing_gainorloss">+</div><div class="market_listing_their_price"><span class="market_listing_price">$0.10</span> (pending)</div></div></div>'
const line = '[["Dec 06 2018 01: +0",0.1,"5"],["Dec 07 2018 01: +0",0.25,"1;2"]]'

const legacyPage = `<!DOCTYPE html><html><head><title>Listings for Glove Case</title></head><body>${row("listing_5000000001")}${order}
<script>var g_bLoggedIn = true; var g_rgAssets = ${JSON.stringify(assets)}; var g_rgListingInfo = {"5000000001":${JSON.stringify(listing)}};
var line1=${line}; Market_LoadOrderSpread( 176185984 );	// initial paint
${hovers}</script></body></html>`

const queries = [
  {
    queryKey: ["market", "orderbook", 730, "Glove Case"],
    state: {
      data: {
        success: true,
        data: {
          amtMaxBuyOrder: 5,
          amtMinSellOrder: null,
          eCurrency: 1,
          cBuyOrders: 1,
          cSellOrders: 0,
          rgCompactBuyOrders: [5, 1],
          rgCompactSellOrders: []
        }
      }
    }
  },
  {
    queryKey: ["market", "pricehistory", 730, "Glove Case"],
    state: { data: { prices: [["Dec 06 2018 01: +0", 0.1, "5"]] } }
  },
  { queryKey: ["market", "search"], state: { data: { start: 0, total_count: 0, facets: [], results: [] } } }
]
const renderedPage = `<html><script>window.SSR.renderContext=JSON.parse(${JSON.stringify(JSON.stringify({ queryData: JSON.stringify({ queries }) }))});window.SSR.loaderData=["{\\"logged_in\\":true}"]</script></html>`
const payload = JSON.stringify([{ queryData: JSON.stringify({ queries }) }])
const homePage = `<html><body><div id="myListings"><span id="my_market_selllistings_number">1</span>${row("mylisting_5000000001")}${order}</div>
<a class="market_listing_row_link" href="/market/listings/730/Glove%20Case" id="resultlink_0"><div class="market_listing_their_price"><span style="color:white">$1.00</span></div></a>
<script>var g_rgWalletInfo = {"wallet_currency":1,"wallet_country":"US","success":1,"wallet_balance":"5"}; var g_rgAssets = [];${hovers}</script></body></html>`
const searchPage = `<html><div>${homePage}</div></html>`
const details = `<div class="mobileconf_listing_prices"></div><script>BuildHover( 'confiteminfo', ${JSON.stringify({ ...asset, descriptions: [{ value: "a;b}" }] })}, UserYou );</script>`
const list =
  '<div id="mobileconf_list"><div class="mobileconf_list_entry" data-confid="1" data-key="2" data-type="3" data-creator="4">Sell</div></div>'

const pages: Samples = new Map([
  ["home", [homePage]],
  ["search-page", [searchPage, renderedPage, payload]],
  ["listing-page", [legacyPage, renderedPage, payload]],
  ["confirmations", [list]],
  ["confirmation-details", [details]],
  ["mylistings", [homePage, row("mylisting_5000000001") + order]],
  ["myhistory", [history]],
  ["listings-render", [row("listing_5000000001")]],
  ["search-render", [homePage]]
])

const page = { success: true, pagesize: 10, total_count: 1, start: 0, assets, hovers }

/** Bodies that reach what generated ones seldom do: rows that hang together. */
const bodies: ReadonlyMap<string, ReadonlyArray<Json>> = new Map<string, ReadonlyArray<Json>>([
  [
    "mylistings",
    [
      {
        ...page,
        listings: [{ ...listing, asset }],
        listings_to_confirm: [],
        buy_orders: [
          {
            appid: 730,
            hash_name: "Glove Case",
            price: "5",
            quantity: "3",
            quantity_remaining: "2",
            buy_orderid: "7"
          }
        ]
      },
      { ...page, results_html: homePage }
    ]
  ],
  [
    "myhistory",
    [
      {
        ...page,
        events: [
          {
            listingid: "5000000001",
            purchaseid: "6",
            event_type: 4,
            time_event: 1_700_000_000,
            time_event_fraction: 5
          },
          { listingid: "5000000001", event_type: 2, time_event: 1_700_000_000 }
        ],
        purchases: {
          "5000000001_6": {
            listingid: "5000000001",
            purchaseid: "6",
            asset: { ...asset, new_id: "35" },
            paid_amount: 87,
            paid_fee: 13,
            currencyid: "2037",
            received_amount: 10,
            received_currencyid: "2001"
          }
        },
        listings: { "5000000001": { ...listing, asset: { ...asset, rollback_new_id: "36" } } }
      },
      { ...page, results_html: history }
    ]
  ],
  [
    "recent",
    [
      {
        success: true,
        more: false,
        results_html: row("listing_sell_new_5000000001"),
        listinginfo: { "5000000001": listing },
        assets,
        hovers
      }
    ]
  ],
  [
    "popular",
    [{ success: true, stop: true, results_html: "", listinginfo: { "5000000001": listing }, assets }]
  ],
  [
    "listings-render",
    [
      {
        success: true,
        start: 0,
        pagesize: "10",
        total_count: 1,
        results_html: row("listing_5000000001"),
        listinginfo: { "5000000001": listing },
        assets,
        hovers,
        currency: [],
        app_data: []
      }
    ]
  ],
  ["search-render", [{ success: true, start: 0, pagesize: 10, total_count: 1, results_html: homePage }]],
  ["confirmation-details", [{ success: true, html: details }]],
  [
    "histogram",
    [
      {
        success: 1,
        highest_buy_order: "13",
        lowest_sell_order: "14",
        buy_order_graph: [[0.13, 95, "x"]],
        sell_order_graph: [[0.14, 1, "x"]],
        buy_order_table: "<table><tr><td>$0.13</td><td>95</td></tr></table>",
        sell_order_table: null
      }
    ]
  ]
])
