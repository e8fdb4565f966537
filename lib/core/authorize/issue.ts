/** Success: opens the grant and answers with a code, or with tokens through the front channel. */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import type { Event } from '#lib/ports/events.ts'
import type { Grant, GrantOpening, GrantPreconditions } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { GrantDetails } from '#lib/protocol/grant-details.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { ResponseType } from '#lib/protocol/vocabulary.ts'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'
import { keptChallenge } from '../grants/authorization-code.ts'
import { type MintedAccessToken, mintAccessToken, mintIdToken } from '../token/mint-tokens.ts'
import { type ClientResponse, type ResponseFields, type ResponseTarget, respond } from './response-target.ts'
import type { CodeChallenge, ValidAuthorizeRequest } from './validate.ts'

export type Issue = {
  readonly target: ResponseTarget
  readonly client: Client
  readonly request: ValidAuthorizeRequest
  readonly session: Session
  /** May be less than requested. */
  readonly granted: GrantDetails
  /** The preconditions at the moment when the grant is written. */
  readonly basis: GrantPreconditions
}

type Issued = { readonly outcome: ClientResponse; readonly event: Event }

type NotIssued = Exclude<GrantOpening, 'opened'>

/**
 * Issues a code or tokens, as the response type requests. The grant is written only if its preconditions are met, in one
 * transaction, and tokens are made afterwards; else the result is the reason. The caller records the event.
 */
export async function issueResponse(ports: Ports, decided: Issue): Promise<Issued | NotIssued> {
  const issue = { ...decided, granted: withSignInClaims(decided) }
  const { responseType } = issue.request
  const grant = makeGrant(ports, issue)
  const fields =
    responseType === 'code'
      ? await issueCode(ports, issue, grant)
      : await issueFrontChannelTokens(ports, issue, grant)
  if (typeof fields === 'string') return fields
  const outcome = { ...respond(ports, issue.target, fields), grantId: grant.id }
  return { outcome, event: answerEvent(issue, grant) }
}

function withSignInClaims({ granted, session }: Issue): GrantDetails {
  const { claims } = session.details
  return claims === undefined ? granted : { ...granted, claims }
}

function answerEvent({ request, basis }: Issue, { id, clientId, subject, scopes }: Grant): Event {
  const { responseType } = request
  const details = { responseType, scope: scopes.join(' '), resumed: basis.pending !== null }
  return { name: 'authorize_answered', outcome: 'success', clientId, subject, details, grantId: id }
}

/** The grant of the response; the caller stores it. */
function makeGrant(ports: Ports, { client, session, granted, request: { responseType } }: Issue): Grant {
  const now = ports.clock.now()
  const isOffline = granted.scopes.includes(offlineScope)
  const seconds =
    responseType === 'code' ? codeGrantSeconds(client, isOffline) : frontChannelGrantSeconds(client)
  return {
    id: ports.random.grantId(),
    clientId: client.clientId,
    ...granted,
    isOffline,
    subject: session.subject,
    idp: session.idp,
    amr: session.amr,
    acr: session.acr,
    authenticatedAt: session.authenticatedAt,
    sessionId: session.sessionId,
    createdAt: now,
    expiresAt: secondsAfter(now, seconds),
    revokedAt: null,
  }
}

async function issueCode(
  ports: Ports,
  { request, target, client, basis }: Issue,
  grant: Grant,
): Promise<ResponseFields | NotIssued> {
  const code = ports.random.handle('code')
  const opening = await ports.codes.issue(
    {
      digest: ports.hashing.digest(code),
      grantId: grant.id,
      clientId: client.clientId,
      redirectUri: target.redirectUri,
      nonce: request.nonce,
      codeChallenge: storedChallenge(ports, request.codeChallenge),
      expiresAt: secondsAfter(grant.createdAt, client.authorizationCodeLifetimeSeconds),
      usedAt: null,
      failedAttempts: 0,
    },
    grant,
    basis,
  )
  return opening === 'opened' ? [['code', code]] : opening
}

function storedChallenge(ports: Ports, sent: CodeChallenge | null): string | null {
  return sent && keptChallenge(sent.challenge, sent.method, ports.hashing)
}

// OpenID Connect Core 3.2.2.5
async function issueFrontChannelTokens(
  ports: Ports,
  issue: Issue,
  grant: Grant,
): Promise<ResponseFields | NotIssued> {
  const { responseType } = issue.request
  const opening = await ports.grants.open(grant, issue.basis)
  if (opening !== 'opened') return opening
  const minting = wantsAccessToken(responseType) ? issueAccessToken(ports, issue, grant) : null
  // At the same time: both read the scopes
  const [access, idToken] = await Promise.all([
    minting,
    responseType.includes('id_token') ? issueIdToken(ports, { ...issue, grant }, minting) : null,
  ])
  return [
    ...(idToken === null ? [] : [['id_token', idToken] as const]),
    ...(access === null ? [] : accessTokenFields(access)),
    ['scope', issue.granted.scopes.join(' ')],
  ]
}

function wantsAccessToken(responseType: ResponseType): boolean {
  return responseType === 'token' || responseType === 'id_token token'
}

async function issueAccessToken(
  ports: Ports,
  { client, granted }: Issue,
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
  { client, request, granted, grant }: Issue & { readonly grant: Grant },
  minting: Promise<MintedAccessToken> | null,
): Promise<string> {
  return mintIdToken(ports, {
    client,
    granted,
    grant,
    nonce: request.nonce,
    accessToken: minting?.then(({ value }) => value) ?? null,
    // No access token will ever fetch them at userinfo
    includeScopeClaims: minting === null,
  })
}

function accessTokenFields({ value, expiresInSeconds }: MintedAccessToken): ResponseFields {
  return [
    ['access_token', value],
    ['token_type', 'Bearer'],
    ['expires_in', String(expiresInSeconds)],
  ]
}

/** A token in a browser's address bar lives 10 minutes at most, whatever the client's configuration. */
export function frontChannelSeconds(client: Client): number {
  return Math.min(client.accessTokenLifetimeSeconds, lifetimeSeconds.frontChannelAccessToken)
}

// The code may be redeemed at its very end, and the last refresh may give a token at the refresh token's
function codeGrantSeconds(client: Client, isOffline: boolean): number {
  const tokens = Math.max(client.accessTokenLifetimeSeconds, client.idTokenLifetimeSeconds)
  const refreshing = isOffline ? client.absoluteRefreshTokenLifetimeSeconds : 0
  return client.authorizationCodeLifetimeSeconds + refreshing + tokens
}

function frontChannelGrantSeconds(client: Client): number {
  return Math.max(frontChannelSeconds(client), client.idTokenLifetimeSeconds)
}
