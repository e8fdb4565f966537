import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { context } from '../testing/ports.ts'
import {
  decodeJwt,
  issued,
  openTestFlow,
  readTokens,
  redemption,
  refreshing,
  refusedCode,
  secret,
  type TestFlow,
} from '../testing/token-flow.ts'
import { userinfo } from '../userinfo/userinfo.ts'

const verifier = 'v'.repeat(43)
const codeChallenge = createHash('sha256').update(verifier).digest('base64url')
const bound = { codeChallenge }
const proven = { code_verifier: verifier }

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
  await flow.addClient({ client_id: 'other' }, secret)
})
after(() => flow.close())
beforeEach(() => flow.addUser('alice', { enabled: true }))

const redeem = async (code: string, changes = {}, clientId = 'web') =>
  flow.ask(redemption(code, changes), clientId)
const lives = async (access: string) =>
  (await userinfo(flow.ports, { authorization: `Bearer ${access}`, bodyToken: null }, context)).kind ===
  'claims'

test('a code is exchanged for tokens, in the order of IdentityServer3 and without null members', async () => {
  const response = issued(await redeem(await flow.issueCode({ ...bound, nonce: 'n-1' }), proven))
  const members = ['id_token', 'access_token', 'expires_in', 'token_type', 'refresh_token', 'scope']
  assert.deepEqual(Object.keys(response), members)
  assert.equal(response.expires_in, 3600)
  assert.equal(response.scope, 'openid profile api offline_access')
  assert.equal(decodeJwt(String(response.id_token)).payload.nonce, 'n-1')
})

test('RT-10 there is no ID token without openid, and no refresh token without offline_access', async () => {
  const response = issued(await redeem(await flow.issueCode({ scope: 'api' })))
  assert.deepEqual(Object.keys(response), ['access_token', 'expires_in', 'token_type', 'scope'])
})

test('CD-02 one of twenty concurrent redemptions gets tokens, and CD-03 they are then revoked', async () => {
  for (let round = 0; round < 10; round++) {
    const code = await flow.issueCode()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => redeem(code)))
    const winners = outcomes.filter(outcome => outcome.kind === 'issued')
    assert.equal(winners.length, 1)
    const [winner] = winners
    assert.ok(winner?.kind === 'issued')
    assert.equal(await lives(String(winner.response.access_token)), false)
  }
})

test('CD-03 a second valid redemption is refused and revokes the tokens of the first one', async () => {
  const code = await flow.issueCode(bound)
  const first = readTokens(issued(await redeem(code, proven)))
  assert.equal(await lives(first.access), true)
  assert.equal(refusedCode(await redeem(code, proven)), 'invalid_grant')
  assert.equal(await lives(first.access), false)
  assert.equal(refusedCode(await flow.ask(refreshing(first.refresh))), 'invalid_grant')
  assert.ok(flow.events.some(event => event.name === 'code_replayed'))
})

test('CD-03 a replay is recognized after the code expired', async () => {
  const code = await flow.issueCode()
  const first = readTokens(issued(await redeem(code)))
  flow.advance(120)
  assert.equal(refusedCode(await redeem(code)), 'invalid_grant')
  assert.equal(await lives(first.access), false)
})

test('CD-04 an invalid redemption does not use the code, and revokes nothing after the valid one', async () => {
  const code = await flow.issueCode(bound)
  const invalid = async () => {
    assert.equal(refusedCode(await redeem(code, { code_verifier: 'w'.repeat(43) })), 'invalid_grant')
    assert.equal(refusedCode(await redeem(code, proven, 'other')), 'invalid_grant')
    assert.equal(refusedCode(await redeem(code, { client_secret: 'wrong' })), 'invalid_client')
  }
  await invalid()
  const first = readTokens(issued(await redeem(code, proven)))
  await invalid()
  assert.equal(await lives(first.access), true)
})

test('CD-05 a code is valid for 60 seconds', async () => {
  const [inTime, late] = [await flow.issueCode(), await flow.issueCode()]
  flow.advance(59)
  assert.equal((await redeem(inTime)).kind, 'issued')
  flow.advance(2)
  assert.equal(refusedCode(await redeem(late)), 'invalid_grant')
})

