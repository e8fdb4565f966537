import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { countArgon2 } from '#lib/crypto/testing/count-argon2.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { context, issuer } from '../testing/ports.ts'
import { openTestFlow, refreshing, refusedCode, secret, type TestFlow } from '../testing/token-flow.ts'
import { introspect } from './introspection.ts'

const scopeSecret = 'the secret of the ledger'
const inactive = { active: false }

let flow: TestFlow
let ports: Ports
before(async () => {
  flow = await openTestFlow()
  await flow.addClient({ client_id: 'other' }, secret)
  await flow.addClient({ client_id: 'public', token_endpoint_auth_method: 'none', pkce: 'required' })
  ports = await withScopeSecret(flow.ports)
})
after(() => flow.close())

/** Adds a secret to the scopes `api`, `profile`, which is not a resource, and `retired`, which is disabled. */
async function withScopeSecret(real: Ports): Promise<Ports> {
  const digest = await real.passwords.hash(scopeSecret)
  const find: Ports['scopes']['find'] = async name => {
    const registered = await real.scopes.find(name)
    const hasSecret = name === 'api' || name === 'profile' || name === 'retired'
    return registered && hasSecret
      ? { ...registered, secrets: [{ id: 's', digest, expiresAt: null }] }
      : registered
  }
  return { ...real, scopes: { ...real.scopes, find } }
}

const ask = (parameters: Readonly<Record<string, string>>, id = 'web', presented = secret) =>
  introspect(
    ports,
    {
      parameters: parametersFrom({ client_id: id, client_secret: presented, ...parameters }),
      authorization: null,
    },
    { ...context, address: null },
  )

async function answer(token: string, id?: string, presented?: string): Promise<Claims> {
  const outcome = await ask({ token }, id, presented)
  assert.ok(outcome.kind === 'answered', JSON.stringify(outcome))
  return outcome.response
}

describe('VE-06 who sees what', () => {
  for (const accessTokenType of ['jwt', 'reference'] as const) {
    test(`a client sees its own tokens, in the types of RFC 7662: ${accessTokenType}`, async () => {
      const client = await flow.addClient(
        { client_id: accessTokenType, access_token_type: accessTokenType },
        secret,
      )
      const { access } = await flow.tokens({ client })
      const { exp, iat, ...seen } = await answer(access, accessTokenType)
      assert.deepEqual([typeof exp, typeof iat], ['number', 'number'])
      const { active, scope, token_type, client_id, sub, iss } = seen
      const expected = [true, 'openid profile api offline_access', 'Bearer', accessTokenType, 'alice', issuer]
      assert.deepEqual([active, scope, token_type, client_id, sub, iss], expected)
      assert.deepEqual(await answer(access, 'other'), inactive)
    })
  }
  test('a resource sees tokens for itself, and no other scope', async () => {
    const { access } = await flow.tokens({ scope: 'openid api api.write' })
    const seen = await answer(access, 'api', scopeSecret)
    assert.deepEqual([seen.active, seen.scope], [true, 'api'])
    const { access: foreign } = await flow.tokens({ scope: 'openid api.write' })
    assert.deepEqual(await answer(foreign, 'api', scopeSecret), inactive)
  })
  test('a client sees its own live refresh tokens', async () => {
    const { refresh } = await flow.tokens()
    const seen = await answer(refresh)
    assert.deepEqual([seen.active, seen.client_id, seen.sub], [true, 'web', 'alice'])
    assert.deepEqual(await answer(refresh, 'other'), inactive)
    assert.deepEqual(await answer(refresh, 'api', scopeSecret), inactive)
    await flow.ask(refreshing(refresh))
    assert.deepEqual(await answer(refresh), inactive)
  })
  test('AU-10 no token of a user is active while a user service reports the user as inactive', async t => {
    const { access, refresh } = await flow.tokens()
    const before = ports
    t.after(() => {
      ports = before
    })
    ports = { ...before, userService: { ...before.userService, isActive: async () => false } }
    for (const token of [access, refresh]) assert.deepEqual(await answer(token), inactive)
    ports = before
    for (const token of [access, refresh]) assert.equal((await answer(token)).active, true)
  })
  test('an ID token and unknown texts are not active', async () => {
    const { identity } = await flow.tokens()
    for (const token of [identity, 'nonsense', 'a.b.c', `at_${'a'.repeat(43)}`, `rt_${'a'.repeat(43)}`]) {
      assert.deepEqual(await answer(token), inactive)
    }
  })
})

describe('who may ask', () => {
  test('LIM-05 authentication costs one password hash for each reading of the credentials, for clients and resources', async t => {
    const argon2 = countArgon2(t)
    const cases = [
      ['made-up', 'x', 1],
      ['api', 'x', 1],
      ['web', 'x', 1],
      ['made-up', 'x%41', 2],
      ['api', 'x%41', 2],
      ['other', 'x%41', 2],
    ] as const
    for (const [id, presented, expected] of cases) {
      const authorization = `Basic ${Buffer.from(`${id}:${presented}`).toString('base64')}`
      const somewhere = { ...context, address: null }
      await introspect(ports, { parameters: parametersFrom({ token: 'x' }), authorization }, somewhere)
      assert.equal(argon2.count(), expected, `${id}:${presented}`)
    }
  })
  const rows: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string]> = [
    ['a request without credentials', { client_id: '', client_secret: '' }, 'invalid_client'],
    ['a wrong secret', { client_secret: 'wrong' }, 'invalid_client'],
    ['a public client', { client_id: 'public', client_secret: '' }, 'invalid_client'],
    ['a resource with a wrong secret', { client_id: 'api', client_secret: 'wrong' }, 'invalid_client'],
    ['a resource without a secret', { client_id: 'api.write', client_secret: scopeSecret }, 'invalid_client'],
    ['an identity scope', { client_id: 'profile', client_secret: scopeSecret }, 'invalid_client'],
    ['a disabled scope', { client_id: 'retired', client_secret: scopeSecret }, 'invalid_client'],
    ['a request without a token', { token: '' }, 'invalid_request'],
  ]
  for (const [title, changes, error] of rows) {
    test(`${title}: ${error}`, async () =>
      assert.equal(refusedCode(await ask({ token: 'x', ...changes })), error))
  }
})
