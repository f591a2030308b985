/**
 * Words of the two applications: categories with their tags, exteriors, accessories. Internal names and what people read.
 * Invariant: every tag that an item of the catalogue carries has a row here, so that facets can always name it.
 */

export interface Application {
  readonly app: number
  readonly name: string
  /** Categories in the order in which they are shown: key, localized name, tags by internal name. */
  readonly categories: ReadonlyArray<Category>
}

interface Category {
  readonly key: string
  readonly name: string
  readonly tags: ReadonlyArray<readonly [internal: string, localized: string]>
}

/** Wear bands: internal tag, words, and the floats that belong to them. */
export const exteriors = [
  { tag: "WearCategory0", name: "Factory New", from: 0, to: 0.07, worth: 2.1 },
  { tag: "WearCategory1", name: "Minimal Wear", from: 0.07, to: 0.15, worth: 1.35 },
  { tag: "WearCategory2", name: "Field-Tested", from: 0.15, to: 0.38, worth: 1 },
  { tag: "WearCategory3", name: "Well-Worn", from: 0.38, to: 0.45, worth: 0.85 },
  { tag: "WearCategory4", name: "Battle-Scarred", from: 0.45, to: 1, worth: 0.74 }
] as const

export const weapons = [
  ["weapon_ak47", "AK-47", "GAME_Type_Rifle"],
  ["weapon_aug", "AUG", "GAME_Type_Rifle"],
  ["weapon_famas", "FAMAS", "GAME_Type_Rifle"],
  ["weapon_m4a1", "M4A4", "GAME_Type_Rifle"],
  ["weapon_awp", "AWP", "GAME_Type_SniperRifle"],
  ["weapon_ssg08", "SSG 08", "GAME_Type_SniperRifle"],
  ["weapon_bizon", "PP-Bizon", "GAME_Type_SMG"],
  ["weapon_mp9", "MP9", "GAME_Type_SMG"],
  ["weapon_p90", "P90", "GAME_Type_SMG"],
  ["weapon_glock", "Glock-18", "GAME_Type_Pistol"],
  ["weapon_p250", "P250", "GAME_Type_Pistol"],
  ["weapon_deagle", "Desert Eagle", "GAME_Type_Pistol"],
  ["weapon_nova", "Nova", "GAME_Type_Shotgun"],
  ["weapon_xm1014", "XM1014", "GAME_Type_Shotgun"]
] as const

export const weaponRarities = [
  ["Rarity_Common_Weapon", "Consumer Grade"],
  ["Rarity_Uncommon_Weapon", "Industrial Grade"],
  ["Rarity_Rare_Weapon", "Mil-Spec Grade"],
  ["Rarity_Mythical_Weapon", "Restricted"],
  ["Rarity_Legendary_Weapon", "Classified"]
] as const

const types = [
  ["GAME_Type_Pistol", "Pistol"],
  ["GAME_Type_SMG", "SMG"],
  ["GAME_Type_Rifle", "Rifle"],
  ["GAME_Type_SniperRifle", "Sniper Rifle"],
  ["GAME_Type_Shotgun", "Shotgun"],
  ["GAME_Type_Case", "Container"],
  ["GAME_Type_StickerCapsule", "Sticker Capsule"],
  ["GAME_Tool_Sticker", "Sticker"],
  ["GAME_Tool_Keychain", "Charm"]
] as const

export const collections = [
  ["set_harbour", "The Harbour Collection"],
  ["set_tundra", "The Tundra Collection"],
  ["set_meridian", "The Meridian Collection"],
  ["set_foundry", "The Foundry Collection"],
  ["set_orchard", "The Orchard Collection"]
] as const

export const tournaments = [
  ["Tournament21", "Lisbon 2024"],
  ["Tournament22", "Oslo 2024"],
  ["Tournament23", "Nagoya 2025"]
] as const

export const teams = [
  ["Team1", "Night Herons"],
  ["Team2", "Copper Foxes"],
  ["Team3", "Iron Larks"],
  ["Team4", "Salt Wolves"],
  ["Team5", "Paper Tigers"],
  ["Team6", "Quiet Storm"]
] as const

export const players = [
  ["halden", "halden", "Team1"],
  ["mirko", "mirkO", "Team2"],
  ["tansy", "tansy", "Team3"],
  ["oriel", "oriel", "Team4"],
  ["vesper", "Vesper", "Team5"],
  ["bram", "bram", "Team6"]
] as const

const otherRarities = [
  ["Rarity_Common", "Base Grade"],
  ["Rarity_Rare", "High Grade"],
  ["Rarity_Mythical", "Remarkable"],
  ["Rarity_Legendary", "Exotic"]
] as const

export const applications: ReadonlyArray<Application> = [
  {
    app: 730,
    name: "Crossfire",
    categories: [
      { key: "Type", name: "Type", tags: types },
      { key: "Weapon", name: "Weapon", tags: weapons.map(([tag, name]) => [tag, name] as const) },
      { key: "Exterior", name: "Exterior", tags: exteriors.map(({ name, tag }) => [tag, name] as const) },
      {
        key: "Quality",
        name: "Category",
        tags: [
          ["normal", "Normal"],
          ["strange", "Tallied"],
          ["tournament", "Souvenir"]
        ]
      },
      { key: "Rarity", name: "Quality", tags: [...weaponRarities, ...otherRarities] },
      { key: "ItemSet", name: "Collection", tags: collections },
      { key: "Tournament", name: "Tournament", tags: tournaments },
      { key: "TournamentTeam", name: "Team", tags: teams },
      {
        key: "ProPlayer",
        name: "Professional Player",
        tags: players.map(([tag, name]) => [tag, name] as const)
      }
    ]
  },
  {
    app: 440,
    name: "Bastion",
    categories: [
      {
        key: "Type",
        name: "Type",
        tags: [
          ["Tool", "Tool"],
          ["Cosmetic", "Cosmetic"],
          ["Crate", "Crate"],
          ["Taunt", "Taunt"]
        ]
      },
      {
        key: "Quality",
        name: "Quality",
        tags: [
          ["normal", "Unique"],
          ["strange", "Strange"],
          ["unusual", "Unusual"]
        ]
      }
    ]
  }
]

export const applicationOf = (app: number): Application | undefined =>
  applications.find((one) => one.app === app)
