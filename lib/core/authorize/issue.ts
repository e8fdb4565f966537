/** Responds to a granted request: opens the grant and makes the parts of the response type. */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import type { Event } from '#lib/ports/events.ts'
import type { AuthorizationCode, Grant, GrantOpening, GrantPreconditions } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { GrantDetails } from '#lib/protocol/grant-details.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { leadsToAccessToken, responseTypeRow } from '#lib/protocol/vocabulary.ts'
import { keptChallenge } from '#lib/protocol/wire/pkce.ts'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'
import { acrOf, assuranceOfSession } from '../sign-in/assurance.ts'
import { type MintedAccessToken, mintAccessToken, mintIdToken } from '../token/mint-tokens.ts'
import type { CodeChallenge } from './code-challenge.ts'
import { type ClientResponse, type ResponseFields, type ResponseTarget, respond } from './response-target.ts'
import type { ValidAuthorizeRequest } from './validate.ts'

/** A granted request, with the facts for its response. */
export type GrantedRequest = {
  readonly target: ResponseTarget
  readonly client: Client
  readonly request: ValidAuthorizeRequest
  readonly session: Session
  /** The granted details, which may be less than requested. */
  readonly granted: GrantDetails
  /** The preconditions of the grant, which are checked when it is written. */
  readonly basis: GrantPreconditions
}

type Issued = { readonly outcome: ClientResponse; readonly event: Event }

/**
 * Issues the parts of the response type: a code, an ID token, an access token. If the preconditions of the grant are
 * met, the grant is written, in one transaction with the code, and tokens are made afterwards. Otherwise nothing is
 * written, and the unmet precondition is returned. The caller records the event.
 */
export async function issueResponse(
  ports: Ports,
  accepted: GrantedRequest,
): Promise<Issued | Exclude<GrantOpening, 'opened'>> {
  const granting = { ...accepted, granted: withFactsOfSignIn(accepted) }
  const grant = makeGrant(ports, granting)
  const code = responseTypeRow(accepted.request.responseType).code ? makeCode(ports, granting, grant) : null
  const opening = await (code === null
    ? ports.grants.open(grant, accepted.basis)
    : ports.codes.issue(code.stored, grant, accepted.basis))
  if (opening !== 'opened') return opening
  const fields = [
    ...(code === null ? [] : [['code', code.value] as const]),
    ...(await issueFrontChannelTokens(ports, granting, { grant, code: code?.value ?? null })),
  ]
  ports.countIssued?.('implicit', Object.fromEntries(fields))
  const outcome = { ...respond(ports, accepted.target, fields), grantId: grant.id }
  return { outcome, event: answerEvent(accepted, grant) }
}

function withFactsOfSignIn({ granted, session }: GrantedRequest): GrantDetails {
  const { claims } = session.details
  const level = assuranceOfSession(session)
  return {
    ...granted,
    ...(claims === undefined ? {} : { claims }),
    ...(level === 'pwd' ? {} : { level }),
  }
}

function answerEvent({ request, basis }: GrantedRequest, { id, clientId, subject, scopes }: Grant): Event {
  const { responseType } = request
  const details = { responseType, scope: scopes.join(' '), resumed: basis.pendingDigest !== null }
  const event = { name: 'authorize_answered', outcome: 'success', clientId, subject, details } as const
  // The reason of a success: why the requested `offline_access` was ignored
  const reason = request.withoutOffline === null ? {} : { reason: request.withoutOffline }
  return { ...event, ...reason, grantId: id }
}

/** Makes the grant of the response; the caller stores it. */
function makeGrant(ports: Ports, { client, session, granted, request }: GrantedRequest): Grant {
  const now = ports.clock.now()
  const isOffline = granted.scopes.includes(offlineScope)
  const { code, idToken, token } = responseTypeRow(request.responseType)
  const seconds = Math.max(
    code ? codeGrantSeconds(client, isOffline) : 0,
    idToken || token ? frontChannelGrantSeconds(client) : 0,
  )
  return {
    id: ports.random.grantId(),
    clientId: client.clientId,
    ...granted,
    isOffline,
    subject: session.subject,
    idp: session.idp,
    amr: session.amr,
    acr: acrOf({
      level: assuranceOfSession(session),
      confirmed: session.acr,
      client,
      acrValues: request.acrValues.others,
    }),
    authenticatedAt: session.authenticatedAt,
    sessionId: session.sessionId,
    createdAt: now,
    expiresAt: secondsAfter(now, seconds),
    revokedAt: null,
  }
}

