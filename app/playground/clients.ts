/** What the playground can run: its clients, and the flows that each of them allows. */
import { type PlaygroundClient, playgroundClients } from '#lib/admin/playground-clients.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { ResponseType } from '#lib/protocol/vocabulary.ts'
import type { Services } from '#lib/server/services.ts'

type Response = { readonly type: ResponseType; readonly isPosted: boolean }

/** Tokens in the authorization response are posted: a fragment would reach only script. */
const responses = {
  code: { type: 'code', isPosted: false },
  code_form_post: { type: 'code', isPosted: true },
  id_token: { type: 'id_token', isPosted: true },
  id_token_token: { type: 'id_token token', isPosted: true },
  token: { type: 'token', isPosted: true },
} as const satisfies Record<string, Response>

/** A flow through the authorization endpoint. */
export type BrowserFlow = keyof typeof responses
export type Flow = BrowserFlow | 'client_credentials'

export const flows = [
  'code',
  'code_form_post',
  'id_token',
  'id_token_token',
  'token',
  'client_credentials',
] as const satisfies readonly Flow[]

/** The flows that the client allows. */
export function flowsOf({ responseTypes, grantTypes }: Client): readonly Flow[] {
  return flows.filter(flow =>
    flow === 'client_credentials' ? grantTypes.includes(flow) : responseTypes.includes(responses[flow].type),
  )
}

export function responseOf(flow: BrowserFlow): Response {
  return responses[flow]
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
  return `${issuer}/playground/callback`
}
