/** What every grant type is: the parameters that it reads, and a function from an authenticated request to its answer. */
import { isErrorText } from '#lib/errors/oauth-error.ts'
import type { Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import type { TokenResponse } from '../token/client-request.ts'

export type GrantRequest = {
  /** Authenticated, and allowed to use this grant type. */
  readonly client: Client
  readonly parameters: Parameters
}

/** The response to the client, and the grant on which it was issued; `null` when the client acts for itself. */
export type GrantAnswer = { readonly response: TokenResponse; readonly grant: Grant | null }

export type GrantType = {
  /** All others have no effect, except those of client authentication. `null`: not known, as of an extension. */
  readonly parameters: readonly string[] | null
  /** Throws `OauthError` for every refusal. */
  readonly answer: (ports: Ports, request: GrantRequest, context: RequestContext) => Promise<GrantAnswer>
}

const longestDescription = 200

/** The text of an extension if it may be sent, else `null`: then the sentence of the error code is sent. */
export function deliverableDescription(text: string | null): string | null {
  return text !== null && text !== '' && text.length <= longestDescription && isErrorText(text) ? text : null
}
