/** Small pages without React: every value passes `escapeHtml`, every page loads one stylesheet of ours. */
import { dirOf, type Locale } from '#lib/i18n/locales.ts'
import type { Theme } from '#lib/protocol/theme.ts'
import { keyMark } from './key-mark.ts'

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
  /** As chosen in this browser; the device's own when nothing is known of it. */
  readonly theme?: Theme | undefined
  readonly siteName: string
  readonly title: string
  /** The title itself unless given. */
  readonly heading?: string
  /** HTML: whoever builds it has escaped its values. */
  readonly body: string
}

/** A whole document around one card, in the same frame as `app/_ui/screen.tsx`. */
export function plainPage({
  locale,
  theme = 'system',
  siteName,
  title,
  heading = title,
  body,
}: PlainPage): string {
  const chosen = theme === 'system' ? '' : ` data-theme="${theme}"`
  return `<!doctype html>
<html lang="${locale}" dir="${dirOf(locale)}"${chosen}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex, nofollow">
<meta name="theme-color" content="#f6f4ef" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#131417" media="(prefers-color-scheme: dark)">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/latchkey.css">
</head>
<body class="hosted">
<main class="card">
<header class="head">
<span class="logo own" aria-hidden="true">${keyMark(26)}</span>
<div><h1>${escapeHtml(heading)}</h1></div>
</header>
${body}
</main>
<footer class="foot"><span class="brand">${keyMark(16)}${escapeHtml(siteName)}</span></footer>
</body>
</html>
`
}
