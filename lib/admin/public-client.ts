/** A registered public client, for the playground. */
import type { Configuration } from '#lib/ports/configuration-store.ts'
import { type Client, clientFromMetadata, isPublic } from '#lib/protocol/registration/client.ts'
import { openidScope } from '#lib/protocol/wire/scopes.ts'

/** The first enabled public client with this redirect URI that can run the code flow of OpenID Connect. */
export function publicClientAt({ clients }: Configuration, redirectUri: string): Client | null {
  const suits = (client: Client) =>
    client.enabled &&
    isPublic(client) &&
    client.redirectUris.includes(redirectUri) &&
    client.responseTypes.includes('code') &&
    client.scopes.some(scope => scope === openidScope)
  return clients.map(({ metadata }) => clientFromMetadata(metadata)).find(suits) ?? null
}
