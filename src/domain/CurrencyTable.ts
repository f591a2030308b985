/**
 * The forty currencies of the market (interface, Currency ids) and how each one's price strings are written.
 * Invariants: 1. ids and codes are unique, id 36 does not exist. 2. minor units are hundredths in every currency, also where
 * nothing smaller than a whole unit is used. 3. prefix and suffix carry the space that stands between symbol and number.
 */
import { Schema } from "effect"

/** Id of a currency as the market's parameters and answers carry it. */
export const CurrencyId = Schema.Literals([
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
  30, 31, 32, 33, 34, 35, 37, 38, 39, 40, 41
])
export type CurrencyId = typeof CurrencyId.Type

export interface Currency {
  readonly id: CurrencyId
  /** ISO 4217 code. */
  readonly code: string
  /** Text before the number, empty when the symbol follows it. */
  readonly prefix: string
  /** Text after the number, empty when the symbol leads it. */
  readonly suffix: string
  /** Other spellings of the symbol that the market has used on the same side. */
  readonly aliases: ReadonlyArray<string>
  readonly decimalSeparator: "." | ","
  readonly groupSeparator: "." | "," | " " | ""
  /** Whole amounts are shown without decimals; others still with two. */
  readonly wholeUnits: boolean
  /** Default step of prices in minor units; the wallet's own `wallet_currency_increment` wins over it. */
  readonly increment: number
}

type Row = readonly [
  id: CurrencyId,
  code: string,
  prefix: string,
  suffix: string,
  separators: ".," | ". " | ",." | ", " | ",",
  wholeUnits?: "whole" | undefined,
  increment?: number,
  aliases?: ReadonlyArray<string>
]

/** Separators: first the decimal one, then the one between groups of three digits (none when absent). */
const rows: ReadonlyArray<Row> = [
  [1, "USD", "$", "", ".,"],
  [2, "GBP", "£", "", ".,"],
  [3, "EUR", "", "€", ", "],
  [4, "CHF", "CHF ", "", ". "],
  // The first letter of the older spelling is a Latin p.
  [5, "RUB", "", " руб.", ",", "whole", 1, ["pуб.", "₽"]],
  [6, "PLN", "", "zł", ", "],
  [7, "BRL", "R$ ", "", ",."],
  [8, "JPY", "¥ ", "", ".,", "whole", 100, ["¥"]],
  [9, "NOK", "", " kr", ",."],
  [10, "IDR", "Rp ", "", ". ", "whole", 100],
  [11, "MYR", "RM", "", ".,"],
  [12, "PHP", "P", "", ".,", undefined, 1, ["₱"]],
  [13, "SGD", "S$", "", ".,"],
  [14, "THB", "฿", "", ".,"],
  [15, "VND", "", "₫", ",.", "whole", 100],
  [16, "KRW", "₩ ", "", ".,", "whole", 100, ["￦"]],
  [17, "TRY", "", " TL", ",.", undefined, 1, ["₺"]],
  [18, "UAH", "", "₴", ", ", "whole", 100],
  [19, "MXN", "Mex$ ", "", ".,"],
  [20, "CAD", "CDN$ ", "", ".,"],
  [21, "AUD", "A$ ", "", ".,"],
  [22, "NZD", "NZ$ ", "", ".,"],
  [23, "CNY", "¥ ", "", ".,", undefined, 1, ["¥"]],
  [24, "INR", "₹ ", "", ".,", "whole", 100],
  [25, "CLP", "CLP$ ", "", ",.", "whole", 100],
  [26, "PEN", "S/.", "", ".,"],
  [27, "COP", "COL$ ", "", ",.", "whole", 100],
  [28, "ZAR", "R ", "", ". "],
  [29, "HKD", "HK$ ", "", ".,"],
  [30, "TWD", "NT$ ", "", ".,", "whole", 100],
  [31, "SAR", "", " SR", ".,"],
  [32, "AED", "", " AED", ".,"],
  [33, "SEK", "", " kr", ".,"],
  [34, "ARS", "ARS$ ", "", ",."],
  [35, "ILS", "₪", "", ".,"],
  [37, "KZT", "", "₸", ", ", "whole"],
  [38, "KWD", "", " KD", ".,"],
  [39, "QAR", "", " QR", ".,"],
  [40, "CRC", "₡", "", ",.", "whole", 100],
  [41, "UYU", "$U", "", ",.", "whole", 100]
]

export const currencies: ReadonlyArray<Currency> = rows.map(
  ([id, code, prefix, suffix, separators, wholeUnits, increment = 1, aliases = []]) => ({
    id,
    code,
    prefix,
    suffix,
    aliases,
    decimalSeparator: separators.startsWith(".") ? "." : ",",
    groupSeparator: separators.slice(1) as Currency["groupSeparator"],
    wholeUnits: wholeUnits !== undefined,
    increment
  })
)
