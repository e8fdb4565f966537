/** Checks the tokens that a client test received, as an app would. */
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { openidScope, scopesOfClaims } from '#lib/protocol/wire/scopes.ts'
import type { AdminPorts } from '../../admin-ports.ts'
import { type Findings, type Received, step, type TestStep } from './client-test-result.ts'
import type { HiddenClient } from './hidden-client.ts'

/** The response of the token endpoint, or of the front channel. */
type TokenFields = Readonly<Record<string, JsonValue>>

export type IssuedToHidden = {
  readonly hidden: HiddenClient
  readonly answer: TokenFields
  /** What the ID token must repeat. */
  readonly nonce: string
  readonly context: RequestContext
}

type Check = { readonly step: TestStep; readonly claims: Claims | null }

/** What the app would receive: the claims contain its client ID in place of the hidden one. */
export async function checkTokens(ports: AdminPorts, issued: IssuedToHidden): Promise<Findings> {
  const { id_token: identity, access_token: access, refresh_token: refresh } = issued.answer
  const checks = {
    identity_token: await checkIdToken(ports, issued, textOf(identity)),
    access_token: await checkAccessToken(ports, textOf(access)),
    userinfo: await checkUserinfo(ports, issued, textOf(access)),
  }
  const findings = findingsOf(checks, ['identity_token', 'access_token', 'userinfo'])
  return {
    ...findings,
    received: findings.received.map(({ from, claims }) => ({
      from,
      claims: asTested(claims, issued.hidden),
    })),
    has_refresh_token: textOf(refresh) !== null,
  }
}

/** The same of a client without users, which receives an access token only. */
export async function readOwnToken(ports: AdminPorts, answer: TokenFields): Promise<Findings> {
  return findingsOf({ access_token: await checkAccessToken(ports, textOf(answer.access_token)) }, [
    'access_token',
  ])
}

function findingsOf<From extends Received['from']>(
  checks: Readonly<Record<From, Check>>,
  order: readonly From[],
): Findings {
  return {
    steps: order.map(from => checks[from].step),
    received: order.flatMap(from => {
      const { claims } = checks[from]
      return claims === null ? [] : [{ from, claims: { ...claims } }]
    }),
    has_refresh_token: false,
  }
}

// OpenID Connect Core 3.1.3.7: signature, issuer and times are checked by the signer
async function checkIdToken(
  ports: AdminPorts,
  { hidden, nonce }: IssuedToHidden,
  token: string | null,
): Promise<Check> {
  if (token === null) return { step: step('identity_token', 'skipped', { says: noIdToken }), claims: null }
  const claims = (await ports.signer.verify(token, 'JWT'))?.claims ?? null
  const isValid =
    claims !== null && claims.aud === hidden.registered.client.clientId && claims.nonce === nonce
  if (isValid) return { step: step('identity_token', 'passed'), claims }
  const says = 'Its signature, audience or nonce is not what the request asked for.'
  return { step: step('identity_token', 'failed', { says }), claims }
}

async function checkAccessToken(ports: AdminPorts, token: string | null): Promise<Check> {
  if (token === null) return { step: step('access_token', 'skipped', { says: noAccessToken }), claims: null }
  const claims = await claimsOfAccessToken(ports, token)
  if (claims !== null) return { step: step('access_token', 'passed'), claims }
  const says = 'This server does not recognise its own token: check the extensions that change tokens.'
  return { step: step('access_token', 'failed', { says }), claims }
}

async function claimsOfAccessToken(ports: AdminPorts, token: string): Promise<Claims | null> {
  const handle = parseHandle('accessToken', token)
  if (handle === null) return (await ports.signer.verify(token, 'at+jwt'))?.claims ?? null
  return (await ports.referenceTokens.find(ports.hashing.tokenDigest(handle)))?.claims ?? null
}

async function checkUserinfo(
  ports: AdminPorts,
  { hidden, context }: IssuedToHidden,
  token: string | null,
): Promise<Check> {
  const known = token === null ? null : await claimsOfAccessToken(ports, token)
  if (token === null || known === null || !scopesOfClaims(known).includes(openidScope))
    return { step: step('userinfo', 'skipped', { says: noUserinfo }), claims: null }
  const claims = await ports.clientTestCalls.userinfo({ hidden, accessToken: token }, context)
  if (claims !== null) return { step: step('userinfo', 'passed'), claims }
  return { step: step('userinfo', 'failed', { reference: context.requestId }), claims }
}

/** `aud`, `client_id` and `sub` of a client's own token are the only claims that name the client. */
function asTested(claims: Claims, { registered, testedClientId }: HiddenClient): Received['claims'] {
  const entries = Object.entries(claims).map(([name, value]) => [
    name,
    value === registered.client.clientId ? testedClientId : value,
  ])
  return Object.fromEntries(entries)
}

const noIdToken = 'There is none: the scope openid is missing.'
const noAccessToken = 'There is none: this response type gives an ID token only.'
const noUserinfo = 'Not called: it takes an access token with the scope openid.'

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
