/** What every grant is: a function from an authenticated client's request to the answer of the token endpoint. */
import type { Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { BuiltInGrantType, TokenRequest } from '#lib/protocol/wire/token-params.ts'
import type { TokenResponse } from '../token/client-request.ts'

export type GrantRequest<Type extends BuiltInGrantType> = {
  /** Authenticated, and allowed to use this grant. */
  readonly client: Client
  readonly request: TokenRequest[Type]
}

/** What goes to the client, and on which grant it was issued; `null` when the client acts for itself. */
export type GrantAnswer = { readonly response: TokenResponse; readonly grant: Grant | null }

/** Throws `OauthError` for every refusal. */
export type GrantHandler<Type extends BuiltInGrantType> = (
  ports: Ports,
  request: GrantRequest<Type>,
  context: RequestContext,
) => Promise<GrantAnswer>

/** RFC 6749 5.2: `error_description` is printable ASCII without quote and backslash. */
const wireText = /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,200}$/

/** An extension's text if it may go over the wire, else `null`: the catalogue's sentence is sent instead. */
export function deliverableDescription(text: string | null): string | null {
  return text !== null && wireText.test(text) ? text : null
}
