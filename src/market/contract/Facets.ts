/**
 * Vocabularies of the search filters (interface, Application facets response and Accessory facets response). They change with the
 * applications and are read again, never fixed.
 */
import { Schema } from "effect"

import { expected, field, optional } from "./Field.ts"
import { IntLike, mapOf, NotShown, Succeeded } from "./Wire.ts"

const Tag = Schema.Struct({
  localized_name: field(Schema.String, "Name to show."),
  matches: expected(Schema.Union([IntLike, Schema.String]), "How many items have it, as a string.")
}).annotate({ identifier: "Tag", description: "A tag of a category." })

/** A category of catalog tags; tags are keyed by their internal name. */
export const Facet = Schema.Struct({
  appid: field(Schema.Int, "Application id."),
  name: field(Schema.String, "Category key without the category_ prefix."),
  localized_name: field(Schema.String, "Name to show."),
  tags: field(mapOf(Tag), "Tags by internal name.")
}).annotate({ identifier: "Facet", description: "A category of catalog tags." })
export type Facet = typeof Facet.Type

export const AppFacetsBody = Schema.Struct({
  success: field(Succeeded, "true."),
  facets: field(mapOf(Facet), "Facets by category name.")
}).annotate({ identifier: "AppFacets", description: "Catalog tag vocabulary of an application." })
export type AppFacetsBody = typeof AppFacetsBody.Type

const Accessory = Schema.Struct({
  name: field(Schema.String, "Full display name, as accessory filters take it."),
  localized_name: optional(Schema.String, "Name to show."),
  matches: optional(Schema.Union([IntLike, Schema.String]), "How many listings have it.")
}).annotate({ identifier: "Accessory", description: "A sticker or charm that may be applied." })

/** A kind of accessory, e.g. `GAME_Tool_Sticker`; its filter is `accessory_` and this name. */
export const AccessoryFacet = Schema.Struct({
  internal_type: field(Schema.String, "Kind; accessory_ and this is the filter's name."),
  localized_type: field(Schema.String, "Name of the kind to show."),
  facets: field(Schema.Array(Schema.Union([Accessory, NotShown])), "Accessories of this kind.")
}).annotate({ identifier: "AccessoryFacet", description: "A kind of accessories." })
export type AccessoryFacet = typeof AccessoryFacet.Type

export const AppAccessoriesBody = Schema.Struct({
  success: field(Succeeded, "true."),
  facets: field(
    Schema.Array(Schema.Union([AccessoryFacet, NotShown])),
    "Kinds of accessories; empty for an application without any."
  )
}).annotate({ identifier: "AppAccessories", description: "Accessory vocabulary of an application." })
export type AppAccessoriesBody = typeof AppAccessoriesBody.Type
