/** Custom grants: an operator's own `grant_type`, answered by an extension (RFC 6749 4.5). */
import type { RequestCheck } from '#lib/errors/checks.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { CustomGrant, CustomGrantOutcome } from '#lib/ports/extensions.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { extensionRefusal } from '../hooks/hooks.ts'
import { type Requested, requireRequested } from '../scopes/resolve-scopes.ts'
import { issueTokens } from '../token/issue-tokens.ts'
import {
  callValidateTokenRequestHook,
  type GrantAnswer,
  type GrantRequest,
  type GrantType,
  openGrant,
  requireActiveUser,
  requiredParameter,
} from './grant.ts'

/** Scopes are checked here, the rest by the extension: it receives only requests that the client may make. */
export function customGrant(custom: CustomGrant): GrantType {
  return {
    parameters: null,
    checks: customChecks,
    answer: async (ports, { client, parameters }) => {
      const requested = await requireRequested(ports, client, parameters)
      const outcome = await custom.validate({ parameters, client, scopes: requested.granted.scopes })
      if (outcome.kind === 'granted') return issueFor(ports, { client, parameters }, requested, outcome)
      throw extensionRefusal('custom_grant_refused', outcome)
    },
  }
}

export const customChecks = [
  'scopes_allowed',
  'extension_accepted',
  'scopes_fit_grant',
  'user_active',
] as const satisfies readonly RequestCheck[]

type Granted = Extract<CustomGrantOutcome, { kind: 'granted' }>

async function issueFor(
  ports: Ports,
  { client, parameters }: GrantRequest,
  requested: Requested,
  { subject = null, amr = [], claims: extraClaims = {} }: Granted,
): Promise<GrantAnswer> {
  const { granted } = requested
  const grantType = requiredParameter(parameters, 'grant_type')
  const tokens = { client, grantType, granted, extraClaims, idToken: null }
  if (subject === null) {
    if (requested.hasIdentity || requested.isOffline) throw new OauthError('no_subject')
    await callValidateTokenRequestHook(ports, { client, scopes: granted.scopes, subject, parameters })
    const own = { ...tokens, grant: null, refresh: { kind: 'none' } } as const
    return { response: await issueTokens(ports, own), grant: null }
  }
  await requireActiveUser(ports, subject)
  await callValidateTokenRequestHook(ports, { client, scopes: granted.scopes, subject, parameters })
  const grant = await openGrant(ports, { client, requested, subject, amr, acr: null, provenHash: null })
  const refresh = { kind: requested.isOffline ? 'first' : 'none' } as const
  return { response: await issueTokens(ports, { ...tokens, grant, refresh }), grant }
}
