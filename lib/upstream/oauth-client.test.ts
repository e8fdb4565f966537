import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { IdentityProvider, Upstream } from '#lib/ports/upstream.ts'
import { createUpstream } from './oidc-client.ts'
import { failsWith, registered, request, signInAs } from './testing/conversation.ts'
import { type Faults, startTestProvider, type TestProvider } from './testing/provider.ts'

let mock: TestProvider
let upstream: Upstream

before(async () => {
  mock = await startTestProvider()
})
after(() => mock.close())
beforeEach(() => {
  mock.faults = {}
  upstream = createUpstream({ allowLoopback: true, clock: { now: () => new Date() } })
})

const json = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) })

/** A user as GitHub returns one, shortened. */
const octocat = {
  login: 'octocat',
  id: 583231,
  node_id: 'MDQ6VXNlcjU4MzIzMQ==',
  avatar_url: 'https://avatars.githubusercontent.com/u/583231?v=4',
  html_url: 'https://github.com/octocat',
  type: 'User',
  site_admin: false,
  name: 'The Octocat',
  blog: '',
  email: 'public@octo.example',
  bio: null,
  two_factor_authentication: true,
}
const emails = [
  { email: 'other@octo.example', primary: false, verified: true, visibility: null },
  { email: 'octocat@octo.example', primary: true, verified: true, visibility: 'private' },
]
const githubToken = json({
  access_token: 'gho_16C7e42F292c6912E7',
  scope: 'read:user,user:email',
  token_type: 'bearer',
})

describe('GitHub', () => {
  const github = (changes: Partial<IdentityProvider> = {}) =>
    registered(mock, { preset: 'github', scope: 'read:user user:email', ...changes })
  const signIn = (faults: Faults = {}, changes: Partial<IdentityProvider> = {}) => {
    mock.faults = { userinfo: octocat, emails, answers: { token: githubToken }, ...faults }
    return signInAs({ mock, upstream }, github(changes))
  }

  test('FD-01 the numeric ID is the subject, with GitHub as the issuer', async () => {
    const { identity, idToken, methods } = (await signIn()).redeemed
    assert.deepEqual(
      { issuer: identity.issuer, subject: identity.subject, at: identity.authenticatedAt, idToken, methods },
      { issuer: mock.issuer, subject: '583231', at: null, idToken: null, methods: [] },
    )
  })

  test('the email address is the primary one that GitHub has verified, not the public one of the profile', async () => {
    assert.deepEqual((await signIn()).redeemed.identity.claims, {
      name: 'The Octocat',
      preferred_username: 'octocat',
      profile: octocat.html_url,
      picture: octocat.avatar_url,
      email: 'octocat@octo.example',
      email_verified: true,
    })
  })

  for (const [name, list] of [
    ['is not verified', [{ email: 'a@octo.example', primary: true, verified: false, visibility: null }]],
    ['is missing', []],
  ] as const)
    test(`a primary address that ${name} is left out`, async () => {
      const { claims } = (await signIn({ emails: list })).redeemed.identity
      assert.ok(!('email' in claims) && !('email_verified' in claims))
    })

  for (const status of [403, 404])
    test(`a user whose addresses must not be read (${status}) signs in without one`, async () => {
      const answers = { token: githubToken, emails: json({ message: 'Not Found' }, status) }
      assert.ok(!('email' in (await signIn({ answers })).redeemed.identity.claims))
    })

  test('addresses are not requested without the scope for them', async () => {
    const before = mock.calls.emails
    await signIn({}, { scope: 'read:user' })
    assert.equal(mock.calls.emails, before)
  })

  test('the request has state and PKCE, but no nonce, and the secret is in the body of the token request', async () => {
    const { asked } = await signIn({ answers: {}, idToken: () => undefined })
    const { code_challenge: challenge, ...rest } = asked
    assert.equal(challenge?.length, 43)
    assert.deepEqual(rest, {
      client_id: 'latchkey',
      response_type: 'code',
      redirect_uri: request.redirectUri,
      scope: 'read:user user:email',
      state: 'ext_state',
      code_challenge_method: 'S256',
    })
    const { authorization, form } = mock.lastTokenRequest
    assert.deepEqual([authorization, form.get('client_secret')], ['', 'upstream secret'])
    assert.equal(mock.lastUserRequest.authorization, 'Bearer upstream-access')
    assert.equal(mock.lastUserRequest['user-agent'], 'latchkey')
  })

  test('FD-04 an error with the status 200 is an error, and its text is not evidence', async () => {
    const answer = {
      error: 'bad_verification_code',
      error_description: 'The code passed is incorrect or expired.',
      error_uri: 'https://docs.github.com/apps',
    }
    await assert.rejects(
      signIn({ answers: { token: json(answer) } }),
      failsWith('token_endpoint_answered:bad_verification_code'),
    )
    await assert.rejects(
      signIn({ answers: { token: json({ error: '<script>' }) } }),
      failsWith('token_endpoint_answered:malformed'),
    )
  })

  test('FD-02 the state of another request is refused before the code is redeemed', async () => {
    const before = mock.calls.token
    const lie = (honest: Readonly<Record<string, string>>) => ({ ...honest, state: 'other' })
    await assert.rejects(signInAs({ mock, upstream }, github(), lie), failsWith('OAUTH_INVALID_RESPONSE'))
    assert.equal(mock.calls.token, before)
  })

  const hostileUsers: readonly (readonly [string, unknown])[] = [
    ['no ID', { login: 'octocat' }],
    ['an ID that is not exact', { id: 2 ** 60 }],
    ['an ID that is an object', { id: { $ne: null } }],
    ['an empty ID', { id: '' }],
    ['a list', [octocat]],
  ]
  for (const [name, user] of hostileUsers)
    test(`FD-01 a user with ${name} is refused`, async () => {
      const answers = { token: githubToken, userinfo: json(user) }
      await assert.rejects(signIn({ answers }), failsWith('claims_malformed'))
    })

  test('a refused access token is a failure of the provider', async () => {
    const answers = { token: githubToken, userinfo: json({ message: 'Bad credentials' }, 401) }
    await assert.rejects(signIn({ answers }), failsWith('userinfo_refused'))
  })

  test('FD-07 the userinfo endpoint cannot redirect the access token elsewhere', async () => {
    const answers = {
      token: githubToken,
      userinfo: { status: 302, headers: { location: 'http://169.254.169.254/' }, body: '{}' },
    }
    await assert.rejects(signIn({ answers }), failsWith('redirected'))
  })
})

