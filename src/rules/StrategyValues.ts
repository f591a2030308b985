/**
 * The kinds of values that a strategy file holds, as its author writes them: times, amounts, percentages, counts.
 * Invariant: an amount is read exactly, without any binary rounding; a time is milliseconds.
 */
import { Option, Schema, SchemaGetter } from "effect"

import { fromDecimal, type Money, Money as MoneySchema, money, toDecimal } from "../domain/Money.ts"

const unitMillis: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000
}

// with the u flag, without which a pattern does not reach the JSON Schema
const durationPattern = /^(?:\d{1,9}(?:\.\d{1,3})?(?:ms|s|m|h|d|w))+$/u

/** Milliseconds of `90s`, `6h`, `7d`, `1h30m`; undefined when it is none. */
export const parseDuration = (text: string): number | undefined => {
  if (text.length > 48 || !durationPattern.test(text)) return undefined
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g))
    total += Number(amount) * (unitMillis[unit ?? ""] ?? 0)
  return Math.round(total)
}

/** `90s`, `1h30m`, `7d`: the two largest units that are not zero. */
export const showDuration = (millis: number): string => {
  if (millis < 0) return `-${showDuration(-millis)}`
  const parts: Array<string> = []
  let rest = Math.round(millis)
  for (const unit of ["d", "h", "m", "s", "ms"]) {
    const size = unitMillis[unit] ?? 1
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count}${unit}`)
  }
  return parts.length === 0 ? "0s" : parts.slice(0, 2).join("")
}

/** A time such as `90s`; decoded to milliseconds. */
export const Time = Schema.String.annotate({
  expected: "a time such as 90s, 6h or 7d",
  title: "a time such as 90s, 6h or 7d"
})
  .check(Schema.isPattern(durationPattern, { message: "takes a time such as 90s, 6h or 7d" }))
  .pipe(
    Schema.decodeTo(Schema.Finite, {
      decode: SchemaGetter.transform((text: string) => parseDuration(text) ?? 0),
      encode: SchemaGetter.transform((millis: number) => showDuration(millis))
    })
  )

const amountWords = "takes an amount such as 25.00 (at most two decimals, not negative)"
const amountOf = (written: number | string): Option.Option<Money> => fromDecimal(String(written))

/** An amount of the wallet's currency such as `25.00`; decoded to minor units without any binary rounding. */
export const Amount = Schema.Union([Schema.Finite, Schema.String])
  .annotate({ expected: "an amount such as 25.00", title: "an amount such as 25.00" })
  .check(
    Schema.makeFilter((written: number | string) => {
      const amount = amountOf(written)
      return (Option.isSome(amount) && amount.value >= 0) || amountWords
    })
  )
  .pipe(
    Schema.decodeTo(MoneySchema, {
      decode: SchemaGetter.transform((written: number | string) =>
        Option.getOrElse(amountOf(written), () => money(0))
      ),
      encode: SchemaGetter.transform((amount: number) => toDecimal(money(amount)))
    })
  )

const stepPattern = /^-\d{1,2}(?:\.\d{1,4})?\s?%$/u

/** How far a price is lowered at once, `-2%`; decoded to the fraction as written, -0.02. */
export const Step = Schema.String.annotate({
  expected: "a step down such as -2%",
  title: "a step down such as -2%"
})
  .check(Schema.isPattern(stepPattern, { message: "takes a step down such as -2%" }))
  .pipe(
    Schema.decodeTo(Schema.Finite, {
      decode: SchemaGetter.transform((text: string) => Number(text.replace(/[%\s]/g, "")) / 100),
      encode: SchemaGetter.transform((fraction: number) => `${fraction * 100}%`)
    })
  )

const percentPattern = /^\d{1,3}(?:\.\d{1,4})?\s?%$/u

/** A part of a hundred, `2%`; decoded to the fraction, 0.02. */
export const Percent = Schema.String.annotate({
  expected: "a percentage such as 2%",
  title: "a percentage such as 2%"
})
  .check(Schema.isPattern(percentPattern, { message: "takes a percentage such as 2%" }))
  .pipe(
    Schema.decodeTo(Schema.Finite, {
      decode: SchemaGetter.transform((text: string) => Number(text.replace(/[%\s]/g, "")) / 100),
      encode: SchemaGetter.transform((fraction: number) => `${fraction * 100}%`)
    })
  )

export const Count = Schema.Natural.annotate({ expected: "a whole number", title: "a whole number" })
