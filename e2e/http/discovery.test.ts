/** Tests that the metadata documents and the key set are complete and true, and that spoofed headers do not change them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { machineToken, obtainTokens } from '../fixtures/requests/code-flow.ts'
import { send } from '../fixtures/requests/http-client.ts'
import { decode, isSignedBy } from '../fixtures/requests/jwt.ts'
import { app, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const documents = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']

for (const path of documents) {
  describe(`metadata at ${path}`, () => {
    test('AZ-12 the metadata contains the exact issuer and all endpoints under it', async () => {
      const answer = await send(latchkey.issuer, path, { headers: { origin: app } })
      assert.equal(answer.status, 200)
      assert.match(answer.headers['content-type'] ?? '', /^application\/json/)
      assert.equal(answer.headers['access-control-allow-origin'], app)
      const metadata = answer.json()
      assert.equal(metadata.issuer, latchkey.issuer)
      assert.equal(metadata.authorization_response_iss_parameter_supported, true)
      for (const [name, value] of Object.entries(metadata)) {
        assert.notEqual(value, null, name)
        if (/_endpoint$|_uri$/.test(name)) assert.ok(String(value).startsWith(`${latchkey.issuer}/`), name)
      }
    })
    test('CD-08 JW-08 the metadata lists the supported values', async () => {
      const metadata = (await send(latchkey.issuer, path)).json()
      assert.deepEqual(metadata.code_challenge_methods_supported, ['plain', 'S256'])
      assert.deepEqual([metadata.response_types_supported].flat().toSorted(), [
        'code',
        'code id_token',
        'code id_token token',
        'code token',
        'id_token',
        'id_token token',
        'none',
        'token',
      ])
      assert.deepEqual([metadata.response_modes_supported].flat().toSorted(), [
        'form_post',
        'fragment',
        'query',
      ])
      const scopes = [metadata.scopes_supported].flat()
      assert.ok(scopes.includes('openid') && scopes.includes('api'))
      assert.ok(!scopes.includes('hidden'), 'a scope that is not shown in discovery')
      for (const grant of [
        'authorization_code',
        'client_credentials',
        'password',
        'refresh_token',
        'implicit',
      ]) {
        assert.ok([metadata.grant_types_supported].flat().includes(grant), grant)
      }
      for (const method of ['client_secret_basic', 'client_secret_post', 'none']) {
        assert.ok([metadata.token_endpoint_auth_methods_supported].flat().includes(method), method)
      }
    })
    test('every endpoint in the metadata exists', async () => {
      const metadata = (await send(latchkey.issuer, path)).json()
      for (const [name, value] of Object.entries(metadata)) {
        if (!name.endsWith('_endpoint') && name !== 'jwks_uri') continue
        const answer = await send(latchkey.issuer, new URL(String(value)).pathname)
        assert.notEqual(answer.status, 404, name)
        assert.ok(answer.status < 500, name)
      }
    })
  })
}

test('the OpenID metadata names signing algorithms, subject types and claims, and no request objects', async () => {
  const metadata = (await send(latchkey.issuer, documents[0] ?? '')).json()
  assert.ok([metadata.id_token_signing_alg_values_supported].flat().includes('RS256'))
  assert.deepEqual(metadata.subject_types_supported, ['public'])
  assert.ok(Array.isArray(metadata.claims_supported))
  assert.equal(metadata.request_parameter_supported ?? false, false)
  assert.equal(metadata.request_uri_parameter_supported, false)
})

describe('the key set', () => {
  const keySet = async () => {
    const answer = await send(latchkey.issuer, '/.well-known/jwks')
    const { keys } = answer.json()
    if (!Array.isArray(keys)) throw new Error('no keys')
    return { answer, keys }
  }
  test('JW-11 the key set contains only public members and distinct kids, and can be cached', async () => {
    const { answer, keys } = await keySet()
    assert.match(answer.headers['cache-control'] ?? '', /max-age=\d+/)
    const kids = keys.map(key => key.kid)
    assert.equal(new Set(kids).size, kids.length)
    for (const key of keys) {
      assert.ok(key.kid && key.kty && key.alg && key.use === 'sig')
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']) assert.equal(key[secret], undefined)
    }
    assert.deepEqual(
      [...new Set(keys.map(key => key.alg))].toSorted(),
      ['ES256', 'RS256'],
      'of the algorithms in use',
    )
  })
  test('JW-08 the RSA key has at least 2048 bits', async () => {
    const { keys } = await keySet()
    for (const key of keys.filter(each => each.kty === 'RSA'))
      assert.ok(Buffer.from(key.n, 'base64url').length * 8 >= 2048)
  })
  test('JW-03 JW-05 its keys verify every issued token, with the right typ and audience', async () => {
    const { keys } = await keySet()
    const issued = await obtainTokens(latchkey.issuer, app)
    for (const token of [issued.id_token, issued.access_token, await machineToken(latchkey.issuer)])
      assert.ok(isSignedBy(token, keys))
    assert.equal(decode(issued.access_token).header.typ, 'at+jwt')
    assert.equal(decode(issued.id_token).header.typ, 'JWT')
    assert.equal(decode(issued.id_token).header.alg, 'RS256')
    assert.equal(decode(issued.id_token).payload.aud, 'trusted')
    assert.equal(decode(issued.access_token).payload.aud, `${latchkey.issuer}/resources`)
  })
  test('JW-04 times in tokens are whole numbers', async () => {
    const { id_token, access_token } = await obtainTokens(latchkey.issuer, app)
    for (const token of [id_token, access_token]) {
      const { payload } = decode(token)
      for (const name of ['exp', 'iat', 'nbf', 'auth_time']) assert.ok(Number.isInteger(payload[name]), name)
    }
  })
})

describe('FW-07 spoofed forwarding headers change nothing', () => {
  const spoofed = {
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'https',
    'x-forwarded-port': '444',
    forwarded: 'host=evil.test;proto=https',
    'x-original-url': '/admin',
    'x-rewrite-url': '/admin',
    'x-forwarded-prefix': '/evil',
  }
  const paths = [
    ...documents,
    '/.well-known/jwks',
    '/',
    '/login',
    '/account',
    '/logout',
    '/playground',
    '/connect/authorize',
    '/connect/userinfo',
    '/connect/endsession',
    '/nowhere',
  ]
  for (const path of paths) {
    test(`FW-07 spoofed forwarding headers do not change ${path}`, async () => {
      const answer = await send(latchkey.issuer, path, { headers: spoofed })
      const said = JSON.stringify(answer.headers) + answer.text
      assert.ok(!said.includes('evil'), said.slice(0, 1000))
      assert.ok(answer.status < 500)
    })
  }
  test('FW-07 a different Host header does not change the issuer', async () => {
    const answer = await send(latchkey.issuer, documents[0] ?? '', { headers: { host: 'evil.test' } })
    if (answer.status === 200) assert.equal(answer.json().issuer, latchkey.issuer)
    assert.ok(!answer.text.includes('evil.test'))
  })
})
