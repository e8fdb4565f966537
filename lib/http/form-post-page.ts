/** OAuth 2.0 Form Post Response Mode: a page that posts the answer to the client, by itself or by its button (AZ-10). */
import type { Locale } from '#lib/i18n/locales.ts'
import { translate } from '#lib/i18n/translate.ts'
import { displayName } from '#lib/protocol/display-text.ts'
import type { Theme } from '#lib/protocol/theme.ts'
import { escapeHtml, plainPage } from './html.ts'
import { htmlReply, type Reply } from './reply.ts'

const script = 'document.forms[0].submit()'
/** The SHA-256 of `script`; a test recomputes it. */
const scriptHash = 'ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE='
/** NOTE: no `form-action`: Chromium would apply it to wherever the client redirects after the post, too. */
const policy = `default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'`

export type FormPostPage = {
  readonly locale: Locale
  readonly theme?: Theme
  readonly siteName: string
  readonly clientId: string
  readonly clientName: string
  readonly redirectUri: string
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
}

export function formPostReply(page: FormPostPage): Reply {
  return htmlReply(200, formPostPage(page), { 'content-security-policy': policy })
}

function formPostPage({ locale, theme, siteName, redirectUri, fields, ...client }: FormPostPage): string {
  const t = translate(locale)
  const app = displayName(client.clientName, client.clientId)
  const body = [
    `<p class="muted">${escapeHtml(t('formPost.body', { app }))}</p>`,
    `<form class="form" method="post" action="${escapeHtml(redirectUri)}">`,
    ...fields.map(([name, value]) => hiddenField(name, value)),
    `<button type="submit" class="btn primary">${escapeHtml(t('formPost.action'))}</button>`,
    '</form>',
    `<script>${script}</script>`,
  ]
  return plainPage({ locale, theme, siteName, title: t('formPost.title', { app }), body: body.join('\n') })
}

function hiddenField(name: string, value: string): string {
  return `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`
}
