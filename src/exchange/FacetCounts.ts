/** Vocabularies with the number of matches: tags of items, accessories of listed units (interface, facets responses). */
import { type AccessoryFacet, type Facet } from "../market/contract/Facets.ts"
import { accessoryKinds } from "./AssetDetails.ts"
import { type CatalogueItem } from "./CatalogueItem.ts"
import { type Offer } from "./Offers.ts"
import { applicationOf } from "./Vocabulary.ts"

/** Categories of an application that these items use, every tag with the count of items that carry it. */
export const tagFacets = (app: number, items: ReadonlyArray<CatalogueItem>): ReadonlyArray<Facet> =>
  (applicationOf(app)?.categories ?? []).flatMap(({ key, name, tags }) => {
    const counted = tags.flatMap(([tag, localized_name]) => {
      const matches = items.filter((of) => of.app === app && of.tags[key] === tag).length
      return matches === 0 ? [] : [[tag, { localized_name, matches: String(matches) }] as const]
    })
    const facet = { appid: app, name: key, localized_name: name, tags: Object.fromEntries(counted) }
    return counted.length === 0 ? [] : [facet]
  })

/** Kinds of accessories; every name that an application knows, with the count of these offers that carry it. */
export const accessoryFacets = (
  offers: ReadonlyArray<Offer>,
  known: "all" | "matched"
): ReadonlyArray<AccessoryFacet> =>
  accessoryKinds.flatMap(({ kind, name, names, prefix }) => {
    const counts = new Map<string, number>()
    for (const { details } of offers)
      for (const one of new Set(
        details.accessories.filter((worn) => worn.kind === kind).map((worn) => worn.name)
      ))
        counts.set(one, (counts.get(one) ?? 0) + 1)
    const facets = names.flatMap((bare) => {
      const full = prefix + bare
      const matches = counts.get(full) ?? 0
      return matches === 0 && known === "matched"
        ? []
        : [{ name: full, localized_name: full, matches: String(matches) }]
    })
    return facets.length === 0 ? [] : [{ internal_type: kind, localized_type: name, facets }]
  })
