import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"

import {
  currencies,
  CurrencyId,
  currencyOf,
  currencyOfCode,
  formatPrice,
  maximumPrice,
  parsePrice
} from "../../src/domain/Currency.ts"
import { money } from "../../src/domain/Money.ts"

/** The document's table of ids and codes. */
const table =
  "1 USD 2 GBP 3 EUR 4 CHF 5 RUB 6 PLN 7 BRL 8 JPY 9 NOK 10 IDR 11 MYR 12 PHP 13 SGD 14 THB 15 VND 16 KRW 17 TRY 18 UAH 19 MXN " +
  "20 CAD 21 AUD 22 NZD 23 CNY 24 INR 25 CLP 26 PEN 27 COP 28 ZAR 29 HKD 30 TWD 31 SAR 32 AED 33 SEK 34 ARS 35 ILS 37 KZT " +
  "38 KWD 39 QAR 40 CRC 41 UYU"

const idOf = (code: string): CurrencyId => Option.getOrThrow(currencyOfCode(code)).id
const read = (text: string, code: string): number | undefined =>
  Option.getOrUndefined(parsePrice(text, idOf(code)))

/** Strings that markets have sent, with what they mean in minor units. */
const seen: ReadonlyArray<readonly [text: string, code: string, minorUnits: number]> = [
  ["$39.25", "USD", 3925],
  ["$1.67 USD", "USD", 167],
  ["£28.84", "GBP", 2884],
  ["33,72€", "EUR", 3372],
  ["12,--€", "EUR", 1200],
  ["0,03€", "EUR", 3],
  ["1 234,56€", "EUR", 123_456],
  ["CHF 31.65", "CHF", 3165],
  ["3338,26 руб.", "RUB", 333_826],
  ["19129,48 pуб.", "RUB", 1_912_948],
  ["1100 pуб.", "RUB", 110_000],
  ["RUB\u00a05.70", "RUB", 570],
  ["R$ 202,91", "BRL", 20_291],
  ["¥ 6,228", "JPY", 622_800],
  ["¥ 8,330.36", "JPY", 833_036],
  ["Rp 700 697", "IDR", 70_069_700],
  ["Rp 937 354.99", "IDR", 93_735_499],
  ["S$49.99", "SGD", 4999],
  ["1 757₴", "UAH", 175_700],
  ["2 350,34₴", "UAH", 235_034],
  ["CDN$ 54.37", "CAD", 5437],
  ["¥ 266.58", "CNY", 26_658],
  ["₹ 3,756", "INR", 375_600],
  ["₹ 5,023.43", "INR", 502_343],
  ["15,09₸", "KZT", 1509],
  ["24₸", "KZT", 2400]
]

/** Text, currency, why it is no price of that currency. */
const foreign: ReadonlyArray<readonly [text: string, code: string, why: string]> = [
  ["33,72€", "USD", "another symbol"],
  ["$39.25", "CAD", "a bare dollar sign is the US dollar's"],
  ["CDN$ 54.37", "USD", "another dollar"],
  ["R$ 202,91", "ZAR", "a symbol that begins like ours"],
  ["$1.67 USD", "AUD", "another code"],
  ["$1.67 AUD", "USD", "symbol and code disagree"],
  ["39.25", "USD", "no symbol at all"],
  ["1.234", "USD", "no symbol and three decimals"],
  ["$1.234", "USD", "three decimals"],
  ["$1.5", "USD", "one decimal"],
  ["$1,23", "USD", "a group of two digits"],
  ["$1,2345.00", "USD", "a group of four digits"],
  ["$1234,567.00", "USD", "a first group of four digits"],
  ["$1 234.00", "USD", "grouped by spaces, which dollars are not"],
  ["1.234,56€", "EUR", "grouped by points, which euros are not"],
  ["33.72€", "EUR", "decimal point"],
  ["€33,72", "EUR", "symbol on the other side"],
  ["₹ 3.756", "INR", "three decimals"],
  ["Rp 700.697", "IDR", "three decimals"],
  ["R$ 202.91", "BRL", "decimal point"],
  ["RUB\u00a05,70", "RUB", "the code goes with a decimal point"],
  ["-$1.00", "USD", "negative"],
  ["$-1.00", "USD", "negative"],
  ["+$1.00", "USD", "signed"],
  ["$01.00", "USD", "leading zero"],
  ["$.50", "USD", "no whole part"],
  ["$1.00 or higher", "USD", "text behind it"],
  ["from $1.00", "USD", "text before it"],
  ["$1.00 $2.00", "USD", "two prices"],
  ["$1e3", "USD", "exponent"],
  ["$١٢.٠٠", "USD", "other digits"],
  ["$99999999999999999.00", "USD", "more than any price"],
  [`$${"9".repeat(400)}`, "USD", "more than any price, at length"],
  ["", "USD", "nothing"],
  ["$", "USD", "no number"],
  ["--€", "EUR", "no number"]
]

