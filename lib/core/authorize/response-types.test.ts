import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { context, openTestPorts, type TestPorts } from '../testing/ports.ts'
import { validParameters } from '../testing/validation-input.ts'
import { authorize } from './authorize.ts'

let t: TestPorts
before(async () => {
  t = await openTestPorts()
  await t.addClient()
  await t.addUser('alice', { claims: { name: 'Alice Example' } })
})
after(() => t.close())

const requested = { scope: 'openid profile api', nonce: 'n-1' }

/** Returns the fields and the mode of the response to a request of alice. */
async function respond(parameters: Readonly<Record<string, string>>) {
  const sent = parametersFrom({ ...validParameters, ...parameters })
  const session = await t.openSession('alice')
  const input = { parameters: sent, session, browser: t.ports.random.handle('browser') }
  const outcome = await authorize(t.ports, input, context)
  if (outcome.kind !== 'respond') return assert.fail(outcome.kind)
  const fields: Record<string, string> = Object.fromEntries(outcome.fields)
  return { fields, mode: outcome.to.responseMode }
}

test('JW-13 an ID token next to a code is bound to the code, the access token and the state', async () => {
  const rows = [
    ['code id_token', ['code', 'id_token', 'scope', 'state', 'iss']],
    [
      'code id_token token',
      ['code', 'id_token', 'access_token', 'token_type', 'expires_in', 'scope', 'state', 'iss'],
    ],
  ] as const
  for (const [type, names] of rows) {
    const { fields, mode } = await respond({ ...requested, response_type: type })
    assert.deepEqual([Object.keys(fields), mode], [names, 'fragment'])
    const claims = (await t.ports.signer.verify(fields.id_token ?? '', 'JWT'))?.claims
    const half = (value: string | undefined) => t.ports.hashing.halfHash(value ?? '', 'RS256')
    assert.deepEqual([claims?.c_hash, claims?.s_hash], [half(fields.code), half(validParameters.state)])
    assert.equal(claims?.at_hash, fields.access_token === undefined ? undefined : half(fields.access_token))
    assert.equal('name' in (claims ?? {}), false)
  }
})

test('response_type=code token needs no nonce, and returns no ID token', async () => {
  const { fields, mode } = await respond({ response_type: 'code token', scope: 'openid api' })
  const names = ['code', 'access_token', 'token_type', 'expires_in', 'scope', 'state', 'iss']
  assert.deepEqual([Object.keys(fields), mode], [names, 'fragment'])
})

test('response_type=none returns no token, in the query, and no code', async () => {
  const { fields, mode } = await respond({ response_type: 'none', scope: 'openid profile api' })
  assert.deepEqual([Object.keys(fields), mode], [['state', 'iss'], 'query'])
})
