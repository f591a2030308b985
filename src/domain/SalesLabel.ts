/**
 * The time labels of the market's price history, `Dec 06 2018 01: +0`, and their older form, `Wed, 12 Dec 2012 01:00:00 +0000`.
 * Invariants: 1. always UTC. 2. parseLabel(formatLabel(t)) is the hour of t. 3. a day that does not exist is None.
 */
import { Option } from "effect"

import { type Millis } from "./Ids.ts"

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const hourMillis = 3_600_000
const hoursPerDay = 24

const recentPattern = /^([A-Z][a-z]{2}) (\d{1,2}) (\d{4}) (\d{2}): \+0$/
const olderPattern =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) \+0000$/

/*
 * Days are counted in years that begin in March, so that the leap day is the last of its year; an era is the 400 years after which
 * the calendar repeats (146097 days), and 719468 days lie between the first era's begin and 1970.
 */
const daysPerEra = 146_097
const daysToEpoch = 719_468

const daysOfCivil = (year: number, month: number, day: number): number => {
  const marchYear = month <= 2 ? year - 1 : year
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * daysPerEra + dayOfEra - daysToEpoch
}

const civilOfDays = (
  days: number
): { readonly year: number; readonly month: number; readonly day: number } => {
  const shifted = days + daysToEpoch
  const era = Math.floor(shifted / daysPerEra)
  const dayOfEra = shifted - era * daysPerEra
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = ((marchMonth + 2) % 12) + 1
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1
  }
}

const millisOf = (
  year: string,
  monthName: string,
  day: string,
  secondsOfDay: number
): Option.Option<Millis> => {
  const month = months.indexOf(monthName) + 1
  if (month === 0 || secondsOfDay >= hoursPerDay * 3600) return Option.none()
  const days = daysOfCivil(Number(year), month, Number(day))
  const civil = civilOfDays(days)
  if (civil.month !== month || civil.day !== Number(day)) return Option.none()
  return Option.some((days * hoursPerDay * hourMillis + secondsOfDay * 1000) as Millis)
}

/** The start of the hour or day that a label names; None when it is no such label. */
export const parseLabel = (label: string): Option.Option<Millis> => {
  const recent = recentPattern.exec(label)
  if (recent !== null) {
    const [, month = "", day = "", year = "", hour = ""] = recent
    return millisOf(year, month, day, Number(hour) * 3600)
  }
  const older = olderPattern.exec(label)
  if (older === null) return Option.none()
  const [, day = "", month = "", year = "", hour = "", minute = "", second = ""] = older
  if (Number(minute) > 59 || Number(second) > 59) return Option.none()
  return millisOf(year, month, day, Number(hour) * 3600 + Number(minute) * 60 + Number(second))
}

/** The label of the hour that contains the time, in the recent form. */
export const formatLabel = (at: Millis): string => {
  const hours = Math.floor(at / hourMillis)
  const days = Math.floor(hours / hoursPerDay)
  const { day, month, year } = civilOfDays(days)
  const two = (value: number): string => value.toString().padStart(2, "0")
  return `${months[month - 1]} ${two(day)} ${year.toString().padStart(4, "0")} ${two(hours - days * hoursPerDay)}: +0`
}
