/** Sessions, grants and consents in the format of the API: tokens only as a number, a session only by its id. */
import { z } from 'zod'
import type { ListedGrant } from '#lib/ports/admin-lists.ts'
import type { Consent } from '#lib/ports/grants.ts'
import type { Session } from '#lib/ports/sessions.ts'

export const sessionViewSchema = z.object({
  session_id: z.string(),
  sub: z.string(),
  idp: z.string(),
  amr: z.array(z.string()),
  authenticated_at: z.string(),
  created_at: z.string(),
  last_seen_at: z.string(),
  expires_at: z.string(),
  is_persistent: z.boolean().describe('It survives closing the browser.'),
  user_agent: z.string().nullable(),
  address: z.string().nullable(),
})

export function sessionView(session: Session): z.infer<typeof sessionViewSchema> {
  return {
    session_id: session.sessionId,
    sub: session.subject,
    idp: session.idp,
    amr: [...session.amr],
    authenticated_at: session.authenticatedAt.toISOString(),
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    is_persistent: session.isPersistent,
    user_agent: session.userAgent,
    address: session.address,
  }
}

export const grantViewSchema = z.object({
  grant_id: z.string(),
  sub: z.string(),
  client_id: z.string(),
  scope: z.string(),
  session_id: z.string().nullable().describe('The session in which it was given.'),
  is_offline: z.boolean().describe('It outlives that session.'),
  refresh_tokens: z.number(),
  reference_tokens: z.number(),
  created_at: z.string(),
  expires_at: z.string(),
})

export function grantView(grant: ListedGrant): z.infer<typeof grantViewSchema> {
  return {
    grant_id: grant.id,
    sub: grant.subject,
    client_id: grant.clientId,
    scope: grant.scopes.join(' '),
    session_id: grant.sessionId,
    is_offline: grant.isOffline,
    refresh_tokens: grant.refreshTokens,
    reference_tokens: grant.referenceTokens,
    created_at: grant.createdAt.toISOString(),
    expires_at: grant.expiresAt.toISOString(),
  }
}

export const consentViewSchema = z.object({
  sub: z.string(),
  client_id: z.string(),
  scope: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  expires_at: z.string().nullable().describe('null: valid until it is removed.'),
})

export function consentView(consent: Consent): z.infer<typeof consentViewSchema> {
  return {
    sub: consent.subject,
    client_id: consent.clientId,
    scope: consent.scopes.join(' '),
    created_at: consent.createdAt.toISOString(),
    updated_at: consent.updatedAt.toISOString(),
    expires_at: consent.expiresAt?.toISOString() ?? null,
  }
}
