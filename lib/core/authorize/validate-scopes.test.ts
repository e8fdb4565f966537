import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResponseType } from '#lib/protocol/vocabulary.ts'
import { testClient } from '../testing/registrations.ts'
import { assertRefused, validationInput } from '../testing/validation-input.ts'
import { readResponseType, readScopes, requireFittingScopes } from './validate.ts'

function scopeInput(...changes: Parameters<typeof validationInput>) {
  const input = validationInput(...changes)
  return { ...input, responseType: readResponseType(input.raw) }
}

const granted: ReadonlyArray<readonly [string, readonly string[]]> = [
  ['openid', ['openid']],
  ['profile openid', ['profile', 'openid']],
  [' openid  api openid ', ['openid', 'api']],
  ['openid offline_access', ['openid', 'offline_access']],
]

test('reads scopes once each, in the order asked for', () => {
  for (const [scope, expected] of granted) assert.deepEqual(readScopes(scopeInput({ scope })), expected)
})

test('leaves offline_access out where no refresh token can follow', () => {
  const scope = 'openid offline_access'
  const without = [
    scopeInput({ scope, response_type: 'id_token token' }),
    scopeInput({ scope }, testClient({ scope: 'openid' })),
    scopeInput({ scope }, testClient({ grant_types: ['authorization_code'], response_types: ['code'] })),
  ]
  for (const input of without) assert.deepEqual(readScopes(input), ['openid'])
})

test('names the scope that is not known, unless it could not be one', () => {
  for (const [scope, said] of [
    ['openid orders.raed', 'scope orders.raed is not known here.'],
    ['openid a"b', 'scope contains a name that is not known here.'],
    [`openid ${'x'.repeat(101)}`, 'scope contains a name that is not known here.'],
  ] as const)
    assert.throws(() => readScopes(scopeInput({ scope })), { description: said })
})

test('refuses scopes that are missing, unknown, disabled or not allowed', () => {
  const openidOnly = testClient({ scope: 'openid' })
  const rows = [
    ['', testClient(), 'invalid_scope', 'scope_missing'],
    ['   ', testClient(), 'invalid_scope', 'scope_empty'],
    ['offline_access', openidOnly, 'invalid_scope', 'scope_empty'],
    ['openid nonsense', testClient(), 'invalid_scope', 'scope_unknown'],
    ['openid API', testClient(), 'invalid_scope', 'scope_unknown'],
    ['openid "api"', testClient(), 'invalid_scope', 'scope_unknown'],
    ['openid retired', testClient(), 'invalid_scope', 'scope_unknown'],
    ['openid api', openidOnly, 'invalid_scope', 'scope_not_allowed'],
  ] as const
  for (const [scope, client, code, reason] of rows) {
    assertRefused(() => readScopes(scopeInput({ scope }, client)), code, reason)
  }
})

function requireFitting(type: ResponseType, scope: string): void {
  const input = scopeInput({ response_type: type, scope })
  requireFittingScopes(readScopes(input), input.scopes, type)
}

test('passes scopes that fit the response type', () => {
  const rows = [
    ['code', 'openid api profile'],
    ['code', 'api'],
    ['token', 'api api.write'],
    ['id_token', 'openid profile'],
    ['id_token token', 'openid profile api'],
    ['id_token token', 'openid'],
  ] as const
  for (const [type, scope] of rows) requireFitting(type, scope)
})

test('refuses scopes that do not fit the response type', () => {
  const rows = [
    ['token', 'openid', 'invalid_scope', 'identity_scope_with_token'],
    ['token', 'api profile', 'invalid_scope', 'identity_scope_with_token'],
    ['id_token', 'openid api', 'invalid_scope', 'resource_scope_with_id_token'],
    ['id_token', 'profile', 'invalid_request', 'openid_missing'],
    ['id_token token', 'api', 'invalid_request', 'openid_missing'],
    ['code', 'profile', 'invalid_scope', 'identity_scope_without_openid'],
  ] as const
  for (const [type, scope, code, reason] of rows) {
    const check = () => requireFitting(type, scope)
    assertRefused(check, code, reason)
  }
})
