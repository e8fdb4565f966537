/** Custom grants: an operator's own `grant_type`, answered by an extension (RFC 6749 4.5). */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { CustomGrant, CustomGrantOutcome } from '#lib/ports/extensions.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { extensionRefusal } from '../hooks/hooks.ts'
import { type Requested, requireRequested } from '../scopes/resolve-scopes.ts'
import { issueTokens } from '../token/issue-tokens.ts'
import { permitTokens } from '../token/permit.ts'
import {
  callValidateTokenRequestHook,
  type GrantAnswer,
  type GrantRequest,
  type GrantType,
  openGrant,
} from './grant.ts'

/**
 * Makes a grant type of an extension's grant. The requested scopes are checked before the extension is called, and the
 * user that it names afterwards.
 */
export function customGrant(custom: CustomGrant): GrantType {
  return {
    parameters: null,
    answer: async (ports, request) => {
      const { client, parameters, checks } = request
      const requested = await requireRequested(ports, request)
      checks.begin('extension_accepted')
      const outcome = await custom.validate({ parameters, client, scopes: requested.granted.scopes })
      if (outcome.kind === 'granted') return issueFor(ports, request, requested, outcome)
      throw extensionRefusal('custom_grant_refused', outcome)
    },
  }
}

type Granted = Extract<CustomGrantOutcome, { kind: 'granted' }>

async function issueFor(
  ports: Ports,
  request: GrantRequest,
  requested: Requested,
  { subject = null, amr = [], claims: extraClaims = {} }: Granted,
): Promise<GrantAnswer> {
  const { checks } = request
  const { granted, hasIdentity, isOffline } = requested
  checks.begin('scopes_fit_grant')
  if (subject === null && (hasIdentity || isOffline)) throw new OauthError('no_subject')
  const permit = await permitTokens(ports, request, { subject, granted })
  await callValidateTokenRequestHook(ports, request, permit)
  const tokens = { permit, extraClaims, idToken: null }
  if (subject === null) {
    const own = { ...tokens, grant: null, refresh: { kind: 'none' } } as const
    return { response: await issueTokens(ports, own, checks), grant: null }
  }
  const grant = await openGrant(ports, request, {
    granted,
    isOffline,
    subject,
    amr,
    acr: null,
    provenHash: null,
  })
  const refresh = { kind: isOffline ? 'first' : 'none' } as const
  return { response: await issueTokens(ports, { ...tokens, grant, refresh }, checks), grant }
}
