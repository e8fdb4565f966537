/** Refresh tokens: rotation, honest concurrency, theft. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { clientSecret } from '../fixtures/configuration.ts'
import { obtainTokens, type Parameters, refresh } from '../fixtures/flow.ts'
import { type Answer, basic, bearer, send } from '../fixtures/http-client.ts'
import { decode } from '../fixtures/jwt.ts'
import { app, latchkeySuite, sharedLatchkey } from '../fixtures/suite.ts'

const latchkey = sharedLatchkey()
const strict = latchkeySuite({ environment: { LATCHKEY_REFRESH_GRACE_SECONDS: '0' } })
const tokens = (changes: Parameters = {}) => obtainTokens(latchkey.issuer, app, changes)

test('RT-01 RT-02 every use gives a new one, and the spent one is dead once its successor was used', async () => {
  const first = await tokens()
  assert.match(first.refresh_token, /^rt_[\w-]{43}$/)
  const second = await use(first.refresh_token)
  assert.notEqual(second, first.refresh_token)
  await use(second)
  refused(await refresh(latchkey.issuer, first.refresh_token), 'invalid_grant')
})

test('RT-01 another client cannot use it', async () => {
  const { refresh_token } = await tokens()
  refused(await refresh(latchkey.issuer, refresh_token, {}, 'other'), 'invalid_grant')
  assert.equal((await refresh(latchkey.issuer, refresh_token)).status, 200, 'and it was not spent by the try')
})

test('RT-03 with no grace, reuse kills the whole family', async () => {
  const first = await obtainTokens(strict.issuer, app)
  const second = (await refresh(strict.issuer, first.refresh_token)).json()
  refused(await refresh(strict.issuer, first.refresh_token), 'invalid_grant')
  refused(await refresh(strict.issuer, String(second.refresh_token)), 'invalid_grant')
  for (const token of [first.access_token, String(second.access_token)]) {
    assert.equal((await send(strict.issuer, '/connect/userinfo', { headers: bearer(token) })).status, 401)
  }
})

test('RT-03 a spent token from two generations ago kills the family in spite of the grace', async () => {
  const first = await tokens()
  const third = await use(await use(first.refresh_token))
  refused(await refresh(latchkey.issuer, first.refresh_token), 'invalid_grant')
  refused(await refresh(latchkey.issuer, third), 'invalid_grant')
})

test('RT-04 fifty refreshes at once: one successor for all of them, and the family lives', async () => {
  const { refresh_token } = await tokens()
  const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(latchkey.issuer, refresh_token)))
  const successors = new Set(
    answers.filter(answer => answer.status === 200).map(answer => String(answer.json().refresh_token)),
  )
  assert.ok(answers.every(answer => answer.status === 200 || answer.status === 400))
  assert.equal(successors.size, 1)
  const [successor = ''] = successors
  await use(successor)
})

describe('RT-07 scope may shrink and never grow', () => {
  test('shrinks for one access token; the refresh token keeps the rest', async () => {
    const { refresh_token } = await tokens()
    const less = (await refresh(latchkey.issuer, refresh_token, { scope: 'openid api' })).json()
    assert.deepEqual([decode(String(less.access_token)).payload.scope].flat().toSorted(), ['api', 'openid'])
    const all = (await refresh(latchkey.issuer, String(less.refresh_token))).json()
    assert.ok([decode(String(all.access_token)).payload.scope].flat().includes('profile'))
  })
  test('RT-11 asking for more is refused and spends nothing', async () => {
    const { refresh_token } = await tokens()
    for (const scope of ['openid readwrite', 'email', 'nonsense']) {
      refused(await refresh(latchkey.issuer, refresh_token, { scope }), 'invalid_scope')
    }
    assert.equal((await refresh(latchkey.issuer, refresh_token)).status, 200)
  })
})

test('RT-10 without offline_access there is none', async () => {
  assert.equal((await tokens({ scope: 'openid api' })).refresh_token, undefined)
})

test('a reusable token stays the same', async () => {
  const first = await tokens({ client_id: 'reusable' })
  for (let uses = 0; uses < 3; uses++) {
    const answer = await refresh(latchkey.issuer, first.refresh_token, {}, 'reusable')
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json().refresh_token ?? first.refresh_token, first.refresh_token)
  }
})

test('a new ID token at refresh keeps sub and auth_time, and names the access token beside it', async () => {
  const first = await tokens()
  const second = (await refresh(latchkey.issuer, first.refresh_token)).json()
  const [before, after] = [decode(first.id_token).payload, decode(String(second.id_token)).payload]
  for (const name of ['iss', 'sub', 'aud', 'auth_time']) assert.deepEqual(after[name], before[name])
  const hash = createHash('sha256').update(String(second.access_token)).digest()
  assert.equal(after.at_hash, hash.subarray(0, 16).toString('base64url'))
})

describe('JW-16 nothing but the whole token works', () => {
  const changes: readonly (readonly [string, (token: string) => string])[] = [
    ['shortened', token => token.slice(0, -1)],
    ['lengthened', token => `${token}A`],
    ['padded', token => `${token}=`],
    ['without its prefix', token => token.slice(3)],
    ['in capitals', token => token.toUpperCase()],
    ['with a space', token => ` ${token}`],
    ['one character changed', token => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['as a code', token => token.replace('rt_', 'code_')],
    ['empty handle', () => 'rt_'],
    ['a wildcard', () => '%'],
  ]
  for (const [name, change] of changes) {
    test(name, async () =>
      refused(await refresh(latchkey.issuer, change((await tokens()).refresh_token)), 'invalid_grant'),
    )
  }
  test('missing', async () => refused(await refresh(latchkey.issuer, ''), 'invalid_request'))
})

test('RT-08 RT-09 revoked means revoked', async () => {
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
