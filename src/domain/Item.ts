/** What is traded: an item is an application and a locale-independent hash name (interface, Conventions). */
import { Schema } from "effect"

import { AppId } from "./Ids.ts"

export const Item = Schema.Struct({ app: AppId, name: Schema.NonEmptyString })
export type Item = typeof Item.Type

/** `730/Glove Case`: the key of an item in maps and tables. */
export const ItemKey = Schema.NonEmptyString.pipe(Schema.brand("ItemKey"))
export type ItemKey = typeof ItemKey.Type

export const item = (app: number, name: string): Item => ({ app: app as AppId, name })
export const itemKey = (of: Item): ItemKey => `${of.app}/${of.name}` as ItemKey
export const itemOfKey = (key: ItemKey): Item => {
  const slash = key.indexOf("/")
  return item(Number(key.slice(0, slash)), key.slice(slash + 1))
}
