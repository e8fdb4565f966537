/** Tests revocation (RFC 7009) and introspection (RFC 7662). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { machineToken, obtainTokens, type Parameters, refresh } from '../fixtures/requests/code-flow.ts'
import { basic, bearer, send } from '../fixtures/requests/http-client.ts'
import { alice, clientSecret, introspectionScope } from '../fixtures/server/configuration.ts'
import { app, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const tokens = (changes: Parameters = {}) => obtainTokens(latchkey.issuer, app, changes)
const revoke = (form: Parameters, clientId = 'trusted') =>
  send(latchkey.issuer, '/connect/revocation', { form, headers: basic(clientId, clientSecret) })
const introspect = async (token: string, clientId = 'trusted', secret = clientSecret) =>
  (
    await send(latchkey.issuer, '/connect/introspect', { form: { token }, headers: basic(clientId, secret) })
  ).json()
const lives = async (token: string) =>
  (await send(latchkey.issuer, '/connect/userinfo', { headers: bearer(token) })).status === 200

describe('the revocation endpoint', () => {
  test('RT-09 revoking a refresh token revokes its grant', async () => {
    const issued = await tokens()
    assert.equal((await revoke({ token: issued.refresh_token })).status, 200)
    assert.equal((await refresh(latchkey.issuer, issued.refresh_token)).status, 400)
    assert.equal(await lives(issued.access_token), false)
  })
  for (const clientId of ['trusted', 'reference']) {
    test(`VE-07 a revoked access token of ${clientId} is invalid immediately`, async () => {
      const issued = await tokens({ client_id: clientId })
      assert.equal(await lives(issued.access_token), true)
      assert.equal(
        (await revoke({ token: issued.access_token, token_type_hint: 'access_token' }, clientId)).status,
        200,
      )
      assert.equal(await lives(issued.access_token), false)
      const checked = await send(latchkey.issuer, '/connect/accesstokenvalidation', {
        form: { token: issued.access_token },
      })
      assert.equal(checked.status, 400)
      assert.deepEqual(await introspect(issued.access_token, clientId), { active: false })
    })
  }
  test('RT-09 a token is revoked despite a wrong token_type_hint', async () => {
    const issued = await tokens({ client_id: 'reference' })
    assert.equal(
      (await revoke({ token: issued.access_token, token_type_hint: 'refresh_token' }, 'reference')).status,
      200,
    )
    assert.equal(await lives(issued.access_token), false)
  })
  test('RT-09 the token of another client is not revoked, and an unknown token gets 200', async () => {
    const issued = await tokens()
    for (const token of [issued.refresh_token, issued.access_token])
      assert.equal((await revoke({ token }, 'other')).status, 200)
    assert.equal(await lives(issued.access_token), true)
    for (const token of ['nonsense', `rt_${'a'.repeat(43)}`, 'a.b.c'])
      assert.equal((await revoke({ token })).status, 200)
  })
  test('RT-09 the revocation endpoint refuses invalid requests and callers', async () => {
    assert.equal((await revoke({})).json().error, 'invalid_request')
    assert.equal(
      (await revoke({ token: 'x', token_type_hint: 'nonsense' })).status,
      200,
      'RFC 7009 2.1: a hint may be ignored',
    )
    const stranger = await send(latchkey.issuer, '/connect/revocation', { form: { token: 'x' } })
    assert.equal(stranger.status, 401)
    assert.equal(stranger.json().error, 'invalid_client')
    assert.ok(stranger.headers['www-authenticate'])
  })
})

describe('the introspection endpoint', () => {
  test('VE-06 a client can introspect its own tokens', async () => {
    const issued = await tokens()
    const seen = await introspect(issued.access_token)
    assert.equal(seen.active, true)
    assert.equal(seen.client_id, 'trusted')
    assert.equal(seen.sub, alice.sub)
    assert.equal(seen.iss, latchkey.issuer)
    assert.equal(typeof seen.exp, 'number')
  })
  test('VE-06 a client cannot introspect the tokens of others', async () => {
    const issued = await tokens()
    assert.deepEqual(await introspect(issued.access_token, 'other'), { active: false })
  })
  test('VE-06 an API authenticates with its API secret and can introspect only tokens for its scope', async () => {
    const [forApi, forOthers] = [
      await machineToken(latchkey.issuer),
      await machineToken(latchkey.issuer, 'machine', 'read'),
    ]
    const seen = await introspect(forApi, introspectionScope.name, introspectionScope.secret)
    assert.equal(seen.active, true)
    assert.deepEqual(await introspect(forOthers, introspectionScope.name, introspectionScope.secret), {
      active: false,
    })
  })
  test('VE-06 an unknown token is inactive', async () => {
    for (const token of ['nonsense', 'a.b.c', `at_${'a'.repeat(43)}`])
      assert.deepEqual(await introspect(token), { active: false })
  })
  test('VE-06 the introspection endpoint refuses invalid requests and callers', async () => {
    const stranger = await send(latchkey.issuer, '/connect/introspect', { form: { token: 'x' } })
    assert.equal(stranger.status, 401)
    const wrong = await send(latchkey.issuer, '/connect/introspect', {
      form: { token: 'x' },
      headers: basic('api', 'wrong'),
    })
    assert.equal(wrong.status, 401)
    const empty = await send(latchkey.issuer, '/connect/introspect', {
      form: {},
      headers: basic('trusted', clientSecret),
    })
    assert.equal(empty.status, 400)
    assert.equal(empty.json().error, 'invalid_request')
  })
})
