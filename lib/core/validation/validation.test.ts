import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { longestLifetimeSeconds, revocationMarkSeconds } from '#lib/config/limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { sampleAuditEntry } from '#lib/storage/testing/samples.ts'
import { context } from '../testing/ports.ts'
import { decodeJwt, issued, openTestFlow, secret, type TestFlow } from '../testing/token-flow.ts'
import { type ValidationOutcome, validateAccessToken, validateIdentityToken } from './validation.ts'

const machineClient = {
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
  scope: 'api api.write',
}

let flow: TestFlow
let byReference: Client
before(async () => {
  flow = await openTestFlow()
  await flow.addClient({ ...machineClient, client_id: 'machine' }, secret)
  await flow.addClient(
    { ...machineClient, client_id: 'machine-reference', access_token_type: 'reference' },
    secret,
  )
})
after(() => flow.close())
beforeEach(async () => {
  await flow.addUser('alice', { claims: { role: 'reader' } })
  byReference = await flow.addClient({ client_id: 'reference', access_token_type: 'reference' }, secret)
})

const anyCaller = { ...context, address: null }
const access = (parameters: Readonly<Record<string, string>>, ports: Ports = flow.ports) =>
  validateAccessToken(ports, { parameters: parametersFrom(parameters) }, anyCaller)
const identity = (parameters: Readonly<Record<string, string>>) =>
  validateIdentityToken(flow.ports, { parameters: parametersFrom(parameters) }, anyCaller)
const machineToken = async (clientId: string, scope = 'api') => {
  const response = issued(await flow.ask({ grant_type: 'client_credentials', scope }, clientId))
  return String(response.access_token)
}

function valid(outcome: ValidationOutcome): Claims {
  assert.ok(outcome.kind === 'valid', JSON.stringify(outcome))
  return outcome.claims
}

function invalid(outcome: ValidationOutcome, message: string, error = message): void {
  assert.deepEqual(outcome, { kind: 'invalid', message, error, status: 400, retryAfterSeconds: null })
}

describe('accesstokenvalidation', () => {
  test('a signed token’s claims are text', async () => {
    const claims = valid(await access({ token: (await flow.tokens()).access }))
    for (const name of ['exp', 'nbf', 'iat', 'auth_time']) assert.match(String(claims[name]), /^\d{10}$/)
    assert.ok(Object.values(claims).every(value => typeof value === 'string' || Array.isArray(value)))
    assert.deepEqual(
      [claims.sub, claims.amr, claims.idp, claims.role],
      ['alice', 'pwd', 'latchkey', 'reader'],
    )
    assert.deepEqual(claims.scope, ['openid', 'profile', 'api', 'offline_access'])
  })
  test('a reference token’s keep their types', async () => {
    const claims = valid(await access({ token: (await flow.tokens({ client: byReference })).access }))
    for (const name of ['exp', 'nbf', 'iat', 'auth_time']) assert.equal(typeof claims[name], 'number')
    assert.equal(claims.amr, 'pwd')
  })
  test('a client’s own token is as good', async () => {
    for (const clientId of ['machine', 'machine-reference']) {
      assert.equal(valid(await access({ token: await machineToken(clientId) })).client_id, clientId)
    }
  })
  test('JW-07 expectedScope is one whole word', async () => {
    for (const clientId of ['machine', 'machine-reference']) {
      const token = await machineToken(clientId, 'api.write')
      valid(await access({ token, expectedScope: 'api.write' }))
      valid(await access({ token, expectedScope: '' }))
      for (const expectedScope of ['api', 'write', 'api.write ', 'API.WRITE', 'api api.write']) {
        invalid(await access({ token, expectedScope }), 'insufficient_scope')
      }
    }
  })
  test('without a token it says so', async () => {
    invalid(await access({}), 'Token is missing', 'invalid_request')
    invalid(await access({ token: '' }), 'Token is missing', 'invalid_request')
  })
})

