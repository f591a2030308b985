/** `haggle contract openapi`: the interface as this version understands it, as an OpenAPI document. */
import { Console, Effect } from "effect"

import { openApi } from "../../market/contract/OpenApi.ts"

export interface ContractOpenapiFlags {
  /** One line instead of an indented document. */
  readonly json: boolean
}

export const run = Effect.fn("cli.contractOpenapi")((flags: ContractOpenapiFlags) =>
  Console.log(flags.json ? JSON.stringify(openApi()) : JSON.stringify(openApi(), undefined, 2))
)