describe('a provider with OAuth 2.0 by configuration', () => {
  const configured = (changes: Partial<IdentityProvider> = {}) =>
    registered(mock, {
      preset: 'oauth2',
      scope: '',
      authorizationEndpoint: `${mock.issuer}/authorize`,
      tokenEndpoint: `${mock.issuer}/token`,
      userinfoEndpoint: `${mock.issuer}/me`,
      ...changes,
    })
  const signIn = (changes: Partial<IdentityProvider> = {}) =>
    signInAs({ mock, upstream }, configured(changes))
  const user = {
    sub: 'u-1',
    id: 7,
    name: 'Una',
    mail: 'una@house.example',
    details: { display: 'Una U.' },
    secret: 'x',
  }

  test('claims are read under their own names, and others are left out', async () => {
    mock.faults = { userinfo: user, idToken: () => undefined }
    const { identity } = (await signIn()).redeemed
    assert.deepEqual([identity.subject, identity.claims], ['u-1', { name: 'Una' }])
  })

  test('claims are read under the configured names, also in members of members', async () => {
    mock.faults = { userinfo: user, idToken: () => undefined }
    const claimNames = { sub: 'id', email: 'mail', name: 'details.display', nickname: 'details.none' }
    const { identity } = (await signIn({ claimNames })).redeemed
    assert.deepEqual(
      [identity.subject, identity.claims],
      ['7', { email: 'una@house.example', name: 'Una U.' }],
    )
  })

  test('a configured name never reads what every object inherits', async () => {
    mock.faults = { userinfo: user, idToken: () => undefined }
    const { claims } = (await signIn({ claimNames: { name: 'constructor.name' } })).redeemed.identity
    assert.deepEqual(claims, {})
  })

  test('FD-02 an ID token in the token response is ignored, because it is not verified here', async () => {
    mock.faults = { userinfo: user, idToken: () => 'not.a.token' }
    const { identity, idToken } = (await signIn()).redeemed
    assert.deepEqual([identity.subject, idToken], ['u-1', null])
  })

  test('the secret is sent as configured, and PKCE can be turned off', async () => {
    mock.faults = { userinfo: user, idToken: () => undefined }
    const { asked } = await signIn({ clientAuthentication: 'client_secret_basic', pkce: false })
    assert.deepEqual(Object.keys(asked).toSorted(), ['client_id', 'redirect_uri', 'response_type', 'state'])
    const { authorization, form } = mock.lastTokenRequest
    assert.match(authorization, /^Basic /)
    assert.deepEqual([form.get('code_verifier'), form.get('client_secret')], [null, null])
  })

  test('FD-02 the issuer in the response must be the one of the registration (RFC 9207)', async () => {
    mock.faults = { userinfo: user, idToken: () => undefined }
    const lie = (honest: Readonly<Record<string, string>>) => ({ ...honest, iss: 'https://evil.example' })
    await assert.rejects(
      signInAs({ mock, upstream }, configured(), lie),
      failsWith('response_issuer_differs:https://evil.example'),
    )
  })

  test('FD-07 an endpoint outside this machine is not called over http', async () => {
    const elsewhere = configured({ authorizationEndpoint: 'http://house.example/authorize' })
    await assert.rejects(
      upstream.authorizationUrl(elsewhere, request),
      failsWith('OAUTH_HTTP_REQUEST_FORBIDDEN'),
    )
  })

  test('signing out at the provider is not possible, so that there is no address for it', async () => {
    const signOut = { idToken: null, redirectUri: 'http://127.0.0.1/', state: 's' }
    assert.equal(await upstream.signOutUrl(configured(), signOut), null)
  })
})
