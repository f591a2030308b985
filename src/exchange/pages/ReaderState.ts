/** What the script of a page says of its reader: the value that forms repeat, country and language. */
import { type Asked } from "../handlers/Request.ts"
import { country, language } from "../handlers/WalletRows.ts"

export const readerState = ({ session, theirs }: Pick<Asked, "session" | "theirs">): string =>
  `var g_sessionID = ${theirs(session?.sessionid ?? "")};
var g_strCountryCode = ${theirs(country)};
var g_strLanguage = ${theirs(language)};`
