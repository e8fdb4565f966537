/** Tests refresh tokens: rotation, concurrent retries, and theft. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { obtainTokens, type Parameters, refresh } from '../fixtures/requests/code-flow.ts'
import { type Answer, basic, bearer, send } from '../fixtures/requests/http-client.ts'
import { decode, scopesIn } from '../fixtures/requests/jwt.ts'
import { clientSecret } from '../fixtures/server/configuration.ts'
import { app, latchkeySuite, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const strict = latchkeySuite({ environment: { LATCHKEY_REFRESH_GRACE_SECONDS: '0' } })
const tokens = (changes: Parameters = {}) => obtainTokens(latchkey.issuer, app, changes)

test('RT-01 RT-02 each refresh returns a new token, and the old one is invalid once the new one was used', async () => {
  const first = await tokens()
  assert.match(first.refresh_token, /^rt_[\w-]{43}$/)
  const second = await use(first.refresh_token)
  assert.notEqual(second, first.refresh_token)
  await use(second)
  refused(await refresh(latchkey.issuer, first.refresh_token), 'invalid_grant')
})

test('RT-01 another client cannot use a refresh token', async () => {
  const { refresh_token } = await tokens()
  refused(await refresh(latchkey.issuer, refresh_token, {}, 'other'), 'invalid_grant')
  assert.equal((await refresh(latchkey.issuer, refresh_token)).status, 200, 'and it was not spent by the try')
})

test('RT-03 without a retry window, reuse revokes the grant', async () => {
  const first = await obtainTokens(strict.issuer, app)
  const second = (await refresh(strict.issuer, first.refresh_token)).json()
  refused(await refresh(strict.issuer, first.refresh_token), 'invalid_grant')
  refused(await refresh(strict.issuer, String(second.refresh_token)), 'invalid_grant')
  for (const token of [first.access_token, String(second.access_token)]) {
    assert.equal((await send(strict.issuer, '/connect/userinfo', { headers: bearer(token) })).status, 401)
  }
})

test('RT-03 reuse of a token that was replaced twice revokes the grant within the retry window', async () => {
  const first = await tokens()
  const third = await use(await use(first.refresh_token))
  refused(await refresh(latchkey.issuer, first.refresh_token), 'invalid_grant')
  refused(await refresh(latchkey.issuer, third), 'invalid_grant')
})

test('RT-04 fifty concurrent refreshes get the same new token, and the grant stays valid', async () => {
  const { refresh_token } = await tokens()
  const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(latchkey.issuer, refresh_token)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const successors = new Set(answers.map(answer => String(answer.json().refresh_token)))
  assert.equal(successors.size, 1)
  const [successor = ''] = successors
  await use(successor)
})

describe('RT-07 a refresh can reduce the scope, never extend it', () => {
  test('RT-07 a reduced scope applies to one access token; the refresh token keeps its scope', async () => {
    const { refresh_token } = await tokens()
    const less = (await refresh(latchkey.issuer, refresh_token, { scope: 'openid api' })).json()
    assert.deepEqual(scopesIn(less.access_token).toSorted(), ['api', 'openid'])
    const all = (await refresh(latchkey.issuer, String(less.refresh_token))).json()
    assert.ok(scopesIn(all.access_token).includes('profile'))
  })
  test('RT-11 a refresh with additional scopes is refused and does not use the token', async () => {
    const { refresh_token } = await tokens()
    for (const scope of ['openid readwrite', 'email', 'nonsense']) {
      refused(await refresh(latchkey.issuer, refresh_token, { scope }), 'invalid_scope')
    }
    assert.equal((await refresh(latchkey.issuer, refresh_token)).status, 200)
  })
})

test('RT-10 there is no refresh token without offline_access', async () => {
  assert.equal((await tokens({ scope: 'openid api' })).refresh_token, undefined)
})

test('a client with refresh_token_usage reuse keeps its refresh token', async () => {
  const first = await tokens({ client_id: 'reusable' })
  for (let uses = 0; uses < 3; uses++) {
    const answer = await refresh(latchkey.issuer, first.refresh_token, {}, 'reusable')
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json().refresh_token ?? first.refresh_token, first.refresh_token)
  }
})

test('a refresh returns an ID token with the same sub and auth_time, and the at_hash of the new access token', async () => {
  const first = await tokens()
  const second = (await refresh(latchkey.issuer, first.refresh_token)).json()
  const [before, after] = [decode(first.id_token).payload, decode(String(second.id_token)).payload]
  for (const name of ['iss', 'sub', 'aud', 'auth_time']) assert.deepEqual(after[name], before[name])
  const hash = createHash('sha256').update(String(second.access_token)).digest()
  assert.equal(after.at_hash, hash.subarray(0, 16).toString('base64url'))
})

describe('JW-16 only the whole refresh token is valid', () => {
  const changes: readonly (readonly [string, (token: string) => string])[] = [
    ['shortened', token => token.slice(0, -1)],
    ['lengthened', token => `${token}A`],
    ['padded', token => `${token}=`],
    ['without its prefix', token => token.slice(3)],
    ['in capitals', token => token.toUpperCase()],
    ['with a space', token => ` ${token}`],
    ['one character changed', token => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['as a code', token => token.replace('rt_', 'code_')],
    ['prefix only', () => 'rt_'],
    ['a wildcard', () => '%'],
  ]
  for (const [name, change] of changes) {
    test(`JW-16 refuses a refresh token: ${name}`, async () =>
      refused(await refresh(latchkey.issuer, change((await tokens()).refresh_token)), 'invalid_grant'))
  }
  test('JW-16 a refresh without a token is invalid_request', async () =>
    refused(await refresh(latchkey.issuer, ''), 'invalid_request'))
})

test('RT-08 RT-09 a revoked refresh token is refused', async () => {
  const first = await tokens()
  const form = { token: first.refresh_token, token_type_hint: 'refresh_token' }
  const answer = await send(latchkey.issuer, '/connect/revocation', {
    form,
    headers: basic('trusted', clientSecret),
  })
  assert.equal(answer.status, 200)
  refused(await refresh(latchkey.issuer, first.refresh_token), 'invalid_grant')
})

async function use(token: string): Promise<string> {
  const answer = await refresh(latchkey.issuer, token)
  assert.equal(answer.status, 200, answer.text)
  return String(answer.json().refresh_token)
}

function refused(answer: Answer, error: string): void {
  assert.equal(answer.status, 400, answer.text)
  assert.equal(answer.json().error, error)
}
