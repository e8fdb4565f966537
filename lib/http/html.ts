/** Small pages without React: every value passes `escapeHtml`, every page loads one stylesheet of ours. */
import { dirOf, type Locale } from '#lib/i18n/locales.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Safe as text and inside quoted attributes (WF-06, AZ-10). */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? '')
}

export type PlainPage = {
  readonly locale: Locale
  readonly title: string
  /** HTML: whoever builds it has escaped its values. */
  readonly body: string
}

/** A whole document around one card. */
export function plainPage({ locale, title, body }: PlainPage): string {
  return `<!doctype html>
<html lang="${locale}" dir="${dirOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/latchkey.css">
</head>
<body class="plain-page">
<main class="card">
${body}
</main>
</body>
</html>
`
}
