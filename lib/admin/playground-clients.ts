/** The clients that the playground can use. */
import type { Configuration } from '#lib/ports/configuration-store.ts'
import { type Client, clientFromMetadata } from '#lib/protocol/registration/client.ts'
import { demoConfiguration } from './configuration/demo.ts'

export type PlaygroundClient = {
  readonly client: Client
  /** The published secret of a demo client; `null` for a client without a secret and for clients outside the demo. */
  readonly secret: string | null
}

const most = 20

/**
 * At most 20 enabled clients: those with the redirect URI of the playground and a response type, and the demo's clients with a
 * secret and the client credentials grant.
 */
export function playgroundClients(
  { clients }: Pick<Configuration, 'clients'>,
  { redirectUri, demoOf }: { readonly redirectUri: string; readonly demoOf: string | null },
): readonly PlaygroundClient[] {
  const demo = demoOf === null ? [] : (demoConfiguration(demoOf).clients ?? [])
  const secretOf = ({ clientId }: Client) =>
    demo.find(each => each.client_id === clientId)?.client_secret ?? null
  return clients
    .map(({ metadata }) => clientFromMetadata(metadata))
    .filter(client => client.enabled)
    .map(client => ({ client, secret: secretOf(client) }))
    .filter(({ client, secret }) => isRunnable(client, redirectUri, secret !== null))
    .slice(0, most)
}

function isRunnable(
  { grantTypes, redirectUris, responseTypes }: Client,
  redirectUri: string,
  isDemo: boolean,
) {
  if (redirectUris.includes(redirectUri)) return responseTypes.length > 0
  return isDemo && grantTypes.includes('client_credentials')
}