type MadeCode = { readonly value: string; readonly stored: AuthorizationCode }

function makeCode(ports: Ports, { request, target, client }: GrantedRequest, grant: Grant): MadeCode {
  const value = ports.random.handle('code')
  const stored = {
    digest: ports.hashing.digest(value),
    grantId: grant.id,
    clientId: client.clientId,
    redirectUri: target.redirectUri,
    nonce: request.nonce,
    codeChallenge: storedChallenge(ports, request.codeChallenge),
    expiresAt: secondsAfter(grant.createdAt, client.authorizationCodeLifetimeSeconds),
    usedAt: null,
    failedAttempts: 0,
  }
  return { value, stored }
}

function storedChallenge(ports: Ports, sent: CodeChallenge | null): string | null {
  return sent && keptChallenge(sent.challenge, sent.method, ports.hashing)
}

/** The grant of a response, and its code if it has one. */
type Opened = { readonly grant: Grant; readonly code: string | null }

/** Makes the tokens in the response itself (OpenID Connect Core 3.2.2.5, 3.3.2.5); empty if it has only a code. */
async function issueFrontChannelTokens(
  ports: Ports,
  granting: GrantedRequest,
  opened: Opened,
): Promise<ResponseFields> {
  const parts = responseTypeRow(granting.request.responseType)
  if (!parts.idToken && !parts.token) return []
  const minting = parts.token ? issueAccessToken(ports, granting, opened.grant) : null
  const [access, idToken] = await Promise.all([
    minting,
    parts.idToken ? issueIdToken(ports, { ...granting, ...opened }, minting) : null,
  ])
  return [
    ...(idToken === null ? [] : [['id_token', idToken] as const]),
    ...(access === null ? [] : accessTokenFields(access)),
    ['scope', granting.granted.scopes.join(' ')],
  ]
}

async function issueAccessToken(
  ports: Ports,
  { client, granted }: GrantedRequest,
  grant: Grant,
): Promise<MintedAccessToken> {
  const request = {
    client,
    granted,
    grant,
    extraClaims: {},
    lifetimeSeconds: frontChannelSeconds(client),
  }
  const minted = await mintAccessToken(ports, request)
  // If the grant was revoked in the meantime, nothing is stored, and the token is not valid
  await ports.tokens.store({ grantId: grant.id, referenceToken: minted.reference })
  return minted
}

function issueIdToken(
  ports: Ports,
  { client, request, target, granted, grant, code }: GrantedRequest & Opened,
  minting: Promise<MintedAccessToken> | null,
): Promise<string> {
  return mintIdToken(ports, {
    client,
    granted,
    grant,
    nonce: request.nonce,
    accessToken: minting?.then(({ value }) => value) ?? null,
    code: code === null ? null : { value: code, state: target.state },
    // OpenID Connect Core 5.4: without an access token, the client cannot get these claims from userinfo
    includeScopeClaims: !leadsToAccessToken(request.responseType),
  })
}

function accessTokenFields({ value, expiresInSeconds }: MintedAccessToken): ResponseFields {
  return [
    ['access_token', value],
    ['token_type', 'Bearer'],
    ['expires_in', String(expiresInSeconds)],
  ]
}

/** Returns the lifetime of an access token from the front channel: at most 10 minutes, regardless of the registration. */
export function frontChannelSeconds(client: Client): number {
  return Math.min(client.accessTokenLifetimeSeconds, lifetimeSeconds.frontChannelAccessToken)
}

// The grant must outlast all its tokens: the code may be redeemed at its expiry, and the last refresh may issue an
// access token at the expiry of the refresh token
function codeGrantSeconds(client: Client, isOffline: boolean): number {
  const tokens = Math.max(client.accessTokenLifetimeSeconds, client.idTokenLifetimeSeconds)
  const refreshing = isOffline ? client.absoluteRefreshTokenLifetimeSeconds : 0
  return client.authorizationCodeLifetimeSeconds + refreshing + tokens
}

function frontChannelGrantSeconds(client: Client): number {
  return Math.max(frontChannelSeconds(client), client.idTokenLifetimeSeconds)
}
