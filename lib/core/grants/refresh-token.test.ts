import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import type { ClientMetadata } from '#lib/protocol/registration/client.ts'
import {
  decodeJwt,
  findRefreshToken,
  issued,
  openTestFlow,
  readTokens,
  refreshing,
  refusedCode,
  secret,
  type TestFlow,
} from '../testing/token-flow.ts'
import type { TokenOutcome } from '../token/token.ts'
import { readAccessToken } from '../validation/read-access-token.ts'

const day = 86_400

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
  await flow.addClient({ client_id: 'other' }, secret)
})
after(() => flow.close())
beforeEach(() => flow.addUser('alice', { claims: { role: 'reader' } }))

const refresh = (value: string, changes = {}, clientId = 'web') =>
  flow.ask(refreshing(value, changes), clientId)
const lives = async (access: string) => (await readAccessToken(flow.ports, access)) !== null
const scopeOf = (outcome: TokenOutcome) => String(issued(outcome).scope).split(' ')
/** Registers the client `special`, or replaces it, so that no test changes the client `web`. */
const clientWith = (changes: Partial<ClientMetadata>) =>
  flow.addClient({ client_id: 'special', ...changes }, secret)

test('RT-01 a refresh token is opaque, and bound to its client', async () => {
  const first = await flow.tokens()
  assert.match(first.refresh, /^rt_[\w-]{43}$/)
  assert.equal(refusedCode(await refresh(first.refresh, {}, 'other')), 'invalid_grant')
  assert.equal((await refresh(first.refresh)).kind, 'issued', 'and the try did not spend it')
})

test('RT-02 each refresh returns a new refresh token, which can be used in turn', async () => {
  let { refresh: value } = await flow.tokens()
  const seen = new Set([value])
  for (let uses = 0; uses < 5; uses++) {
    value = readTokens(issued(await refresh(value))).refresh
    seen.add(value)
  }
  assert.equal(seen.size, 6)
})

describe('RT-05 RT-08 a refresh depends on the current client, user and grant', () => {
  const web = { client_id: 'special' } as const
  const rows: ReadonlyArray<readonly [string, () => Promise<unknown>, string]> = [
    ['the user was locked', () => flow.addUser('alice', { enabled: false }), 'invalid_grant'],
    ['the client was disabled', () => clientWith({ ...web, enabled: false }), 'invalid_client'],
    [
      'the client was disabled and enabled again',
      () => clientWith({ enabled: false }).then(() => clientWith({})),
      'invalid_grant',
    ],
    [
      'refreshing was taken away',
      () => clientWith({ grant_types: ['authorization_code', 'implicit'] }),
      'unauthorized_client',
    ],
    ['offline access was taken away', () => clientWith({ scope: 'openid api' }), 'invalid_grant'],
    ['the grants of the user were revoked', () => revokeAll(), 'invalid_grant'],
  ]
  for (const [title, change, error] of rows) {
    test(`${title}: ${error}`, async () => {
      const { refresh: value } = await flow.tokens({ client: await clientWith({}) })
      await change()
      assert.equal(refusedCode(await refresh(value, {}, 'special')), error)
    })
  }
})

test('MF-06 a refresh needs the level that the client requires now, and a refused one uses no token', async () => {
  const low = await flow.tokens({ client: await clientWith({}) })
  const high = await flow.tokens({ client: await clientWith({}), grant: { level: 'mfa' } })
  await clientWith({ require_acr: 'urn:latchkey:mfa' })
  const refused = await refresh(low.refresh, {}, 'special')
  assert.equal(refusedCode(refused), 'invalid_grant')
  assert.ok(refused.kind === 'refused')
  assert.match(refused.refusal.description, /level that this client requires/)
  const next = readTokens(issued(await refresh(high.refresh, {}, 'special'))).refresh
  assert.equal((await refresh(next, {}, 'special')).kind, 'issued', 'the level stays with the grant')
  await clientWith({})
  assert.equal((await refresh(low.refresh, {}, 'special')).kind, 'issued')
})

test('RT-05 refresh is refused while isActive() of a custom user service returns false', async () => {
  const { refresh: value } = await flow.tokens()
  assert.equal(refusedCode(await flow.whileAway(() => refresh(value))), 'invalid_grant')
  assert.equal((await refresh(value)).kind, 'issued', 'and nothing was spent')
})

