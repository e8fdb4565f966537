/** The clients that the playground can run. */

import { type PlaygroundClient, playgroundClients } from '#lib/admin/playground-clients.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import type { Services } from '#lib/server/services.ts'

/**
 * Refuses the playground unless the issuer is a loopback address, because it shows tokens.
 * @throws OauthError `not_found` for any other issuer
 */
export function requirePlayground({ config }: Services): void {
  if (!config.isLoopback) throw new OauthError('playground_not_loopback')
}

export async function findClients({ config, admin }: Services): Promise<readonly PlaygroundClient[]> {
  const { demo, issuer } = config
  const usable = { redirectUri: redirectUriOf(issuer), demoOf: demo ? issuer : null }
  return playgroundClients(await admin.configuration.read(), usable)
}

/** A client with its issuer and the secret to use. */
export type Caller = { readonly issuer: string } & PlaygroundClient

/**
 * Finds the client of a run, with the secret of the demo or else the one that the user entered.
 * @throws OauthError `not_found` if the playground can no longer run the client
 */
export async function requireCaller(
  services: Services,
  run: { readonly client: string; readonly secret: string | null },
): Promise<Caller> {
  const found = (await findClients(services)).find(({ client }) => client.clientId === run.client)
  if (found === undefined) throw new OauthError('playground_without_client')
  return { issuer: services.config.issuer, client: found.client, secret: found.secret ?? run.secret }
}

export function redirectUriOf(issuer: string): string {
  return ownUrl(issuer, '/playground/callback')
}
