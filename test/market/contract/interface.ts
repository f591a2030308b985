/** Writes docs/interface.md anew from the contract: `node test/market/contract/interface.ts` in the project's folder. */
import { mkdirSync, writeFileSync } from "node:fs"

import { reference } from "../../../src/market/contract/Reference.ts"

mkdirSync("docs", { recursive: true })
writeFileSync("docs/interface.md", reference())
