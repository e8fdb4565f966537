import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CustomGrant, CustomGrantOutcome } from '#lib/ports/extensions.ts'
import { scopeNameSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import {
  decodeJwt,
  issued,
  openTestFlow,
  refreshing,
  refusedCode,
  secret,
  type TestFlow,
} from '../testing/token-flow.ts'

const grantType = 'urn:example:test'
let answer: CustomGrantOutcome
let asked: Parameters<CustomGrant['validate']>[0] | undefined
let calledOn: unknown
const custom: CustomGrant = {
  grantType,
  async validate(request) {
    calledOn = this
    asked = request
    return answer
  },
}
const impostor: CustomGrant = { ...custom, grantType: 'client_credentials' }
const subject = subjectIdSchema.parse('alice')

let flow: TestFlow
before(async () => {
  flow = await openTestFlow({ customGrants: [custom, impostor] })
  const grants = { grant_types: [grantType, 'refresh_token'], redirect_uris: [], response_types: [] }
  await flow.addClient({ ...grants, client_id: 'device' }, secret)
  await flow.addClient(
    { ...grants, client_id: 'lasting', update_access_token_claims_on_refresh: true },
    secret,
  )
})
after(() => flow.close())

const ask = (parameters: Readonly<Record<string, string>> = {}, clientId = 'device') =>
  flow.ask({ grant_type: grantType, scope: 'openid api', ...parameters }, clientId)

test('TK-08 a custom grant is open only to clients that name it, and only by a registered name', async () => {
  assert.equal(refusedCode(await flow.ask({ grant_type: grantType, scope: 'api' })), 'unauthorized_client')
  assert.equal(refusedCode(await ask({ grant_type: 'urn:example:other' })), 'unsupported_grant_type')
})

test('a custom grant is called as a method of its object, so that an extension may be a class', async () => {
  answer = { kind: 'refused', description: null }
  await ask()
  assert.equal(calledOn, custom)
})

test('a custom grant cannot take the place of a built-in grant', async () => {
  asked = undefined
  await flow.ask({ grant_type: 'client_credentials', scope: 'api' })
  assert.equal(asked, undefined)
})

test('a custom grant gets parameters, client and checked scopes', async () => {
  answer = { kind: 'refused', description: null }
  await ask({ activation_code: 'x', scope: 'openid api' })
  assert.deepEqual(
    [asked?.parameters.one('activation_code'), asked?.client.clientId, asked?.scopes],
    ['x', 'device', ['api', 'openid']],
  )
  asked = undefined
  assert.equal(refusedCode(await ask({ scope: 'nonsense' })), 'invalid_scope')
  assert.equal(asked, undefined, 'and is not asked about what the client may not have')
})

test('a custom grant with a subject returns an access token for that user, with the grant’s claims and without an ID token', async () => {
  answer = { kind: 'granted', subject, amr: ['card'], claims: { device: 'lamp', sub: 'mallory' } }
  const response = issued(await ask())
  assert.deepEqual(Object.keys(response), ['access_token', 'expires_in', 'token_type', 'scope'])
  const { payload } = decodeJwt(String(response.access_token))
  assert.deepEqual([payload.sub, payload.amr, payload.device], ['alice', ['card'], 'lamp'])
})

for (const clientId of ['device', 'lasting']) {
  test(`the claims of a custom grant stay in the tokens of a refresh: ${clientId}`, async () => {
    answer = { kind: 'granted', subject, amr: ['card'], claims: { device: 'lamp' } }
    const first = issued(await ask({ scope: 'api offline_access' }, clientId))
    const second = issued(await flow.ask(refreshing(String(first.refresh_token)), clientId))
    assert.equal(decodeJwt(String(second.access_token)).payload.device, 'lamp')
  })
}

test('a custom grant without a subject returns a token of the client, for resource scopes only', async () => {
  answer = { kind: 'granted', subject: null, amr: [] }
  const { payload } = decodeJwt(String(issued(await ask({ scope: 'api' })).access_token))
  assert.deepEqual([payload.sub, payload.auth_time], ['device', undefined])
  for (const scope of ['openid', 'api offline_access'])
    assert.equal(refusedCode(await ask({ scope })), 'invalid_scope')
  // A value that an extension in JavaScript may return
  answer = { kind: 'granted' }
  assert.equal(decodeJwt(String(issued(await ask({ scope: 'api' })).access_token)).payload.sub, 'device')
})

test('MF-06 a custom grant with a subject counts as one factor, whatever methods it names', async () => {
  answer = { kind: 'granted', subject, amr: ['otp', 'mfa'] }
  const client = { grant_types: [grantType], redirect_uris: [], response_types: [], client_id: 'careful' }
  await flow.addClient({ ...client, require_acr: 'urn:latchkey:mfa' }, secret)
  const outcome = await ask({ scope: 'api' }, 'careful')
  assert.equal(refusedCode(outcome), 'invalid_grant')
  answer = { kind: 'granted', subject: null, amr: [] }
  issued(await ask({ scope: 'api' }, 'careful'))
})

describe('TK-17 refusals', () => {
  test('an unknown user', async () => {
    answer = { kind: 'granted', subject: subjectIdSchema.parse('unregistered'), amr: [] }
    assert.equal(refusedCode(await ask()), 'invalid_grant')
  })
  for (const [description, expected] of [
    ['The card is worn out.', 'The card is worn out.'],
    ['Karte ungültig', 'The grant is invalid, expired or revoked.'],
    [null, 'The grant is invalid, expired or revoked.'],
  ] as const) {
    test(`the grant’s own: ${description}`, async () => {
      answer = { kind: 'refused', description }
      const outcome = await ask()
      assert.ok(outcome.kind === 'refused' && outcome.refusal.code === 'invalid_grant')
      assert.equal(outcome.refusal.description, expected)
    })
  }
  for (const [error, expected] of [
    ['activation_pending', 'activation_pending'],
    ['invalid_client', null],
    ['quoted "code"', null],
  ] as const) {
    test(`its error code: ${error}`, async () => {
      answer = { kind: 'refused', error, description: null }
      const outcome = await ask()
      assert.ok(outcome.kind === 'refused' && outcome.refusal.code === 'invalid_grant')
      assert.equal(outcome.refusal.wireCode, expected)
    })
  }
})

test('claims of a custom grant stay after a scope of the grant was deleted', async () => {
  answer = { kind: 'granted', subject, claims: { device: 'lamp' } }
  const client = { grant_types: [grantType, 'refresh_token'], redirect_uris: [], response_types: [] }
  await flow.addClient({ ...client, client_id: 'odd', scope: '', allow_access_to_all_scopes: true }, secret)
  const name = scopeNameSchema.parse('passing')
  const record = { name, metadata: { name, kind: 'resource', claims: ['department'] } as const, secrets: [] }
  const { configuration } = flow.storage
  await configuration.apply({ put: { scopes: [record] }, remove: {} }, flow.ports.clock.now())
  await flow.addUser('alice', { claims: { department: 'crew' } })
  const first = issued(await ask({ scope: 'openid api passing offline_access' }, 'odd'))
  const claimsOf = (tokens: ReturnType<typeof issued>) => {
    const { device, department } = decodeJwt(String(tokens.access_token)).payload
    return { device, department }
  }
  assert.deepEqual(claimsOf(first), { device: 'lamp', department: 'crew' })
  await configuration.apply({ put: {}, remove: { scopes: [name] } }, flow.ports.clock.now())
  const second = issued(await flow.ask(refreshing(String(first.refresh_token)), 'odd'))
  assert.deepEqual(claimsOf(second), { device: 'lamp', department: undefined })
})
