/** What every grant is: a function from an authenticated client's request to the answer of the token endpoint. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { FormParameters } from '#lib/protocol/token-params.ts'
import type { TokenResponse } from '../token/outcome.ts'

export type GrantRequest = {
  /** Authenticated, and allowed to use this grant. */
  readonly client: Client
  readonly parameters: FormParameters
}

/** Throws `OauthError` for every refusal. */
export type GrantHandler = (
  ports: Ports,
  request: GrantRequest,
  context: RequestContext,
) => Promise<TokenResponse>
