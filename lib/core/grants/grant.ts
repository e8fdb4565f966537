/** What the grant types share: their contract, and the stored grant behind tokens. */
import type { RequestCheck } from '#lib/errors/checks.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { ErrorReason } from '#lib/errors/reasons.ts'
import type { TokenRequestToValidate } from '#lib/ports/extensions.ts'
import type { FoundGrant, Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { accountCheck, type ReadAccount } from '#lib/ports/users.ts'
import { type GrantDetails, grantDetails } from '#lib/protocol/grant-details.ts'
import type { Digest, SubjectId } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { isBuiltInGrantType, localProvider } from '#lib/protocol/vocabulary.ts'
import { type ParameterName, type Parameters, rulesOf } from '#lib/protocol/wire/parameters.ts'
import { extensionRefusal } from '../hooks/hooks.ts'
import { allowedScopes, type Requested, registeredScopes } from '../scopes/resolve-scopes.ts'
import type { TokenResponse } from '../token/issue-tokens.ts'

/** What a grant type receives. */
export type GrantRequest = {
  /** Authenticated, and allowed to use this grant type. */
  readonly client: Client
  readonly parameters: Parameters
}

/** The response to the client, and the grant on which it was issued; `null` when the client acts for itself. */
export type GrantAnswer = { readonly response: TokenResponse; readonly grant: Grant | null }

export type GrantType = {
  /** All others have no effect, except those marked `everyGrant` in `parameterRules`. `null`: not known, as of an extension. */
  readonly parameters: readonly string[] | null
  /** What `answer` checks, in order, for the request trace of a refusal; the reasons name them. */
  readonly checks: readonly RequestCheck[]
  /** Throws `OauthError` for every refusal. */
  readonly answer: (ports: Ports, request: GrantRequest, context: RequestContext) => Promise<GrantAnswer>
}

/** The parameters for whose absence there is a reason: `<name>_missing`. */
type RequiredParameter = {
  [R in ErrorReason]: R extends `${infer Name extends ParameterName}_missing` ? Name : never
}[ErrorReason]

/** The value of a required parameter; throws `invalid_request` when it is missing. */
export function requiredParameter(parameters: Parameters, name: RequiredParameter): string {
  const value = parameters.one(name)
  if (value === null) throw new OauthError(`${name}_missing`)
  return value
}

type ValidatedTokenRequest = Pick<TokenRequestToValidate, 'client' | 'scopes' | 'subject'> & {
  readonly parameters: Parameters
}

/** Throws the error that `validateTokenRequest` chose. To be called before anything is stored or used. */
export async function callValidateTokenRequestHook(
  { hooks: { validateTokenRequest } }: Pick<Ports, 'hooks'>,
  { client, scopes, subject, parameters }: ValidatedTokenRequest,
): Promise<void> {
  if (validateTokenRequest === undefined) return
  const grantType = parameters.one('grant_type') ?? ''
  const request = { client, grantType, scopes, subject, parameters: parametersForHook(grantType, parameters) }
  const verdict = await validateTokenRequest(request)
  if (verdict.kind === 'refused') throw extensionRefusal('token_request_not_accepted', verdict)
}

/** Only values that a request trace shows, and unknown parameters; in a custom grant those may be secrets. */
function parametersForHook(grantType: string, { names, one }: Parameters): Readonly<Record<string, string>> {
  const isBuiltIn = isBuiltInGrantType(grantType)
  const isShown = (name: string) => {
    const rules = rulesOf(name)
    return rules === null ? isBuiltIn : rules.shown !== 'name'
  }
  return Object.fromEntries(names.filter(isShown).map(name => [name, one(name) ?? '']))
}

/** Throws `invalid_grant` when the grant was revoked, has expired or belongs to another client (CD-14, RT-05). */
export function requireActive(ports: Ports, client: Client, grant: Grant): void {
  if (grant.revokedAt !== null) throw new OauthError('grant_revoked')
  if (!isLive(grant, ports.clock.now())) throw new OauthError('grant_expired')
  if (grant.clientId !== client.clientId) throw new OauthError('grant_of_another_client')
}

/**
 * What the client may still have of an active grant. Throws `invalid_grant` when that is nothing, or the user may no longer
 * sign in.
 */
export async function requireUsable(ports: Ports, client: Client, grant: FoundGrant): Promise<GrantDetails> {
  await requireActiveUser(ports, grant.subject, grant.account)
  // TK-09: a grant gives no more than its client is allowed now
  const scopes = allowedScopes(grant.scopes, client, await registeredScopes(ports))
  if (scopes.length === 0) throw new OauthError('no_scope_left')
  return { ...grantDetails(grant), scopes }
}

/** Not revoked, and at least one token that was issued on it may still be valid. */
export function isLive(grant: Pick<Grant, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return grant.revokedAt === null && grant.expiresAt > now
}

/** Throws `invalid_grant` when the user is unknown or no longer active (AU-10). */
export async function requireActiveUser(
  ports: Ports,
  subject: SubjectId,
  account?: ReadAccount,
): Promise<void> {
  if (!(await ports.userService.isActive(subject, account))) throw new OauthError('subject_inactive')
}

export type DirectSignIn = {
  readonly client: Client
  readonly requested: Requested
  readonly subject: SubjectId
  readonly amr: readonly string[]
  readonly acr: string | null
  /** What the sign-in proved; see `Authentication`. */
  readonly provenHash: Digest | null
}

/**
 * Stores and returns a grant that depends on no session. Throws `invalid_grant` when the account was locked, or its
 * password replaced, during the sign-in.
 */
export async function openGrant(
  ports: Ports,
  { client, requested, subject, amr, acr, provenHash }: DirectSignIn,
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
    ...requested.granted,
    isOffline: requested.isOffline,
    createdAt: now,
    expiresAt: endOf(client, requested, now),
    revokedAt: null,
  }
  const basis = { consent: null, pending: null, account: accountCheck(ports.hashing, provenHash) }
  const opening = await ports.grants.open(grant, basis)
  if (opening !== 'opened') throw new OauthError('account_changed')
  return grant
}

// The last refresh may give an access token at the very end of the refresh token.
function endOf(client: Client, { isOffline }: Requested, now: Date): Date {
  const refreshing = isOffline ? client.absoluteRefreshTokenLifetimeSeconds : 0
  return secondsAfter(now, refreshing + client.accessTokenLifetimeSeconds)
}
