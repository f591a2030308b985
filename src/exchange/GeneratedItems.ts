/**
 * Some hundreds of thinly traded items, made from word lists without any seed: finishes in their exteriors, stickers, charms, hats.
 * Invariants: 1. the list is the same in every market. 2. names are unique and differ from those of the named items. 3. whatever is drawn
 * for an item depends on its name alone, so that a new word changes no other item.
 */
import { meaningHash } from "../domain/Ids.ts"
import { type CatalogueItem, thinCancelsPerHour, thinStepMillis } from "./CatalogueItem.ts"
import { chanceOf, uniform } from "./Chance.ts"
import { collections, exteriors, players, teams, tournaments, weaponRarities, weapons } from "./Vocabulary.ts"

/** First and second words of finishes. */
const firstWords = ["Amber", "Basalt", "Cinder", "Dusk", "Ember", "Fjord", "Glass", "Hollow", "Ivory", "Jade"]
const secondWords = ["Lattice", "Tide", "Circuit", "Bloom", "Veil", "Drift", "Relic"]
const hats = [
  "Bowler",
  "Bicorne",
  "Trilby",
  "Toque",
  "Fez",
  "Balaclava",
  "Top Hat",
  "Beret",
  "Sou'wester",
  "Ushanka",
  "Boater",
  "Tricorne"
]
const hatWords = ["Brass", "Tattered", "Sergeant's"]
const tools = ["Name Plate", "Paint Thinner", "Gift Wrap", "Squad Banner", "Brass Whistle", "Field Kettle"]
const taunts = ["Slow Bow", "Coin Toss", "Long Yawn", "Table Drum", "Stage Fall"]
const stickers = [
  "Sleepy Moth",
  "Lucky Die",
  "Hot Kettle",
  "Paper Boat",
  "One Tap",
  "Stray Cat",
  "Last Bullet"
]
const charms = [
  "Tin Whistle",
  "Glass Eye",
  "Spare Key",
  "Brass Bell",
  "Small Anchor",
  "Wooden Duck",
  "Lost Button",
  "Pocket Compass",
  "Blue Marble",
  "Old Coin"
]
const containers = [
  "Foundry Case",
  "Orchard Case",
  "Lighthouse Case",
  "Quarry Case",
  "Ferry Case",
  "Winter Case"
]

interface Bare {
  readonly app: number
  readonly name: string
  readonly type: string
  readonly description: string
  readonly tags: Readonly<Record<string, string>>
  readonly commodity: boolean
  readonly group?: string
  /** Cents, before the item's own draw of a factor between 0.7 and 1.4. */
  readonly around: number
}

/** Dear things sell seldom. */
const itemOf = (bare: Bare): CatalogueItem => {
  const chance = chanceOf("catalogue", bare.app, bare.name)
  const price = Math.max(6, Math.round(bare.around * 2 ** (uniform(chance) - 0.5)))
  const unitsPerHour = Math.min(0.25, Math.max(0.01, (0.04 + 0.05 * uniform(chance)) * (300 / price) ** 0.4))
  return {
    app: bare.app,
    name: bare.name,
    type: bare.type,
    description: bare.description,
    tags: bare.tags,
    commodity: bare.commodity,
    group: bare.group ?? "",
    publisherRate: 0.1,
    price,
    character: {
      unitsPerHour,
      halfSpread: 0.1 + 0.07 * uniform(chance),
      volatility: 0.3,
      jumpRate: 0,
      jumpSize: 0,
      depth: 4 + Math.floor(5 * uniform(chance)),
      lot: bare.commodity ? 1.8 : 1,
      cancelsPerHour: thinCancelsPerHour,
      stepMillis: thinStepMillis
    }
  }
}

const groupOf = (app: number, name: string): string =>
  `G${meaningHash("group", app, name).slice(0, 10).toUpperCase()}`