describe('CD-06 CD-07 CD-09 CD-10 a code is bound to what it was made for', () => {
  const rows: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string]> = [
    ['another redirect_uri', { redirect_uri: 'https://app.example/other' }, 'invalid_grant'],
    ['an empty redirect_uri', { redirect_uri: '' }, 'invalid_request'],
    ['another verifier', { code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
    ['an empty verifier', { code_verifier: '' }, 'invalid_grant'],
    ['a verifier that is too short', { code_verifier: 'v'.repeat(42) }, 'invalid_grant'],
    ['an unknown code', { code: `code_${'a'.repeat(43)}` }, 'invalid_grant'],
    ['a malformed code', { code: 'nonsense' }, 'invalid_grant'],
    ['a missing code', { code: '' }, 'invalid_request'],
  ]
  for (const [title, changes, error] of rows) {
    test(`${title}: ${error}`, async () => {
      const code = await flow.issueCode(bound)
      assert.equal(refusedCode(await redeem(code, { ...proven, ...changes })), error)
      assert.equal((await redeem(code, proven)).kind, 'issued', 'and the code is unused')
    })
  }
  test('CD-09 an empty verifier counts as none, also for a code without a challenge', async () => {
    assert.equal((await redeem(await flow.issueCode(), { code_verifier: '' })).kind, 'issued')
  })
  test('CD-09 refuses a verifier for a code without a challenge', async () => {
    assert.equal(refusedCode(await redeem(await flow.issueCode(), proven)), 'invalid_grant')
  })
})

test('CD-12 a code is invalid after five failed redemptions', async () => {
  const code = await flow.issueCode(bound)
  for (let attempt = 0; attempt < 5; attempt++) await redeem(code, { code_verifier: 'w'.repeat(43) })
  assert.equal(refusedCode(await redeem(code, proven)), 'invalid_grant')
})

test('CD-12 attempts of a different client do not count', async () => {
  const code = await flow.issueCode(bound)
  for (let attempt = 0; attempt < 5; attempt++) await redeem(code, proven, 'other')
  assert.equal((await redeem(code, proven)).kind, 'issued')
})

describe('CD-14 a redemption depends on the current client, user and grant', () => {
  const rows: ReadonlyArray<readonly [string, (code: string) => Promise<unknown>, string]> = [
    ['the user was locked', () => flow.addUser('alice', { enabled: false }), 'invalid_grant'],
    [
      'the client was disabled',
      () => flow.addClient({ client_id: 'late', enabled: false }, secret),
      'invalid_client',
    ],
    [
      'the grant type was taken away',
      () =>
        flow.addClient({ client_id: 'late', grant_types: ['implicit'], response_types: ['token'] }, secret),
      'unauthorized_client',
    ],
    [
      'every scope was taken away',
      () => flow.addClient({ client_id: 'late', scope: 'api.write' }, secret),
      'invalid_grant',
    ],
    ['consent was withdrawn', code => revokeGrantOf(code), 'invalid_grant'],
  ]
  for (const [title, change, error] of rows) {
    test(`${title}: ${error}`, async () => {
      const client = await flow.addClient({ client_id: 'late' }, secret)
      const code = await flow.issueCode({ client })
      await change(code)
      assert.equal(refusedCode(await redeem(code, {}, 'late')), error)
    })
  }
  test('refuses a code when a custom user service reports the user as inactive', async () => {
    const code = await flow.issueCode()
    assert.equal(refusedCode(await flow.whileAway(() => redeem(code))), 'invalid_grant')
  })
  test('TK-09 a scope that the client may no longer request is left out', async () => {
    const client = await flow.addClient({ client_id: 'late' }, secret)
    const code = await flow.issueCode({ client, scope: 'openid api' })
    await flow.addClient({ client_id: 'late', scope: 'openid' }, secret)
    assert.equal(issued(await redeem(code, {}, 'late')).scope, 'openid')
  })
})

async function revokeGrantOf(code: string): Promise<void> {
  const found = await flow.ports.codes.find(flow.ports.hashing.digest(code))
  assert.ok(found)
  await flow.ports.grants.revoke({ id: found.grantId }, flow.ports.clock.now())
}
