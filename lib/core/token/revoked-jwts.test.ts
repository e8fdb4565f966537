import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Claims } from '#lib/protocol/claims.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { ClientMetadata } from '#lib/protocol/registration/client.ts'
import { clientFromMetadata } from '#lib/protocol/registration/client.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { sampleAuditEntry } from '#lib/storage/testing/samples.ts'
import { revoke } from '../revocation/revocation.ts'
import { context } from '../testing/ports.ts'
import { testMachine } from '../testing/registrations.ts'
import { decodeJwt, issued, openTestFlow, secret, type TestFlow } from '../testing/token-flow.ts'
import { validateAccessToken, validateIdentityToken } from '../validation/validation.ts'

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
  await flow.addClient({ client_id: 'old-machine', ...testMachine, ...older, scope: 'api api.write' }, secret)
  await flow.addClient({ client_id: 'machine', ...testMachine, scope: 'api api.write' }, secret)
})
after(() => flow.close())

const older = { access_token_format: 'identityserver3' } as const

const userTokens = async (changes: Partial<ClientMetadata> = {}) =>
  flow.tokens({ client: await flow.addClient({ client_id: 'old', ...older, ...changes }, secret) })

async function machineToken(clientId = 'old-machine', scope = 'api api.write'): Promise<string> {
  return String(issued(await flow.ask({ grant_type: 'client_credentials', scope }, clientId)).access_token)
}

/** Returns the claims at the validation endpoint; `null`: the token is invalid. */
async function validated(token: string): Promise<Claims | null> {
  const outcome = await validateAccessToken(flow.ports, { parameters: parametersFrom({ token }) }, context)
  return outcome.kind === 'valid' ? outcome.claims : null
}

async function revokeBy(clientId: string, token: string): Promise<void> {
  const parameters = parametersFrom({ token, client_id: clientId, client_secret: secret })
  const outcome = await revoke(flow.ports, { parameters, authorization: null }, context)
  assert.equal(outcome.kind, 'done')
}

describe('VE-07 one of two JWTs of one second is revoked, and the other one stays valid', () => {
  for (const clientId of ['machine', 'old-machine'] as const) {
    test(`of a client for itself: ${clientId}`, async () => {
      const [first, second] = [await machineToken(clientId), await machineToken(clientId)]
      await revokeBy(clientId, first)
      assert.equal(await validated(first), null)
      assert.ok(await validated(second))
    })
  }
  test('of one grant', async () => {
    const client = await flow.addClient({ client_id: 'old', ...older, refresh_token_usage: 'reuse' }, secret)
    const { refresh } = await flow.tokens({ client })
    const use = async () =>
      issued(await flow.ask({ grant_type: 'refresh_token', refresh_token: refresh }, 'old'))
    const [first, second] = [String((await use()).access_token), String((await use()).access_token)]
    await revokeBy('old', first)
    assert.equal(await validated(first), null)
    assert.ok(await validated(second))
  })
})

describe('VE-07 a JWT of an earlier release, without jti', () => {
  const sign = (claims: Claims) => flow.ports.signer.sign(claims, 'identityserver3', 'RS256')
  const claimsWithoutId = (token: string): Claims => {
    const { jti, ...claims }: Claims = JSON.parse(JSON.stringify(decodeJwt(token).payload))
    const [grantId = '', random] = String(jti).split('.')
    return random === undefined ? claims : { ...claims, grant_id: grantId }
  }
  test('of a client for itself is revoked by its text', async () => {
    const token = await sign(claimsWithoutId(await machineToken()))
    assert.ok(await validated(token))
    await revokeBy('old-machine', token)
    assert.equal(await validated(token), null)
  })
  test('of a user ends with its grant', async () => {
    const { access, refresh } = await userTokens()
    const token = await sign(claimsWithoutId(access))
    assert.ok(await validated(token))
    await revokeBy('old', refresh)
    assert.equal(await validated(token), null)
  })
  test('in comparison, one with jti of a client ends when all tokens of the client are revoked', async () => {
    const token = await machineToken()
    const selection = { clientId: clientFromMetadata({ client_id: 'old-machine', ...testMachine }).clientId }
    const change = { writes: [{ kind: 'revoke_grants', selection }], audit: [sampleAuditEntry()] } as const
    await flow.storage.adminStore.commit(change, flow.ports.clock.now())
    assert.equal(await validated(token), null)
    flow.advance(1)
    assert.ok(await validated(await machineToken()))
  })
  test('of a user is invalid unless it names a grant of its client', async () => {
    const { access } = await userTokens()
    const own = claimsWithoutId(access)
    const forged = [
      { ...own, client_id: 'web' },
      { ...own, grant_id: flow.ports.random.grantId() },
      { ...own, grant_id: 'none' },
      { ...own, jti: 'none.of.ours' },
      { ...own, jti: 7 },
    ]
    assert.ok(await validated(await sign(own)))
    for (const claims of forged) assert.equal(await validated(await sign(claims)), null)
  })
})

