/** The flows that a client allows, what each can request, and the request. Both runners use it: the playground and client tests. */

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
  id_token_token: 'id_token token',
  id_token: 'id_token',
  token: 'token',
} as const satisfies Record<BrowserFlow, ResponseType>

export const flows: readonly Flow[] = [
  ...Object.keys(typesOfFlows).filter(isBrowserFlow),
  'client_credentials',
]

function isBrowserFlow(name: string): name is BrowserFlow {
  return Object.hasOwn(typesOfFlows, name)
}

/** The flows that the client allows, best first: a code, then the response with the most parts. */
export function flowsOf(client: Client): readonly Flow[] {
  return flows.filter(flow => {
    if (flow === 'client_credentials') return client.grantTypes.includes(flow)
    const { type } = responseOf(flow)
    const isPossible = !responseTypeRow(type).idToken || isRegisteredFor(client, openidScope)
    return isPossible && client.responseTypes.includes(type)
  })
}

/** The response that a flow requests. Tokens in it are posted: a fragment would reach only script. */
export function responseOf(flow: BrowserFlow) {
  const type = typesOfFlows[flow]
  const { code, idToken, token } = responseTypeRow(type)
  return { type, hasCode: code, isPosted: idToken || token || flow === 'code_form_post' }
}

/**
 * Without the scopes that the server refuses in this flow: an ID token has no resources, and an access token that comes
 * without an ID token has no identity and no refresh token. Unknown scopes stay, so that a run shows how the server refuses them.
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

/** For a client that may request every scope: the first ones show that it works. */
const mostSuggestedScopes = 5

/** What the client may request, and which of it is chosen at first. */
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
  /** Empty: not sent. */
  readonly prompt: string
  readonly state: string
  readonly nonce: string
  /** Sent as its S256 challenge (RFC 7636 4.2), by the flows with a code. */
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
    ...(hasCode ? { code_challenge: hashing.digest(request.verifier), code_challenge_method: 'S256' } : {}),
  })
  return `/connect/authorize?${query}`
}
