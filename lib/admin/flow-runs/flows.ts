/** The flows of a client, with their scopes and authorization requests. The playground and client tests use them. */

import type { Hashing } from '#lib/ports/environment.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import {
  type Client,
  isPublic,
  isRegisteredFor,
  requestableScopes,
} from '#lib/protocol/registration/client.ts'
import {
  leadsToAccessToken,
  leadsToIdToken,
  type ResponseType,
  responseTypeRow,
  type ScopeKind,
} from '#lib/protocol/vocabulary.ts'
import { offlineScope, openidScope } from '#lib/protocol/wire/scopes.ts'

/** The name of a flow: its response type with underscores. */
type FlowName<Type extends string> = Type extends `${infer First} ${infer Rest}`
  ? `${First}_${FlowName<Rest>}`
  : Type

/** A flow through the authorization endpoint that ends with tokens. */
export type BrowserFlow = FlowName<Exclude<ResponseType, 'none'>> | 'code_form_post'
export type Flow = BrowserFlow | 'client_credentials'

const typesOfFlows = {
  code: 'code',
  code_form_post: 'code',
  id_token_token: 'id_token token',
  id_token: 'id_token',
  token: 'token',
  code_id_token_token: 'code id_token token',
  code_id_token: 'code id_token',
  code_token: 'code token',
} as const satisfies Record<BrowserFlow, ResponseType>

export const flows: readonly Flow[] = [
  ...Object.keys(typesOfFlows).filter(isBrowserFlow),
  'client_credentials',
]

function isBrowserFlow(name: string): name is BrowserFlow {
  return Object.hasOwn(typesOfFlows, name)
}

/**
 * The flows that the client can use: the code flows first, then the response types with the most parts, then client
 * credentials.
 */
export function flowsOf(client: Client): readonly Flow[] {
  return flows.filter(flow => {
    if (flow === 'client_credentials') return client.grantTypes.includes(flow)
    const { type } = responseOf(flow)
    const isPossible = !responseTypeRow(type).idToken || isRegisteredFor(client, openidScope)
    return isPossible && client.responseTypes.includes(type)
  })
}

/** The response of a flow. Tokens are requested as a form post: only scripts can read a fragment. */
export function responseOf(flow: BrowserFlow) {
  const type = typesOfFlows[flow]
  const { code, idToken, token } = responseTypeRow(type)
  return { type, hasCode: code, isPosted: idToken || token || flow === 'code_form_post' }
}

/**
 * Removes registered scopes that do not fit the flow: resource scopes without an access token, identity scopes without an ID
 * token, and `offline_access` without a code. Unknown scopes stay, so that a run shows how the server refuses them.
 */
export function fittingScopes(
  flow: Flow,
  chosen: readonly string[],
  kinds: ReadonlyMap<string, ScopeKind>,
): readonly string[] {
  const type = flow === 'client_credentials' ? 'token' : typesOfFlows[flow]
  const fits = { identity: leadsToIdToken(type), resource: leadsToAccessToken(type) }
  const hasOffline = responseTypeRow(type).code
  const offline: string = offlineScope
  return chosen.filter(name => {
    if (name === offline) return hasOffline
    const kind = kinds.get(name)
    return kind === undefined || fits[kind]
  })
}

/** The kind of every registered scope. */
export async function kindsOfScopes(scopes: {
  readonly all: () => Promise<
    readonly { readonly scope: { readonly name: ScopeName; readonly kind: ScopeKind } }[]
  >
}): Promise<ReadonlyMap<ScopeName, ScopeKind>> {
  return new Map((await scopes.all()).map(({ scope }) => [scope.name, scope.kind]))
}

/** The largest number of scopes suggested for a client that may request every scope: a few show that it works. */
const mostSuggestedScopes = 5

/** The scopes that the client may request, and those that are selected at first. */
export function scopeChoices(
  client: Client,
  registered: readonly ScopeName[],
): Readonly<Record<'offered' | 'suggested', readonly ScopeName[]>> {
  const offered = requestableScopes(client, registered)
  return {
    offered,
    suggested: client.scopes.length > 0 ? client.scopes : offered.slice(0, mostSuggestedScopes),
  }
}

/** Whether the client authenticates at the token endpoint in this flow. */
export function needsSecret(flow: Flow, client: Client): boolean {
  return !isPublic(client) && (flow === 'client_credentials' || responseOf(flow).hasCode)
}

export type FlowRequest = {
  readonly flow: BrowserFlow
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  /** The `prompt` parameter; an empty one is not sent. */
  readonly prompt: string
  /** The `acr_values` and `max_age` parameters; an empty one is not sent. */
  readonly acrValues: string
  readonly maxAge: string
  readonly state: string
  readonly nonce: string
  /** The code verifier. Flows with a code send its S256 challenge (RFC 7636 4.2). */
  readonly verifier: string
}

/** The path of the authorization request (RFC 6749 4.1.1, OpenID Connect Core 3.1.2.1). */
export function authorizationPath(
  { hashing }: { readonly hashing: Pick<Hashing, 'digest'> },
  request: FlowRequest,
): string {
  const { type, hasCode, isPosted } = responseOf(request.flow)
  const query = new URLSearchParams({
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    response_type: type,
    scope: request.scopes.join(' '),
    state: request.state,
    nonce: request.nonce,
    ...(isPosted ? { response_mode: 'form_post' } : {}),
    ...(request.prompt === '' ? {} : { prompt: request.prompt }),
    ...(request.acrValues === '' ? {} : { acr_values: request.acrValues }),
    ...(request.maxAge === '' ? {} : { max_age: request.maxAge }),
    ...(hasCode ? { code_challenge: hashing.digest(request.verifier), code_challenge_method: 'S256' } : {}),
  })
  return `/connect/authorize?${query}`
}

/**
 * Returns the credentials of a client for its authentication method, by default Basic (RFC 6749 2.3.1); without a secret
 * only its ID.
 */
export function credentialsOf(
  { clientId, tokenEndpointAuthMethod: method }: Client,
  secret: string | null,
): { readonly authorization: string | null; readonly fields: Readonly<Record<string, string>> } {
  if (secret === null) return { authorization: null, fields: { client_id: clientId } }
  if (method === 'client_secret_post')
    return { authorization: null, fields: { client_id: clientId, client_secret: secret } }
  const formEncoded = (text: string) => new URLSearchParams({ text }).toString().slice('text='.length)
  const pair = `${formEncoded(clientId)}:${formEncoded(secret)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}`, fields: {} }
}
