import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareVersions } from './compare-documents.ts'

const fromFile = { client_id: 'shop', client_name: 'Shop', redirect_uris: ['https://shop.example/cb'] }
const fields = (differences: ReturnType<typeof compareVersions>) => differences.map(({ field }) => field)

test('a field that is left out and one with its default are the same', () => {
  const saved = {
    ...fromFile,
    client_name: 'The Shop',
    contacts: [],
    claims: {},
    enabled: true,
    pkce: 'required-s256',
  }
  assert.deepEqual(fields(compareVersions('client', fromFile, saved)), ['client_name'])
  assert.deepEqual(fields(compareVersions('client', saved, fromFile)), ['client_name'])
})

test('response types that are left out are those of the grant types', () => {
  const machine = { client_id: 'job', grant_types: ['client_credentials'] }
  assert.deepEqual(compareVersions('client', { ...machine, response_types: [] }, machine), [])
  assert.deepEqual(compareVersions('client', fromFile, { ...fromFile, response_types: ['code'] }), [])
})

test('scopes are compared in the same way', () => {
  const saved = { name: 'orders', enabled: true, claims: [], display_name: 'See orders' }
  assert.deepEqual(fields(compareVersions('scope', { name: 'orders' }, saved)), ['display_name'])
})

test('secrets in an audit row are compared, too', () => {
  const secrets = [{ id: 'one', name: null, expires_at: null }]
  assert.deepEqual(fields(compareVersions('client', fromFile, { ...fromFile, secrets })), ['secrets'])
})

test('a change of a default is a difference', () => {
  assert.deepEqual(fields(compareVersions('client', fromFile, { ...fromFile, enabled: false })), ['enabled'])
})

test('lists only the written fields of a document that was created or deleted', () => {
  assert.deepEqual(fields(compareVersions('client', null, fromFile)), Object.keys(fromFile))
  assert.deepEqual(fields(compareVersions('client', fromFile, null)), Object.keys(fromFile))
})

test('a version that the server cannot read any longer is compared as it is written', () => {
  const old = { ...fromFile, gone_field: 1 }
  assert.deepEqual(fields(compareVersions('client', old, fromFile)), ['gone_field'])
})
