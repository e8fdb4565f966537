/** Which function answers a `grant_type`: the built-in ones, then those of extensions. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import {
  type AnyTokenRequest,
  type BuiltInGrantType,
  isBuiltInGrantType,
  readTokenRequest,
} from '#lib/protocol/wire/token-params.ts'
import { grantByAuthorizationCode } from './authorization-code.ts'
import { grantByClientCredentials } from './client-credentials.ts'
import { grantByExtension } from './custom.ts'
import type { GrantAnswer } from './grant-handler.ts'
import { grantByPassword } from './password.ts'
import { grantByRefreshToken } from './refresh-token.ts'

/** Whether anything answers it. A custom grant cannot take the name of a built-in one. */
export function isKnownGrantType({ customGrants }: Pick<Ports, 'customGrants'>, grantType: string): boolean {
  return isBuiltInGrantType(grantType) || customGrants.some(grant => grant.grantType === grantType)
}

export type GrantTypeRequest = {
  /** Authenticated, and allowed to use this grant. */
  readonly client: Client
  /** One that `isKnownGrantType`. */
  readonly grantType: string
  readonly parameters: Parameters
}

/** Parses the request and calls its grant. Throws `OauthError` for every refusal. */
export function answerGrant(
  ports: Ports,
  { client, grantType, parameters }: GrantTypeRequest,
  context: RequestContext,
): Promise<GrantAnswer> {
  if (!isBuiltInGrantType(grantType)) return grantByExtension(ports, { client, grantType, parameters })
  const request = parsedRequest(grantType, parameters)
  switch (request.grant_type) {
    case 'authorization_code':
      return grantByAuthorizationCode(ports, { client, request }, context)
    case 'client_credentials':
      return grantByClientCredentials(ports, { client, request })
    case 'password':
      return grantByPassword(ports, { client, request }, context)
    case 'refresh_token':
      return grantByRefreshToken(ports, { client, request }, context)
  }
}

function parsedRequest(grantType: BuiltInGrantType, parameters: Parameters): AnyTokenRequest {
  const read = readTokenRequest(grantType, parameters)
  if ('request' in read) return read.request
  const { missing } = read
  throw new OauthError(`${missing}_missing`, { description: `${missing} is missing.` })
}
