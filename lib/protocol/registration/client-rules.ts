/** Rules about the fields of a client. */
import { z } from 'zod'
import { claimLimits } from '#lib/config/limits.ts'
import { type Claims, claimsProblem } from '../claims.ts'
import { closestName } from '../text/similar-names.ts'
import {
  type AccessTokenFormat,
  grantTypes,
  isBuiltInGrantType,
  localProvider,
  type PkcePolicy,
  type ResponseType,
  responseTypeNames,
  responseTypeRow,
  type SigningAlgorithm,
  type SignOutPrompt,
  type TokenEndpointAuthMethod,
} from '../vocabulary.ts'
import { type RedirectUriOrigin, redirectUriProblem } from '../wire/redirect-uri.ts'
import { isRecord } from './fields.ts'

/** The fields that the rules read. Every schema that has these fields of a client can use the rules. */
type ClientFields = {
  readonly application_type: 'web' | 'native'
  readonly redirect_uris: readonly string[]
  readonly post_logout_redirect_uris: readonly string[]
  readonly grant_types: readonly string[]
  readonly response_types?: readonly ResponseType[] | undefined
  readonly token_endpoint_auth_method: TokenEndpointAuthMethod | null
  readonly pkce: PkcePolicy
  readonly access_token_format: AccessTokenFormat | null
  readonly access_token_signed_response_alg: SigningAlgorithm | null
  readonly require_sign_out_prompt: boolean
  readonly sign_out_prompt: SignOutPrompt | null
  readonly enable_local_login: boolean
  readonly identity_provider_restrictions: readonly string[]
}

type Report = (path: ReadonlyArray<string | number>, message: string) => void

/** The name of a built-in or custom grant. A name that is similar to a built-in one is refused as a typing mistake. */
export const grantTypeSchema = z
  .string()
  .max(200)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a grant type: visible characters without spaces')
  .superRefine((value, context) => {
    const meant = isBuiltInGrantType(value) ? null : closestName(value, grantTypes)
    if (meant !== null)
      context.addIssue({
        code: 'custom',
        message: `"${value}" is not a known grant type; did you mean "${meant}"?`,
      })
  })

type Rule<C> = {
  readonly of: ReadonlyArray<keyof C>
  readonly check: (client: C, report: Report) => void
}

const rules: ReadonlyArray<Rule<ClientFields>> = [
  ...redirectUriRules('stored'),
  { of: ['redirect_uris', 'grant_types'], check: checkRedirectUriPresence },
  { of: ['response_types', 'grant_types'], check: checkResponseTypes },
  { of: ['grant_types', 'token_endpoint_auth_method'], check: checkPublicGrants },
  { of: ['pkce', 'token_endpoint_auth_method'], check: checkPublicPkce },
  { of: ['grant_types'], check: checkRefresh },
  { of: ['access_token_format', 'access_token_signed_response_alg'], check: checkAccessTokenSignature },
  { of: ['require_sign_out_prompt', 'sign_out_prompt'], check: checkSignOutPrompt },
  { of: ['identity_provider_restrictions', 'enable_local_login'], check: checkOwnAccounts },
]

/** Adds the issues of the rules that the client breaks, each at the field to change. */
export function checkClientRules(client: ClientFields, context: z.core.$RefinementCtx): void {
  applyRules(rules, client, context)
}

/** A setting that runs the rules even when fields are invalid; a rule with an invalid field is skipped. */
export const alsoForInvalidFields = { when: ({ value }: { readonly value: unknown }) => isRecord(value) }

/** Runs the rules, except those with an invalid field, whose message would mislead. */
function applyRules<C>(all: ReadonlyArray<Rule<C>>, client: C, context: z.core.$RefinementCtx): void {
  const wrong = new Set(context.issues.map(({ path }) => path?.[0]))
  const report: Report = (path, message) => context.addIssue({ code: 'custom', path: [...path], message })
  for (const rule of all) if (!rule.of.some(field => wrong.has(field))) rule.check(client, report)
}

type RedirectFields = Pick<ClientFields, 'redirect_uris' | 'post_logout_redirect_uris' | 'application_type'>

function redirectUriRules(origin: RedirectUriOrigin): ReadonlyArray<Rule<RedirectFields>> {
  return (['redirect_uris', 'post_logout_redirect_uris'] as const).map(field => ({
    of: [field, 'application_type'],
    check: (client, report) => {
      for (const [index, uri] of client[field].entries()) {
        const problem = redirectUriProblem(uri, client.application_type, origin)
        if (problem !== null) report([field, index], problem)
      }
    },
  }))
}

function checkRedirectUriPresence(client: ClientFields, report: Report): void {
  const redirecting = client.grant_types.find(grant => redirectingGrants.has(grant))
  if (redirecting === undefined || client.redirect_uris.length > 0) return
  report(['redirect_uris'], `needs at least one address, because grant_types contains "${redirecting}"`)
}

/** The grants that use the authorization endpoint, because a response type needs them. */
const redirectingGrants: ReadonlySet<string> = new Set(
  responseTypeNames.flatMap(type => responseTypeRow(type).grantTypes),
)

