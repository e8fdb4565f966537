/** When a person must be asked, and what their answer opens. */
import type { Consent } from '#lib/ports/grants.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import { type Client, isPublic } from '#lib/protocol/registration/client.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import { openidScope } from '#lib/protocol/wire/scopes.ts'

export type ConsentFacts = {
  readonly client: Client
  readonly remembered: Consent | null
  readonly consentCanBeRemembered: boolean
}

/** Whether the user must be asked for these scopes now. Remembered consent covers a subset of the granted scopes. */
export function isConsentNeeded(facts: ConsentFacts, scopes: readonly ScopeName[]): boolean {
  const { client, remembered, consentCanBeRemembered } = facts
  if (!client.requireConsent) return false
  return !consentCanBeRemembered || remembered === null || !covers(remembered, scopes)
}

/** Whether the person allowed all of these. */
export function covers(remembered: Consent, scopes: readonly ScopeName[]): boolean {
  return scopes.every(scope => remembered.scopes.includes(scope))
}

/** Whether consent can be remembered: only if no other app can impersonate the client (OAuth 2.1 7). */
export function canBeRemembered(client: Client, redirectUri: string): boolean {
  return client.allowRememberConsent && isProvable(client, redirectUri)
}

/**
 * Whether the client can show that it is the one that was registered. A public client can be impersonated by
 * another app, unless its redirect URI is a web address that only its owner receives (RFC 8252 8.6).
 */
export function isProvable(client: Client, redirectUri: string): boolean {
  return !isPublic(client) || redirectUri.startsWith('https://')
}

/** Whether the user can deselect this scope. Without `openid` it would be a different kind of request. */
export function isRequired(scope: Pick<Scope, 'name' | 'required'>): boolean {
  return scope.required || scope.name === openidScope
}
