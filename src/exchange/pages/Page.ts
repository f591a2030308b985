/**
 * The frame of the market's pages and the few pieces of HTML that they share.
 * Invariants: 1. every text from outside is escaped. 2. nothing on a page is fetched from anywhere: its style and script stand in it.
 */

export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")

const style = `body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:62rem;padding:0 1rem 3rem;color:#222;background:#fafaf8}
nav{padding:.8rem 0;border-bottom:1px solid #ccc}nav a{margin-right:1rem}a{color:#0b5394}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
.market_listing_row{display:flex;gap:1rem;align-items:baseline;padding:.45rem .2rem;border-bottom:1px solid #e3e3de}
.market_listing_row_link{color:inherit;text-decoration:none;display:block}
.market_listing_right_cell{order:2;margin-left:auto;white-space:nowrap}.market_listing_item_name_block{order:1}
.market_listing_game_name,.market_listing_listed_date{color:#777;font-size:.85rem}
table{border-collapse:collapse}td,th{padding:.15rem .8rem;text-align:right}
form{display:inline}fieldset{border:1px solid #ccc;margin:1rem 0}label{margin-right:1rem}
.books{display:flex;gap:3rem}svg{max-width:100%;background:#fff;border:1px solid #ddd}`

/** Rows act through these; assigned by name, so that a page's own calls are the only ones that look like calls. */
const behaviour = `var market_forms = { submit: function (id) { document.getElementById(id).submit() } };
window["BuyMarketListing"] = function (kind, id) { market_forms.submit("buy_" + id) };
window["RemoveMarketListing"] = function (kind, id) { market_forms.submit("remove_" + id) };
window["CancelMarketBuyOrder"] = function (id) { market_forms.submit("cancel_" + id) };
window["Market_LoadOrderSpread"] = function () {};
window["CreateItemHoverFromContainer"] = function () {};`

/** A whole page; `script` stands behind the functions that rows call. */
export const page = (title: string, body: string, script = ""): string =>
  `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>${style}</style>
<script>${behaviour}</script></head>
<body class="market">
<nav><a href="/market/">Market</a><a href="/market/search">Search</a><a href="/market/mylistings">My listings</a><a href="/market/myhistory">My history</a></nav>
<h1>${escapeHtml(title)}</h1>
${body}${script === "" ? "" : `\n<script>\n${script}\n</script>`}
</body>
</html>
`

export const listingLink = (app: number, name: string): string =>
  `/market/listings/${app}/${encodeURIComponent(name)}`

/** What stands in place of rows. */
export const message = (text: string): string =>
  `<div class="market_listing_table_message">${escapeHtml(text)}</div>`

/** Hidden fields of a form. */
export const hidden = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join("")
