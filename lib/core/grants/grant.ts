/** The contract of the grant types, and what several of them share: required parameters, the hook, the stored grant. */
import type { Checks } from '#lib/errors/checks.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { ErrorReason } from '#lib/errors/reasons.ts'
import type { FoundGrant, Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { GrantDetails } from '#lib/protocol/grant-details.ts'
import type { Digest, SubjectId } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { isBuiltInGrantType, localProvider } from '#lib/protocol/vocabulary.ts'
import { type ParameterName, type Parameters, rulesOf } from '#lib/protocol/wire/parameters.ts'
import { extensionRefusal } from '../hooks/hooks.ts'
import { accountCheck } from '../sign-in/account-check.ts'
import type { TokenResponse } from '../token/issue-tokens.ts'
import type { LiveGrant, Permit } from '../token/permit.ts'

/** A token request in the form that a grant type receives. */
export type GrantRequest = {
  /** The authenticated client, which is allowed to use this grant type. */
  readonly client: Client
  readonly grantType: string
  readonly parameters: Parameters
  readonly checks: Checks
}

/** The response to the client, and the grant of its tokens; `null` when the client acts for itself. */
export type GrantAnswer = { readonly response: TokenResponse; readonly grant: Grant | null }

export type GrantType = {
  /** The parameters that the grant reads; `null`: unknown, because an extension reads them. */
  readonly parameters: readonly string[] | null
  /** Answers the request. Throws an `OauthError` for every refusal. */
  readonly answer: (ports: Ports, request: GrantRequest, context: RequestContext) => Promise<GrantAnswer>
}

/** The required parameters, each with its reason `<name>_missing`. */
type RequiredParameter = {
  [R in ErrorReason]: R extends `${infer Name extends ParameterName}_missing` ? Name : never
}[ErrorReason]

/** Returns the value of a required parameter. Throws `invalid_request` when it is missing. */
export function requiredParameter(parameters: Parameters, name: RequiredParameter): string {
  const value = parameters.one(name)
  if (value === null) throw new OauthError(`${name}_missing`)
  return value
}

/**
 * Calls `validateTokenRequest`, if there is one, and throws its refusal. Must be called before tokens are stored, and
 * before a code or a refresh token is used.
 */
export async function callValidateTokenRequestHook(
  { hooks: { validateTokenRequest } }: Pick<Ports, 'hooks'>,
  { parameters, checks }: GrantRequest,
  { client, grantType, subject, granted: { scopes } }: Permit,
): Promise<void> {
  if (validateTokenRequest === undefined) return
  checks.begin('extension_accepted')
  const shown = parametersForHook(grantType, parameters)
  const verdict = await validateTokenRequest({ client, grantType, scopes, subject, parameters: shown })
  if (verdict.kind === 'refused') throw extensionRefusal('token_request_not_accepted', verdict)
}

/**
 * Returns the parameters whose values a request trace may show, and for a built-in grant type also unknown ones.
 * Unknown parameters of a custom grant may be secrets.
 */
function parametersForHook(grantType: string, { names, one }: Parameters): Readonly<Record<string, string>> {
  const isBuiltIn = isBuiltInGrantType(grantType)
  const isShown = (name: string) => {
    const rules = rulesOf(name)
    return rules === null ? isBuiltIn : rules.shown !== 'name'
  }
  return Object.fromEntries(names.filter(isShown).map(name => [name, one(name) ?? '']))
}

/** Throws `invalid_grant` when the grant was revoked, has expired or belongs to another client (CD-14, RT-05). */
export function requireLive(
  ports: Ports,
  { client, checks }: Pick<GrantRequest, 'client' | 'checks'>,
  grant: FoundGrant,
): LiveGrant {
  checks.begin('grant_live')
  if (grant.revokedAt !== null) throw new OauthError('grant_revoked')
  if (!isLive(grant, ports.clock.now())) throw new OauthError('grant_expired')
  if (grant.clientId !== client.clientId) throw new OauthError('grant_of_another_client')
  return grant as LiveGrant
}

/** Whether the grant is not revoked, and at least one of its tokens may still be valid. */
export function isLive(grant: Pick<Grant, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return grant.revokedAt === null && grant.expiresAt > now
}

export type DirectSignIn = {
  readonly granted: GrantDetails
  readonly isOffline: boolean
  readonly subject: SubjectId
  readonly amr: readonly string[]
  readonly acr: string | null
  /** The digest of the password hash that the sign-in verified; see `Authentication`. */
  readonly provenHash: Digest | null
}

/**
 * Stores and returns a grant without a session. Throws `invalid_grant` when the account was locked during the sign-in,
 * or, after a sign-in with a password of this server, when the password was replaced or the account deleted.
 */
export async function openGrant(
  ports: Ports,
  { client, checks }: GrantRequest,
  { granted, isOffline, subject, amr, acr, provenHash }: DirectSignIn,
): Promise<Grant> {
  const now = ports.clock.now()
  const grant: Grant = {
    id: ports.random.grantId(),
    clientId: client.clientId,
    subject,
    idp: localProvider,
    amr,
    acr,
    authenticatedAt: now,
    sessionId: null,
    ...granted,
    isOffline,
    createdAt: now,
    expiresAt: endOf(client, isOffline, now),
    revokedAt: null,
  }
  const basis = { consent: null, pendingDigest: null, account: accountCheck(ports.hashing, provenHash) }
  checks.begin('user_active')
  const opening = await ports.grants.open(grant, basis)
  if (opening !== 'opened') throw new OauthError('account_changed')
  return grant
}

// The last refresh may return an access token at the expiry of the refresh token, so the lifetimes are added
function endOf(client: Client, isOffline: boolean, now: Date): Date {
  const refreshing = isOffline ? client.absoluteRefreshTokenLifetimeSeconds : 0
  return secondsAfter(now, refreshing + client.accessTokenLifetimeSeconds)
}
