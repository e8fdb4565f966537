import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Claims } from '#lib/protocol/claims.ts'
import { grantIdSchema } from '#lib/protocol/ids.ts'
import type { ClientMetadata } from '#lib/protocol/registration/client.ts'
import { clientFromMetadata } from '#lib/protocol/registration/client.ts'
import { type ScopeMetadata, scopeFromMetadata } from '#lib/protocol/registration/scope.ts'
import type { AccessTokenFormat } from '#lib/protocol/vocabulary.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { readIdTokenHint } from '../authorize/id-token-hint.ts'
import { introspect } from '../introspection/introspection.ts'
import { revoke } from '../revocation/revocation.ts'
import { context, issuer } from '../testing/ports.ts'
import { testMachine } from '../testing/registrations.ts'
import { decodeJwt, issued, openTestFlow, secret, type TestFlow } from '../testing/token-flow.ts'
import { userinfo } from '../userinfo/userinfo.ts'
import { validateAccessToken, validateIdentityToken } from '../validation/validation.ts'
import { accessTokenFormat } from './access-token-format.ts'

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
  await flow.addClient({ client_id: 'old-machine', ...testMachine, ...older, scope: 'api api.write' }, secret)
  await flow.addClient({ client_id: 'machine', ...testMachine, scope: 'api api.write' }, secret)
  await flow.addClient(
    { client_id: 'typ-jwt-machine', ...testMachine, ...typJwt, scope: 'api api.write' },
    secret,
  )
})
after(() => flow.close())

const typJwt = { access_token_format: 'rfc9068-jwt' } as const
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

async function introspected(clientId: string, token: string): Promise<Claims> {
  const parameters = parametersFrom({ token, client_id: clientId, client_secret: secret })
  const outcome = await introspect(flow.ports, { parameters, authorization: null }, context)
  assert.ok(outcome.kind === 'answered')
  return outcome.response
}

describe('the format', () => {
  const rows: ReadonlyArray<
    readonly [
      expected: AccessTokenFormat,
      client: AccessTokenFormat | null,
      scopes: readonly (AccessTokenFormat | null)[],
      server: AccessTokenFormat,
    ]
  > = [
    ['rfc9068', null, [null], 'rfc9068'],
    ['identityserver3', null, [null], 'identityserver3'],
    ['identityserver3', null, [], 'identityserver3'],
    ['identityserver3', null, [null, 'identityserver3'], 'rfc9068'],
    ['identityserver3', null, ['rfc9068', 'identityserver3'], 'rfc9068'],
    ['rfc9068', null, ['rfc9068', null], 'identityserver3'],
    ['rfc9068-jwt', null, ['rfc9068', 'rfc9068-jwt'], 'identityserver3'],
    ['identityserver3', null, ['rfc9068-jwt', 'identityserver3'], 'rfc9068'],
    ['rfc9068-jwt', null, [null], 'rfc9068-jwt'],
    ['rfc9068-jwt', 'rfc9068-jwt', ['identityserver3'], 'rfc9068'],
    ['rfc9068', 'rfc9068', ['identityserver3'], 'identityserver3'],
    ['identityserver3', 'identityserver3', ['rfc9068'], 'rfc9068'],
  ]
  for (const [expected, ofClient, ofScopes, ofServer] of rows) {
    test(`of the client ${ofClient}, of its scopes ${ofScopes.join(' and ')}, of the server ${ofServer}: ${expected}`, () => {
      const client = clientFromMetadata({
        client_id: 'a',
        grant_types: ['client_credentials'],
        access_token_format: ofClient,
      })
      const scopes = ofScopes.map((format, index) =>
        scopeFromMetadata({ name: `api${index}`, access_token_format: format }),
      )
      assert.equal(accessTokenFormat({ settings: { accessTokenFormat: ofServer } }, client, scopes), expected)
    })
  }
  test('that of an identity scope does not count', () => {
    const identity: ScopeMetadata = { name: 'profile', kind: 'identity', ...older }
    const client = clientFromMetadata({ client_id: 'a', grant_types: ['client_credentials'] })
    const server = { settings: { accessTokenFormat: 'rfc9068' } } as const
    assert.equal(accessTokenFormat(server, client, [scopeFromMetadata(identity)]), 'rfc9068')
  })
})

