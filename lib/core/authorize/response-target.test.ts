import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parametersFrom, readAuthorizeParameters } from '#lib/protocol/wire/parameters.ts'
import { context, openTestPorts, type TestPorts } from '../testing/ports.ts'
import { validParameters } from '../testing/validation-input.ts'
import { authorize } from './authorize.ts'
import { resolveRequest } from './check-request.ts'

let t: TestPorts
before(async () => {
  t = await openTestPorts()
  await t.addClient({ redirect_uris: ['https://app.example/callback', 'https://app.example/other'] })
})
after(() => t.close())

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const unsigned = (claims: unknown) => `${encode({ alg: 'none' })}.${encode(claims)}.`

async function ask(parameters: Readonly<Record<string, string>>) {
  const browser = t.ports.random.handle('browser')
  const outcome = await authorize(
    t.ports,
    { parameters: parametersFrom(parameters), session: null, browser },
    context,
  )
  if (outcome.kind !== 'respond') return outcome
  const { error, state } = Object.fromEntries(outcome.fields)
  return { error, state, mode: outcome.to.responseMode, uri: outcome.to.redirectUri }
}

test('the refusal of an unsigned request object goes where the object says, in its mode, with its state', async () => {
  const { state: _, ...query } = validParameters
  const object = {
    response_mode: 'form_post',
    state: 'of the object',
    redirect_uri: 'https://app.example/other',
  }
  assert.deepEqual(await ask({ ...query, request: unsigned(object) }), {
    error: 'request_not_supported',
    state: 'of the object',
    mode: 'form_post',
    uri: 'https://app.example/other',
  })
})

test('nothing is redirected to an unregistered redirect URI of a request object', async () => {
  const request = unsigned({ redirect_uri: 'https://evil.example/callback' })
  const outcome = await ask({ ...validParameters, request })
  assert.equal('kind' in outcome && outcome.kind, 'error_page')
})

test('a response mode of the object that would put a token into a query is not used', async () => {
  const parameters = { ...validParameters, response_type: 'id_token', nonce: 'n' }
  const answer = await ask({ ...parameters, request: unsigned({ response_mode: 'query' }) })
  assert.equal('mode' in answer && answer.mode, 'fragment')
})

const ignored: ReadonlyArray<readonly [string, string]> = [
  ['a signed object', `${encode({ alg: 'RS256' })}.${encode({ state: 'x' })}.c2ln`],
  ['an object with alg none and a signature', `${encode({ alg: 'none' })}.${encode({ state: 'x' })}.c2ln`],
  ['an object without an algorithm', `${encode({})}.${encode({ state: 'x' })}.`],
  ['text that is not a JWT', 'x'],
  ['JSON that is not an object', unsigned(['state'])],
  ['a value that is not a string', unsigned({ state: { toString: 'x' } })],
  ['a value with a NUL', unsigned({ state: 'a\0b' })],
  ['a value that is too long', unsigned({ state: 'x'.repeat(100_000) })],
  ['other claims', unsigned({ client_id: 'other', scope: 'api', __proto__: { state: 'x' } })],
]
for (const [what, request] of ignored) {
  test(`${what} changes nothing`, async () => {
    const raw = readAuthorizeParameters(parametersFrom({ ...validParameters, request }))
    assert.deepEqual(await resolveRequest(t.ports, raw), raw)
  })
}
