/** The playground shows tokens, so it exists only where nobody else can look: on a loopback issuer. */
import { OauthError } from '#lib/errors/oauth-error.ts'

/** @throws OauthError `not_found` everywhere else */
export function requireLoopback(config: { readonly isLoopback: boolean }): void {
  if (!config.isLoopback) throw new OauthError('not_found', 'playground_not_loopback')
}
