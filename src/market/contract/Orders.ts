/** Order depth and recent order activity (interface, Order book, Order histogram and Order activity). */
import { Schema } from "effect"

import { expected, field, optional } from "./Field.ts"
import { Count, IntLike, MajorUnits, Price, Succeeded } from "./Wire.ts"

/** Flattened pairs: price in minor units, units at that price; per level, best first. */
const CompactLevels = Schema.Array(Price).check(
  Schema.makeFilter((pairs) => pairs.length % 2 === 0 || "expected pairs of price and quantity")
)

/** Prices are null and arrays empty on an empty side; a market may leave the arrays out. */
export const OrderBookData = Schema.Struct({
  amtMaxBuyOrder: field(Schema.NullOr(Price), "Best bid, minor units; null without any."),
  amtMinSellOrder: field(Schema.NullOr(Price), "Best ask, minor units; null without any."),
  eCurrency: field(Schema.Int, "Currency id; the wallet's, or another one of an anonymous caller."),
  cBuyOrders: field(Count, "Units wanted in the whole book."),
  cSellOrders: field(Count, "Units offered in the whole book."),
  rgCompactBuyOrders: expected(
    CompactLevels,
    "Flattened pairs: price, quantity, price, quantity, …; descending."
  ),
  rgCompactSellOrders: expected(
    CompactLevels,
    "Flattened pairs: price, quantity, price, quantity, …; ascending."
  )
}).annotate({ identifier: "OrderBookData", description: "Compact order book; quantities are per level." })
export type OrderBookData = typeof OrderBookData.Type

/** The inner envelope, sent bare by some markets. */
export const BareOrderBook = Schema.Struct({
  success: field(Succeeded, "true."),
  data: field(OrderBookData, "The order book.")
}).annotate({
  identifier: "OrderBook",
  description: "Inner envelope of the order book; some markets send it bare."
})
export const OrderBookBody = Schema.Struct({
  data: field(BareOrderBook, "The inner envelope.")
}).annotate({ identifier: "OrderBookEnvelope", description: "Order book as the interface wraps it." })

/** Price in major units, cumulative quantity, formatted text. */
const GraphPoint = Schema.Tuple([MajorUnits, Count, Schema.String]).annotate({
  identifier: "GraphPoint",
  description: "Price, cumulative quantity, formatted price."
})

/** A row of the tables of `norender=1`; the last one stands for the rest. */
const TableRow = Schema.Struct({
  price: field(Schema.String, "Formatted price."),
  price_with_fee: optional(Schema.NullOr(Schema.String), "Formatted price with fees."),
  quantity: field(Schema.Union([Schema.String, Count]), "Units at that price, not cumulative.")
}).annotate({ identifier: "OrderTableRow", description: "A price level as it is shown." })

const Table = Schema.NullOr(Schema.Union([Schema.String, Schema.Array(TableRow)]))
const Best = Schema.NullOr(IntLike)

export const HistogramBody = Schema.Struct({
  success: field(Succeeded, "1 on success."),
  highest_buy_order: field(Best, "Best bid, minor units as a string; null without any."),
  lowest_sell_order: field(Best, "Best ask, minor units as a string; null without any."),
  buy_order_graph: field(Schema.Array(GraphPoint), "Cumulative points: price, quantity, formatted price."),
  sell_order_graph: field(Schema.Array(GraphPoint), "Cumulative points: price, quantity, formatted price."),
  graph_max_y: expected(Schema.Finite, "Largest quantity of the graph."),
  graph_min_x: expected(Schema.Finite, "Lowest price of the graph."),
  graph_max_x: expected(Schema.Finite, "Highest price of the graph."),
  price_prefix: expected(Schema.String, "Currency sign before the number."),
  price_suffix: expected(Schema.String, "Currency sign after the number."),
  buy_order_table: expected(Table, "Rendered HTML; rows with norender=1, null when empty."),
  buy_order_summary: optional(Schema.NullOr(Schema.String), "Rendered HTML; absent with norender=1."),
  sell_order_table: expected(Table, "Rendered HTML; rows with norender=1, null when empty."),
  sell_order_summary: optional(Schema.NullOr(Schema.String), "Rendered HTML; absent with norender=1."),
  buy_order_count: optional(Schema.Union([Count, Schema.String]), "Units wanted: a string, or 0."),
  buy_order_price: optional(Schema.NullOr(Schema.String), "Best bid, formatted."),
  sell_order_count: optional(Schema.Union([Count, Schema.String]), "Units offered: a string, or 0."),
  sell_order_price: optional(Schema.NullOr(Schema.String), "Best ask, formatted.")
}).annotate({
  identifier: "OrderHistogram",
  description: "Order histogram; graphs are cumulative, tables are not."
})
export type HistogramBody = typeof HistogramBody.Type

const Text = Schema.NullOr(Schema.String)

/** An entry of `norender=1`. `type`: BuyOrder, BuyOrderMulti, SellOrder, BuyOrderCancel, SellOrderCancel, or another. */
export const ActivityEntry = Schema.Struct({
  type: field(
    Schema.String,
    "BuyOrder, BuyOrderMulti, SellOrder, BuyOrderCancel, SellOrderCancel, or another."
  ),
  quantity: field(Schema.Union([Schema.String, Count]), "Units."),
  price: field(Schema.String, "Formatted price."),
  time: optional(Schema.Int, "Unix seconds."),
  avatar_buyer: optional(Text, "Address of a picture, null without a buyer."),
  avatar_medium_buyer: optional(Text, "Address of a larger picture, null without a buyer."),
  persona_buyer: optional(Text, "The buyer's name, null without a buyer."),
  avatar_seller: optional(Text, "Address of a picture, null without a seller."),
  avatar_medium_seller: optional(Text, "Address of a larger picture, null without a seller."),
  persona_seller: optional(Text, "The seller's name, null without a seller.")
}).annotate({ identifier: "ActivityEntry", description: "An order that was placed, filled or cancelled." })
export type ActivityEntry = typeof ActivityEntry.Type

export const ActivityBody = Schema.Struct({
  success: field(Succeeded, "1 on success."),
  activity: field(
    Schema.Array(Schema.Union([ActivityEntry, Schema.String])),
    "Entries, HTML strings without norender=1; may be empty."
  ),
  timestamp: expected(Schema.Int, "Cursor; may be 0.")
}).annotate({ identifier: "OrderActivity", description: "Recent order activity." })
export type ActivityBody = typeof ActivityBody.Type
