/** A registered client as the core sees it. `client-metadata.ts` reads it from its wire form, which defines its fields. */
import type { clientFromMetadata } from './client-metadata.ts'

export type Client = ReturnType<typeof clientFromMetadata>

/** A public client cannot keep a secret, and so cannot authenticate. */
export function isPublic(client: Client): boolean {
  return client.tokenEndpointAuthMethod === 'none'
}
