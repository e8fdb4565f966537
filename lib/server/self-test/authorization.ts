/** The checks of the authorization endpoint: refusals that stay here, refusals that go back, and the page of the sign-in. */

import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import type { Finding } from '../doctor/finding.ts'
import { type Probe, type Reply, verdict } from './probe.ts'

export type TestClient = {
  readonly clientId: string
  readonly secret: string
  readonly redirectUri: string
  readonly issuer: string
  /** The cookie header of the hidden user’s session. */
  readonly cookie: string
}

/** A code verifier with its challenge (RFC 7636 4.2). */
export type Pkce = { readonly verifier: string; readonly challenge: string }

/** Text that must not come back in a page. */
const marker = 'latchkey"><script>self-test'
const path = '/connect/authorize'
/** Long enough for a response head of 4 KB. */
const longState = 's'.repeat(1800)

export function authorizeQuery({ clientId, redirectUri }: TestClient, { challenge }: Pkce) {
  return {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid offline_access',
    state: 'self-test',
    nonce: 'self-test',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
}

export async function checkAuthorization(
  probe: Probe,
  client: TestClient,
  pkce: Pkce,
): Promise<readonly Finding[]> {
  const query = authorizeQuery(client, pkce)
  const send = (changes: Readonly<Record<string, string>>) => probe(path, { query: { ...query, ...changes } })
  const { code_challenge: _challenge, code_challenge_method: _method, ...withoutPkce } = query
  return [
    ...stayFindings(await send({ client_id: marker, state: marker }), 'unknown client', 'an unknown client'),
    ...(await redirectFindings(send, client.redirectUri)),
    backFinding(await probe(path, { query: withoutPkce }), client, [
      'no pkce',
      'a request without PKCE',
      'invalid_request',
    ]),
    backFinding(await send({ code_challenge_method: 'plain' }), client, [
      'plain pkce',
      'a request with plain PKCE',
      'invalid_request',
    ]),
    backFinding(await send({ response_type: 'banana' }), client, [
      'response type',
      'an unknown response type',
      'unsupported_response_type',
    ]),
    backFinding(await send({ scope: 'openid self-test-unknown' }), client, [
      'scope',
      'an unknown scope',
      'invalid_scope',
    ]),
    ...silentFindings(await send({ prompt: 'none', state: longState }), client),
    ...(await loginFindings(await send({}), client, probe)),
  ]
}

type Send = (changes: Readonly<Record<string, string>>) => Promise<Reply>

/** RFC 9700 2.1: redirect URIs are compared exactly. */
async function redirectFindings(send: Send, redirectUri: string): Promise<readonly Finding[]> {
  const rows = [
    ['different host', 'https://unknown.example/callback'],
    ['longer path', `${redirectUri}/more`],
    ['added query', `${redirectUri}?more=1`],
    ['user info', redirectUri.replace('://', '://unknown.example@')],
  ] as const
  const found: Finding[] = []
  for (const [name, uri] of rows) {
    const reply = await send({ redirect_uri: uri, state: marker })
    found.push(...stayFindings(reply, `redirect URI, ${name}`, `a redirect URI with a ${name}`))
  }
  return found
}

/** RFC 6749 4.1.2.1: such a request is refused on a page, and the user is not redirected. */
function stayFindings(reply: Reply, check: string, what: string): readonly Finding[] {
  const policy = reply.header('content-security-policy')
  return [
    verdict(check, reply.status >= 400 && reply.status < 500 && reply.location === null, [
      `A request with ${what} is refused on a page of this server.`,
      `A request with ${what} has the status ${reply.status}${reply.location === null ? '' : ', and the user is redirected'}.`,
    ]),
    verdict(`${check}: page`, !reply.body.includes(marker) && policy.includes("default-src 'none'"), [
      'The page repeats nothing of the request, and has its content security policy.',
      'The page repeats a part of the request, or its content security policy does not arrive.',
    ]),
  ]
}

/** RFC 6749 4.1.2.1, RFC 9207: other refusals go to the client, with the error, the state and the issuer. */
function backFinding(
  reply: Reply,
  { redirectUri, issuer }: TestClient,
  [check, what, error]: readonly [check: string, what: string, error: string],
): Finding {
  const sent = reply.location?.searchParams
  const isRight =
    reply.location?.href.startsWith(`${redirectUri}?`) === true &&
    sent?.get('error') === error &&
    sent.get('state') === 'self-test' &&
    sent.get('iss') === issuer &&
    !sent.has('code')
  return verdict(check, isRight, [
    `The client gets ${error} for ${what}.`,
    `For ${what}, the client gets ${sent?.get('error') ?? `no error, but the status ${reply.status}`}.`,
  ])
}

/** OpenID Connect Core 3.1.2.6: `prompt=none` without a session. The long state shows that large response heads arrive. */
function silentFindings({ status, location }: Reply, { redirectUri }: TestClient): readonly Finding[] {
  const isBack = location?.href.startsWith(`${redirectUri}?`) === true
  return [
    verdict('silent', isBack && location?.searchParams.get('error') === 'login_required', [
      'A silent request without a session gets login_required.',
      `A silent request without a session gets ${location?.searchParams.get('error') ?? `the status ${status}`}.`,
    ]),
    verdict('long state', location?.searchParams.get('state') === longState, [
      'A state of 1,800 bytes comes back unchanged.',
      'A state of 1,800 bytes does not come back.',
      'Let the proxy pass larger response heads: docs/proxies.md.',
    ]),
  ]
}

/** A request without a session leads to the sign-in page of this server, which no other site can frame. */
async function loginFindings(
  reply: Reply,
  { issuer }: TestClient,
  probe: Probe,
): Promise<readonly Finding[]> {
  const { location, status } = reply
  const isHere = location?.href.startsWith(ownUrl(issuer, '/')) === true
  const redirected = verdict('sign-in', status >= 300 && status < 400 && isHere, [
    'A request without a session leads to the sign-in page.',
    `A request without a session has the status ${status}, or leads away.`,
  ])
  const page = await probe('/login')
  const policy = page.header('content-security-policy')
  return [
    redirected,
    verdict(
      'framing',
      policy.includes("frame-ancestors 'none'") || page.header('x-frame-options') === 'DENY',
      [
        'Other sites cannot show the sign-in page in a frame.',
        'Other sites can show the sign-in page in a frame.',
      ],
    ),
    verdict('sniffing', page.header('x-content-type-options') === 'nosniff', [
      'Browsers do not guess content types.',
      'The header X-Content-Type-Options does not arrive.',
    ]),
  ]
}
