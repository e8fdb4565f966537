import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { type Claims, reservedClaims } from '#lib/protocol/claims.ts'
import { parseHandle, scopeNameSchema } from '#lib/protocol/ids.ts'
import { issuer } from '../testing/ports.ts'
import { testClient } from '../testing/registrations.ts'
import { decodeJwt, openTestFlow, type TestFlow } from '../testing/token-flow.ts'
import { type AccessTokenInput, mintAccessToken, mintIdToken } from './mint-tokens.ts'

let flow: TestFlow
let grant: Grant
before(async () => {
  flow = await openTestFlow()
  const code = await flow.issueCode()
  const stored = await flow.ports.codes.find(flow.ports.hashing.digest(code))
  assert.ok(stored)
  const found = await flow.ports.grants.find(stored.grantId)
  assert.ok(found)
  grant = found
})
after(() => flow.close())

const names = (scope: string) => scope.split(' ').map(name => scopeNameSchema.parse(name))
const mint = (changes: Partial<AccessTokenInput> = {}, ports: Ports = flow.ports) =>
  mintAccessToken(ports, {
    client: testClient(),
    granted: { scopes: names('openid') },
    grant,
    extraClaims: {},
    lifetimeSeconds: 3600,
    ...changes,
  })
const identity = (changes: Partial<Parameters<typeof mintIdToken>[1]> = {}, ports: Ports = flow.ports) =>
  mintIdToken(ports, {
    client: testClient(),
    granted: grant,
    grant,
    nonce: null,
    accessToken: null,
    includeScopeClaims: false,
    ...changes,
  })

describe('access tokens', () => {
  test('a user’s token names the user and the sign-in, VE-08 without personal data', async () => {
    const { exp, nbf, iat, jti, auth_time, ...claims } = (await mint()).claims
    assert.ok(
      Number.isInteger(exp) && Number.isInteger(nbf) && Number.isInteger(iat) && Number.isInteger(auth_time),
    )
    assert.ok(String(jti).startsWith(`${grant.id}.`))
    const sign = { sub: 'alice', idp: 'latchkey', amr: ['pwd'] }
    assert.deepEqual(claims, {
      iss: issuer,
      aud: `${issuer}/resources`,
      client_id: 'web',
      scope: 'openid',
      ...sign,
    })
  })
  test('a resource scope brings the claims it names and no others', async () => {
    const { claims } = await mint({ granted: { scopes: names('openid profile api') } })
    assert.deepEqual(claims.role, ['reader'])
    assert.equal(claims.name, undefined)
    assert.equal(claims.scope, 'openid profile api')
  })
  test('JW-05 aud contains each resource: its own audience, or the common one', async () => {
    const withAudience = (audiences: Readonly<Record<string, string>>): Ports => {
      const all: Ports['scopes']['all'] = async () =>
        (await flow.ports.scopes.all()).map(entry => ({
          ...entry,
          scope: { ...entry.scope, audience: audiences[entry.scope.name] ?? null },
        }))
      return { ...flow.ports, scopes: { ...flow.ports.scopes, all } }
    }
    const audiences = { api: 'https://api.example', 'api.write': 'https://write.example' }
    const audOf = async (scope: string, named: Readonly<Record<string, string>> = audiences) =>
      (await mint({ granted: { scopes: names(scope) } }, withAudience(named))).claims.aud
    assert.equal(await audOf('openid'), `${issuer}/resources`)
    assert.equal(await audOf('openid api'), 'https://api.example')
    assert.deepEqual(await audOf('api api.write'), ['https://api.example', 'https://write.example'])
    assert.equal(await audOf('openid api offline_access'), 'https://api.example')
    const own = { 'api.write': 'https://write.example' }
    assert.deepEqual(await audOf('openid api api.write', own), [
      `${issuer}/resources`,
      'https://write.example',
    ])
    assert.equal(await audOf('api', own), `${issuer}/resources`)
  })
  test('a reference token keeps the whole claim set for the store', async () => {
    const minted = await mint({ client: testClient({ access_token_type: 'reference' }) })
    const handle = parseHandle('accessToken', minted.value)
    assert.ok(handle !== null)
    assert.equal(minted.reference?.digest, flow.ports.hashing.tokenDigest(handle))
    assert.deepEqual(minted.reference?.claims, minted.claims)
    assert.equal(
      await flow.ports.referenceTokens.find(flow.ports.hashing.tokenDigest(handle)),
      null,
      'not yet stored',
    )
  })
  test('a client’s own claims carry a prefix, in its own tokens or where it asked for them', async () => {
    const claims = { plan: 'gold', id: 'forged' }
    const own = await mint({ client: testClient({ claims }), grant: null })
    assert.deepEqual([own.claims.client_plan, own.claims.client_id], ['gold', 'web'])
    assert.equal((await mint({ client: testClient({ claims }) })).claims.client_plan, undefined)
    const always = testClient({ claims, always_send_client_claims: true })
    assert.equal((await mint({ client: always })).claims.client_plan, 'gold')
  })
})

