/**
 * Makes every address of this server: links, forms, redirects, assets, cookies and metadata. Code names a page by its
 * path; only these functions make the address that a browser or a client receives. A test finds all other places.
 */

/** Returns the address of one of our pages or files for a browser: its path. Other addresses are unchanged. */
export function browserAddress<Path extends string | undefined>(path: Path): Path {
  return path
}

/** Returns the URL of one of our endpoints or pages, for clients, providers and messages. */
export function ownUrl(issuer: string, path: string): string {
  return `${issuer}${path}`
}

/** Returns the `Path` of a cookie that belongs to a page and those below it. */
export function cookiePath(path: string): string {
  return path
}

/**
 * Returns the redirect URI at an identity provider: a different one for each, so that no response of one is accepted as
 * that of another (RFC 9700 4.4).
 */
export function providerRedirectUri(issuer: string, scheme: string): string {
  return ownUrl(issuer, `/login/external/${scheme}/callback`)
}

/** Returns the post-logout redirect URI at an identity provider. */
export function providerLogoutUri(issuer: string, scheme: string): string {
  return ownUrl(issuer, `/logout/external/${scheme}/return`)
}

/** Returns the link with which an invited user creates an account. */
export function userInvitationUrl(issuer: string, handle: string): string {
  return ownUrl(issuer, `/login/register?invitation=${handle}`)
}

/** Returns the redirect URI of the hidden clients with which the dashboard tests other clients. */
export function clientTestRedirectUri(issuer: string): string {
  return ownUrl(issuer, '/admin/client-test/return')
}