/** How many of a finish's exteriors exist, and which qualities besides the normal one. */
const finishOf = (index: number, weapon: (typeof weapons)[number]): ReadonlyArray<CatalogueItem> => {
  const [weaponTag, weaponName, type] = weapon
  const words = `${firstWords[(index * 3) % firstWords.length]} ${secondWords[(index * 5) % secondWords.length]}`
  const [rarity, grade] = weaponRarities[index % weaponRarities.length] ?? weaponRarities[0]
  const [set, collection] = collections[index % collections.length] ?? collections[0]
  const [tournament] = tournaments[index % tournaments.length] ?? tournaments[0]
  const [team] = teams[index % teams.length] ?? teams[0]
  const around = 40 * 2.3 ** (index % weaponRarities.length)
  const variants = [
    { quality: "normal", prefix: "", worth: 1, few: index % 3 === 0 ? 5 : 3, extra: {} },
    ...(index % 4 === 1 ? [{ quality: "strange", prefix: "Tallied ", worth: 2.5, few: 3, extra: {} }] : []),
    ...(index % 5 === 2
      ? [
          {
            quality: "tournament",
            prefix: "Souvenir ",
            worth: 1.8,
            few: 2,
            extra: { Tournament: tournament, TournamentTeam: team }
          }
        ]
      : [])
  ]
  return variants.flatMap(({ extra, few, prefix, quality, worth }) =>
    exteriors.slice(5 - few).map((exterior) =>
      itemOf({
        app: 730,
        name: `${prefix}${weaponName} | ${words} (${exterior.name})`,
        type: `${prefix}${grade} ${weaponName}`,
        description: `A ${weaponName} in ${words.toLowerCase()}, ${exterior.name.toLowerCase()}. From ${collection}.`,
        tags: {
          Type: type,
          Weapon: weaponTag,
          Quality: quality,
          Rarity: rarity,
          Exterior: exterior.tag,
          ItemSet: set,
          ...extra
        },
        commodity: false,
        group: groupOf(730, `${prefix}${weaponName} | ${words}`),
        around: around * worth * exterior.worth
      })
    )
  )
}

const sticker = (name: string, around: number, tags: Readonly<Record<string, string>>): CatalogueItem =>
  itemOf({
    app: 730,
    name: `Sticker | ${name}`,
    type: "High Grade Sticker",
    description: "This sticker can be applied to any weapon you own.",
    tags: { Type: "GAME_Tool_Sticker", Quality: "normal", Rarity: "Rarity_Rare", ...tags },
    commodity: true,
    around
  })

const charm = (name: string, index: number): CatalogueItem =>
  itemOf({
    app: 730,
    name: `Charm | ${name}`,
    type: "Remarkable Charm",
    description:
      "This charm can be attached to any weapon you own; its template differs from one to the next.",
    tags: { Type: "GAME_Tool_Keychain", Quality: "normal", Rarity: "Rarity_Mythical" },
    commodity: false,
    around: 60 * 1.35 ** index
  })

const container = (name: string): CatalogueItem =>
  itemOf({
    app: 730,
    name,
    type: "Base Grade Container",
    description: "A container; what is in it shows when it is opened.",
    tags: { Type: "GAME_Type_Case", Quality: "normal", Rarity: "Rarity_Common" },
    commodity: true,
    around: 120
  })

const cosmetics = hats.flatMap((hat, index) =>
  hatWords.flatMap((word) =>
    [
      { quality: "normal", prefix: "", worth: 1 },
      ...(index % 3 === 0 ? [{ quality: "strange", prefix: "Strange ", worth: 2 }] : []),
      ...(index % 4 === 0 ? [{ quality: "unusual", prefix: "Unusual ", worth: 24 }] : [])
    ].map(({ prefix, quality, worth }) =>
      itemOf({
        app: 440,
        name: `${prefix}${word} ${hat}`,
        type: `Level ${5 + index * 3} Hat`,
        description: `A ${hat.toLowerCase()}. It has been worn before.`,
        tags: { Type: "Cosmetic", Quality: quality },
        commodity: false,
        around: 140 * worth
      })
    )
  )
)

const plain = (name: string, type: string, shown: string, around: number): CatalogueItem =>
  itemOf({
    app: 440,
    name,
    type: shown,
    description: `${name}: used once.`,
    tags: { Type: type, Quality: "normal" },
    commodity: type !== "Taunt",
    around
  })

export const stickerNames: ReadonlyArray<string> = [
  ...teams.flatMap(([, team]) => tournaments.map(([, tournament]) => `${team} | ${tournament}`)),
  ...players.map(([, player]) => `${player} | ${tournaments[2][1]}`),
  ...stickers
]

export const charmNames: ReadonlyArray<string> = charms

export const generatedItems: ReadonlyArray<CatalogueItem> = [
  ...[0, 1].flatMap((round) => weapons.flatMap((weapon, index) => finishOf(round * 17 + index, weapon))),
  ...teams.flatMap(([tag, team]) =>
    tournaments.map(([tournament, name]) =>
      sticker(`${team} | ${name}`, 45, { Tournament: tournament, TournamentTeam: tag })
    )
  ),
  ...players.map(([player, name, team]) =>
    sticker(`${name} | ${tournaments[2][1]}`, 80, {
      Tournament: tournaments[2][0],
      TournamentTeam: team,
      ProPlayer: player
    })
  ),
  ...stickers.map((name) => sticker(name, 160, {})),
  ...charms.map(charm),
  ...containers.map(container),
  ...cosmetics,
  ...tools.map((name) => plain(name, "Tool", "Level 1 Tool", 110)),
  ...taunts.map((name) => plain(`Taunt: ${name}`, "Taunt", "Level 1 Special Taunt", 420)),
  ...[11, 12, 13, 14, 15, 16].map((number) => plain(`Supply Crate #${number}`, "Crate", "Level 1 Crate", 18))
]
