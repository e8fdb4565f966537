/** The content security policies of pages: nothing from another origin, script by a fresh nonce per response (WF-01). */

/** For pages without form and script: one stylesheet, one icon, one manifest. */
export const scriptlessPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** 128 random bits. */
export function createNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
}

/**
 * NOTE: no `form-action`. Chromium applies it to every redirect after a post, so `'self'` would block the way back
 * to the app, after the code was minted.
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

/** Under `--dev` only: the framework's hot reload evaluates scripts, injects styles and keeps a socket open. */
export function developmentPolicy(nonce: string): string {
  return pagePolicy(nonce)
    .replace("'strict-dynamic'", "'strict-dynamic' 'unsafe-eval'")
    .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    .replace("connect-src 'self'", "connect-src 'self' ws:")
}
