/** Tests the scope settings of IdentityServer3 in the tokens and responses that they change. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import { clientFromMetadata } from '#lib/protocol/registration/client.ts'
import { type ScopeMetadata, scopeFromMetadata } from '#lib/protocol/registration/scope.ts'
import { introspect } from '../introspection/introspection.ts'
import { context } from '../testing/ports.ts'
import { testClientMetadata, testMachine, testScopes } from '../testing/registrations.ts'
import {
  aliceClaims,
  decodeJwt,
  issued,
  openTestFlow,
  readTokens,
  refreshing,
  secret,
  type TestFlow,
} from '../testing/token-flow.ts'
import { userinfo } from '../userinfo/userinfo.ts'
import { allowedScopes, mayHaveOffline, resolveScopes } from './resolve-scopes.ts'

const scopes: readonly ScopeMetadata[] = [
  { name: 'profile', kind: 'identity', claims: ['name', 'role'], always_include_in_id_token: ['name'] },
  { name: 'everything', kind: 'identity', include_all_claims_for_user: true },
  { name: 'open', kind: 'resource', include_all_claims_for_user: true },
  { name: 'open.deleted', kind: 'resource', include_all_claims_for_user: true },
  { name: 'api.deleted', kind: 'resource', claims: ['role'] },
  { name: 'ungranted', kind: 'resource', claims: ['email', 'client_tier'] },
  { name: 'auditor', kind: 'resource', allow_unrestricted_introspection: true },
]

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
  const records = scopes.map(metadata => ({
    name: scopeNameSchema.parse(metadata.name),
    metadata,
    secrets: [],
  }))
  await flow.storage.configuration.apply({ put: { scopes: records }, remove: {} }, flow.ports.clock.now())
  await flow.addClient({ allow_access_to_all_scopes: true, scope: '' }, secret)
})
after(() => flow.close())

describe('a client with access to all scopes', () => {
  const names = (text: string) => text.split(' ').map(name => scopeNameSchema.parse(name))
  const registered = [...testScopes, scopeFromMetadata({ name: adminScope })]
  const client = (changes: object) => clientFromMetadata({ ...testClientMetadata, scope: '', ...changes })
  const everyScope = client({ allow_access_to_all_scopes: true })
  const resolve = (text: string, who = everyScope) =>
    resolveScopes(names(text), { client: who, registered, namesScope: true })

  test('may request every enabled scope, and offline_access if it may refresh', () => {
    assert.deepEqual(resolve('openid api.write offline_access'), names('openid api.write offline_access'))
    assert.deepEqual(allowedScopes(names('api retired'), everyScope, registered), names('api'))
    const machine = client({ ...testMachine, scope: '', allow_access_to_all_scopes: true })
    assert.equal(mayHaveOffline(machine, registered), false)
  })
  test('cannot request unknown and disabled scopes, nor the admin API', () => {
    for (const name of ['made-up', 'retired', adminScope]) assert.throws(() => resolve(name), /scope/, name)
    assert.deepEqual(allowedScopes(names(adminScope), everyScope, registered), [])
    const listed = client({ allow_access_to_all_scopes: true, scope: adminScope })
    assert.deepEqual(resolve(adminScope, listed), names(adminScope))
  })
  test('is an exception: other clients have the scopes that they are registered for', () => {
    assert.throws(() => resolve('api', client({})), /scope/)
  })
})

const identityOf = async (scope: string) => decodeJwt((await flow.tokens({ scope })).identity).payload

describe('claims in every ID token', () => {
  test('an ID token from the token endpoint has them, and not the other claims of the scope', async () => {
    const { name, role } = await identityOf('openid profile')
    assert.deepEqual([name, role], ['Alice Liddell', undefined])
    assert.equal((await identityOf('openid')).name, undefined)
  })
  test('a refresh has them while the scope is requested', async () => {
    const { refresh } = await flow.tokens({ scope: 'openid profile offline_access' })
    const first = readTokens(issued(await flow.ask(refreshing(refresh))))
    assert.equal(decodeJwt(first.identity).payload.name, 'Alice Liddell')
    const less = issued(await flow.ask(refreshing(first.refresh, { scope: 'openid' })))
    assert.equal(decodeJwt(readTokens(less).identity).payload.name, undefined)
  })
})

describe('a scope with all claims of the user', () => {
  test('an identity scope: ID token and userinfo have every claim, and no claim replaces one about the token', async () => {
    await flow.addUser('alice', { claims: { ...aliceClaims, iss: 'https://evil.example', sid: 'forged' } })
    const tokens = await flow.tokens({ scope: 'openid everything' })
    const { payload } = decodeJwt(tokens.identity)
    assert.deepEqual(
      [payload.email, payload.role, payload.given_name],
      ['alice@example.org', ['reader'], 'Alice'],
    )
    assert.equal(payload.iss, flow.ports.settings.issuer)
    assert.notEqual(payload.sid, 'forged')
    const request = { authorization: `Bearer ${tokens.access}`, bodyToken: null }
    const outcome = await userinfo(flow.ports, request, context)
    assert.ok(outcome.kind === 'claims')
    const { family_name: _, ...given } = aliceClaims
    assert.deepEqual(outcome.claims, {
      sub: 'alice',
      ...given,
      preferred_username: 'alice',
      role: ['reader'],
    })
    assert.equal(decodeJwt(tokens.access).payload.email, undefined, 'the access token has none of them')
  })
  test('a resource scope: the access token has them, and the ID token does not', async () => {
    const tokens = await flow.tokens({ scope: 'openid open' })
    assert.equal(decodeJwt(tokens.access).payload.email, 'alice@example.org')
    assert.equal(decodeJwt(tokens.identity).payload.email, undefined)
  })
  test('no claim of the user replaces a claim of the client', async () => {
    await flow.addUser('alice', { claims: { ...aliceClaims, client_tier: 'forged' } })
    const client = await flow.addClient(
      {
        client_id: 'tiered',
        scope: 'openid open',
        claims: { tier: 'gold' },
        always_send_client_claims: true,
      },
      secret,
    )
    const { access } = await flow.tokens({ client, scope: 'openid open' })
    assert.equal(decodeJwt(access).payload.client_tier, 'gold')
  })
  test('a refresh without the scope has none of them', async () => {
    const { access, refresh } = await flow.tokens({ scope: 'openid open offline_access' })
    assert.equal(decodeJwt(access).payload.email, 'alice@example.org')
    const less = issued(await flow.ask(refreshing(refresh, { scope: 'openid offline_access' })))
    assert.equal(decodeJwt(readTokens(less).access).payload.email, undefined)
  })
  test('a refresh with the scope keeps the claims that other scopes list, whether the user granted these or not', async () => {
    const { access, refresh } = await flow.tokens({ scope: 'openid open api offline_access' })
    assert.deepEqual(decodeJwt(access).payload.role, ['reader'])
    const first = readTokens(issued(await flow.ask(refreshing(refresh))))
    const second = { scope: 'openid open offline_access' }
    const less = readTokens(issued(await flow.ask(refreshing(first.refresh, second))))
    for (const token of [first.access, less.access]) {
      const { email, role } = decodeJwt(token).payload
      assert.deepEqual([email, role], ['alice@example.org', ['reader']])
    }
    const narrow = readTokens(issued(await flow.ask(refreshing(less.refresh, { scope: 'openid api' }))))
    const { email, role } = decodeJwt(narrow.access).payload
    assert.deepEqual([email, role], [undefined, ['reader']])
  })
  for (const [scope, claim] of [
    ['open.deleted', 'email'],
    ['api.deleted', 'role'],
  ] as const)
    test(`a refresh after its scope ${scope} was deleted does not have the claim ${claim}`, async () => {
      const { access, refresh } = await flow.tokens({ scope: `openid ${scope} offline_access` })
      assert.ok(decodeJwt(access).payload[claim])
      const change = { put: {}, remove: { scopes: [scopeNameSchema.parse(scope)] } }
      await flow.storage.configuration.apply(change, flow.ports.clock.now())
      const second = readTokens(issued(await flow.ask(refreshing(refresh))))
      assert.equal(decodeJwt(second.access).payload[claim], undefined)
      const third = readTokens(issued(await flow.ask(refreshing(second.refresh))))
      assert.equal(decodeJwt(third.access).payload[claim], undefined)
    })
})

describe('introspection by an API', () => {
  const answerFor = async (name: string, scope: string) => {
    const caller = await flow.ports.scopes.find(scopeNameSchema.parse(name))
    assert.ok(caller)
    const [digest = ''] = await digests()
    await flow.storage.configuration.apply(
      {
        put: {
          scopes: [
            {
              name: caller.scope.name,
              metadata: scopes.find(each => each.name === name) ?? { name },
              secrets: [{ id: `secret-${name}`, digest, expiresAt: null }],
            },
          ],
        },
        remove: {},
      },
      flow.ports.clock.now(),
    )
    const { access } = await flow.tokens({ scope })
    return async (presented: string) => {
      const pair = Buffer.from(`${name}:${encodeURIComponent(presented)}`).toString('base64')
      const parameters = { one: (key: string) => (key === 'token' ? access : null), all: () => [], names: [] }
      return introspect(flow.ports, { parameters, authorization: `Basic ${pair}` }, context)
    }
  }
  async function digests(): Promise<readonly string[]> {
    const registered = await flow.ports.clients.find(flow.client.clientId)
    return registered?.secrets.map(({ digest }) => digest) ?? []
  }

  test('an unrestricted API sees every scope of a token that has its own', async () => {
    const ask = await answerFor('auditor', 'openid api auditor')
    const outcome = await ask(secret)
    assert.ok(outcome.kind === 'answered')
    assert.equal(outcome.response.scope, 'openid api auditor')
  })
  test('it still needs its secret, and its scope in the token', async () => {
    const wrong = await (await answerFor('auditor', 'openid api auditor'))('a wrong secret')
    assert.equal(wrong.kind, 'refused')
    const foreign = await (await answerFor('auditor', 'openid api'))(secret)
    assert.deepEqual(foreign.kind === 'answered' && foreign.response, { active: false })
  })
  test('any other API sees only its own', async () => {
    const outcome = await (await answerFor('api.write', 'openid api api.write'))(secret)
    assert.ok(outcome.kind === 'answered')
    assert.equal(outcome.response.scope, 'api.write')
  })
})
