/**
 * What is traded on the embedded market: invented items of two applications, from thick and cheap to thin and expensive.
 * Invariants: 1. names are unique per application. 2. prices are those of a currency whose smallest unit is a cent; World scales them
 * by the currency's own floor. 3. whatever differs from the fitted calibration stands here, per item.
 */

/** How an item's price and flow differ from the calibration. */
export interface Character {
  /** Units sold in a usual hour, all traders together. */
  readonly unitsPerHour: number
  /** Half of the usual distance between bid and ask, as a fraction of the fair price. */
  readonly halfSpread: number
  /** Multiplies the calibrated deviations of the price (fast, swing, level). */
  readonly volatility: number
  /** Multiplies the calibrated rate and size of bursts. */
  readonly jumpRate: number
  readonly jumpSize: number
  /** Background orders that a side usually holds. */
  readonly depth: number
  /** Mean units of a background buy order near the best bid. */
  readonly lot: number
}

export interface CatalogueItem {
  readonly app: number
  readonly name: string
  /** Shown type, e.g. `Base Grade Container`. */
  readonly type: string
  /** Selected tag per category, internal names. */
  readonly tags: Readonly<Record<string, string>>
  /** Units are interchangeable: bought by order, not by listing. */
  readonly commodity: boolean
  readonly publisherRate: number
  /** Usual price that a buyer pays, cents. */
  readonly price: number
  readonly character: Character
}

/** Inventory context in which an application's tradable items lie. */
export const contextOf = (_app: number): string => "2"

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
    tags,
    commodity,
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
      lot
    }
  }))

/** Its price process is the calibration itself, unscaled: the measure of the simulated histories. */
export const measuredItem = { app: 730, name: "Recoil Sticker Capsule" }

export const catalogue: ReadonlyArray<CatalogueItem> = [
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
  ...rowsOf(
    730,
    "Classified Rifle",
    { Type: "GAME_Type_Rifle", Weapon: "weapon_ak47", Quality: "normal", Rarity: "Rarity_Legendary_Weapon" },
    false,
    [
      ["AK-47 | Copperline (Field-Tested)", 2840, 3, 0.12, 0.3, 0.02, 18, 1.2],
      ["AK-47 | Copperline (Factory New)", 11_600, 0.5, 0.14, 0.3, 0.01, 12, 1.1]
    ]
  ),
  ...rowsOf(
    730,
    "Consumer Grade Pistol",
    { Type: "GAME_Type_Pistol", Weapon: "weapon_glock", Quality: "normal", Rarity: "Rarity_Common_Weapon" },
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
