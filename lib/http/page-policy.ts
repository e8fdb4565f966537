/** The content security policies of pages: nothing from another origin, script by a fresh nonce per response (WF-01). */

/** The policy of pages without form and script: only style sheets, images and a manifest of this server. */
export const scriptlessPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Makes a nonce of 128 random bits. */
export function createNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
}

/**
 * The policy of pages with script. NOTE: no `form-action`. Chromium applies it to every redirect after a post, so `'self'`
 * would block the redirect to the app, after the code was issued.
 */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The policy under `--dev`: the framework's hot reload evaluates scripts, injects styles and keeps a socket open. */
export function developmentPolicy(nonce: string): string {
  return pagePolicy(nonce)
    .replace("'strict-dynamic'", "'strict-dynamic' 'unsafe-eval'")
    .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    .replace("connect-src 'self'", "connect-src 'self' ws:")
}
