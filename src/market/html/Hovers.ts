/**
 * Which asset an HTML row is about: the `hovers` script lines, and the scripts behind a row's buttons
 * (interface, Legacy listing envelope: hovers).
 */
import { type Argument, callsOf } from "./Script.ts"

export interface AssetRef {
  readonly app: number
  readonly context: string
  readonly asset: string
  readonly amount: number
}

/** By the element id that a hover belongs to, without `_name` and `_image`: `mylisting_5`, `history_row_5_6`. */
export type Hovers = ReadonlyMap<string, AssetRef>

/** `CreateItemHoverFromContainer( g_rgAssets, 'mylisting_5_name', 730, '2', '34', 1 );` */
export const hoversOf = (script: string): Hovers => {
  const found = new Map<string, AssetRef>()
  for (const [, row, app, context, asset, amount] of callsOf(script, "CreateItemHoverFromContainer")) {
    const of = refOf(app, context, asset, amount)
    if (typeof row === "string" && of !== undefined) found.set(row.replace(/_(?:name|image)$/, ""), of)
  }
  return found
}

/** `…('mylisting', '5', 730, '2', '34')`: the listing and its asset behind a button. */
export const listingCalls = (script: string, name: string): ReadonlyMap<string, AssetRef> => {
  const found = new Map<string, AssetRef>()
  for (const [, listing, app, context, asset] of callsOf(script, name)) {
    const of = refOf(app, context, asset, 1)
    if (typeof listing === "string" && of !== undefined) found.set(listing, of)
  }
  return found
}

const refOf = (
  app: Argument | undefined,
  context: Argument | undefined,
  asset: Argument | undefined,
  amount: Argument | undefined
): AssetRef | undefined => {
  const id = textOf(asset)
  const in_ = textOf(context)
  return typeof app === "number" && Number.isSafeInteger(app) && id !== undefined && in_ !== undefined
    ? { app, context: in_, asset: id, amount: typeof amount === "number" ? amount : 1 }
    : undefined
}

const textOf = (value: Argument | undefined): string | undefined =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : undefined
