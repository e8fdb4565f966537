import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { countArgon2 } from '#lib/crypto/testing/count-argon2.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { context, issuer } from '../testing/ports.ts'
import { decodeJwt, issued, openTestFlow, refusedCode, secret, type TestFlow } from '../testing/token-flow.ts'
import { answerTokenRequest } from './token.ts'

const machine = { grant_type: 'client_credentials', scope: 'api' }
const machineClient = {
  client_id: 'machine',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
  scope: 'openid api api.write retired',
}

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
  await flow.addClient(machineClient, secret)
  await flow.addClient(
    { ...machineClient, client_id: 'machine-reference', access_token_type: 'reference' },
    secret,
  )
  await flow.addClient(
    { ...machineClient, client_id: 'basic-only', token_endpoint_auth_method: 'client_secret_basic' },
    secret,
  )
  await flow.addClient(
    { ...machineClient, client_id: 'post-only', token_endpoint_auth_method: 'client_secret_post' },
    secret,
  )
  await flow.addClient({ ...machineClient, client_id: 'disabled', enabled: false }, secret)
  await flow.addClient({ ...machineClient, client_id: 'odd' }, 'a+b%2B:ü')
  await flow.addClient({ client_id: 'public', token_endpoint_auth_method: 'none', pkce: 'required' })
})
after(() => flow.close())

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const ask = (
  parameters: Readonly<Record<string, string>>,
  authorization: string | null = null,
  address = '192.0.2.1',
) =>
  answerTokenRequest(
    flow.ports,
    { parameters: parametersFrom(parameters), authorization },
    { ...context, address },
  )

test('a confidential client without secrets is refused, and the event names that reason', async () => {
  await flow.addClient({ ...machineClient, client_id: 'no-secrets' })
  await ask(machine, basic('no-secrets:anything'))
  const failed = flow.events.findLast(({ name }) => name === 'client_authentication_failed')
  assert.deepEqual([failed?.clientId, failed?.reason], ['no-secrets', 'secrets_absent'])
})

describe('TK-02 TK-03 TK-04 client authentication', () => {
  const inBody = { client_id: 'machine', client_secret: secret }
  const accepted: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string | null]> = [
    ['Basic', {}, basic(`machine:${secret}`)],
    ['Basic, form-urlencoded', {}, basic(`machine:${encodeURIComponent(secret)}`)],
    ['Basic with its client_id repeated', { client_id: 'machine' }, basic(`machine:${secret}`)],
    ['the body', inBody, null],
    ['a registered method: Basic', {}, basic(`basic-only:${secret}`)],
    ['a registered method: body', { ...inBody, client_id: 'post-only' }, null],
    ['an odd secret sent plain', {}, basic('odd:a+b%2B:ü')],
    ['an odd secret form-urlencoded', {}, basic(`odd:${encodeURIComponent('a+b%2B:ü')}`)],
  ]
  for (const [title, parameters, authorization] of accepted) {
    test(`accepts ${title}`, async () => {
      assert.equal((await ask({ ...machine, ...parameters }, authorization)).kind, 'issued')
    })
  }
  const refused: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string | null]> = [
    ['an unknown client', { ...inBody, client_id: 'unregistered' }, null],
    ['a wrong secret', { ...inBody, client_secret: 'wrong' }, null],
    ['a secret with a blank more', { ...inBody, client_secret: `${secret} ` }, null],
    ['a missing secret', { client_id: 'machine' }, null],
    ['a disabled client', { ...inBody, client_id: 'disabled' }, null],
    ['another method than the registered one: body', { ...inBody, client_id: 'basic-only' }, null],
    ['another method than the registered one: Basic', {}, basic(`post-only:${secret}`)],
    ['a secret for a public client', { ...inBody, client_id: 'public' }, null],
    ['a client_id that cannot be one', { ...inBody, client_id: 'mächtig' }, null],
  ]
  /** Requests in which no secret was checked, so that naming the reason does not help to guess one. */
  const unreadable: ReadonlyArray<readonly [string, string | null, RegExp]> = [
    ['nothing', null, /^No client credentials were sent/],
    ['bad base64', 'Basic ???', /^The Authorization header is not Basic/],
    ['an empty secret in the header', basic('public:'), /public client sends client_id in the body/],
    ['an empty secret of an unknown client', basic('none:'), /public client sends client_id in the body/],
  ]
  for (const [title, authorization, description] of unreadable) {
    test(`refuses ${title}, and says what to send`, async () => {
      const outcome = await ask(machine, authorization)
      assert.ok(outcome.kind === 'refused' && outcome.refusal.code === 'invalid_client')
      assert.match(outcome.refusal.description, description)
    })
  }
  for (const [title, parameters, authorization] of refused) {
    test(`refuses ${title}, like every other`, async () => {
      const outcome = await ask({ ...machine, ...parameters }, authorization)
      const description = 'Client authentication failed.'
      const refusal = { code: 'invalid_client', wireCode: null, description, retryAfterSeconds: null }
      assert.deepEqual(outcome, { kind: 'refused', refusal })
    })
  }
  test('refuses two authentication methods in one request', async () => {
    assert.equal(
      refusedCode(await ask({ ...machine, ...inBody }, basic(`machine:${secret}`))),
      'invalid_request',
    )
  })
  test('TK-02 every refusal costs one password hash, however many secrets there are', async t => {
    await flow.addClient({ ...machineClient, client_id: 'rotating' }, 'old secret', 'new secret')
    await flow.addClient({ ...machineClient, client_id: 'generated' }, `lks_${'a'.repeat(43)}`)
    const argon2 = countArgon2(t)
    const rows = [
      ...refused.slice(0, 9),
      ['one of two secrets', { ...inBody, client_id: 'rotating', client_secret: 'wrong' }, null],
      ['a generated secret', { ...inBody, client_id: 'generated', client_secret: 'wrong' }, null],
    ] as const
    for (const [title, parameters, authorization] of rows) {
      const request = { parameters: parametersFrom({ ...machine, ...parameters }), authorization }
      await answerTokenRequest(flow.ports, request, { ...context, address: null })
      assert.equal(argon2.count(), 1, title)
    }
  })
})