describe('five minutes after its end', () => {
  test('a JWT in the IdentityServer3 format is accepted, of a user too, and not later', async () => {
    const tokens = [await machineToken(), (await userTokens()).access]
    flow.advance(3600 + 299)
    await flow.purge()
    for (const token of tokens) assert.ok(await validated(token))
    flow.advance(2)
    for (const token of tokens) assert.equal(await validated(token), null)
  })
  test('a JWT is still revoked: with its grant, and at the sign-out', async () => {
    const client = await flow.addClient({ client_id: 'old', ...older }, secret)
    const subject = subjectIdSchema.parse('alice')
    const session = await flow.openSession(subject)
    const { sessionId } = session
    const granted = await flow.tokens({ client, scope: 'openid api', grant: { sessionId: null } })
    const signedIn = await flow.tokens({
      client,
      scope: 'openid api',
      grant: { sessionId, isOffline: false },
    })
    flow.advance(3600 + 100)
    assert.ok(await validated(signedIn.access))
    await flow.ports.sessions.end(session, flow.ports.clock.now())
    assert.equal(await validated(signedIn.access), null)
    assert.ok(await validated(granted.access))
    await flow.ports.grants.revoke({ subject, clientId: client.clientId }, flow.ports.clock.now())
    assert.equal(await validated(granted.access), null)
  })
  test('a JWT of RFC 9068 and a reference token are not accepted', async () => {
    const reference = await userTokens({ access_token_type: 'reference' })
    const tokens = [await machineToken('machine'), (await flow.tokens()).access, reference.access]
    flow.advance(3600)
    for (const token of tokens) assert.equal(await validated(token), null)
  })
  test('an ID token is valid only for a client with this format', async () => {
    const clients = [
      ['old', (await userTokens()).identity, true],
      ['web', (await flow.tokens()).identity, false],
    ] as const
    flow.advance(300 + 299)
    for (const [client_id, token, isValid] of clients) {
      const parameters = parametersFrom({ token, client_id })
      const outcome = await validateIdentityToken(flow.ports, { parameters }, context)
      assert.equal(outcome.kind === 'valid', isValid, client_id)
    }
    flow.advance(2)
    const parameters = parametersFrom({ token: clients[0][1], client_id: 'old' })
    assert.equal((await validateIdentityToken(flow.ports, { parameters }, context)).kind, 'invalid')
  })
})

describe('JW-03 an access token and an ID token with the same typ', () => {
  test('are never taken for one another, also where an API has the name of a client', async () => {
    const { access, identity } = await userTokens()
    assert.equal(await validated(identity), null)
    const own: Claims = JSON.parse(JSON.stringify(decodeJwt(access).payload))
    const forClient = await flow.ports.signer.sign({ ...own, aud: 'old' }, 'identityserver3', 'RS256')
    assert.ok(await validated(forClient))
    assert.equal(await flow.ports.signer.verify(forClient, 'JWT'), null)
    assert.equal(await flow.ports.signer.verify(forClient, 'at+jwt'), null)
    const parameters = parametersFrom({ token: forClient, client_id: 'old' })
    assert.equal((await validateIdentityToken(flow.ports, { parameters }, context)).kind, 'invalid')
    const subject = subjectIdSchema.parse('alice')
    assert.equal(decodeJwt(access).payload.sub, subject)
  })
})
