/** Whether consent can be remembered for a client. */
import { type Client, isPublic } from '#lib/protocol/registration/client.ts'

/** Whether consent can be remembered: the client allows it, and can prove its identity (OAuth 2.1 7). */
export function canBeRemembered(client: Client, redirectUri: string): boolean {
  return client.allowRememberConsent && canProveIdentity(client, redirectUri)
}

/**
 * Whether the client can prove that it is the registered one. Another app can impersonate a public client, unless its
 * redirect URI is a web address that only its owner receives (RFC 8252 8.6).
 */
export function canProveIdentity(client: Client, redirectUri: string): boolean {
  return !isPublic(client) || redirectUri.startsWith('https://')
}
