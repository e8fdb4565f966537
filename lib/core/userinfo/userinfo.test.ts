import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Claims } from '#lib/protocol/claims.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { context } from '../testing/ports.ts'
import { aliceClaims, openTestFlow, secret, type TestFlow } from '../testing/token-flow.ts'
import { userinfo } from './userinfo.ts'

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
})
after(() => flow.close())
beforeEach(() => flow.addUser('alice', { claims: aliceClaims }))

const read = (token: string, at: RequestContext = context) =>
  userinfo(flow.ports, { authorization: `Bearer ${token}`, bodyToken: null }, at)

async function claimsFor(scope: string): Promise<Claims> {
  const outcome = await read((await flow.tokens({ scope })).access)
  assert.ok(outcome.kind === 'claims', JSON.stringify(outcome))
  return outcome.claims
}

describe('VE-03 the claims are those of the granted scopes', () => {
  const rows: ReadonlyArray<readonly [string, Claims]> = [
    ['openid', { sub: 'alice' }],
    ['openid profile', { sub: 'alice', name: 'Alice Liddell', given_name: 'Alice' }],
    ['openid roles', { sub: 'alice', role: ['reader'] }],
    ['openid api', { sub: 'alice' }],
  ]
  for (const [scope, expected] of rows) {
    test(scope, async () => assert.deepEqual(await claimsFor(scope), expected))
  }
  test('several roles are returned as a list', async () => {
    await flow.addUser('alice', { claims: { role: ['reader', 'writer'] } })
    assert.deepEqual((await claimsFor('openid roles')).role, ['reader', 'writer'])
  })
  test('userinfo reads the claims at each request', async () => {
    const { access } = await flow.tokens({ scope: 'openid profile' })
    await flow.addUser('alice', { claims: { name: 'Alice Hargreaves' } })
    const outcome = await read(access)
    assert.ok('claims' in outcome)
    assert.deepEqual(outcome.claims, { sub: 'alice', name: 'Alice Hargreaves' })
  })
  test('JSON values keep their types, and null or empty claims are left out', async () => {
    const name = { formatted: 'Alice', verified: true, year: 1865 }
    await flow.addUser('alice', { claims: { name, given_name: null, family_name: '' } })
    assert.deepEqual(await claimsFor('openid profile'), { sub: 'alice', name })
  })
})

describe('the claims of postAuthenticate, which belong to the grant', () => {
  const claims = {
    name: 'Alice at night',
    shift: 'night',
    sub: 'mallory',
    iss: 'https://evil.example',
    team: null,
  }
  const expected = { sub: 'alice', name: 'Alice at night', given_name: 'Alice', shift: 'night' }
  for (const access_token_type of ['jwt', 'reference'] as const) {
    test(`are returned, as in ID tokens: ${access_token_type}`, async () => {
      const client = await flow.addClient({ client_id: access_token_type, access_token_type }, secret)
      const { access } = await flow.tokens({ scope: 'openid profile', client, grant: { claims } })
      const outcome = await read(access)
      assert.ok(outcome.kind === 'claims', JSON.stringify(outcome))
      assert.deepEqual(outcome.claims, expected)
    })
  }
})

describe('VE-01 VE-04 refusals', () => {
  const invalidToken = {
    kind: 'refused',
    code: 'invalid_token',
    description: 'The access token is malformed, expired or revoked.',
    status: 401,
  }
  test('a request without a token gets a challenge without an error code', async () => {
    const outcome = await userinfo(flow.ports, { authorization: null, bodyToken: null }, context)
    assert.deepEqual(outcome, { kind: 'refused', code: null, description: null, status: 401 })
  })
  test('VE-02 refuses two tokens in one request', async () => {
    const { access } = await flow.tokens()
    const outcome = await userinfo(
      flow.ports,
      { authorization: `Bearer ${access}`, bodyToken: access },
      context,
    )
    assert.ok(outcome.kind === 'refused' && outcome.code === 'invalid_request' && outcome.status === 400)
  })
  test('VE-01 refuses a token without the scope openid', async () => {
    const outcome = await read((await flow.tokens({ scope: 'api' })).access)
    assert.ok(outcome.kind === 'refused' && outcome.code === 'insufficient_scope' && outcome.status === 403)
  })
  test('VE-04 eight kinds of wrong token are refused alike', async () => {
    const issued = await flow.tokens()
    const revoked = (await flow.tokens({ grant: { id: flow.ports.random.grantId(), revokedAt: null } }))
      .access
    const { subject } = await flow.addUser('alice')
    const code = await flow.issueCode()
    const wrong = [
      'nonsense',
      'a.b.c',
      `at_${'a'.repeat(43)}`,
      issued.identity,
      issued.refresh,
      code,
      `${issued.access}x`,
    ]
    for (const token of wrong) assert.deepEqual(await read(token), invalidToken)
    await flow.ports.grants.revoke({ subject }, flow.ports.clock.now())
    assert.deepEqual(await read(revoked), invalidToken)
  })
  test('VE-03 refuses the token of a locked user', async () => {
    const { access } = await flow.tokens()
    await flow.addUser('alice', { enabled: false })
    assert.deepEqual(await read(access), invalidToken)
  })
  test('refuses an expired token', async () => {
    const { access } = await flow.tokens()
    flow.advance(3600)
    assert.deepEqual(await read(access), invalidToken)
  })
})
