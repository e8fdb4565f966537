/** What it takes that a client can get a token for the API, and how it comes to have it. */
import { adminScope } from '#lib/protocol/admin-role.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { type Client, clientMetadataSchema, isPublic } from '#lib/protocol/registration/client.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { documentOf, type StoredClient } from '../clients/client-resource.ts'

type Document = Readonly<Record<string, JsonValue>>

export type ApiAccess =
  | { readonly kind: 'ready' }
  /** With these settings it can. */
  | { readonly kind: 'lacking'; readonly document: Document }
  /** A sentence that says what to change first. */
  | { readonly kind: 'impossible'; readonly because: string }

const ownGrant = 'client_credentials'

/** A client that signs people in is not given the scope unasked: it could then act for every administrator among them. */
export function apiAccess(stored: StoredClient, client: Client, now: Date): ApiAccess {
  const because = obstacle(stored, client, now)
  if (because !== null) return { kind: 'impossible', because }
  if (hasScope(client) && client.grantTypes.includes(ownGrant)) return { kind: 'ready' }
  const document = documentOf(stored)
  const read = clientMetadataSchema.parse(document)
  const scope = [...new Set([...scopeWords(read.scope), adminScope])].join(' ')
  const grantTypes = [...new Set([...read.grant_types, ownGrant])]
  return { kind: 'lacking', document: { ...document, scope, grant_types: grantTypes } }
}

function obstacle({ secrets }: StoredClient, client: Client, now: Date): string | null {
  if (!client.enabled) return 'This client is disabled: enable it first.'
  if (isPublic(client))
    return 'This client is public and has no secret, so its identity cannot be verified. Register a machine client for the API.'
  if (!secrets.some(({ expiresAt }) => expiresAt === null || expiresAt > now))
    return 'This client has no secret that is still good: create one first.'
  if (client.grantTypes.some(signsPeopleIn) && !hasScope(client))
    return `This client signs people in: with the scope "${adminScope}" it could act for every administrator among them. Register a machine for the API, or give it that scope in its settings if you mean it.`
  return null
}

function hasScope({ scopes }: Client): boolean {
  return scopes.some(scope => scope === adminScope)
}

/** Grants of extensions may bring tokens of people as well. */
function signsPeopleIn(grantType: string): boolean {
  return !['client_credentials', 'refresh_token'].includes(grantType)
}