describe('the IdentityServer3 format', () => {
  test('a client’s own JWT has seven claims and no sub, is signed with RS256, and says JWT', async () => {
    const { header, payload } = decodeJwt(await machineToken())
    assert.deepEqual([header.typ, header.alg, typeof header.kid], ['JWT', 'RS256', 'string'])
    const { exp, nbf, jti, ...claims } = payload
    assert.equal(Number(exp) - Number(nbf), 3600)
    assert.match(String(jti), /^[\w-]{22}$/)
    const scope = ['api', 'api.write']
    assert.deepEqual(claims, { iss: issuer, aud: `${issuer}/resources`, client_id: 'old-machine', scope })
    assert.deepEqual(Object.keys(payload), ['iss', 'aud', 'exp', 'nbf', 'client_id', 'scope', 'jti'])
  })
  test('one scope is a text', async () => {
    assert.equal(decodeJwt(await machineToken('old-machine', 'api')).payload.scope, 'api')
  })
  test('a user’s JWT names sign-in and provider as IdentityServer3, and its grant', async () => {
    const { payload } = decodeJwt((await userTokens()).access)
    const { exp, nbf, auth_time, jti, ...claims } = payload
    for (const time of [exp, nbf, auth_time]) assert.ok(Number.isInteger(time))
    assert.ok(grantIdSchema.safeParse(String(jti).split('.')[0]).success)
    const about = { iss: issuer, aud: `${issuer}/resources`, client_id: 'old', role: 'reader' }
    const scope = ['openid', 'profile', 'api', 'offline_access']
    assert.deepEqual(claims, { ...about, scope, sub: 'alice', idp: 'idsrv', amr: ['password'] })
  })
  test('iat is there for a client that asks for it', async () => {
    const { access } = await userTokens({ include_jwt_id: true })
    const { payload } = decodeJwt(access)
    assert.match(String(payload.jti), /^g[\w-]{22}\.[\w-]{22}$/)
    assert.equal(payload.iat, payload.nbf)
    assert.ok(await validated(access))
  })
  test('the ID token names sign-in and provider as IdentityServer3', async () => {
    const { header, payload } = decodeJwt((await userTokens()).identity)
    assert.deepEqual([header.typ, payload.idp, payload.amr], ['JWT', 'idsrv', ['password']])
  })
  test('a reference token names sign-in and provider as IdentityServer3, and has no jti', async () => {
    const { access } = await userTokens({ access_token_type: 'reference' })
    const claims = await validated(access)
    assert.deepEqual([claims?.idp, claims?.amr, claims?.jti], ['idsrv', 'password', undefined])
    assert.deepEqual(claims?.scope, ['openid', 'profile', 'api', 'offline_access'])
    const introspectedClaims = await introspected('old', access)
    assert.equal(introspectedClaims.scope, 'openid profile api offline_access')
    assert.ok(!('grant_id' in introspectedClaims))
  })
  test('the token of a refresh has this format', async () => {
    const { refresh } = await userTokens()
    const answer = issued(await flow.ask({ grant_type: 'refresh_token', refresh_token: refresh }, 'old'))
    const { header, payload } = decodeJwt(String(answer.access_token))
    assert.deepEqual([header.typ, payload.idp, payload.role], ['JWT', 'idsrv', 'reader'])
  })
})

describe('role in access tokens has one form for each format, however it was stored', () => {
  const rows = [
    ['text', 'reader', ['reader'], 'reader'],
    ['list of one', ['reader'], ['reader'], 'reader'],
    ['list of two', ['reader', 'writer'], ['reader', 'writer'], ['reader', 'writer']],
  ] as const
  for (const [title, stored, standard, old] of rows) {
    for (const access_token_type of ['jwt', 'reference'] as const) {
      test(`${title}, ${access_token_type}`, async () => {
        await flow.addUser('alice', { claims: { role: stored } })
        const roleIn = async (client: Partial<ClientMetadata>) => {
          const registered = await flow.addClient(
            { client_id: 'roles', access_token_type, ...client },
            secret,
          )
          return (await introspected('roles', (await flow.tokens({ client: registered })).access)).role
        }
        assert.deepEqual(await roleIn({}), standard)
        assert.deepEqual(await roleIn(older), old)
      })
    }
  }
  after(() => flow.addUser('alice', { claims: { role: 'reader' } }))
})

