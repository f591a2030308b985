/** The kinds of values that a configuration holds, as a person writes them and as the code wants them. */
import { DateTime, Duration, Option, Schema, SchemaGetter } from "effect"

import { currencies, CurrencyId, currencyOf, currencyOfCode } from "../../domain/Currency.ts"
import { Millis } from "../../domain/Ids.ts"
import { fromDecimal, Money, money, toDecimal } from "../../domain/Money.ts"
import { parseDuration, showDuration } from "../../rules/Strategy.ts"

const said = (expected: string) => ({ expected, title: expected })

/** `90s`, `6h`, `1h30m`. */
export const Time = Schema.String.annotate(said("a time such as 90s, 6h or 1h30m"))
  .check(
    Schema.makeFilter(
      (text: string) => parseDuration(text) !== undefined || "takes a time such as 90s, 6h or 1h30m"
    )
  )
  .pipe(
    Schema.decodeTo(Schema.Duration, {
      decode: SchemaGetter.transform((text: string) => Duration.millis(parseDuration(text) ?? 0)),
      encode: SchemaGetter.transform((time: Duration.Duration) => showDuration(Duration.toMillis(time)))
    })
  )

const amountWords = "takes an amount with at most two decimals, such as 25.00"
const amountOf = (written: number | string): Option.Option<Money> =>
  Option.filter(fromDecimal(String(written)), (amount) => amount >= 0)

/** `25.00`, exactly; minor units. */
export const Amount = Schema.Union([Schema.Finite, Schema.String])
  .annotate(said("an amount such as 25.00"))
  .check(Schema.makeFilter((written: number | string) => Option.isSome(amountOf(written)) || amountWords))
  .pipe(
    Schema.decodeTo(Money, {
      decode: SchemaGetter.transform((written: number | string) =>
        Option.getOrElse(amountOf(written), () => money(0))
      ),
      encode: SchemaGetter.transform((amount: number) => toDecimal(money(amount)))
    })
  )

/** `USD`; decoded to the market's id. */
export const CurrencyCode = Schema.Literals(currencies.map((currency) => currency.code))
  .annotate(said("a currency code such as USD or EUR"))
  .pipe(
    Schema.decodeTo(CurrencyId, {
      decode: SchemaGetter.transform((code: string) =>
        Option.match(currencyOfCode(code), { onNone: () => 1, onSome: (currency) => currency.id })
      ),
      encode: SchemaGetter.transform((id: CurrencyId) => currencyOf(id).code)
    })
  )

const momentWords = "takes a moment such as 2026-01-05T00:00:00Z"
const momentOf = (text: string): Option.Option<Millis> =>
  Option.map(DateTime.make(text), (at) => DateTime.toEpochMillis(at) as Millis)

/** `2026-01-05T00:00:00Z`; milliseconds since the Unix epoch. */
export const Moment = Schema.String.annotate(said("a moment such as 2026-01-05T00:00:00Z"))
  .check(Schema.makeFilter((text: string) => Option.isSome(momentOf(text)) || momentWords))
  .pipe(
    Schema.decodeTo(Millis, {
      decode: SchemaGetter.transform((text: string) => Option.getOrElse(momentOf(text), () => 0)),
      encode: SchemaGetter.transform((at: number) => DateTime.formatIso(DateTime.makeUnsafe(at)))
    })
  )

/** A folder or file, as seen from the working directory. */
export const PathText = Schema.NonEmptyString.annotate(said("a path"))

/** An `http` or `https` origin without user name, path or query; the trailing slash is dropped. */
export const Origin = Schema.String.annotate(said("an address such as https://market.example")).check(
  Schema.isPattern(/^https?:\/\/[^\s/@?#]+\/?$/u, {
    message: "takes an address such as https://market.example"
  })
)

/** A lower-case word of letters and digits. */
export const Word = Schema.String.annotate(said("a lower-case word")).check(
  Schema.isPattern(/^[a-z][a-z0-9]{0,31}$/u, { message: "takes a lower-case word of letters and digits" })
)
