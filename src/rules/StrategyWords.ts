/**
 * What each key of a strategy file is for, with examples, by its path: an editor shows it when the pointer rests on the key.
 * `[]` stands for the members of a list, `*` for names that the author chooses. A test holds the table against the schema.
 */

export interface KeyWords {
  readonly description: string
  readonly examples: ReadonlyArray<unknown>
}

const key = (description: string, ...examples: ReadonlyArray<unknown>): KeyWords => ({
  description,
  examples
})

const head: Readonly<Record<string, KeyWords>> = {
  version: key("Version of this format. Always 1.", 1),
  name: key(
    "The strategy's name, as orders, the journal and `explain` carry it; without it the file's name.",
    "dip-buyer"
  ),
  description: key(
    "One sentence for whoever reads `haggle check` or `status`.",
    "Buys dips under the week's median."
  ),
  mode: key(
    "inherit: as the daemon runs. dry-run: decide and tell, send nothing. off: do not even decide. A file never raises the daemon's mode.",
    "inherit",
    "dry-run"
  ),
  shadowOf: key(
    "Runs beside the strategy of this name, is compared with it and sends nothing; `haggle shadow` tells how they differ.",
    "dip-buyer"
  ),
  where: key(
    "Keeps only the items for which this condition holds. Asked slowly: once per refresh.",
    'history.volume(duration("24h")) >= 50',
    'item.hasTag("Type", "Container")'
  ),
  params: key(
    "Named numbers that rules read as params.name, that an item may override and a sweep may turn.",
    {
      margin: { default: 0.12, min: 0.02, max: 0.5 }
    }
  ),
  "params.*.default": key(
    "The value, unless an item has its own: a number, a percentage, a time, true or false.",
    0.12,
    "12%",
    "6h"
  ),
  "params.*.min": key("Least value that an override or a sweep may give.", 0.02, "2%"),
  "params.*.max": key("Largest value that an override or a sweep may give.", 0.5, "50%"),
  "params.*.type": key("Only needed for an amount of money; otherwise the default tells.", "money"),
  "params.*.description": key(
    "What it turns, for whoever tunes it.",
    "left after fees, as a fraction of the price"
  ),
  let: key("Named sub-expressions, in order; each may read those above it.", {
    fair: 'history.median(duration("7d"))',
    edge: "(fees.sellerReceives(book.ask) - book.bid) / book.bid"
  }),
  freshness: key("How old a fact may be; older counts as unknown, and a rule that needs it does nothing.", {
    book: "2m",
    history: "6h"
  }),
  "freshness.book": key("Age of the order book. Default 2m; a shorter one costs more requests.", "90s"),
  "freshness.history": key("Age of the price history. Default 6h.", "3h"),
  "freshness.overview": key("Age of the price overview. Default 15m.", "30m"),
  "freshness.offers": key("Age of the single listings. Default 1m: a good one is gone soon.", "45s"),
  "freshness.description": key("Age of tags and properties of the item. Default 30d.", "30d"),
  "freshness.wallet": key("Age of the wallet's balance. Default 15m.", "15m"),
  rules: key("In file order the first rule that matches decides its side of the market.", [
    { id: "enter", when: "book.spreadPct > 0.2", do: "bid", at: "book.bid + tick(1)", qty: 1 }
  ]),
  limits: key("Hard stops of this strategy beside every rule. Open orders count as if filled.", {
    spendPerDay: 50.0,
    exposure: 100.0
  }),
  "limits.spendPerDay": key("What may be spent within 24 hours, open orders included.", 50.0),
  "limits.exposure": key("What everything held and on order may cost together.", 100.0),
  "limits.perItemUnits": key("Units of one item, held and on order.", 5),
  "limits.openOrders": key("Buy orders that may be open at once.", 20),
  "limits.maxPrice": key("Highest price of a unit.", 25.0),
  "limits.minPrice": key("Lowest price of a unit.", 0.05),
  minStep: key(
    "For every rule: smaller differences to the price that stands are left alone. Default 1%.",
    "2%"
  ),
  minAge: key(
    "For every rule: a younger order is not replaced for its price. Default 10m for bids, 15m for listings.",
    "30m"
  ),
  overrides: key("Params of single items, by name or application/name.", { "Glove Case": { margin: 0.2 } }),
  onRemove: key(
    "What becomes of its bids when the file goes: cancel (default) or keep. Listings stay either way.",
    "cancel"
  ),
  priority: key(
    "Where two strategies want the same side of an item, the higher one decides. Default 0.",
    10,
    -10
  )
}

