/** The checks of the code flow: tokens, their one-time codes, userinfo, refreshing and revocation. */
import { isValidIdToken } from '#lib/crypto/keys/verify-id-token.ts'
import type { Finding } from '../doctor/finding.ts'
import { authorizeQuery, type Pkce, type TestClient } from './authorization.ts'
import { type Probe, type Reply, verdict } from './probe.ts'

type Flow = {
  readonly probe: Probe
  readonly client: TestClient
  readonly pkce: Pkce
  /** The response with the public keys. */
  readonly keySet: Reply
}

const tokenPath = '/connect/token'
const userinfoPath = '/connect/userinfo'

export async function checkTokens(flow: Flow): Promise<readonly Finding[]> {
  return [
    ...(await tokenEndpointFindings(flow)),
    ...(await codeFindings(flow)),
    ...(await lifeFindings(flow)),
  ]
}

function basic({ clientId, secret }: TestClient): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` }
}

/** Requests a code with the session of the hidden user. */
function authorize({ probe, client, pkce }: Flow): Promise<Reply> {
  return probe('/connect/authorize', {
    query: authorizeQuery(client, pkce),
    headers: { cookie: client.cookie },
  })
}

function redeem({ probe, client, pkce }: Flow, code: string, verifier = pkce.verifier): Promise<Reply> {
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  }
  return probe(tokenPath, { form, headers: basic(client) })
}

function userinfo({ probe }: Flow, token: string): Promise<Reply> {
  return probe(userinfoPath, { headers: { authorization: `Bearer ${token}` } })
}

const codeOf = ({ location }: Reply) => location?.searchParams.get('code') ?? ''
const tokenOf = ({ json }: Reply, name: string) => (typeof json[name] === 'string' ? json[name] : '')

/** RFC 6749 5.2: refusals of the token endpoint are JSON, are not stored, and repeat nothing. */
async function tokenEndpointFindings({ probe, client }: Flow): Promise<readonly Finding[]> {
  const marker = 'latchkey-self-test-marker'
  const form = { grant_type: 'authorization_code', code: marker, redirect_uri: client.redirectUri }
  const [read, wrongSecret, unknownGrant] = await Promise.all([
    probe(tokenPath),
    probe(tokenPath, {
      form,
      headers: { ...basic({ ...client, secret: 'wrong' }), origin: 'https://unknown.example' },
    }),
    probe(tokenPath, { form: { ...form, grant_type: marker }, headers: basic(client) }),
  ])
  return [
    refused('token by get', read, 'GET at the token endpoint', 405),
    refused('wrong secret', wrongSecret, 'a wrong client secret', 401, 'invalid_client'),
    refused('grant type', unknownGrant, 'an unknown grant type', 400, 'unsupported_grant_type'),
    verdict('token cors', wrongSecret.header('access-control-allow-origin') === '', [
      'Scripts of unknown sites cannot read responses of the token endpoint.',
      'Scripts of unknown sites can read responses of the token endpoint.',
      'Let the proxy add no header Access-Control-Allow-Origin.',
    ]),
    verdict('token errors', ![wrongSecret, unknownGrant].some(({ body }) => body.includes(marker)), [
      'Errors of the token endpoint repeat nothing of the request.',
      'Errors of the token endpoint repeat a part of the request.',
    ]),
  ]
}

function refused(check: string, reply: Reply, what: string, status: number, error?: string): Finding {
  const isRight = reply.status === status && (error === undefined || reply.json.error === error)
  return verdict(check, isRight, [
    `${what[0]?.toUpperCase()}${what.slice(1)} is refused.`,
    `${what[0]?.toUpperCase()}${what.slice(1)} has the status ${reply.status}, not ${status}${error === undefined ? '' : ` with ${error}`}.`,
  ])
}

/** A code works once, only with its verifier; its second use revokes the tokens (RFC 6749 4.1.2, RFC 7636 4.6). */
async function codeFindings(flow: Flow): Promise<readonly Finding[]> {
  const { client } = flow
  const response = await authorize(flow)
  const sent = response.location?.searchParams
  const isAnswered =
    response.location?.href.startsWith(`${client.redirectUri}?`) === true &&
    codeOf(response) !== '' &&
    sent?.get('state') === 'self-test' &&
    sent.get('iss') === client.issuer
  const answered = verdict('code', isAnswered, [
    'A user with a session returns to the client with a code, the state and the issuer.',
    `A user with a session does not return with a code: the status is ${response.status}${sent?.has('error') ? `, the error ${sent.get('error')}` : ''}.`,
    'Check whether the proxy passes the header Cookie, and read the trace of the request.',
  ])
  if (!isAnswered) return [answered]
  const wrongVerifier = await redeem(flow, codeOf(await authorize(flow)), 'x'.repeat(43))
  const tokens = await redeem(flow, codeOf(response))
  const again = await redeem(flow, codeOf(response))
  const after = await userinfo(flow, tokenOf(tokens, 'access_token'))
  return [
    answered,
    refused('wrong verifier', wrongVerifier, 'a wrong code_verifier', 400, 'invalid_grant'),
    ...(await tokenFindings(flow, tokens)),
    refused('code twice', again, 'a code that was already used', 400, 'invalid_grant'),
    refused('tokens of such a code', after, 'an access token whose code was used twice', 401),
  ]
}

/** RFC 6749 5.1, OpenID Connect Core 3.1.3.7. */
async function tokenFindings({ client, keySet }: Flow, tokens: Reply): Promise<readonly Finding[]> {
  const expected = { issuer: client.issuer, audience: client.clientId, nonce: 'self-test' }
  const isSigned = await isValidIdToken(tokenOf(tokens, 'id_token'), keySet.json, expected)
  const isIssued = tokens.status === 200 && tokens.json.token_type === 'Bearer'
  return [
    verdict('tokens', isIssued, [
      'The code is exchanged for tokens.',
      `The code is not exchanged for tokens: the status is ${tokens.status}.`,
    ]),
    verdict('tokens in caches', tokens.header('cache-control').includes('no-store'), [
      'Caches do not store tokens.',
      'Caches may store tokens: the header Cache-Control does not arrive.',
    ]),
    verdict('compressed tokens', tokens.header('content-encoding') === '', [
      'Tokens are not compressed.',
      'A proxy compresses responses with tokens.',
      'Compress only /assets and static files.',
    ]),
    verdict('id token', isSigned, [
      'The ID token is valid by the public key set: signature, issuer, audience, nonce and expiry.',
      'The ID token is not valid by the public key set.',
      'Check whether all nodes use the same database, and whether a cache stores an old key set.',
    ]),
  ]
}

/** Userinfo, refreshing, and that a revocation takes effect immediately (OpenID Connect Core 5.3, RFC 6749 6, RFC 7009 2). */
async function lifeFindings(flow: Flow): Promise<readonly Finding[]> {
  const { probe, client } = flow
  const code = codeOf(await authorize(flow))
  if (code === '') return []
  const tokens = await redeem(flow, code)
  const [access, refresh] = [tokenOf(tokens, 'access_token'), tokenOf(tokens, 'refresh_token')]
  const [claims, missing, byQuery] = [
    await userinfo(flow, access),
    await probe(userinfoPath),
    await probe(userinfoPath, { query: { access_token: access } }),
  ]
  const refreshing = (token: string) =>
    probe(tokenPath, { form: { grant_type: 'refresh_token', refresh_token: token }, headers: basic(client) })
  const refreshed = await refreshing(refresh)
  const [newAccess, newRefresh] = [
    tokenOf(refreshed, 'access_token'),
    tokenOf(refreshed, 'refresh_token') || refresh,
  ]
  const before = await userinfo(flow, newAccess)
  const revoked = await probe('/connect/revocation', { form: { token: newRefresh }, headers: basic(client) })
  const afterRevocation = await refreshing(newRefresh)
  const accessAfterRevocation = await userinfo(flow, newAccess)
  return [
    verdict('userinfo', claims.status === 200 && typeof claims.json.sub === 'string', [
      'Userinfo answers with the claims of the user.',
      `Userinfo has the status ${claims.status}.`,
      'Let the proxy pass the header Authorization.',
    ]),
    verdict('userinfo without token', missing.status === 401 && missing.header('www-authenticate') !== '', [
      'Userinfo without an access token is refused.',
      `Userinfo without an access token has the status ${missing.status}, or no header WWW-Authenticate.`,
    ]),
    verdict('token in query', byQuery.status !== 200, [
      'Userinfo refuses a token in the query.',
      'Userinfo accepts a token in the query, which appears in logs.',
      'Remove LATCHKEY_TOKEN_IN_QUERY.',
    ]),
    verdict('refresh', refreshed.status === 200 && before.status === 200, [
      'A refresh token is exchanged for new tokens.',
      `A refresh token is not exchanged for new tokens: the status is ${refreshed.status}.`,
    ]),
    verdict('revocation', revoked.status === 200, [
      'The client can revoke its tokens.',
      `The client cannot revoke its tokens: the status is ${revoked.status}.`,
    ]),
    refused('refresh after revocation', afterRevocation, 'a revoked refresh token', 400, 'invalid_grant'),
    refused('access after revocation', accessAfterRevocation, 'an access token of a revoked grant', 401),
  ]
}