test('TK-06 two secrets live side by side until their own ends', async () => {
  const digest = await flow.ports.passwords.hash('old')
  const expiresAt = new Date(flow.ports.clock.now().getTime() + 60_000)
  const find: TestFlow['ports']['clients']['find'] = async clientId => {
    const registered = await flow.ports.clients.find(clientId)
    return registered && { ...registered, secrets: [...registered.secrets, { id: 'old', digest, expiresAt }] }
  }
  const ports = { ...flow.ports, clients: { ...flow.ports.clients, find } }
  const askWith = (presented: string) =>
    answerTokenRequest(
      ports,
      {
        parameters: parametersFrom({ ...machine, client_id: 'machine', client_secret: presented }),
        authorization: null,
      },
      context,
    )
  assert.equal((await askWith('old')).kind, 'issued')
  assert.equal((await askWith(secret)).kind, 'issued')
  flow.advance(59)
  assert.equal((await askWith('old')).kind, 'issued')
  flow.advance(1)
  assert.equal(refusedCode(await askWith('old')), 'invalid_client')
  assert.equal((await askWith(secret)).kind, 'issued')
})

describe('TK-08 grants', () => {
  const rows: ReadonlyArray<readonly [string, string, Readonly<Record<string, string>>, string]> = [
    ['a missing grant_type', 'machine', {}, 'invalid_request'],
    ['an unknown one', 'machine', { grant_type: 'nonsense' }, 'unsupported_grant_type'],
    ['one in another case', 'machine', { grant_type: 'Client_Credentials' }, 'unsupported_grant_type'],
    ['constructor', 'machine', { grant_type: 'constructor' }, 'unsupported_grant_type'],
    ['implicit, which has no place here', 'web', { grant_type: 'implicit' }, 'unsupported_grant_type'],
    ['one the client lacks', 'web', machine, 'unauthorized_client'],
  ]
  for (const [title, clientId, parameters, error] of rows) {
    test(`${title}: ${error}`, async () =>
      assert.equal(refusedCode(await flow.ask(parameters, clientId)), error))
  }
})

describe('TK-11 client_credentials', () => {
  test('gives an access token whose subject is the client, and nothing else', async () => {
    const response = issued(await flow.ask({ ...machine, scope: 'api.write api' }, 'machine'))
    assert.deepEqual(Object.keys(response), ['access_token', 'expires_in', 'token_type', 'scope'])
    assert.equal(response.scope, 'api api.write', 'in alphabetical order')
    const { header, payload } = decodeJwt(String(response.access_token))
    assert.equal(header.typ, 'at+jwt')
    const { exp, nbf, iat, jti, ...claims } = payload
    assert.deepEqual([Number(exp) - Number(iat), Number(nbf) - Number(iat)], [3600, 0])
    assert.match(String(jti), /^[\w-]{22}$/)
    const expected = {
      iss: issuer,
      aud: `${issuer}/resources`,
      sub: 'machine',
      client_id: 'machine',
      scope: 'api api.write',
    }
    assert.deepEqual(claims, expected)
  })
  test('gives a reference token where configured', async () => {
    const response = issued(await flow.ask(machine, 'machine-reference'))
    assert.match(String(response.access_token), /^at_[\w-]{43}$/)
  })
  for (const scope of [
    '',
    'openid',
    'api openid',
    'offline_access',
    'nonsense',
    'retired',
    'profile',
    'API',
  ]) {
    test(`refuses the scope ${JSON.stringify(scope)}`, async () => {
      assert.equal(refusedCode(await flow.ask({ ...machine, scope }, 'machine')), 'invalid_scope')
    })
  }
  test('refuses a public client, which cannot have this grant type', async () => {
    assert.equal(refusedCode(await ask({ ...machine, client_id: 'public' })), 'unauthorized_client')
    assert.equal(flow.events.at(-1)?.reason, 'grant_type_not_allowed')
  })
})
