/** Tests the two validation endpoints and userinfo: their responses, and the tokens that they refuse. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { machineToken, obtainCode, obtainTokens, type Parameters } from '../fixtures/requests/code-flow.ts'
import { type Answer, basic, bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { decode } from '../fixtures/requests/jwt.ts'
import { challenged, failed } from '../fixtures/requests/refused-tokens.ts'
import { alice, clientSecret } from '../fixtures/server/configuration.ts'
import { expireReferenceTokens } from '../fixtures/server/stored-rows.ts'
import { app, secureLatchkey, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
/** A server with a different issuer and separate keys. */
const secure = secureLatchkey()
const access = '/connect/accesstokenvalidation'
const identity = '/connect/identitytokenvalidation'
const byPost = (path: string, form: Parameters) => send(latchkey.issuer, path, { form })
const byGet = (path: string, form: Parameters) => send(latchkey.issuer, withQuery(path, form))
const userinfo = (token: string) => send(latchkey.issuer, '/connect/userinfo', { headers: bearer(token) })
const tokens = (changes: Parameters = {}) => obtainTokens(latchkey.issuer, app, changes)

describe('the access token validation endpoint', () => {
  test('access token validation returns the claims of a JWT as strings, by POST and GET', async () => {
    const token = await machineToken(latchkey.issuer)
    const [posted, got] = [await byPost(access, { token }), await byGet(access, { token })]
    assert.equal(posted.status, 200)
    assert.deepEqual(posted.json(), got.json())
    const claims = posted.json()
    for (const name of ['exp', 'nbf', 'iat']) assert.match(String(claims[name]), /^\d+$/)
    for (const name of ['exp', 'nbf']) assert.equal(typeof claims[name], 'string', name)
    assert.equal(claims.client_id, 'machine')
    assert.equal(claims.scope, 'api')
    for (const answer of [posted, got]) {
      assert.match(answer.headers['cache-control'] ?? '', /no-store/)
      assert.match(answer.headers['content-type'] ?? '', /^application\/json/)
      assert.equal(answer.headers['referrer-policy'], 'no-referrer')
    }
  })
  test('access token validation returns the numbers of a reference token as numbers', async () => {
    const token = await machineToken(latchkey.issuer, 'machine-reference', 'api read')
    const claims = (await byPost(access, { token })).json()
    assert.equal(typeof claims.exp, 'number')
    assert.deepEqual(claims.scope, ['api', 'read'])
    assert.equal(claims.client_id, 'machine-reference')
  })
  test('access token validation returns the sub of a user’s token', async () => {
    for (const client_id of ['trusted', 'reference']) {
      const claims = (await byPost(access, { token: (await tokens({ client_id })).access_token })).json()
      assert.equal(claims.sub, alice.sub)
      assert.equal(claims.idp, 'latchkey')
    }
  })
  test('JW-07 expectedScope is compared as a whole scope', async () => {
    for (const clientId of ['machine', 'machine-reference']) {
      const token = await machineToken(latchkey.issuer, clientId, 'readwrite api')
      assert.equal((await byPost(access, { token, expectedScope: 'readwrite' })).status, 200)
      for (const expectedScope of ['read', 'write', 'READWRITE', 'readwrite api', 'nonsense']) {
        failed(await byPost(access, { token, expectedScope }), 'insufficient_scope')
      }
    }
  })
  test('access token validation without a token is 400', async () => {
    failed(await byPost(access, { token: '' }), null, 'Token is missing')
    failed(await byGet(access, {}), null, 'Token is missing')
  })
})

describe('the ID token validation endpoint', () => {
  test('ID token validation returns the claims for the client of the token', async () => {
    const { id_token } = await tokens()
    for (const answer of [
      await byPost(identity, { token: id_token, client_id: 'trusted' }),
      await byGet(identity, { token: id_token, client_id: 'trusted' }),
    ]) {
      assert.equal(answer.status, 200, answer.text)
      const claims = answer.json()
      assert.equal(claims.sub, alice.sub)
      assert.equal(claims.aud, 'trusted')
      assert.equal(claims.nonce, 'nonce-of-the-test')
      assert.equal(typeof claims.exp, 'string')
      assert.equal(typeof claims.auth_time, 'string')
    }
  })
  test('JW-06 ID token validation refuses a different client_id and a missing one', async () => {
    const token = (await tokens()).id_token
    for (const client_id of ['other', 'unknown', 'disabled', 'TRUSTED'])
      failed(await byPost(identity, { token, client_id }), 'invalid_token')
    failed(await byPost(identity, { token, client_id: 'x'.repeat(101) }), 'invalid_token')
    failed(
      await byPost(identity, { token: `${token}${'x'.repeat(60_000)}`, client_id: 'trusted' }),
      'invalid_token',
    )
    failed(await byPost(identity, { token }), null, 'client_id is missing')
    failed(await byPost(identity, { client_id: 'trusted' }), null, 'Token is missing')
  })
})

