/** Pages of a market as it writes them: small ones written by hand, and the recorded ones when HAGGLE_RECORDED names their folder. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { env } from "node:process"

import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"

import { namesOf } from "../../../src/market/contract/Platform.ts"
import { readConfirmationList, readSubjects } from "../../../src/market/html/ConfirmationPage.ts"
import { readHomePage } from "../../../src/market/html/HomePage.ts"
import { hashNameOf, readListingPage } from "../../../src/market/html/ListingPage.ts"
import { readListingRows } from "../../../src/market/html/ListingRows.ts"
import { readOrderTable } from "../../../src/market/html/OrderTable.ts"
import { readHistoryRows, readOwnRows } from "../../../src/market/html/OwnRows.ts"
import { parsePage, textOf } from "../../../src/market/html/Page.ts"
import { type Read } from "../../../src/market/html/PageError.ts"
import { readSearchPage } from "../../../src/market/html/SearchPage.ts"
import { readSearchRows } from "../../../src/market/html/SearchRows.ts"

const names = namesOf("platform")

const of = <A>(read: Read<A>): A =>
  Result.isSuccess(read) ? read.success : assert.fail(read.failure.message)
const problemOf = <A>(read: Read<A>): string =>
  Result.isFailure(read) ? `${read.failure.part} ${read.failure.problem}` : "read"

const asset = { appid: 730, contextid: "2", id: "34", amount: "1", market_hash_name: "Glove Case" }
const listing = {
  listingid: "5000000001",
  price: 87,
  fee: 13,
  acme_fee: 4,
  publisher_fee: 9,
  currencyid: "2001",
  asset: { appid: 730, contextid: "2", id: "34", amount: "1" }
}
const legacyPage = `<!DOCTYPE html><html><body>
<div class="market_listing_row listing_5000000001" id="listing_5000000001">
 <a href="javascript:BuyMarketListing('listing', '5000000001', 730, '2', '34')">Buy</a>
 <span class="market_listing_price market_listing_price_with_fee"> $1.00 </span>
 <span class="market_listing_price market_listing_price_without_fee">$0.87</span>
 <span id="listing_5000000001_name" class="market_listing_item_name">Glove Case</span>
 <span class="market_listing_game_name">Game &amp; more</span></div>
<div class="market_listing_row" id="mbuyorder_77"><span class="market_listing_price"><span class="market_listing_inline_buyorder_qty">3 @</span> $0.95</span></div>
<script type="text/javascript">
 var g_bLoggedIn = true;
 var g_rgWalletInfo = {"wallet_currency":1,"wallet_country":"US","success":1,"wallet_balance":"5"};
 var g_rgAssets = {"730":{"2":{"34":${JSON.stringify({ ...asset, name: "a;b</div>" })}}}};
 var g_rgListingInfo = {"5000000001":${JSON.stringify(listing)}};
 (function(){ var line1=[["Dec 06 2018 01: +0",0.1,"5"],["Dec 07 2018 01: +0",0.25,"7"]]; })();
 Market_LoadOrderSpread( 176185984 );	// initial paint
</script></body></html>`

const book = {
  amtMaxBuyOrder: 95,
  amtMinSellOrder: null,
  eCurrency: 1,
  cBuyOrders: 7,
  cSellOrders: 0,
  rgCompactBuyOrders: [95, 7],
  rgCompactSellOrders: []
}
const queries = [
  {
    queryKey: ["market", "orderbook", 730, "Glove Case"],
    state: {
      data: {
        success: true,
        data: {
          ...book,
          rgBuyOrders: [
            {
              appid: 730,
              hash_name: "Glove Case",
              price: "95",
              quantity: "3",
              quantity_remaining: "2",
              buy_orderid: "77"
            }
          ]
        }
      }
    }
  },
  {
    queryKey: ["market", "pricehistory", 730, "Glove Case"],
    state: { data: { prices: [["Dec 06 2018 01: +0", 0.1, "5"]] } }
  },
  {
    queryKey: ["market", "description", 730, "Glove Case"],
    state: {
      data: { appid: 730, classid: "1", market_hash_name: "Glove Case", market_bucket_group_id: "G1" }
    }
  }
]
const context = JSON.stringify({ queryData: JSON.stringify({ mutations: [], queries }) })
const renderedPage = `<html><script>window.SSR={};window.SSR.renderContext=JSON.parse(${JSON.stringify(context)});window.SSR.loaderData=["{\\"logged_in\\":true}"];</script></html>`

describe("a listing page", () => {
  it("of the older form gives inline state, price line, rows and the item's name id", () => {
    const page = of(readListingPage(legacyPage, namesOf("acme")))
    assert.strictEqual(page.form, "legacy")
    assert.strictEqual(page.itemNameId, "176185984")
    assert.deepStrictEqual(page.prices, [
      ["Dec 06 2018 01: +0", 0.1, "5"],
      ["Dec 07 2018 01: +0", 0.25, "7"]
    ])
    assert.deepStrictEqual(
      page.listings.map(({ fee, listingid, platform_fee, price }) => [listingid, price, fee, platform_fee]),
      [["5000000001", 87, 13, 4]]
    )
    assert.deepStrictEqual(page.rows, [
      {
        item: undefined,
        title: "Glove Case",
        game: "Game & more",
        listing: "5000000001" as never,
        asset: { app: 730, context: "2", asset: "34", amount: 1 },
        withFee: "$1.00",
        withoutFee: "$0.87"
      }
    ])
    assert.strictEqual(page.wallet?.wallet_balance, "5")
    assert.deepStrictEqual(
      page.ownOrders.map(({ order, price, remaining }) => [order, price, remaining]),
      [["77", "$0.95", 3]]
    )
    assert.deepStrictEqual(hashNameOf(page), Option.some("Glove Case"))
  })

  it("of the newer form gives book, history, description and own orders out of the render context", () => {
    const page = of(readListingPage(renderedPage, names))
    assert.strictEqual(page.form, "rendered")
    assert.isTrue(page.isLoggedIn)
    assert.deepStrictEqual(page.orderBook, book)
    assert.deepStrictEqual(page.prices, [["Dec 06 2018 01: +0", 0.1, "5"]])
    assert.strictEqual(page.description?.market_bucket_group_id, "G1")
    assert.deepStrictEqual(
      page.ownOrderData.map(({ buy_orderid }) => buy_orderid),
      ["77"]
    )
    assert.isUndefined(page.itemNameId)
  })

  it("of the loader gives the same, in one value or by lines", () => {
    const whole = of(readListingPage(JSON.stringify([JSON.parse(context)]), names))
    const lines = of(readListingPage(`0:null\n1:${context}\n`, names))
    assert.deepStrictEqual([whole.form, lines.form], ["payload", "payload"])
    assert.deepStrictEqual(whole.orderBook, book)
    assert.deepStrictEqual(lines.orderBook, book)
  })

  it("that is cut off or of another kind is an error that names the part", () => {
    assert.strictEqual(
      problemOf(readListingPage(legacyPage.slice(0, legacyPage.indexOf("a;b</div>")), names)),
      "g_rgAssets NotJson"
    )
    assert.strictEqual(problemOf(readListingPage("<html></html>", names)), "listing page Missing")
    assert.strictEqual(problemOf(readListingPage(renderedPage.slice(0, 300), names)), "renderContext NotJson")
    assert.strictEqual(
      problemOf(readListingPage(legacyPage.replace('"price":87', '"price":"x"'), names)),
      "g_rgListingInfo Differs"
    )
    assert.strictEqual(problemOf(readListingPage("not json", names)), "payload NotJson")
  })
})

describe("the home page", () => {
  const home = `<div id="myListings"><span id="my_market_selllistings_number">1</span><span id="my_market_buylistings_number">1,204</span>
  <div class="market_listing_row" id="mylisting_5000000001"><a href="javascript:RemoveMarketListing('mylisting', '5000000001', 730, '2', '34')">x</a>
  <span class="market_listing_price"><span><span title="buyer">1,03€ </span><br><span title="you">(0,90€ )</span></span></span>
  <div class="market_listing_listed_date">14 nov</div><span class="market_listing_item_name"><a href="https://x/market/listings/730/Glove%20Case">Glove Case</a></span></div>
  <div class="market_listing_row" id="mybuyorder_7"><span class="market_listing_price">0,05€ </span><span class="market_listing_price">5</span></div></div>
  <a id="resultlink_0" href="/market/listings/730/Glove%20Case"><div class="market_listing_their_price">From<br><span style="color:white">1,09€</span></div><span class="market_listing_num_listings_qty">15,983</span></a>
  <script>var g_bLoggedIn = true; var g_rgAssets = [];</script>`

  it("gives own listings, orders and counters, and what is popular", () => {
    const page = of(readHomePage(home, names))
    assert.deepStrictEqual(page.listings, [
      {
        item: { app: 730, name: "Glove Case" } as never,
        title: "Glove Case",
        game: "",
        listing: "5000000001" as never,
        asset: { app: 730, context: "2", asset: "34", amount: 1 },
        buyerPays: "1,03€",
        sellerReceives: "0,90€",
        listedOn: "14 nov"
      }
    ])
    assert.deepStrictEqual(
      page.orders.map(({ order, price, quantity }) => [order, price, quantity]),
      [["7", "0,05€", 5]]
    )
    assert.deepStrictEqual(page.counts, { live: 1, toConfirm: undefined, buyOrders: 1204 })
    assert.deepStrictEqual(
      page.popular.map(({ item, listings, price }) => [item.name, price, listings]),
      [["Glove Case", "1,09€", 15_983]]
    )
    assert.isTrue(page.mayTrade)
  })

  it("says that the account may not trade", () => {
    assert.isFalse(of(readHomePage(`${home}<div id="market_tip_noaccess"></div>`, names)).mayTrade)
    assert.isFalse(of(readHomePage(`${home}<script>var g_bMarketAllowed = false;</script>`, names)).mayTrade)
  })

  it("that is another page is an error", () => {
    assert.strictEqual(problemOf(readHomePage("<html>maintenance</html>", names)), "home page Missing")
  })
})

describe("rows", () => {
  it("of own history tell listing, purchase, event, sign, price and whether it is pending", () => {
    const html = `<div class="market_home_listing_table">
    <div id="history_row_5_6"><div class="market_listing_gainorloss"> + </div><div class="market_listing_their_price"><span class="market_listing_price">$0.10</span><br>(pending)</div><div class="market_listing_listed_date">Jun 3</div><div class="market_listing_listed_date">Jun 1</div></div>
    <div id="history_row_7_event_2"><div class="market_listing_their_price"><span class="market_listing_price">$0.20</span></div></div><div id="history_row_name"></div></div>`
    const hovers = "CreateItemHoverFromContainer( g_rgAssets, 'history_row_5_6_name', 440, '2', '99', 0 );"
    const rows = of(readHistoryRows(html, hovers))
    assert.deepStrictEqual(
      rows.map((one) => [
        one.listing,
        one.purchase,
        one.event,
        one.sign,
        one.price,
        one.isPending,
        one.actedOn,
        one.listedOn,
        one.asset?.asset
      ]),
      [
        ["5", "6", undefined, "+", "$0.10", true, "Jun 3", "Jun 1", "99"],
        ["7", undefined, 2, "", "$0.20", false, "", "", undefined]
      ]
    )
    assert.strictEqual(problemOf(readHistoryRows("<html></html>")), "history rows Missing")
  })

  it("of an order without a quantity are an error, not an order of nothing", () => {
    const html = '<div id="mybuyorder_7"><span class="market_listing_price">$0.05</span></div>'
    assert.strictEqual(problemOf(readOwnRows(html)), "mybuyorder_row Differs")
  })

  it("of a search that failed are a message", () => {
    const html =
      '<div class="market_listing_table_message">There was an error processing your request. </div>'
    assert.deepStrictEqual(of(readSearchRows(html)), {
      rows: [],
      message: "There was an error processing your request."
    })
  })

  it("of a histogram's table leave the heading out", () => {
    const html =
      "<table><tr><th>Price</th><th>Quantity</th></tr><tr><td>$0.14</td><td>1</td></tr><tr><td>$0.19 or more</td><td>1,160</td></tr></table>"
    assert.deepStrictEqual(of(readOrderTable(html)), [
      { price: "$0.14", quantity: 1 },
      { price: "$0.19 or more", quantity: 1160 }
    ])
    assert.strictEqual(problemOf(readOrderTable("none")), "order table Missing")
  })

  it("of a search page come as rows or as data", () => {
    const rows = of(readSearchPage('<a id="resultlink_0" href="/market/listings/730/A"></a>', names))
    assert.strictEqual(rows._tag, "Rows")
    const answer = { start: 0, total_count: 0, facets: [], results: [] }
    const data = of(
      readSearchPage(JSON.stringify([{ queryKey: ["market", "search"], state: { data: answer } }]), names)
    )
    assert.deepStrictEqual(data, { _tag: "Data", found: answer })
    assert.strictEqual(problemOf(readSearchPage("<html></html>", names)), "search page Missing")
  })
})

describe("a confirmation's details", () => {
  it("name the asset of a script call, and listings by their elements", () => {
    const html = `<div class="x" id="mylisting_5000000001"></div><script>BuildHover('confiteminfo', ${JSON.stringify({ ...asset, descriptions: [{ value: "a);b" }] })}, UserYou);</script>`
    assert.deepStrictEqual(of(readSubjects(html)), ["34", "5000000001"])
  })

  it("may stand in an attribute, its quotes escaped", () => {
    assert.deepStrictEqual(
      of(readSubjects(`<a onmouseover="BuildHover('x', {&quot;id&quot;:&quot;35&quot;}, y)">x</a>`)),
      ["35"]
    )
  })

  it("that name nothing have no subjects", () => {
    assert.deepStrictEqual(of(readSubjects("<p>Trade</p>")), [])
  })

  it("as a list carry what a decision needs", () => {
    const entry =
      '<div class="mobileconf_list_entry" data-confid="1" data-key="2" data-type="3" data-creator="4">Sell <b>it</b></div>'
    assert.deepStrictEqual(of(readConfirmationList(entry)), [
      { id: "1", nonce: "2", type: 3, creator: "4", headline: "Sell it" }
    ])
    assert.deepStrictEqual(of(readConfirmationList('<div id="mobileconf_empty">Nothing</div>')), [])
    assert.strictEqual(problemOf(readConfirmationList("<html>x</html>")), "confirmation list Missing")
  })
})

describe("a hostile page", () => {
  it("is given up when it is too deep or too long", () => {
    assert.strictEqual(problemOf(parsePage("<div>".repeat(100_000))), "page TooDeep")
    assert.strictEqual(problemOf(parsePage("x".repeat(8_000_001))), "page TooLong")
  })

  it("is read as far as it goes when it is cut off or ill-formed", () => {
    assert.strictEqual(
      textOf(of(parsePage("<p>one<p>two<b>three</i>&amp;&#8364;<script>x()</script"))),
      "onetwothree&€"
    )
    assert.strictEqual(textOf(of(parsePage("</div></div><!-- <p> --><p a=<b>x"))), "x")
  })
})

const folder = env["HAGGLE_RECORDED"] ?? ""

describe.skipIf(folder === "" || !existsSync(folder))("recorded pages", () => {
  const read = (path: string): string => readFileSync(join(folder, path), "utf8")
  const theirs = namesOf("steam")
  const bodyOf = (path: string) =>
    JSON.parse(read(path)) as { readonly results_html: string; readonly hovers: string }

  it("listing pages of three years", () => {
    const pages = ["01", "02", "03"].map((name) =>
      of(readListingPage(read(`listing_page/${name}.html`), theirs))
    )
    assert.deepStrictEqual(
      pages.map(({ listings, prices, rows, wallet }) => [
        listings.length,
        rows.length,
        prices?.length,
        wallet?.wallet_currency
      ]),
      [
        [10, 10, 844, 3],
        [0, 0, 83, 3],
        [10, 10, 435, 7]
      ]
    )
    assert.deepStrictEqual(
      pages.map((page) => Option.getOrUndefined(hashNameOf(page))),
      ["Crown of Gore", undefined, "227680-Transport"]
    )
  })

  it("home pages with and without own rows", () => {
    const [first, second] = ["01", "02"].map((name) =>
      of(readHomePage(read(`market_home/${name}.html`), theirs))
    )
    assert.deepStrictEqual([first?.listings.length, first?.popular.length, first?.recent.length], [0, 10, 10])
    assert.deepStrictEqual([second?.listings.length, second?.orders.length], [15, 198])
    assert.deepStrictEqual(second?.counts, { live: 15, toConfirm: undefined, buyOrders: 198 })
    assert.isTrue(second?.orders.every(({ item, remaining }) => item !== undefined && remaining > 0))
    assert.isTrue(second?.listings.every(({ asset: of }) => of !== undefined))
  })

  it("a hundred history rows, those of purchases tied to their assets", () => {
    const { hovers, results_html } = bodyOf("myhistory/02.json")
    const rows = of(readHistoryRows(results_html, hovers))
    assert.strictEqual(rows.length, 100)
    const purchases = rows.filter(({ purchase }) => purchase !== undefined)
    assert.strictEqual(purchases.length, 44)
    assert.isTrue(purchases.every(({ asset: of }) => of !== undefined))
    assert.deepStrictEqual([...new Set(rows.map(({ event }) => event))], [undefined, 1])
  })

  it("rows of renderings, and the error that calls itself a success", () => {
    for (const path of ["listings_render/01.json", "recent/01.json"]) {
      const { hovers, results_html } = bodyOf(path)
      const { rows } = of(readListingRows(results_html, hovers))
      assert.strictEqual(rows.length, 10)
      assert.isTrue(rows.every(({ asset: of, withFee }) => of !== undefined && withFee !== ""))
    }
    assert.include(
      of(readSearchRows(bodyOf("search_render/02.json").results_html)).message,
      "error processing"
    )
  })

  it("confirmation lists of the older pages", () => {
    const lists = ["01", "02"].map((name) =>
      of(readConfirmationList(read(`mobileconf_details/${name}.html`)))
    )
    assert.deepStrictEqual(
      lists.map((entries) => entries.map(({ type }) => type)),
      [[6], [3, 3, 3, 3, 3]]
    )
    assert.isTrue(lists.flat().every(({ creator, nonce }) => /^\d+$/.test(creator) && nonce !== ""))
  })
})
