/** Checks the origin of a request, as the browser reports it (Fetch Metadata, Origin). */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { ReasonFor } from '#lib/errors/reasons.ts'

/**
 * Refuses a form that another site's page sent (WF-04). `Sec-Fetch-Site` counts first; `Origin` must not contradict it,
 * and decides in browsers without it. With neither, the post is refused.
 *
 * NOTE: under our own `Referrer-Policy: no-referrer` browsers send `Origin: null` even for our own forms.
 *
 * @throws OauthError `cross_site_post`
 */
export function requireSameOrigin(request: Request, issuer: string): void {
  const site = request.headers.get('sec-fetch-site')
  const origin = request.headers.get('origin')
  if (site !== null && site !== 'same-origin') throw crossSite('sec_fetch_site')
  if (origin !== null && origin !== 'null' && origin !== new URL(issuer).origin)
    throw crossSite('origin_mismatch', `Forms are only taken from pages at ${issuer}: open that address.`)
  if (site === null && (origin === null || origin === 'null')) throw crossSite('origin_missing')
}

/**
 * Whether a page of this server or the user started the navigation, not another site. If the browser does not report
 * it, another site counts as the sender.
 */
export function isOwnNavigation(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  return site === 'same-origin' || site === 'none'
}

function crossSite(reason: ReasonFor<'cross_site_post'>, description: string | null = null): OauthError {
  return new OauthError(reason, { description })
}

/**
 * Whether the user's browser navigated here directly, rather than for an image or frame of another page (LO-03). If the
 * browser does not report it, the result is false.
 */
export function isTopLevelNavigation(request: Request): boolean {
  return (
    request.headers.get('sec-fetch-mode') === 'navigate' &&
    request.headers.get('sec-fetch-dest') === 'document'
  )
}
