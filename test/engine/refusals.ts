/** Writes docs/refusals.md anew from the guard's table: `node test/engine/refusals.ts` in the project's folder. */
import { writeFileSync } from "node:fs"

import { refusalsText } from "../../src/engine/Refusals.ts"

writeFileSync("docs/refusals.md", refusalsText())
