/**
 * Checks the protections of a strategy file: which keys belong to which kind, and that no time is longer than what is remembered.
 * Invariant: what it gives is complete; a protection with an error gives nothing.
 */
import type { Protection, ProtectionKind } from "../domain/Protection.ts"
import { longestWindowMillis, salesKept } from "../domain/Trail.ts"
import type { ProtectionEntry } from "./ProtectionEntry.ts"
import type { Decoded, Path, SourceError } from "./Source.ts"
import type { StrategyFile } from "./Strategy.ts"
import { showDuration } from "./StrategyValues.ts"

type Key = Exclude<keyof ProtectionEntry, "kind">

const keys: Readonly<
  Record<ProtectionKind, { readonly needs: ReadonlyArray<Key>; readonly may: ReadonlyArray<Key> }>
> = {
  cooldown: { needs: ["after", "for"], may: ["scope"] },
  "losing-streak": { needs: ["sales", "over", "for"], may: ["scope"] },
  drawdown: { needs: ["over", "max", "then"], may: [] },
  "price-jump": { needs: ["max", "over", "for"], may: ["of", "against"] }
}

const allKeys = ["after", "for", "scope", "sales", "over", "max", "then", "of", "against"] as const

/** Seen prices are kept for a day. */
const longestTrailMillis = 86_400_000

const checkKeys = (
  { errorAt, errorAtKey }: Decoded<StrategyFile>,
  entry: ProtectionEntry,
  path: Path
): ReadonlyArray<SourceError> => {
  const { may, needs } = keys[entry.kind]
  const takes = [...needs, ...may].map((key) => `\`${key}\``).join(", ")
  return allKeys.flatMap((key) => {
    const given = entry[key] !== undefined
    if (needs.includes(key) && !given)
      return [
        errorAt([...path, "kind"], {
          code: "missing-key",
          message: `\`kind: ${entry.kind}\` needs \`${key}\``,
          remedy: `it takes ${takes}`
        })
      ]
    return given && !needs.includes(key) && !may.includes(key)
      ? [
          errorAtKey([...path, key], {
            code: "unknown-key",
            message: `\`${key}\` does not belong to \`kind: ${entry.kind}\``,
            remedy: `it takes ${takes}`
          })
        ]
      : []
  })
}

const checkBounds = (
  { errorAt }: Decoded<StrategyFile>,
  entry: ProtectionEntry,
  path: Path
): ReadonlyArray<SourceError> => {
  const seen = entry.kind === "price-jump" && entry.against !== "history"
  const errors: Array<SourceError> = []
  for (const key of ["over", "for"] as const) {
    const longest = key === "over" && seen ? longestTrailMillis : longestWindowMillis
    const millis = entry[key]
    if (millis === undefined || (millis > 0 && millis <= longest)) continue
    const remedy =
      key === "over" && seen ? "longer times need `against: history`" : "haggle remembers no longer"
    errors.push(
      errorAt([...path, key], {
        code: "value",
        message: `\`${key}\` takes a time up to ${showDuration(longest)}`,
        remedy
      })
    )
  }
  if (entry.sales !== undefined && (entry.sales < 1 || entry.sales > salesKept))
    errors.push(
      errorAt([...path, "sales"], {
        code: "value",
        message: `\`sales\` takes a number from 1 to ${salesKept}`
      })
    )
  if (entry.max !== undefined && entry.max <= 0)
    errors.push(
      errorAt([...path, "max"], {
        code: "value",
        message: "`max` takes a percentage above 0",
        remedy: "0% would hold at once and always"
      })
    )
  return errors
}

const compiled = (entry: ProtectionEntry): Protection => {
  // checkKeys has seen that what the kind needs is there
  const {
    against = "book",
    after = "sell",
    max = 1,
    of = "mid",
    over = 0,
    sales = 1,
    then = "reduce"
  } = entry
  const forMillis = entry.for ?? 0
  switch (entry.kind) {
    case "cooldown":
      return { kind: "cooldown", after, forMillis, scope: entry.scope ?? "item" }
    case "losing-streak":
      return {
        kind: "losing-streak",
        sales,
        overMillis: over,
        forMillis,
        scope: entry.scope ?? "strategy"
      }
    case "drawdown":
      return { kind: "drawdown", overMillis: over, maxFraction: max, consequence: then }
    case "price-jump":
      return { kind: "price-jump", of, against, maxFraction: max, overMillis: over, forMillis }
  }
}

/** The protections of the file; errors are added to the list. */
export const checkProtections = (
  source: Decoded<StrategyFile>,
  errors: Array<SourceError>
): ReadonlyArray<Protection> =>
  (source.value.protections ?? []).flatMap((entry, index) => {
    const path = ["protections", index]
    const wrong = [...checkKeys(source, entry, path), ...checkBounds(source, entry, path)]
    errors.push(...wrong)
    return wrong.length > 0 ? [] : [compiled(entry)]
  })