describe('JW-15 reserved claims cannot be replaced', () => {
  const forged = (extra: Claims): Claims => ({
    ...Object.fromEntries([...reservedClaims].map(name => [name, 'forged'])),
    ...extra,
  })
  const hostile = (extra: Claims = {}): Ports => ({
    ...flow.ports,
    userService: { ...flow.ports.userService, profile: async () => forged(extra) },
    tokenClaims: [{ claimsFor: async () => forged(extra) }],
    scopes: {
      ...flow.ports.scopes,
      all: async () =>
        (await flow.ports.scopes.all()).map(entry => ({
          ...entry,
          scope: { ...entry.scope, claims: [...reservedClaims, ...Object.keys(extra)] },
        })),
    },
  })
  test('not by the profile, extensions, custom grants or kept claims', async () => {
    const granted = { scopes: names('openid api') }
    for (const kept of [{}, { keptClaims: forged({}) }]) {
      const { claims } = await mint({ granted, extraClaims: forged({}), ...kept }, hostile())
      for (const [name, value] of Object.entries(claims)) assert.notEqual(value, 'forged', name)
    }
    const { payload } = decodeJwt(await identity({ includeScopeClaims: true }, hostile()))
    for (const [name, value] of Object.entries(payload)) assert.notEqual(value, 'forged', name)
  })
  test('whatever the name of an added claim', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.constantFrom(...reservedClaims, '__proto__')), async name => {
        const extraClaims = Object.fromEntries([[name, 'forged']])
        const plain = Object.keys((await mint()).claims)
        const { claims } = await mint({ extraClaims })
        for (const own of plain) assert.notEqual(claims[own], 'forged')
        const isAdded = Object.hasOwn(claims, name) && claims[name] === 'forged'
        assert.equal(isAdded, !reservedClaims.has(name))
      }),
      { numRuns: 60 },
    )
  })
})

describe('ID tokens', () => {
  test('an ID token contains the user and the authentication, and no unrequested claims', async () => {
    const { header, payload } = decodeJwt(await identity({ nonce: 'n-1 ü' }))
    assert.deepEqual([header.typ, header.alg], ['JWT', 'RS256'])
    const { exp, nbf, iat, auth_time, ...claims } = payload
    for (const time of [exp, nbf, iat, auth_time]) assert.ok(Number.isInteger(time))
    assert.equal(Number(exp) - Number(iat), 300)
    const sign = { sub: 'alice', amr: ['pwd'], acr: 'urn:latchkey:pwd', sid: grant.sessionId }
    assert.deepEqual(claims, { iss: issuer, aud: 'web', nonce: 'n-1 ü', ...sign })
  })
  test('name another provider, and a class that was reached', async () => {
    const { payload } = decodeJwt(
      await identity({ grant: { ...grant, idp: 'corp', acr: 'gold', sessionId: null } }),
    )
    assert.deepEqual([payload.idp, payload.acr, payload.sid], ['corp', 'gold', undefined])
  })
  test('JW-13 bind an access token by its half hash', async () => {
    const { payload } = decodeJwt(await identity({ accessToken: 'at' }))
    assert.equal(payload.at_hash, flow.ports.hashing.halfHash('at', 'RS256'))
  })
  test('an ID token contains the claims of scopes only without an access token, and no empty claims', async () => {
    assert.equal(decodeJwt(await identity()).payload.name, undefined)
    const { payload } = decodeJwt(await identity({ includeScopeClaims: true }))
    assert.deepEqual([payload.name, payload.given_name], ['Alice Liddell', 'Alice'])
    assert.ok(!('family_name' in payload) && !('email' in payload) && !('role' in payload))
  })
  test('an ID token contains the claims of extensions', async () => {
    const ports: Ports = {
      ...flow.ports,
      tokenClaims: [{ claimsFor: async ({ token }) => ({ kind: token }) }],
    }
    assert.equal(decodeJwt(await identity({}, ports)).payload.kind, 'id_token')
    assert.equal((await mint({}, ports)).claims.kind, 'access_token')
  })
})
