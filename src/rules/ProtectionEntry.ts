/** A protection as a strategy file writes it; CompileProtections says which keys belong to which kind. */
import { Schema } from "effect"

import { Count, Percent, Time } from "./StrategyValues.ts"

/** One schema for all kinds, so that a key in the wrong place is told in the words of its kind (CompileProtections). */
export const ProtectionEntry = Schema.Struct({
  kind: Schema.Literals(["cooldown", "losing-streak", "drawdown", "price-jump"]),
  after: Schema.optionalKey(Schema.Literals(["buy", "sell", "loss"])),
  for: Schema.optionalKey(Time),
  over: Schema.optionalKey(Time),
  max: Schema.optionalKey(Percent),
  // oxlint-disable-next-line unicorn/no-thenable -- the file's own word, and no function
  then: Schema.optionalKey(Schema.Literals(["reduce", "halt", "halt-all"])),
  sales: Schema.optionalKey(Count),
  of: Schema.optionalKey(Schema.Literals(["mid", "ask", "bid"])),
  against: Schema.optionalKey(Schema.Literals(["book", "history"])),
  scope: Schema.optionalKey(Schema.Literals(["item", "strategy"]))
}).annotate({ title: "{ kind: … }" })
export type ProtectionEntry = typeof ProtectionEntry.Type
