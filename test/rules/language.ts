/** Writes docs/language.md anew from the language's tables: `node test/rules/language.ts` in the project's folder. */
import { writeFileSync } from "node:fs"

import { languageText } from "./LanguageText.ts"

writeFileSync("docs/language.md", languageText())
