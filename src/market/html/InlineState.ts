/** Inline state of a page by variable name, decoded with the contract's schemas and in our field names. */
import { Option, Result, type Schema, SchemaParser } from "effect"

import { differencesOf } from "../contract/Difference.ts"
import { type Json } from "../contract/Json.ts"
import { type Names } from "../contract/Platform.ts"
import { pageError, type Read } from "./PageError.ts"
import { assigned, isAssigned } from "./Script.ts"

/** A reader of one variable: undefined when the page does not assign it. */
export const inlineState = <A>(name: string, schema: Schema.Codec<A, unknown>) => {
  const decode = decoderOf(name, schema)
  return (script: string, names: Names): Read<A | undefined> => {
    const found = assigned(script, name)
    if (Option.isSome(found)) return decode(names.ours(found.value))
    return isAssigned(script, name) ? pageError(name, "NotJson") : Result.succeed(undefined)
  }
}

/** A reader of a value that was found already. */
export const decoderOf = <A>(part: string, schema: Schema.Codec<A, unknown>) => {
  const decode = SchemaParser.decodeUnknownResult(schema)
  return (value: Json): Read<A> => {
    const decoded = decode(value)
    if (Result.isSuccess(decoded)) return Result.succeed(decoded.success)
    const [first] = differencesOf(decoded.failure)
    return pageError(part, "Differs", first === undefined ? "" : `${first.path}: ${first.message}`)
  }
}
