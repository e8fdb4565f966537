/** Tests settings that clients of IdentityServer3 need. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  codeRequest,
  delivered,
  machineToken,
  newProof,
  obtainTokens,
  openConsent,
  type Parameters,
} from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { decode, scopesIn } from '../fixtures/requests/jwt.ts'
import {
  alice,
  clientSecret,
  introspectionScope,
  testConfiguration,
} from '../fixtures/server/configuration.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const latchkey = latchkeySuite({
  configuration: addresses => {
    const { clients, scopes, ...rest } = testConfiguration(addresses)
    const web = clients.find(({ client_id }) => client_id === 'trusted')
    const changed: Readonly<Record<string, object>> = {
      profile: { always_include_in_id_token: ['name'] },
      api: { allow_unrestricted_introspection: true },
    }
    return {
      ...rest,
      clients: [
        ...clients,
        { ...web, client_id: 'every-scope', scope: '', allow_access_to_all_scopes: true },
        { ...web, client_id: 'own-accounts', identity_provider_restrictions: ['latchkey'] },
        { ...web, client_id: 'confirming', require_sign_out_prompt: true },
        {
          client_id: 'every-scope-machine',
          client_secret: clientSecret,
          grant_types: ['client_credentials'],
          allow_access_to_all_scopes: true,
        },
      ],
      scopes: [
        ...scopes.map(scope => ({ ...scope, ...changed[scope.name] })),
        { name: 'all_claims', kind: 'identity', include_all_claims_for_user: true },
        { name: 'all_claims_api', kind: 'resource', include_all_claims_for_user: true },
      ],
    }
  },
})

const everyScope = (scope: string) => obtainTokens(latchkey.issuer, app, { client_id: 'every-scope', scope })
const claimsIn = (jwt: string) => decode(jwt).payload

describe('a client with access to all scopes', () => {
  test('gets tokens for scopes that it does not list', async () => {
    const { access_token: token } = await everyScope('openid hidden readwrite')
    assert.deepEqual(scopesIn(token), ['openid', 'hidden', 'readwrite'])
    assert.match(await machineToken(latchkey.issuer, 'every-scope-machine', 'read hidden'), /^ey/)
  })
  test('gets none for the admin API', async () => {
    const form = { grant_type: 'client_credentials', scope: 'latchkey.admin' }
    const headers = basic('every-scope-machine', clientSecret)
    const answer = await send(latchkey.issuer, '/connect/token', { form, headers })
    assert.deepEqual([answer.status, answer.json().error], [400, 'invalid_scope'])
  })
})

test('an ID token has the claims that its scope always includes, and userinfo has all of them', async () => {
  const tokens = await everyScope('openid profile')
  const { name, family_name } = claimsIn(tokens.id_token)
  assert.deepEqual([name, family_name], [alice.name, undefined])
  const answer = await send(latchkey.issuer, '/connect/userinfo', { headers: bearer(tokens.access_token) })
  assert.equal(answer.json().family_name, 'Liddell')
})

test('a scope with all claims of the user brings them to userinfo and ID token, or to the access token', async () => {
  const identity = await everyScope('openid all_claims')
  assert.equal(claimsIn(identity.id_token).email, 'alice@example.org')
  assert.equal(claimsIn(identity.access_token).email, undefined)
  const answer = await send(latchkey.issuer, '/connect/userinfo', { headers: bearer(identity.access_token) })
  assert.deepEqual(answer.json().role, ['reader', 'writer'])
  const resource = await everyScope('openid all_claims_api')
  assert.equal(claimsIn(resource.access_token).email, 'alice@example.org')
  assert.equal(claimsIn(resource.id_token).email, undefined)
})

describe('unrestricted introspection', () => {
  const introspect = async (token: string, secret: string = introspectionScope.secret) => {
    const headers = basic(introspectionScope.name, secret)
    return send(latchkey.issuer, '/connect/introspect', { form: { token }, headers })
  }
  test('an API sees every scope of a token for it', async () => {
    const token = await machineToken(latchkey.issuer, 'machine', 'api read')
    assert.equal((await introspect(token)).json().scope, 'api read')
  })
  test('an API needs its secret, and a token for it', async () => {
    const token = await machineToken(latchkey.issuer, 'machine', 'api read')
    assert.equal((await introspect(token, 'another secret')).status, 401)
    const foreign = await machineToken(latchkey.issuer, 'machine', 'read')
    assert.deepEqual((await introspect(foreign)).json(), { active: false })
  })
})

test('I8 a sensitive scope is selected on the consent page, and marked as sensitive', async () => {
  const { visit } = await openConsent(latchkey.issuer, app)
  const box = /<input type="checkbox"[^>]*value="api"[^>]*>/.exec(visit.answer.text)?.[0] ?? ''
  assert.match(box, / checked=""/)
  assert.match(visit.answer.text, /⚠ Sensitive/i)
})

const asking = (changes: Parameters) => withQuery('/connect/authorize', codeRequest(app, newProof(), changes))

describe('a client with only the accounts of this server', () => {
  test('its sign-in page shows the password form and no provider', async () => {
    const visit = await newBrowser(latchkey.issuer).follow(asking({ client_id: 'own-accounts' }))
    assert.match(visit.answer.text, /type="password"/)
    assert.doesNotMatch(visit.answer.text, /Upstream House|login\/external/)
  })
  test('a request for a provider does not leave this server, and its start is refused', async () => {
    const browser = newBrowser(latchkey.issuer)
    const visit = await browser.follow(asking({ client_id: 'own-accounts', acr_values: 'idp:upstream' }))
    assert.match(visit.target, /^\/login\?pending=/)
    const query = visit.target.slice(visit.target.indexOf('?'))
    const answer = await browser.follow(`/login/external/upstream/start${query}`)
    assert.equal(answer.location, null)
  })
})

test('a sign-out by a client with require_sign_out_prompt is confirmed, even with a valid hint', async () => {
  const signOut = async (clientId: string) => {
    const browser = newBrowser(latchkey.issuer)
    const { id_token: hint } = await obtainTokens(latchkey.issuer, app, { client_id: clientId }, browser)
    const visit = await browser.follow(withQuery('/connect/endsession', { id_token_hint: hint }))
    return { browser, visit }
  }
  assert.match((await signOut('trusted')).visit.target, /^\/logout\/done/)
  const { browser, visit } = await signOut('confirming')
  assert.match(visit.target, /^\/logout\?request=/)
  assert.match((await browser.submit(visit, {})).target, /^\/logout\/done/)
})

describe('I11 the name of a tenant is free text', () => {
  test('a request with any name reaches the sign-in page, and the name is on no page', async () => {
    for (const tenant of ['a/b', 'urn:acme:1', '"><script>alert(1)</script>', 'x'.repeat(290)]) {
      const visit = await newBrowser(latchkey.issuer).follow(asking({ acr_values: `tenant:${tenant}` }))
      assert.match(visit.target, /^\/login/, tenant)
      assert.ok(!visit.answer.text.includes(tenant), tenant)
    }
  })
  test('control characters and longer names are refused at both endpoints', async () => {
    for (const tenant of ['a\u0007b', 'a\nb', 'a\u009bb', 'x'.repeat(294)]) {
      const visit = await newBrowser(latchkey.issuer).follow(asking({ acr_values: `tenant:${tenant}` }))
      assert.equal(delivered(visit).get('error'), 'invalid_request', JSON.stringify(tenant))
      const { username, password } = alice
      const form = {
        grant_type: 'password',
        username,
        password,
        scope: 'api',
        acr_values: `tenant:${tenant}`,
      }
      const headers = basic('password', clientSecret)
      const answer = await send(latchkey.issuer, '/connect/token', { form, headers })
      assert.deepEqual([answer.status, answer.json().error], [400, 'invalid_request'], answer.text)
    }
  })
})

describe('I6 the letter case of endpoints under /connect does not matter', () => {
  for (const path of ['/connect/Token', '/Connect/token', '/CONNECT/TOKEN']) {
    test(`${path} issues a token`, async () => {
      const form = { grant_type: 'client_credentials', scope: 'api' }
      const headers = basic('machine', clientSecret)
      assert.equal((await send(latchkey.issuer, path, { form, headers })).status, 200)
    })
  }
  test('the query stays as it was sent', async () => {
    const target = asking({ state: 'KeptCase' }).replace('/connect/authorize', '/Connect/Authorize')
    const browser = newBrowser(latchkey.issuer)
    const visit = await browser.submit(await browser.follow(target), {
      username: alice.username,
      password: alice.password,
    })
    assert.equal(delivered(visit).get('state'), 'KeptCase')
  })
  test('paths outside /connect, and unknown ones under it, are not found', async () => {
    for (const path of [
      '/Login',
      '/.well-known/OpenID-Configuration',
      '/connect/Tokens',
      '/Admin',
      '/connect%2fToken',
    ])
      assert.equal((await send(latchkey.issuer, path)).status, 404, path)
  })
})

test('I4 a registered origin may send the headers that its preflight asks for', async () => {
  const preflight = (origin: string) =>
    send(latchkey.issuer, '/connect/userinfo', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,traceparent,x-requested-with',
      },
    })
  const { headers } = await preflight(app)
  assert.equal(headers['access-control-allow-headers'], 'authorization,traceparent,x-requested-with')
  assert.equal(headers['access-control-allow-credentials'], undefined)
  assert.equal((await preflight('https://evil.test')).headers['access-control-allow-headers'], undefined)
})