describe('RT-06 every refresh token ends', () => {
  test('a refresh token ends after 30 days, however often it was replaced', async () => {
    let { refresh: value } = await flow.tokens()
    for (let days = 0; days < 29; days += 1) {
      flow.advance(day)
      value = readTokens(issued(await refresh(value))).refresh
    }
    flow.advance(day + 1)
    assert.equal(refusedCode(await refresh(value)), 'invalid_grant')
  })
  for (const usage of ['one_time', 'reuse'] as const) {
    test(`a sliding refresh token ends when it is idle for too long, or at its absolute end: ${usage}`, async () => {
      const sliding = {
        refresh_token_usage: usage,
        refresh_token_expiration: 'sliding',
        sliding_refresh_token_lifetime: 2 * day,
        absolute_refresh_token_lifetime: 5 * day,
      } as const
      const client = await clientWith(sliding)
      const idle = await flow.tokens({ client })
      let { refresh: used } = await flow.tokens({ client })
      for (let days = 0; days < 4; days++) {
        flow.advance(day)
        used = readTokens(issued(await refresh(used, {}, 'special'))).refresh
      }
      assert.equal(refusedCode(await refresh(idle.refresh, {}, 'special')), 'invalid_grant')
      flow.advance(day)
      assert.equal(refusedCode(await refresh(used, {}, 'special')), 'invalid_grant')
    })
  }
  test('a sliding refresh token never lives past its absolute end', async () => {
    const client = await clientWith({
      refresh_token_expiration: 'sliding',
      sliding_refresh_token_lifetime: 2 * day,
      absolute_refresh_token_lifetime: 3 * day,
    })
    const stored = (value: string) => findRefreshToken(flow.ports, value)
    const first = await flow.tokens({ client })
    const before = await stored(first.refresh)
    assert.notDeepEqual(before?.expiresAt, before?.absoluteExpiresAt)
    flow.advance(1.5 * day)
    const after = await stored(readTokens(issued(await refresh(first.refresh, {}, 'special'))).refresh)
    assert.deepEqual(after?.expiresAt, before?.absoluteExpiresAt)
  })
  test('the last access token of a grant is valid for its full lifetime', async () => {
    const { refresh: value } = await flow.tokens()
    flow.advance(30 * day - 1)
    const last = readTokens(issued(await refresh(value)))
    flow.advance(3500)
    assert.equal(await lives(last.access), true)
  })
})

describe('RT-07 a refresh can reduce the scope and never extend it', () => {
  test('an access token has a subset of the scopes of the grant, whatever is requested', async () => {
    const granted = ['openid', 'profile', 'api', 'offline_access']
    let { refresh: value } = await flow.tokens()
    const anyScopes = fc.subarray([...granted, 'roles', 'api.write', 'retired', 'nonsense'], { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(anyScopes, async words => {
        const outcome = await refresh(value, { scope: words.join(' ') })
        if (outcome.kind === 'refused') return assert.ok(words.some(word => !granted.includes(word)))
        value = String(outcome.response.refresh_token)
        assert.deepEqual(scopeOf(outcome).toSorted(), words.toSorted())
      }),
      { numRuns: 40 },
    )
  })
  test('the refresh token keeps the original scope', async () => {
    const { refresh: value } = await flow.tokens()
    const less = await refresh(value, { scope: 'api' })
    assert.deepEqual(scopeOf(less), ['api'])
    assert.equal(issued(less).id_token, undefined, 'and without openid there is no ID token')
    const all = await refresh(String(issued(less).refresh_token))
    assert.deepEqual(scopeOf(all), ['openid', 'profile', 'api', 'offline_access'])
  })
  test('RT-11 a request for more scopes is refused and does not use the refresh token', async () => {
    const { refresh: value } = await flow.tokens()
    assert.equal(refusedCode(await refresh(value, { scope: 'api api.write' })), 'invalid_scope')
    assert.equal((await refresh(value)).kind, 'issued')
  })
})

test('a reusable refresh token is returned unchanged, but RT-02 never to a public client', async () => {
  const reusable = await clientWith({ refresh_token_usage: 'reuse' })
  const first = await flow.tokens({ client: reusable })
  for (let uses = 0; uses < 3; uses++) {
    assert.equal(issued(await refresh(first.refresh, {}, 'special')).refresh_token, first.refresh)
  }
  const open = { client_secret: '' }
  await clientWith({ refresh_token_usage: 'reuse', token_endpoint_auth_method: 'none', pkce: 'required' })
  assert.notEqual(issued(await refresh(first.refresh, open, 'special')).refresh_token, first.refresh)
})

test('a new ID token keeps auth_time and has no nonce', async () => {
  const first = await flow.tokens({ nonce: 'n-1' })
  flow.advance(100)
  const [before, after] = [first, readTokens(issued(await refresh(first.refresh)))].map(
    it => decodeJwt(it.identity).payload,
  )
  for (const name of ['iss', 'sub', 'aud', 'auth_time', 'sid'])
    assert.deepEqual(after?.[name], before?.[name])
  assert.equal(after?.nonce, undefined)
  assert.equal(Number(after?.iat) - Number(before?.iat), 100)
})

describe('a user’s claims in the access token', () => {
  for (const [isReadAgain, expected] of [
    [false, ['reader']],
    [true, ['writer']],
  ] as const) {
    test(
      isReadAgain
        ? 'a refresh reads the claims again if configured'
        : 'a refresh keeps the claims by default',
      async () => {
        const client = await clientWith({ update_access_token_claims_on_refresh: isReadAgain })
        const first = await flow.tokens({ client })
        await flow.addUser('alice', { claims: { role: 'writer' } })
        const second = readTokens(issued(await refresh(first.refresh, {}, 'special')))
        assert.deepEqual(decodeJwt(second.access).payload.role, expected)
        const third = readTokens(issued(await refresh(second.refresh, { scope: 'openid' }, 'special')))
        assert.equal(
          decodeJwt(third.access).payload.role,
          undefined,
          'and go with the scope that opened them',
        )
      },
    )
  }
})

async function revokeAll(): Promise<void> {
  const { subject } = await flow.addUser('alice')
  await flow.ports.grants.revoke({ subject }, flow.ports.clock.now())
}