const universe: Readonly<Record<string, KeyWords>> = {
  universe: key("Which items; several entries are united.", [{ app: 730, items: ["Glove Case"] }]),
  "universe[].app": key("The application's number.", 730, 440),
  "universe[].items": key("Items by their names, as the market writes them.", [
    "Glove Case",
    "Chroma 2 Case"
  ]),
  "universe[].search": key("The first items that the market's own search gives.", {
    query: "case",
    price: { min: 0.2, max: 5.0 }
  }),
  "universe[].search.query": key("Words to search for.", "case"),
  "universe[].search.descriptions": key("Search descriptions, too.", true),
  "universe[].search.filters": key("Values by category, by internal name or as people read them.", {
    Type: ["Container"]
  }),
  "universe[].search.price": key("What a buyer pays, inclusive.", { min: 0.2, max: 5.0 }),
  "universe[].search.price.min": key("Least price.", 0.2),
  "universe[].search.price.max": key("Highest price.", 5.0),
  "universe[].search.sort": key("Order of the results. Default popularity.", "price"),
  "universe[].search.direction": key("Direction of the order.", "ascending"),
  "universe[].top": key("How many of them. Default 20, at most 1,000; a request per ten.", 20),
  "universe[].inventory": key(
    "true: what haggle holds. unclaimed: what no other strategy looks after.",
    "unclaimed"
  ),
  "universe[].refresh": key("How often the search is asked again. Default 6h, at least 5m.", "6h")
}

const rules: Readonly<Record<string, KeyWords>> = {
  "rules[].id": key("Name of the rule; every order remembers it.", "enter"),
  "rules[].when": key(
    "The condition. Unknown facts make it unknown, and the rule does nothing.",
    "edge > params.margin"
  ),
  "rules[].for": key("How long the condition must have held without a break.", "3m"),
  "rules[].do": key(
    "bid keeps one buy order, ask lists every sellable unit, buy takes a listing outright; cancel-bid and cancel-ask take back; hold leaves alone; notify tells; halt stops all trading.",
    "bid",
    "ask"
  ),
  "rules[].at": key("Price of a bid or ask: what the buyer pays.", "book.bid + tick(1)"),
  "rules[].qty": key(
    "Units that the bid wants, or listings that may be bought (default 1).",
    "params.stock - position.units"
  ),
  "rules[].limit": key("buy only: what the listing may cost at most.", "fair * 0.7"),
  "rules[].expire": key("bid only: the order is taken back after this long.", "6h"),
  "rules[].reprice": key("ask only: lower what has not sold.", { after: "12h", step: "-2%" }),
  "rules[].reprice.after": key("How long a listing stands before it is lowered.", "12h"),
  "rules[].reprice.step": key("By how much it is lowered each time.", "-2%"),
  "rules[].reprice.floor": key("It is never lowered below this.", "fees.buyerPays(position.avgCost)"),
  "rules[].allowLoss": key("ask only: may end under cost. Without it the guard refuses such a price.", true),
  "rules[].minStep": key("Smaller differences to the price that stands are left alone.", "2%"),
  "rules[].minAge": key("A younger order is not replaced for its price.", "30m"),
  "rules[].because": key(
    "The reason in words, computed; the log and the journal carry it.",
    '"edge " + percent(edge)'
  ),
  "rules[].message": key("notify and halt: what is said.", 'item.name + " has not sold"')
}