describe('VE-05 whatever is wrong, the answer is the same', () => {
  const changes: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
    ['expired', async () => flow.advance(3601)],
    ['of a locked user', () => flow.addUser('alice', { enabled: false })],
    ['of a withdrawn grant', () => revokeAll()],
  ]
  for (const kind of ['jwt', 'reference'] as const) {
    for (const [title, change] of changes) {
      test(`${kind}: ${title}`, async () => {
        const { access: token } = await flow.tokens(kind === 'jwt' ? {} : { client: byReference })
        valid(await access({ token }))
        await change()
        invalid(await access({ token }), 'invalid_token')
      })
    }
    test(`AU-10 ${kind}: of a user whom a user service calls inactive, while our store knows of nothing`, async () => {
      const { access: token } = await flow.tokens(kind === 'jwt' ? {} : { client: byReference })
      await flow.whileAway(async () => invalid(await access({ token }), 'invalid_token'))
      valid(await access({ token }))
    })
  }
  test('of a disabled client', async () => {
    const { access: token } = await flow.tokens({ client: byReference })
    await flow.addClient({ client_id: 'reference', access_token_type: 'reference', enabled: false }, secret)
    invalid(await access({ token }), 'invalid_token')
  })
  test('VE-07 revoked by its jti', async () => {
    const token = await machineToken('machine')
    const { jti } = valid(await access({ token }))
    await flow.ports.revokedTokens.add(String(jti), new Date(flow.ports.clock.now().getTime() + 3_600_000))
    invalid(await access({ token }), 'invalid_token')
  })
  test('VE-07 of a client whose own tokens were all revoked, until it gets another', async () => {
    const [token, other] = [await machineToken('machine'), await machineToken('machine-reference')]
    const clientId = clientIdSchema.parse('machine')
    const change = {
      writes: [{ kind: 'revoke_grants', selection: { clientId } }],
      audit: [sampleAuditEntry()],
    } as const
    await flow.storage.adminStore.commit(change, flow.ports.clock.now())
    invalid(await access({ token }), 'invalid_token')
    valid(await access({ token: other }))
    flow.advance(1)
    valid(await access({ token: await machineToken('machine') }))
  })
  test('VE-07 a JWT of the old server that was revoked, also when it lives longer than the memory of that', async () => {
    const { signer, clock } = flow.ports
    flow.advance(1)
    const nbf = Math.floor(clock.now().getTime() / 1000)
    const ends = { nbf, exp: nbf + 4 * longestLifetimeSeconds.accessToken }
    const claims = { iss: 'https://id.example', aud: 'x', ...ends, client_id: 'web', scope: ['api'] }
    const contents: readonly Claims[] = [{ ...claims, sub: 'alice' }, claims]
    const tokens = await Promise.all(contents.map(each => signer.sign(each, 'identityserver3', 'RS256')))
    for (const token of tokens) valid(await access({ token }))
    const selections = [
      { subject: subjectIdSchema.parse('alice') },
      { clientId: clientIdSchema.parse('web') },
    ]
    const writes = selections.map(selection => ({ kind: 'revoke_grants', selection }) as const)
    await flow.storage.adminStore.commit({ writes, audit: [sampleAuditEntry()] }, clock.now())
    for (const token of tokens) invalid(await access({ token }), 'invalid_token')
    flow.advance(revocationMarkSeconds)
    await flow.storage.purge(clock.now())
    for (const token of tokens) invalid(await access({ token }), 'invalid_token')
  })
  test('JW-03 JW-12 not an access token at all', async () => {
    const issued = await flow.tokens()
    for (const token of [
      issued.identity,
      issued.refresh,
      'nonsense',
      'a.b.c',
      `at_${'a'.repeat(43)}`,
      'a'.repeat(60_000),
    ]) {
      invalid(await access({ token }), 'invalid_token')
    }
  })
  test('JW-16 a reference token with one character changed, cut off or added', async () => {
    const token = await machineToken('machine-reference')
    for (let index = 0; index < token.length; index++) {
      const other = token[index] === 'A' ? 'B' : 'A'
      invalid(
        await access({ token: `${token.slice(0, index)}${other}${token.slice(index + 1)}` }),
        'invalid_token',
      )
    }
    for (const changed of [
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      token.toUpperCase(),
      token.slice(3),
      `${token} `,
    ]) {
      invalid(await access({ token: changed }), 'invalid_token')
    }
    valid(await access({ token }))
  })
  test('VE-03 a signed token whose jti names no grant of its client', async () => {
    const { signer, clock } = flow.ports
    const now = Math.floor(clock.now().getTime() / 1000)
    const claims = {
      iss: 'https://id.example',
      aud: 'x',
      exp: now + 60,
      nbf: now,
      iat: now,
      sub: 'alice',
      scope: 'openid',
    }
    const [, own] =
      /^"(g[^.]+)\./.exec(JSON.stringify(decodeJwt((await flow.tokens()).access).payload.jti)) ?? []
    assert.ok(own)
    for (const [client_id, jti] of [
      ['web', `g${'a'.repeat(22)}.x`],
      ['web', 'not-a-grant.x'],
      ['machine', `${own}.x`],
      ['unregistered', 'x'],
      [null, 'x'],
      ['web', null],
    ] as const) {
      const token = await signer.sign({ ...claims, client_id, jti }, 'at+jwt', 'ES256')
      invalid(await access({ token }), 'invalid_token')
    }
    valid(
      await access({
        token: await signer.sign({ ...claims, client_id: 'web', jti: `${own}.x` }, 'at+jwt', 'ES256'),
      }),
    )
  })
})

