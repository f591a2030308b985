/** JSON as it travels. */
import { Option } from "effect"

export interface JsonObject {
  readonly [key: string]: Json
}
export type Json = string | number | boolean | null | ReadonlyArray<Json> | JsonObject

/** The value of a text, with or without a byte order mark; None when it is not JSON. */
export const parseJson: (text: string) => Option.Option<Json> = Option.liftThrowable(
  (text: string): Json => JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as Json
)

export const isJsonArray = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
