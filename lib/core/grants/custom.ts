/** Custom grants: an operator's own `grant_type`, answered by an extension (RFC 6749 4.5). */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { CustomGrantOutcome } from '#lib/ports/extensions.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import { type RequestedScopes, requestedScopes } from '../scopes/resolve-scopes.ts'
import { issueTokens } from '../token/response.ts'
import { openGrant, requireActiveUser } from './grant.ts'
import { deliverableDescription, type GrantAnswer } from './grant-request.ts'

/** Scopes are checked here, the rest by the extension: it never sees a request the client may not make. */
export async function grantByExtension(
  ports: Ports,
  { client, grantType, parameters }: CustomGrantRequest,
): Promise<GrantAnswer> {
  const custom = ports.customGrants.find(grant => grant.grantType === grantType)
  if (custom === undefined) throw new OauthError('grant_type_unknown')
  const scopes = await requestedScopes(ports, client, parameters.one('scope'))
  const outcome = await custom.validate({ parameters, client, scopes: scopes.names })
  if (outcome.kind === 'refused') {
    throw new OauthError('custom_grant_refused', { description: deliverableDescription(outcome.description) })
  }
  return issueFor(ports, client, scopes, outcome)
}

type CustomGrantRequest = {
  readonly client: Client
  readonly grantType: string
  readonly parameters: Parameters
}

type Granted = Extract<CustomGrantOutcome, { kind: 'granted' }>

async function issueFor(
  ports: Ports,
  client: Client,
  scopes: RequestedScopes,
  { subject = null, amr = [], claims: extraClaims = {} }: Granted,
): Promise<GrantAnswer> {
  const tokens = { client, scopes: scopes.names, extraClaims, identity: null }
  if (subject === null) {
    refusePersonalScopes(scopes)
    const own = { ...tokens, grant: null, refresh: { kind: 'none' } } as const
    return { response: await issueTokens(ports, own), grant: null }
  }
  await requireActiveUser(ports, subject)
  const grant = await openGrant(ports, { client, scopes, subject, amr, acr: null, provenHash: null })
  const refresh = { kind: scopes.isOffline ? 'first' : 'none' } as const
  return { response: await issueTokens(ports, { ...tokens, grant, refresh }), grant }
}

function refusePersonalScopes(scopes: RequestedScopes): void {
  if (!scopes.hasIdentity && !scopes.isOffline) return
  throw new OauthError('no_subject')
}