const PriceMinorUnits = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maximumPrice }))

describe("Currency", () => {
  it("knows the forty ids and codes of the interface", () => {
    assert.strictEqual(currencies.map(({ id, code }) => `${id} ${code}`).join(" "), table)
    assert.deepStrictEqual(
      [...CurrencyId.literals],
      currencies.map(({ id }) => id)
    )
    assert.isFalse(Schema.is(CurrencyId)(36))
  })

  it("finds a currency by id and by code of either case", () => {
    assert.strictEqual(currencyOf(23).code, "CNY")
    assert.strictEqual(Option.getOrThrow(currencyOfCode("eur")).id, 3)
    assert.isTrue(Option.isNone(currencyOfCode("BYN")))
  })

  it("never lets a decimal separator be the group separator, and steps whole-unit prices by whole units or hundredths", () => {
    for (const currency of currencies) {
      assert.notStrictEqual<string>(currency.decimalSeparator, currency.groupSeparator)
      assert.isTrue(currency.increment === 1 || (currency.increment === 100 && currency.wholeUnits))
      assert.isTrue((currency.prefix === "") !== (currency.suffix === ""), currency.code)
    }
  })

  it.each(seen)("reads %s of %s as %d", (text, code, minorUnits) => {
    assert.strictEqual(read(text, code), minorUnits)
  })

  it.each(["\u00a0", "\u2009", "\u202f", "\u2007", " "])("reads %j wherever a space may stand", (space) => {
    assert.strictEqual(read(`Rp${space}937${space}354.99`, "IDR"), 93_735_499)
    assert.strictEqual(read(`3${space}338,26${space}руб.`, "RUB"), 333_826)
    assert.strictEqual(read(`1${space}234,56${space}€${space}`, "EUR"), 123_456)
    assert.strictEqual(read(`\n\t$1.67${space}USD`, "USD"), 167)
  })

  it.each(foreign)("takes %j of %s for no price: %s", (text, code) => {
    assert.strictEqual(read(text, code), undefined)
  })

  it("writes what the market writes", () => {
    const write = (minorUnits: number, code: string) => formatPrice(money(minorUnits), idOf(code))
    assert.strictEqual(write(3925, "USD"), "$39.25")
    assert.strictEqual(write(123_456_789, "USD"), "$1,234,567.89")
    assert.strictEqual(write(3, "EUR"), "0,03€")
    assert.strictEqual(write(1200, "EUR"), "12,00€")
    assert.strictEqual(write(333_826, "RUB"), "3338,26 руб.")
    assert.strictEqual(write(110_000, "RUB"), "1100 руб.")
    assert.strictEqual(write(622_800, "JPY"), "¥ 6,228")
    assert.strictEqual(write(833_036, "JPY"), "¥ 8,330.36")
    assert.strictEqual(write(70_069_700, "IDR"), "Rp 700 697")
    assert.strictEqual(write(235_034, "UAH"), "2 350,34₴")
    assert.strictEqual(write(175_700, "UAH"), "1 757₴")
    assert.strictEqual(write(1509, "KZT"), "15,09₸")
    assert.strictEqual(write(0, "CNY"), "¥ 0.00")
  })

  it("leads a loss with a minus sign and does not read it back as a price", () => {
    assert.strictEqual(formatPrice(money(-5), 1), "-$0.05")
    assert.strictEqual(formatPrice(money(-120_000), 8), "-¥ 1,200")
    assert.isTrue(Option.isNone(parsePrice("-$0.05", 1)))
  })

  it("reads prices up to the maximum and none above", () => {
    assert.strictEqual(Option.getOrUndefined(parsePrice(formatPrice(maximumPrice, 15), 15)), maximumPrice)
    assert.isTrue(Option.isNone(parsePrice(formatPrice(money(maximumPrice + 1), 15), 15)))
  })

  it.prop(
    "reads back in every currency what it writes",
    { minorUnits: PriceMinorUnits },
    ({ minorUnits }) => {
      for (const { code, id, wholeUnits } of currencies)
        for (const amount of [minorUnits, minorUnits - (minorUnits % 100), minorUnits % 10_000]) {
          const text = formatPrice(money(amount), id)
          assert.strictEqual(Option.getOrUndefined(parsePrice(text, id)), amount, `${code} ${text}`)
          if (wholeUnits && amount % 100 === 0)
            assert.strictEqual(text.replaceAll(/\D/g, ""), `${amount / 100}`)
        }
    }
  )

  it.prop(
    "never reads one currency's string as another amount of another currency than its digits say",
    { minorUnits: PriceMinorUnits },
    ({ minorUnits }) => {
      for (const { id } of currencies) {
        const text = formatPrice(money(minorUnits), id)
        for (const other of currencies)
          for (const value of Option.toArray(parsePrice(text, other.id)))
            assert.strictEqual(value, minorUnits)
      }
    },
    { arbitrary: { runs: 30 } }
  )
})
