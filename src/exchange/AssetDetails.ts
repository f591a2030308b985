/**
 * What makes one unit of an item differ from another: wear, pattern, applied stickers and charms.
 * Invariants: 1. drawn from the market's seed, the item and the unit's origin alone, so that it stays with the unit whoever owns it.
 * 2. wear lies inside the band of the item's exterior. 3. only weapons carry accessories.
 */
import { type CatalogueItem } from "./CatalogueItem.ts"
import { below, chanceOf, uniform } from "./Chance.ts"
import { charmNames, stickerNames } from "./GeneratedItems.ts"
import { exteriors } from "./Vocabulary.ts"

/** Property ids of the applications: whole pattern, continuous wear, whole template of a charm. */
const properties = { pattern: 1, wear: 2, template: 3 } as const

type AssetProperty =
  | { readonly propertyid: number; readonly int_value: string; readonly name: string }
  | { readonly propertyid: number; readonly float_value: string; readonly name: string }

export type AccessoryKind = "GAME_Tool_Sticker" | "GAME_Tool_Keychain"

interface Accessory {
  readonly kind: AccessoryKind
  /** Full display name, as filters take it. */
  readonly name: string
  /** How worn it is, or its own template. */
  readonly property: AssetProperty
}

export interface AssetDetails {
  readonly properties: ReadonlyArray<AssetProperty>
  readonly accessories: ReadonlyArray<Accessory>
}

export const accessoryKinds: ReadonlyArray<{
  readonly kind: AccessoryKind
  readonly name: string
  readonly prefix: string
  readonly names: ReadonlyArray<string>
}> = [
  { kind: "GAME_Tool_Sticker", name: "Sticker", prefix: "Sticker | ", names: stickerNames },
  { kind: "GAME_Tool_Keychain", name: "Charm", prefix: "Charm | ", names: charmNames }
]

/** The application whose items carry accessories. */
export const accessoryApp = 730

const plain: AssetDetails = { properties: [], accessories: [] }
const stickered = 0.35
const charmed = 0.12
const patterns = 1001
const templates = 100_000

const whole = (propertyid: number, value: number, name: string): AssetProperty => ({
  propertyid,
  int_value: String(value),
  name
})
const continuous = (propertyid: number, value: number, name: string): AssetProperty => ({
  propertyid,
  float_value: value.toFixed(9),
  name
})

const pick = <A>(all: ReadonlyArray<A>, drawn: number): A | undefined => all[Math.floor(drawn * all.length)]

export const detailsOf = (seed: number, of: CatalogueItem, origin: string): AssetDetails => {
  if (origin === "") return plain
  const chance = chanceOf("asset", seed, of.app, of.name, origin)
  if (of.tags["Type"] === "GAME_Tool_Keychain")
    return {
      properties: [whole(properties.template, below(chance, templates), "Charm Template")],
      accessories: []
    }
  const band = exteriors.find(({ tag }) => tag === of.tags["Exterior"])
  if (band === undefined) return plain
  const pattern = whole(properties.pattern, below(chance, patterns), "Pattern Template")
  const wear = continuous(properties.wear, band.from + (band.to - band.from) * uniform(chance), "Wear Rating")
  const accessories: Array<Accessory> = []
  const stickers = uniform(chance) < stickered ? 1 + below(chance, 4) : 0
  for (let slot = 0; slot < stickers; slot++) {
    const name = pick(stickerNames, uniform(chance)) ?? ""
    const worn = continuous(4, uniform(chance) < 0.7 ? 0 : uniform(chance), "Sticker Wear")
    accessories.push({ kind: "GAME_Tool_Sticker", name: `Sticker | ${name}`, property: worn })
  }
  if (uniform(chance) < charmed) {
    const name = pick(charmNames, uniform(chance)) ?? ""
    const template = whole(properties.template, below(chance, templates), "Charm Template")
    accessories.push({ kind: "GAME_Tool_Keychain", name: `Charm | ${name}`, property: template })
  }
  return { properties: [pattern, wear], accessories }
}
