/**
 * What is traded on the embedded market: invented items of two applications. The named ones here trade by the minute, from thick and cheap
 * to thin and expensive; the generated ones after them a few times a day.
 * Invariants: 1. names are unique per application; the named items come first. 2. prices are those of a currency whose smallest unit is a cent; World scales them
 * by the currency's own floor. 3. whatever differs from the fitted calibration stands here, per item.
 */

import { type CatalogueItem, livelyCancelsPerHour, livelyStepMillis } from "./CatalogueItem.ts"
import { generatedItems } from "./GeneratedItems.ts"

export { type CatalogueItem, contextOf, isLively } from "./CatalogueItem.ts"

type Row = readonly [
  name: string,
  price: number,
  unitsPerHour: number,
  halfSpread: number,
  volatility: number,
  jumpRate: number,
  depth: number,
  lot: number
]

const rowsOf = (
  app: number,
  type: string,
  tags: Readonly<Record<string, string>>,
  commodity: boolean,
  rows: ReadonlyArray<Row>
): ReadonlyArray<CatalogueItem> =>
  rows.map(([name, price, unitsPerHour, halfSpread, volatility, jumpRate, depth, lot]) => ({
    app,
    name,
    type,
    description: descriptions[type] ?? "",
    tags: { Quality: "normal", ...tags },
    commodity,
    group: groups[name] ?? "",
    publisherRate: 0.1,
    price,
    // Bursts of the size that was recorded happen to an item of three cents; dearer ones leap less.
    character: {
      unitsPerHour,
      halfSpread,
      volatility,
      jumpRate,
      jumpSize: jumpRate === 1 ? 1 : 0.4,
      depth,
      lot,
      cancelsPerHour: livelyCancelsPerHour,
      stepMillis: livelyStepMillis
    }
  }))

const descriptions: Readonly<Record<string, string>> = {
  "Base Grade Container": "A container; what is in it shows when it is opened.",
  "Base Grade Capsule": "A capsule with one sticker in it.",
  "Classified Rifle": "Copper lines run along the barrel and the stock.",
  "Consumer Grade Pistol": "A coat of paint the colour of wet sand.",
  "Level 1 Tool": "Used once.",
  "Level 20 Hat": "Made for a head that does not fit under any other."
}

/** The finishes among the named items. */
const copperline = "G7C0FFEE110"
const groups: Readonly<Record<string, string>> = {
  "AK-47 | Copperline (Field-Tested)": copperline,
  "AK-47 | Copperline (Factory New)": copperline,
  "Glock-18 | Sandgrain (Minimal Wear)": "G7C0FFEE220"
}

/** Its price process is the calibration itself, unscaled: the measure of the simulated histories. */
export const measuredItem = { app: 730, name: "Recoil Sticker Capsule" }

const copperlineTags = {
  Type: "GAME_Type_Rifle",
  Weapon: "weapon_ak47",
  Rarity: "Rarity_Legendary_Weapon",
  ItemSet: "set_foundry"
}

const named: ReadonlyArray<CatalogueItem> = [
  ...rowsOf(730, "Base Grade Container", { Type: "GAME_Type_Case", Rarity: "Rarity_Common" }, true, [
    ["Glove Case", 1180, 24, 0.135, 0.25, 0.02, 24, 3],
    ["Chroma 2 Case", 462, 36, 0.13, 0.3, 0.02, 28, 4],
    ["Harbour Case", 238, 14, 0.145, 0.3, 0.03, 22, 3],
    ["Meridian Case", 96, 48, 0.035, 0.35, 0.05, 36, 8],
    ["Tundra Weapon Case", 1975, 5, 0.15, 0.25, 0.01, 18, 2]
  ]),
  ...rowsOf(730, "Base Grade Capsule", { Type: "GAME_Type_StickerCapsule", Rarity: "Rarity_Common" }, true, [
    [measuredItem.name, 134, 40, 0.06, 1, 1, 30, 5],
    ["Lantern Autograph Capsule", 58, 20, 0.09, 0.4, 0.1, 26, 6]
  ]),
  ...rowsOf(730, "Classified Rifle", { ...copperlineTags, Exterior: "WearCategory2" }, false, [
    ["AK-47 | Copperline (Field-Tested)", 2840, 3, 0.12, 0.3, 0.02, 18, 1.2]
  ]),
  ...rowsOf(730, "Classified Rifle", { ...copperlineTags, Exterior: "WearCategory0" }, false, [
    ["AK-47 | Copperline (Factory New)", 11_600, 0.5, 0.14, 0.3, 0.01, 12, 1.1]
  ]),
  ...rowsOf(
    730,
    "Consumer Grade Pistol",
    {
      Type: "GAME_Type_Pistol",
      Weapon: "weapon_glock",
      Rarity: "Rarity_Common_Weapon",
      Exterior: "WearCategory1",
      ItemSet: "set_harbour"
    },
    false,
    [["Glock-18 | Sandgrain (Minimal Wear)", 17, 8, 0.16, 0.5, 0.1, 20, 2]]
  ),
  ...rowsOf(440, "Level 1 Tool", { Type: "Tool", Quality: "normal" }, true, [
    ["Workshop Supply Key", 249, 30, 0.025, 0.15, 0.02, 36, 6],
    ["Quiet Hours Crate", 36, 10, 0.17, 0.5, 0.1, 20, 4],
    ["Signal Flare Pack", 715, 6, 0.15, 0.3, 0.02, 20, 2]
  ]),
  ...rowsOf(440, "Level 20 Hat", { Type: "Cosmetic", Quality: "unusual" }, false, [
    ["Gilded Stovepipe", 14_900, 0.25, 0.17, 0.3, 0.01, 10, 1],
    ["Weathered Deerstalker", 890, 2, 0.16, 0.35, 0.03, 16, 1.3]
  ])
]

/** How many items of the catalogue are named ones. */
export const namedCount = named.length

export const catalogue: ReadonlyArray<CatalogueItem> = [...named, ...generatedItems]