const protections: Readonly<Record<string, KeyWords>> = {
  protections: key("What stops the strategy from buying when things go wrong.", [
    { kind: "cooldown", after: "sell", for: "30m" }
  ]),
  "protections[].kind": key("Which one; docs/protections.md tells when each trips.", "cooldown", "drawdown"),
  "protections[].after": key("cooldown: after what.", "sell"),
  "protections[].for": key("How long nothing is bought.", "30m"),
  "protections[].over": key("The time that is looked back at, at most 30 days.", "7d"),
  "protections[].max": key("drawdown, price-jump: how much is too much.", "15%"),
  "protections[].then": key(
    "drawdown: reduce buys nothing more, halt stops the strategy, halt-all everything.",
    "reduce"
  ),
  "protections[].sales": key("losing-streak: so many losing sales in a row.", 3),
  "protections[].of": key("price-jump: which price is watched. Default mid.", "mid"),
  "protections[].against": key(
    "price-jump: against what was seen (book, default) or the history's median.",
    "book"
  ),
  "protections[].scope": key("Whether it stops one item or the whole strategy.", "item")
}

const tests: Readonly<Record<string, KeyWords>> = {
  tests: key("Run by `haggle check` and on every reload; a failing one refuses the file.", [
    {
      name: "enters on a wide spread",
      given: { book: { bid: 10.0, ask: 13.0 } },
      expect: { do: "bid", at: 10.01 }
    }
  ]),
  "tests[].name": key("What must hold, as a sentence.", "enters on a wide spread"),
  "tests[].given": key("The facts; what is not given is unknown, and nothing is held.", {
    book: { bid: 10.0, ask: 13.0 }
  }),
  "tests[].given.book": key("bid, ask, bidUnits, askUnits.", { bid: 10.0, ask: 13.0 }),
  "tests[].given.history": key("median and volume: as if everything had sold an hour ago at that price.", {
    median: 11.9,
    volume: 80
  }),
  "tests[].given.overview": key("lowest, median, volume.", { lowest: 13.0, volume: 80 }),
  "tests[].given.wallet": key("balance, committed.", { balance: 100.0 }),
  "tests[].given.position": key("units, sellable, listed, held, avgCost, oldestAge, realised.", {
    units: 2,
    avgCost: 10.01
  }),
  "tests[].given.orders": key("bid, bidUnits, bidAge, ask, askUnits, askAge.", {
    bid: 10.01,
    bidUnits: 2,
    bidAge: "1h"
  }),
  "tests[].given.listing": key("One listing of somebody else.", { total: 4.2, wear: 0.01 }),
  "tests[].given.listing.total": key("What its buyer pays.", 4.2),
  "tests[].given.listing.units": key("Units in it. Default 1.", 1),
  "tests[].given.listing.wear": key("Its wear (float).", 0.01),
  "tests[].given.listing.pattern": key("Its pattern number.", 661),
  "tests[].given.listing.template": key("Its template number.", 12),
  "tests[].given.listing.accessories": key("Names of what is attached to it, such as stickers.", [
    "Lantern (Foil)"
  ]),
  "tests[].given.tags": key("A value by category.", { Type: "Container" }),
  "tests[].given.commodity": key("Whether all units are alike.", true),
  "tests[].given.item": key("Which item of the universe; its overrides count.", "Glove Case"),
  "tests[].given.now": key("The moment; otherwise Friday 2026-01-09 12:00 UTC.", "2026-01-31T18:00:00Z"),
  "tests[].expect": key("What must be decided.", { rule: "enter", do: "bid", at: 10.01, qty: 5 }),
  "tests[].expect.rule": key("By which rule.", "enter"),
  "tests[].expect.do": key("What is done; nothing when no rule decides anything.", "bid", "nothing"),
  "tests[].expect.at": key("The exact price.", 10.01),
  "tests[].expect.limit": key("buy: the exact limit.", 4.5),
  "tests[].expect.qty": key("How many.", 5)
}

export const strategyWords: Readonly<Record<string, KeyWords>> = {
  ...head,
  ...universe,
  ...rules,
  ...protections,
  ...tests
}
