/** Custom grants: an operator's own `grant_type`, answered by an extension (RFC 6749 4.5). */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { CustomGrant, CustomGrantOutcome } from '#lib/ports/extensions.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { type RequestedScopes, requestedScopes } from '../scopes/resolve-scopes.ts'
import { issueTokens } from '../token/response.ts'
import { openGrant, requireActiveUser } from './grant.ts'
import { deliverableDescription, type GrantAnswer, type GrantType } from './grant-type.ts'

/** Scopes are checked here, the rest by the extension: it receives only requests that the client may make. */
export function customGrant({ validate }: CustomGrant): GrantType {
  return {
    parameters: null,
    answer: async (ports, { client, parameters }) => {
      const scopes = await requestedScopes(ports, client, parameters.one('scope'))
      const outcome = await validate({ parameters, client, scopes: scopes.names })
      if (outcome.kind === 'granted') return issueFor(ports, client, scopes, outcome)
      const description = deliverableDescription(outcome.description)
      throw new OauthError('custom_grant_refused', { description })
    },
  }
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
    if (scopes.hasIdentity || scopes.isOffline) throw new OauthError('no_subject')
    const own = { ...tokens, grant: null, refresh: { kind: 'none' } } as const
    return { response: await issueTokens(ports, own), grant: null }
  }
  await requireActiveUser(ports, subject)
  const grant = await openGrant(ports, { client, scopes, subject, amr, acr: null, provenHash: null })
  const refresh = { kind: scopes.isOffline ? 'first' : 'none' } as const
  return { response: await issueTokens(ports, { ...tokens, grant, refresh }), grant }
}