describe('identitytokenvalidation', () => {
  test('its claims are text, and idp is always said', async () => {
    const { identity: token } = await flow.tokens({ nonce: 'n-1' })
    const claims = valid(await identity({ token, client_id: 'web' }))
    assert.ok(Object.values(claims).every(value => typeof value === 'string'))
    const { nonce, sub, amr, idp, aud } = claims
    assert.deepEqual([nonce, sub, amr, idp, aud], ['n-1', 'alice', 'pwd', 'latchkey', 'web'])
  })
  test('another provider is named as it is', async () => {
    const { identity: token } = await flow.tokens({ grant: { idp: 'corp' } })
    assert.equal(valid(await identity({ token, client_id: 'web' })).idp, 'corp')
  })
  test('JW-06 only for the client it was issued for', async () => {
    const { identity: token } = await flow.tokens()
    for (const client_id of ['machine', 'unregistered', 'WEB', 'web '])
      invalid(await identity({ token, client_id }), 'invalid_token')
    invalid(await identity({ token }), 'client_id is missing', 'invalid_request')
    invalid(await identity({ client_id: 'web' }), 'Token is missing', 'invalid_request')
  })
  test('JW-03 an access token is not accepted as an ID token', async () => {
    invalid(await identity({ token: (await flow.tokens()).access, client_id: 'web' }), 'invalid_token')
  })
  for (const [title, change] of [
    ['expired', async () => flow.advance(301)],
    ['of a locked user', () => flow.addUser('alice', { enabled: false })],
  ] as const) {
    test(`not ${title}`, async () => {
      const { identity: token } = await flow.tokens()
      await change()
      invalid(await identity({ token, client_id: 'web' }), 'invalid_token')
    })
  }
  test('not of a disabled client', async () => {
    const { identity: token } = await flow.tokens({ client: byReference })
    await flow.addClient({ client_id: 'reference', enabled: false }, secret)
    invalid(await identity({ token, client_id: 'reference' }), 'invalid_token')
  })
})

test('an address that asks about too many wrong tokens waits with wrong ones, and no other does', async () => {
  const from = (address: string, token: string) =>
    validateAccessToken(flow.ports, { parameters: parametersFrom({ token }) }, { ...context, address })
  const token = await machineToken('machine')
  for (let count = 0; count < 300; count++) invalid(await from('203.0.113.5', 'nonsense'), 'invalid_token')
  const outcome = await from('203.0.113.5', 'nonsense')
  assert.ok(outcome.kind === 'invalid' && outcome.status === 429 && Number(outcome.retryAfterSeconds) > 0)
  valid(await from('203.0.113.5', token))
  invalid(await from('203.0.113.6', 'nonsense'), 'invalid_token')
  flow.advance(61)
  invalid(await from('203.0.113.5', 'nonsense'), 'invalid_token')
})

async function revokeAll(): Promise<void> {
  const { subject } = await flow.addUser('alice')
  await flow.ports.grants.revoke({ subject }, flow.ports.clock.now())
}
