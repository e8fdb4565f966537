import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { context } from '../testing/ports.ts'
import { openTestFlow, refreshing, refusedCode, secret, type TestFlow } from '../testing/token-flow.ts'
import { readAccessToken } from '../validation/read-access-token.ts'
import { revoke } from './revocation.ts'

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
  await flow.addClient({ client_id: 'other' }, secret)
})
after(() => flow.close())

const ask = (parameters: Readonly<Record<string, string>>, clientId = 'web') =>
  revoke(
    flow.ports,
    {
      parameters: parametersFrom({ client_id: clientId, client_secret: secret, ...parameters }),
      authorization: null,
    },
    { ...context, address: null },
  )
const done = { kind: 'done' }
const lives = async (access: string) => (await readAccessToken(flow.ports, access)) !== null

describe('RT-09 revoking a token', () => {
  const hints: readonly Readonly<Record<string, string>>[] = [
    {},
    { token_type_hint: 'access_token' },
    { token_type_hint: 'refresh_token' },
    { token_type_hint: 'nonsense' },
  ]
  for (const hint of hints) {
    const said = hint.token_type_hint ?? 'no hint'
    test(`a refresh token is revoked with its whole grant: ${said}`, async () => {
      const issued = await flow.tokens()
      assert.deepEqual(await ask({ token: issued.refresh, ...hint }), done)
      assert.equal(await lives(issued.access), false)
      assert.equal(refusedCode(await flow.ask(refreshing(issued.refresh))), 'invalid_grant')
    })
    for (const accessTokenType of ['jwt', 'reference'] as const) {
      test(`VE-07 an access token is revoked immediately, without its grant: ${accessTokenType}, ${said}`, async () => {
        const client = await flow.addClient(
          { client_id: accessTokenType, access_token_type: accessTokenType },
          secret,
        )
        const issued = await flow.tokens({ client })
        assert.deepEqual(await ask({ token: issued.access, ...hint }, accessTokenType), done)
        assert.equal(await lives(issued.access), false)
        assert.equal((await flow.ask(refreshing(issued.refresh), accessTokenType)).kind, 'issued')
      })
    }
  }
})

test('RT-09 a client cannot revoke the tokens of another client, and receives the same answer', async () => {
  const issued = await flow.tokens()
  for (const token of [issued.access, issued.refresh]) assert.deepEqual(await ask({ token }, 'other'), done)
  assert.equal(await lives(issued.access), true)
})

test('RT-09 a value that is not a token counts as revoked', async () => {
  const { identity } = await flow.tokens()
  for (const token of [
    identity,
    'nonsense',
    'a.b.c',
    `at_${'a'.repeat(43)}`,
    `rt_${'a'.repeat(43)}`,
    'rt_',
    'at_',
  ]) {
    assert.deepEqual(await ask({ token }), done)
  }
})

describe('refusals', () => {
  test('revocation is refused to an unknown client', async () =>
    assert.equal(refusedCode(await ask({ token: 'x', client_secret: 'wrong' })), 'invalid_client'))
  test('revocation without a token is an invalid request', async () =>
    assert.equal(refusedCode(await ask({})), 'invalid_request'))
})

test('RT-09 a failing store is reported as a failure, never as a revocation', async () => {
  const { refresh } = await flow.tokens()
  const broken = {
    ...flow.ports,
    grants: { ...flow.ports.grants, revoke: () => Promise.reject(new Error('away')) },
  }
  const request = {
    parameters: parametersFrom({ client_id: 'web', client_secret: secret, token: refresh }),
    authorization: null,
  }
  await assert.rejects(revoke(broken, request, context), /away/)
})
