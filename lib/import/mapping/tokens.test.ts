/** Tests how tokens of IdentityServer3 and IdentityServer4 are read. make-imported-hashes.py made the keys. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fixtures from '#lib/crypto/testing/imported-hashes.json' with { type: 'json' }
import { fieldsOf } from '../source/tables.ts'
import { created, refresh3, refresh4, row3, row4, token3, token4 } from '../testing/token-rows.ts'
import {
  type ReadToken,
  readIdentityServer3Token,
  readIdentityServer4Token,
  type TokenParts,
} from './tokens.ts'

const [first] = fixtures.tokens
assert.ok(first)

import type { ImportedToken } from '#lib/ports/grants.ts'
import { grantIdSchema } from '#lib/protocol/ids.ts'

const parts: TokenParts = {
  random: { grantId: () => grantIdSchema.parse(`g${'A'.repeat(22)}`) },
  now: new Date('2026-03-01T12:00:00Z'),
  absoluteSeconds: () => null,
}
const read3 = (row: object, changes: Partial<TokenParts> = {}) =>
  readIdentityServer3Token({ place: 'Tokens[0]', fields: fieldsOf(row) }, { ...parts, ...changes })
const read4 = (row: object, changes: Partial<TokenParts> = {}) =>
  readIdentityServer4Token({ place: 'PersistedGrants[0]', fields: fieldsOf(row) }, { ...parts, ...changes })

function tokenOf(read: ReadToken): ImportedToken {
  return read.kind === 'token' ? read.token : assert.fail(JSON.stringify(read))
}

test('a reference token of IdentityServer3 keeps its claims, as a JWT would have them', () => {
  const { grant, token } = tokenOf(read3(row3(2, first.identityserver3, token3('alice', 'api', 'profile'))))
  assert.ok('claims' in token)
  assert.deepEqual(token.claims, {
    iss: 'https://old.example',
    aud: 'https://old.example/resources',
    nbf: 1_772_280_000,
    exp: 1_803_816_000,
    client_id: 'web',
    scope: ['api', 'profile'],
    sub: 'alice',
    auth_time: 1_772_280_000,
    idp: 'idsrv',
    amr: 'password',
    role: ['reader', 'writer'],
  })
  assert.deepEqual(
    [token.digest, token.clientId, token.subject, token.expiresAt.toISOString()],
    [first.identityserver3, 'web', 'alice', '2026-03-20T12:00:00.000Z'],
  )
  assert.deepEqual(
    [grant?.idp, grant?.amr, grant?.scopes, grant?.isOffline, grant?.authenticatedAt.toISOString()],
    ['latchkey', ['pwd'], ['api', 'profile'], false, '2026-02-28T12:00:00.000Z'],
  )
})

test('a reference token of IdentityServer4 keeps the types of its claims', () => {
  const { token } = tokenOf(
    read4(row4('reference_token', first.identityserver4_reference, token4('alice', 'api'))),
  )
  assert.ok('claims' in token)
  const { aud, level, admin, address, scope } = token.claims
  assert.deepEqual(
    [aud, level, admin, address, scope],
    [['ledger', 'archive'], 3, true, { city: 'Oxford' }, 'api'],
  )
  assert.equal(token.digest, Buffer.from(first.identityserver4_reference, 'base64').toString('base64url'))
})

test('a token of a client for itself has no grant', () => {
  const { grant, token } = tokenOf(
    read3(row3('TokenHandle', first.identityserver3, token3(null, 'api'), { SubjectId: null })),
  )
  assert.ok('claims' in token)
  assert.deepEqual([grant, token.grantId, token.subject], [null, null, null])
})

test('a refresh token ends with its row, or where sliding ends for its client', () => {
  const ends = (read: ReadToken) => {
    const { token } = tokenOf(read)
    assert.ok('absoluteExpiresAt' in token)
    return [token.expiresAt.toISOString(), token.absoluteExpiresAt.toISOString()]
  }
  const row = '2026-03-20T12:00:00.000Z'
  for (const [read, refresh] of [
    [read3, refresh3(first.identityserver3)],
    [read4, refresh4(first.identityserver4_refresh)],
  ] as const) {
    assert.deepEqual(ends(read(refresh)), [row, row])
    assert.deepEqual(ends(read(refresh, { absoluteSeconds: () => 2_592_000 })), [
      row,
      '2026-03-30T12:00:00.000Z',
    ])
    assert.deepEqual(ends(read(refresh, { absoluteSeconds: () => 60 })), [row, row])
  }
})

const notTaken: ReadonlyArray<readonly [string, ReadToken, ReadToken['kind'] | RegExp]> = [
  ['an authorization code', read3(row3(1, first.identityserver3, {})), 'other'],
  ['a consent', read4(row4('user_consent', first.identityserver4_refresh, {})), 'other'],
  ['an expired token', read3(refresh3(first.identityserver3, { Expiry: '2026-03-01T12:00:00Z' })), 'ended'],
  [
    'a used token',
    read4(refresh4(first.identityserver4_refresh, { ConsumedTime: '2026-02-28T13:00:00Z' })),
    'ended',
  ],
  ['a key that is a token', read3(refresh3(first.token)), /key that is not the hash/],
  ['a key of another product', read3(refresh3(first.identityserver4_refresh)), /key that is not the hash/],
  ['an encrypted content', read4({ ...refresh4(first.identityserver4_refresh), Data: 'CfDJ8' }), /encrypted/],
  ['a content without times', read3(row3(2, first.identityserver3, { Claims: [] })), /must be a text/],
  ['an invalid client', read3(refresh3(first.identityserver3, { ClientId: 'ä' })), /names no client/],
  [
    'an invalid subject',
    read3(refresh3(first.identityserver3, { SubjectId: 'a b' })),
    /subject is not allowed/,
  ],
  ['an invalid scope', read3(row3(2, first.identityserver3, token3('alice', 'a b'))), /scope whose name/],
  [
    'a token bound to a key',
    read4(
      row4('reference_token', first.identityserver4_reference, {
        ...token4('alice', 'api'),
        Confirmation: '{}',
      }),
    ),
    /bound to a key/,
  ],
  [
    'a refresh token of no user',
    read3(
      row3(
        3,
        first.identityserver3,
        { CreationTime: created, AccessToken: token3(null, 'api') },
        { SubjectId: null },
      ),
    ),
    /without a user/,
  ],
]
for (const [what, read, expected] of notTaken) {
  test(`leaves out ${what}`, () => {
    if (typeof expected === 'string') return assert.equal(read.kind, expected)
    assert.match(read.kind === 'refused' ? read.problem : read.kind, expected)
  })
}