describe('the claims of RFC 9068 with typ JWT', () => {
  const issue = async () =>
    flow.tokens({ client: await flow.addClient({ client_id: 'java', ...typJwt }, secret) })
  const asIdToken = (token: string) =>
    validateIdentityToken(flow.ports, { parameters: parametersFrom({ token, client_id: 'java' }) }, context)
  const asAccessToken = (token: string) =>
    userinfo(flow.ports, { authorization: `Bearer ${token}`, bodyToken: null }, context)

  test('only the typ differs from the standard format', async () => {
    const { header, payload } = decodeJwt((await issue()).access)
    const standard = decodeJwt(
      (await flow.tokens({ client: await flow.addClient({ client_id: 'java' }, secret) })).access,
    )
    assert.deepEqual([header.typ, header.alg, standard.header.typ], ['JWT', 'ES256', 'at+jwt'])
    assert.deepEqual(Object.keys(payload), Object.keys(standard.payload))
    assert.deepEqual(
      [payload.amr, payload.idp, payload.sub, payload.scope],
      [['pwd'], 'latchkey', 'alice', standard.payload.scope],
    )
    const own = decodeJwt(await machineToken('typ-jwt-machine', 'api')).payload
    assert.deepEqual([own.sub, own.scope, typeof own.jti], ['typ-jwt-machine', 'api', 'string'])
  })
  test('JW-03 neither kind is accepted as the other, although both say JWT', async () => {
    const { access, identity } = await issue()
    assert.equal(decodeJwt(identity).header.typ, 'JWT')
    assert.equal((await asAccessToken(access)).kind, 'claims')
    assert.equal((await asIdToken(identity)).kind, 'valid')
    assert.equal((await asIdToken(access)).kind, 'invalid')
    assert.equal((await asAccessToken(identity)).kind, 'refused')
    assert.equal(await validated(identity), null)
    assert.equal((await introspected('java', identity)).active, false)
    assert.equal((await introspected('java', access)).active, true)
    assert.equal(await readIdTokenHint(flow.ports, access), null)
    assert.notEqual(await readIdTokenHint(flow.ports, identity), null)
  })
  test('it is invalid once it was revoked, and after its end', async () => {
    const { access } = await issue()
    await revokeBy('java', access)
    assert.equal(await validated(access), null)
    const { access: second } = await issue()
    assert.ok(await validated(second))
    flow.advance(3601)
    assert.equal(await validated(second), null)
  })
})

describe('all formats', () => {
  for (const clientId of ['machine', 'typ-jwt-machine', 'old-machine'] as const) {
    test(`introspection of a token of ${clientId} has scope as one text, validation as a list`, async () => {
      const token = await machineToken(clientId)
      const { active, scope, client_id } = await introspected(clientId, token)
      assert.deepEqual([active, scope, client_id], [true, 'api api.write', clientId])
      assert.deepEqual((await validated(token))?.scope, ['api', 'api.write'])
    })
    test(`VE-07 a revoked token of ${clientId} is invalid, and stays so until after its end`, async () => {
      const token = await machineToken(clientId)
      assert.ok(await validated(token))
      await revokeBy('web', token)
      assert.ok(await validated(token), 'another client cannot revoke it')
      await revokeBy(clientId, token)
      for (const seconds of [0, 3599, 200, 99, 60]) {
        flow.advance(seconds)
        await flow.purge()
        assert.equal(await validated(token), null)
      }
    })
  }
  test('userinfo accepts tokens in the formats of RFC 9068 and IdentityServer3', async () => {
    const tokens = [(await flow.tokens()).access, (await userTokens()).access]
    for (const token of tokens) {
      const outcome = await userinfo(
        flow.ports,
        { authorization: `Bearer ${token}`, bodyToken: null },
        context,
      )
      assert.equal(outcome.kind, 'claims')
    }
  })
})
