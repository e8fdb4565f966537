/**
 * Makes every address of this server: links, forms, redirects, assets, cookies and metadata. Code names a page by its path; the
 * address that a browser or a client receives is made here, when it leaves. A test finds any other.
 */

/** The address of one of our pages or files, for a browser. Addresses of others are returned as they are. */
export function browserAddress<Path extends string | undefined>(path: Path): Path {
  return path
}

/** The URL of one of our endpoints or pages, for clients, providers and messages. */
export function ownUrl(issuer: string, path: string): string {
  return `${issuer}${path}`
}

/** The `Path` of a cookie that belongs to a page and those below it. */
export function cookiePath(path: string): string {
  return path
}

/** The redirect URI at an identity provider: one for each, so that no response of one is accepted as another's (RFC 9700 4.4). */
export function providerRedirectUri(issuer: string, scheme: string): string {
  return ownUrl(issuer, `/login/external/${scheme}/callback`)
}

/** Where an identity provider returns a user whom it signed out. */
export function providerLogoutUri(issuer: string, scheme: string): string {
  return ownUrl(issuer, `/logout/external/${scheme}/return`)
}

/** The redirect URI of the hidden clients with which the dashboard tests other clients. */
export function clientTestRedirectUri(issuer: string): string {
  return ownUrl(issuer, '/admin/client-test/return')
}
