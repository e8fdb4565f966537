import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientKindOf } from './client-kind-of.ts'
import { clientFromMetadata } from './client-metadata.ts'

const callback = { redirect_uris: ['https://app.example/cb'] }
const inApp = { application_type: 'native', redirect_uris: ['com.example.app:/cb'] }
const open = { token_endpoint_auth_method: 'none' }

const kinds = [
  ['machine', { grant_types: ['client_credentials'] }],
  ['native', { ...inApp, ...open }],
  ['native', inApp],
  ['spa', { ...callback, ...open }],
  ['spa', { ...callback, ...open, grant_types: ['authorization_code', 'refresh_token'] }],
  ['web', callback],
  ['web', { ...callback, grant_types: ['authorization_code', 'client_credentials'] }],
  ['legacy', { grant_types: ['password'] }],
  ['legacy', { ...callback, ...open, grant_types: ['implicit'], response_types: ['id_token token'] }],
  ['legacy', { ...inApp, ...open, grant_types: ['implicit'], response_types: ['token'] }],
  ['legacy', { ...callback, grant_types: ['client_credentials', 'password'] }],
] as const

for (const [kind, metadata] of kinds) {
  test(`a client with ${JSON.stringify(metadata)} is of the kind ${kind}`, () => {
    const document = JSON.parse(JSON.stringify({ client_id: 'it', ...metadata }))
    assert.equal(clientKindOf(clientFromMetadata(document)), kind)
  })
}
