/**
 * Query parameters that several operations share (interface, Shared parameters and Search filter query parameters).
 * Invariant: any `category_…` and `accessory_…` is taken, repeated or not: their names are vocabulary of the facet operations.
 */
import { Schema } from "effect"

import { field, optional } from "./Field.ts"

const Natural = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
/** 0 or 1. */
export const Switch = Schema.Literals([0, 1])
const Several = Schema.Array(Schema.String)

export const appId = field(Schema.Int, "Application id.")
export const hashName = field(Schema.String, "Locale-independent hash name.")
export const country = field(Schema.String.check(Schema.isPattern(/^[A-Za-z]{2}$/)), "Exactly two letters.")
export const language = field(Schema.String, "Language of names and texts, e.g. english.")
export const currency = field(
  Schema.Int,
  "Currency id; prices in the answer are converted and formatted for it."
)
export const itemNameId = field(
  Schema.String,
  "Internal id of the item, distinct from classid; embedded in the listing page."
)
export const norender = optional(Switch, "1: answer JSON, otherwise an HTML page. Default 0.")
export const start = optional(Natural, "Offset of the first row, at least 0.")
export const count = optional(
  Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  "Rows wanted, at least 1; the market gives fewer when it has a limit."
)
export const twoFactor = optional(Switch, "Sent as 0 by the page; without effect on the answer.")
export const priceMin = optional(Natural, "Lowest price, minor units, inclusive.")
export const priceMax = optional(Natural, "Highest price, minor units, inclusive.")

/** Page of own rows. */
export const pageQuery = { norender, start, count } as const

const category = (name: string, values: string) =>
  optional(Several, `Any of these tags of category ${name}, e.g. ${values}; repeatable.`)
const accessory = (kind: string) =>
  optional(
    Several,
    `Any of these ${kind}s by full display name, or $any$ (any ${kind}) or $none$ (none); repeatable.`
  )

/** The filter parameters that the interface names. */
export const tagFilters = {
  category_Type: category("Type (item type)", "GAME_Type_Pistol, GAME_Type_SMG, GAME_Type_Rifle"),
  category_Weapon: category("Weapon", "weapon_ak47, weapon_awp"),
  category_Quality: category(
    "Quality (shown as Category)",
    "normal, strange, tournament, unusual, unusual_strange"
  ),
  category_Rarity: category("Rarity (shown as Quality)", "Rarity_Common_Weapon, Rarity_Legendary_Weapon"),
  category_Exterior: category("Exterior (wear band)", "WearCategory0 to WearCategory4"),
  category_ItemSet: category("ItemSet (collection)", "names that begin with set_"),
  category_Tournament: category("Tournament", "Tournament1"),
  category_TournamentTeam: category("TournamentTeam", "Team1"),
  category_ProPlayer: category("ProPlayer", "a player's handle in lower case")
} as const
export const accessoryFilters = {
  accessory_GAME_Tool_Sticker: accessory("sticker"),
  accessory_GAME_Tool_Keychain: accessory("charm")
} as const

/** The query with any other category or accessory besides the fields. */
export const withFilters = <F extends Schema.Struct.Fields>(fields: F) =>
  Schema.StructWithRest(Schema.Struct(fields), [
    Schema.Record(Schema.TemplateLiteral(["category_", Schema.String]), Several),
    Schema.Record(Schema.TemplateLiteral(["accessory_", Schema.String]), Several)
  ])

/** Request headers of operations that tell when a body changed (ETag, Last-Modified) and answer 304 when it did not. */
export const conditionalHeaders = {
  "if-none-match": optional(Schema.String, "ETag of the body that the caller has."),
  "if-modified-since": optional(Schema.String, "Last-Modified of the body that the caller has.")
} as const
