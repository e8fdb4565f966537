/** Tests that imported tokens of IdentityServer3 and IdentityServer4 work. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { introspect } from '#lib/core/introspection/introspection.ts'
import { revoke } from '#lib/core/revocation/revocation.ts'
import { context } from '#lib/core/testing/ports.ts'
import {
  issued,
  openTestFlow,
  readTokens,
  refreshing,
  refusedCode,
  secret,
  type TestFlow,
} from '#lib/core/testing/token-flow.ts'
import { readAccessToken } from '#lib/core/validation/read-access-token.ts'
import fixtures from '#lib/crypto/testing/imported-hashes.json' with { type: 'json' }
import type { ImportedToken } from '#lib/ports/grants.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { type ReadToken, readIdentityServer3Token, readIdentityServer4Token } from './mapping/tokens.ts'
import { fieldsOf } from './source/tables.ts'
import { refresh3, refresh4, row3, row4, token3, token4 } from './testing/token-rows.ts'

const [first, second, third, fourth, guid, odd] = fixtures.tokens
assert.ok(first && second && third && fourth && guid && odd)

let flow: TestFlow
const parts = () => ({ random: flow.ports.random, now: flow.ports.clock.now(), absoluteSeconds: () => null })
const read3 = (row: object) =>
  readIdentityServer3Token({ place: 'Tokens[0]', fields: fieldsOf(row) }, parts())
const read4 = (row: object) =>
  readIdentityServer4Token({ place: 'PersistedGrants[0]', fields: fieldsOf(row) }, parts())

function tokenOf(read: ReadToken): ImportedToken {
  return read.kind === 'token' ? read.token : assert.fail(JSON.stringify(read))
}

before(async () => {
  flow = await openTestFlow()
  await flow.addClient({ client_id: 'other' }, secret)
  await flow.addClient({ client_id: 'reuse', refresh_token_usage: 'reuse' }, secret)
  const rows = [
    read3(row3(2, first.identityserver3, token3('alice', 'api'))),
    read4(row4('reference_token', second.identityserver4_reference, token4('alice', 'api'))),
    read3(row3(2, guid.identityserver3, token3(null, 'api'), { SubjectId: null })),
    read4(refresh4(third.identityserver4_refresh)),
    read3(refresh3(odd.identityserver3, { ClientId: 'reuse' })),
    read4(refresh4(fourth.identityserver4_refresh)),
  ]
  const write = { kind: 'import', put: {}, expected: [], tokens: rows.map(tokenOf) } as const
  const audit = {
    action: 'configuration.import',
    actor: null,
    actorRole: null,
    before: null,
    after: null,
  } as const
  const target = {
    targetKind: 'configuration',
    targetId: 'import',
    requestId: 'test',
    address: null,
  } as const
  const change = { writes: [write], audit: [{ ...audit, ...target }] }
  assert.deepEqual(await flow.storage.adminStore.commit(change, flow.ports.clock.now()), {
    kind: 'done',
    changed: 6,
  })
})
after(() => flow.close())

const credentials = { client_id: 'web', client_secret: secret }
const ask = (token: string) => ({
  parameters: parametersFrom({ ...credentials, token }),
  authorization: null,
})
const lives = async (token: string) => (await readAccessToken(flow.ports, token)) !== null
const active = async (token: string) => {
  const outcome = await introspect(flow.ports, ask(token), context)
  return outcome.kind === 'answered' ? outcome.response : assert.fail()
}
const refresh = (token: string, clientId = 'web') => flow.ask(refreshing(token), clientId)

test('reference tokens of both products are valid, with their old claims', async () => {
  for (const token of [first.token, second.token, guid.token]) {
    assert.equal(await lives(token), true, token)
    const { active: isActive, iss, scope } = await active(token)
    assert.deepEqual([isActive, iss, scope], [true, 'https://old.example', 'api'])
  }
  for (const token of [
    fourth.token,
    first.identityserver3,
    `${first.token}:reference_token`,
    first.token.toUpperCase(),
    `${first.token} `,
    first.token.slice(1),
  ]) {
    assert.equal(await lives(token), false, token)
  }
})

test('RT-02 a refresh token is replaced by one of this server, once, and a replay ends the grant', async () => {
  const { token } = third
  assert.equal(refusedCode(await refresh(token, 'other')), 'invalid_grant')
  assert.equal((await active(token)).active, true)
  const answer = readTokens(issued(await refresh(token)))
  assert.match(answer.refresh, /^rt_/)
  assert.equal(await lives(answer.access), true)
  assert.equal(readTokens(issued(await refresh(token))).refresh, answer.refresh, 'RT-04: a retry')
  const next = readTokens(issued(await refresh(answer.refresh)))
  assert.equal(refusedCode(await refresh(token)), 'invalid_grant')
  assert.equal(refusedCode(await refresh(next.refresh)), 'invalid_grant', 'RT-03')
})

test('a client with reusable refresh tokens keeps its old one', async () => {
  for (let uses = 0; uses < 3; uses += 1) {
    assert.equal(readTokens(issued(await refresh(odd.token, 'reuse'))).refresh, odd.token)
  }
})

test('RT-09 a client revokes its old tokens, and the next import does not bring them back', async () => {
  const revokeAs = (clientId: string, token: string) =>
    revoke(
      flow.ports,
      { parameters: parametersFrom({ ...credentials, client_id: clientId, token }), authorization: null },
      context,
    )
  await revokeAs('other', guid.token)
  assert.equal(await lives(guid.token), true)
  await revokeAs('web', guid.token)
  assert.equal(await lives(guid.token), false)
  await revokeAs('web', fourth.token)
  assert.equal((await active(fourth.token)).active, false)
  assert.equal(refusedCode(await refresh(fourth.token)), 'invalid_grant')
  const again = tokenOf(read3(row3(2, guid.identityserver3, token3(null, 'api'), { SubjectId: null })))
  assert.deepEqual(await flow.storage.importedTokens.known([again]), new Set([guid.identityserver3]))
})

test('a reference token is invalid while its user is not active, and after its expiry', async () => {
  assert.equal(await flow.whileAway(() => lives(first.token)), false)
  flow.advance(18 * 86_400)
  assert.equal(await lives(first.token), true)
  flow.advance(86_400)
  assert.equal(await lives(first.token), false)
})
