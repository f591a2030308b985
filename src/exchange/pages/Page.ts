/** The frame of the market's pages and the few pieces of HTML that they share. Invariant: every text from outside is escaped. */

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

export const page = (title: string, body: string): string =>
  `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body class="market">
<h1>${escapeHtml(title)}</h1>
${body}
</body>
</html>
`