function checkResponseTypes(client: ClientFields, report: Report): void {
  const asked = client.response_types
  if (asked === undefined) {
    if (client.grant_types.includes('implicit')) {
      report(
        ['response_types'],
        'must be given when grant_types contains "implicit", for example ["id_token token"]',
      )
    }
    return
  }
  for (const grant of redirectingGrants) {
    const type = asked.find(name => responseTypeRow(name).grantTypes.some(needed => needed === grant))
    const isGranted = client.grant_types.includes(grant)
    if (type !== undefined && !isGranted)
      report(['response_types'], `"${type}" needs "${grant}" in grant_types`)
    if (type === undefined && isGranted)
      report(['response_types'], `contains no response type for the grant "${grant}"`)
  }
}

function checkPublicGrants(client: ClientFields, report: Report): void {
  if (client.token_endpoint_auth_method !== 'none') return
  for (const grant of ['client_credentials', 'password']) {
    if (!client.grant_types.includes(grant)) continue
    report(
      ['grant_types'],
      `"${grant}" is for confidential clients only: give it a secret instead of "token_endpoint_auth_method": "none"`,
    )
  }
}

// RFC 9700 2.1.1: public clients must use PKCE
function checkPublicPkce(client: ClientFields, report: Report): void {
  const isDispensable = client.pkce === 'optional' || client.pkce === 's256-or-nonce'
  if (client.token_endpoint_auth_method === 'none' && isDispensable)
    report(['pkce'], 'must be "required-s256" or "required" for a public client')
}

function checkRefresh(client: ClientFields, report: Report): void {
  const withoutRefresh: ReadonlySet<string> = new Set(['implicit', 'client_credentials', 'refresh_token'])
  if (!client.grant_types.includes('refresh_token')) return
  if (client.grant_types.every(grant => withoutRefresh.has(grant))) {
    report(['grant_types'], '"refresh_token" needs a grant that can issue one, such as "authorization_code"')
  }
}

function checkAccessTokenSignature(client: ClientFields, report: Report): void {
  const { access_token_format: format, access_token_signed_response_alg: algorithm } = client
  if (format === 'identityserver3' && algorithm !== null && algorithm !== 'RS256')
    report(['access_token_signed_response_alg'], 'must be "RS256" in the IdentityServer3 format')
}

function checkSignOutPrompt(client: ClientFields, report: Report): void {
  const { require_sign_out_prompt: isRequired, sign_out_prompt: prompt } = client
  if (isRequired && prompt !== null && prompt !== 'always')
    report(['sign_out_prompt'], 'must be "always" or absent if require_sign_out_prompt is true')
}

function checkOwnAccounts(client: ClientFields, report: Report): void {
  const index = client.identity_provider_restrictions.indexOf(localProvider)
  if (index === -1 || client.enable_local_login) return
  report(['identity_provider_restrictions', index], `"${localProvider}" needs enable_local_login`)
}

type RegisteredFields = RedirectFields & { readonly claims: Claims }

/** Checks the rules for new registrations: a stored client that breaks one can still be read. */
export function checkNewClient(client: RegisteredFields, context: z.core.$RefinementCtx): void {
  applyRules(newClientRules, client, context)
}

const newClientRules: ReadonlyArray<Rule<RegisteredFields>> = [
  ...redirectUriRules('file'),
  {
    of: ['claims'],
    check: ({ claims }, report) => {
      const problem = claimsProblem(claims, claimLimits.clientBytes)
      if (problem !== null) report(['claims'], problem)
    },
  },
]

type SecretFields = Pick<ClientFields, 'grant_types' | 'token_endpoint_auth_method'> & {
  readonly client_secret?: string | undefined
  readonly client_secrets: readonly unknown[]
}

/**
 * TK-04: checks that a confidential client with a grant of the token endpoint has a secret, and that a public client
 * has none.
 */
export function checkClientSecrets(client: SecretFields, context: z.core.$RefinementCtx): void {
  applyRules([secretRule], client, context)
}

const secretRule: Rule<SecretFields> = {
  of: ['client_secret', 'client_secrets', 'grant_types', 'token_endpoint_auth_method'],
  check: (client, report) => {
    const isPublic = client.token_endpoint_auth_method === 'none'
    const hasSecret = client.client_secret !== undefined || client.client_secrets.length > 0
    const usesTokenEndpoint = client.grant_types.some(grant => grant !== 'implicit')
    const message = secretProblem({ isPublic, hasSecret, usesTokenEndpoint })
    if (message !== null) report(['client_secret'], message)
  },
}

function secretProblem(client: {
  isPublic: boolean
  hasSecret: boolean
  usesTokenEndpoint: boolean
}): string | null {
  if (client.isPublic && client.hasSecret)
    return 'must not be given to a public client ("token_endpoint_auth_method": "none")'
  if (client.isPublic || client.hasSecret || !client.usesTokenEndpoint) return null
  return 'is missing; a public client says "token_endpoint_auth_method": "none"'
}
