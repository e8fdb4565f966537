/** The flows that a client allows, and the scopes that a flow can request. */

import type { ScopeName } from '#lib/protocol/ids.ts'
import { type Client, isRegisteredFor } from '#lib/protocol/registration/client.ts'
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
