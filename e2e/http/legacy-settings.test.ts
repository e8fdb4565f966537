/** Settings that clients of IdentityServer3 rely on, over HTTP. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { alice, clientSecret, introspectionScope, testConfiguration } from '../fixtures/configuration.ts'
import { machineToken, obtainTokens, openConsent } from '../fixtures/flow.ts'
import { basic, bearer, send } from '../fixtures/http-client.ts'
import { decode } from '../fixtures/jwt.ts'
import { app, latchkeySuite } from '../fixtures/suite.ts'

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
    assert.equal([claimsIn(token).scope].flat().join(' '), 'openid hidden readwrite')
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
  test('it needs its secret, and a token for it', async () => {
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
