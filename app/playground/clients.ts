/** What the playground can run: its clients, and the flows that each of them allows. */

import { type PlaygroundClient, playgroundClients } from '#lib/admin/playground-clients.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { type ResponseType, responseTypeRow } from '#lib/protocol/vocabulary.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import type { Services } from '#lib/server/services.ts'

/** A response type as a flow is named. */
type FlowName<Type extends string> = Type extends `${infer First} ${infer Rest}`
  ? `${First}_${FlowName<Rest>}`
  : Type

/** A flow through the authorization endpoint. */
export type BrowserFlow = FlowName<ResponseType> | 'code_form_post'
export type Flow = BrowserFlow | 'client_credentials'

const typesOfFlows = {
  code: 'code',
  code_form_post: 'code',
  id_token: 'id_token',
  id_token_token: 'id_token token',
  token: 'token',
} as const satisfies Record<BrowserFlow, ResponseType>

export const flows: readonly Flow[] = [
  ...Object.keys(typesOfFlows).filter(isBrowserFlow),
  'client_credentials',
]

function isBrowserFlow(name: string): name is BrowserFlow {
  return Object.hasOwn(typesOfFlows, name)
}

/** The flows that the client allows. */
export function flowsOf({ responseTypes, grantTypes }: Client): readonly Flow[] {
  return flows.filter(flow =>
    flow === 'client_credentials' ? grantTypes.includes(flow) : responseTypes.includes(typesOfFlows[flow]),
  )
}

/** The response that a flow requests. Tokens in it are posted: a fragment would reach only script. */
export function responseOf(flow: BrowserFlow) {
  const type = typesOfFlows[flow]
  const { code, idToken, token } = responseTypeRow(type)
  return { type, hasCode: code, isPosted: idToken || token || flow === 'code_form_post' }
}

/**
 * The playground shows tokens, so it exists only with a loopback issuer.
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

/** A client with the secret to use. */
export type Caller = { readonly issuer: string } & PlaygroundClient

/**
 * The client of a run, with the secret that the user entered if it has no other.
 * @throws OauthError `not_found` when the client is no longer there
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