describe('JW-03 one kind of token is never accepted as another', () => {
  test('JW-03 ID token, code and refresh token are not accepted as access tokens', async () => {
    const issued = await tokens()
    const { code } = await obtainCode(latchkey.issuer, app)
    for (const token of [issued.id_token, issued.refresh_token, code]) {
      failed(await byPost(access, { token }), 'invalid_token')
      challenged(await userinfo(token))
    }
  })
  test('JW-03 an access token is not accepted as an ID token', async () => {
    for (const client_id of ['trusted', 'reference']) {
      failed(
        await byPost(identity, { token: (await tokens({ client_id })).access_token, client_id }),
        'invalid_token',
      )
    }
  })
})

/**
 * Tokens that are no longer valid, or never were: revoked, expired, foreign, unknown and malformed ones. Responses must not
 * reveal the kind.
 */
async function deadTokens(): Promise<readonly string[]> {
  const expired = await machineToken(latchkey.issuer, 'machine-reference')
  await expireReferenceTokens(latchkey.server, 'machine-reference')
  const [issued, other] = [await tokens(), await tokens({ client_id: 'reference' })]
  const revoked = [
    [issued.access_token, 'trusted'],
    [other.access_token, 'reference'],
  ] as const
  for (const [token, clientId] of revoked) {
    const headers = basic(clientId, clientSecret)
    assert.equal(
      (await send(latchkey.issuer, '/connect/revocation', { form: { token }, headers })).status,
      200,
    )
  }
  const elsewhere = await machineToken(secure.server.origin)
  assert.equal(decode(elsewhere).payload.iss, secure.issuer)
  const unknown = [`at_${'a'.repeat(43)}`, 'nonsense', 'a.b.c', 'x'.repeat(5000)]
  return [...revoked.map(([token]) => token), expired, elsewhere, ...unknown]
}

test('VE-05 revoked, expired, foreign, unknown and malformed tokens get the same response', async () => {
  const answers: Answer[] = []
  for (const token of [...(await deadTokens()), 'x.'.repeat(30_000)])
    answers.push(await byPost(access, { token }))
  for (const answer of answers) {
    failed(answer, 'invalid_token')
    assert.equal(answer.text, answers[0]?.text)
  }
})

describe('the userinfo endpoint', () => {
  test('VE-01 VE-03 userinfo returns the claims of the granted scopes, role always as an array', async () => {
    const issued = await tokens({ client_id: 'other', scope: 'openid profile roles' })
    const answer = await userinfo(issued.access_token)
    assert.equal(answer.status, 200)
    assert.match(answer.headers['content-type'] ?? '', /^application\/json/)
    assert.deepEqual(answer.json(), {
      sub: alice.sub,
      name: alice.name,
      given_name: 'Alice',
      family_name: 'Liddell',
      role: ['reader', 'writer'],
    })
  })
  test('VE-03 userinfo returns no claims of other scopes', async () => {
    const issued = await tokens({ scope: 'openid email' })
    assert.deepEqual((await userinfo(issued.access_token)).json(), {
      sub: alice.sub,
      email: 'alice@example.org',
      email_verified: true,
    })
  })
  test('VE-02 userinfo accepts the token in the header or the body, not both, never in the query', async () => {
    const token = (await tokens()).access_token
    assert.equal(
      (await send(latchkey.issuer, '/connect/userinfo', { method: 'POST', headers: bearer(token) })).status,
      200,
    )
    assert.equal((await byPost('/connect/userinfo', { access_token: token })).status, 200)
    assert.equal(
      (
        await send(latchkey.issuer, '/connect/userinfo', {
          form: { access_token: token },
          headers: bearer(token),
        })
      ).status,
      400,
    )
    const query = await byGet('/connect/userinfo', { access_token: token })
    assert.ok([400, 401].includes(query.status))
  })
  test('VE-01 userinfo without a token returns a bare challenge', async () => {
    const answer = await send(latchkey.issuer, '/connect/userinfo')
    assert.equal(answer.status, 401)
    assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer/)
    assert.doesNotMatch(answer.headers['www-authenticate'] ?? '', /error=/)
  })
  test('VE-01 userinfo without the scope openid returns insufficient_scope', async () => {
    const answer = await userinfo((await tokens({ scope: 'api' })).access_token)
    assert.equal(answer.status, 403)
    assert.match(answer.headers['www-authenticate'] ?? '', /error="insufficient_scope"/)
  })
  test('VE-04 userinfo refuses all invalid tokens with the same body', async () => {
    const issued = await tokens()
    const { code } = await obtainCode(latchkey.issuer, app)
    const answers: Answer[] = []
    for (const token of [...(await deadTokens()), issued.id_token, issued.refresh_token, code])
      answers.push(await userinfo(token))
    for (const answer of answers) {
      challenged(answer)
      assert.equal(answer.text, answers[0]?.text)
      assert.equal(answer.headers['www-authenticate'], answers[0]?.headers['www-authenticate'])
    }
  })
})
