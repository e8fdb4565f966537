import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clientFromMetadata } from './client-metadata.ts'
import { legacySwitchesOf } from './legacy-switches.ts'

const web = { client_id: 'web', redirect_uris: ['https://app.example/cb'] }
const spa = {
  ...web,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
}

const rows: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>, readonly string[]]> = [
  ['a client with defaults', web, []],
  ['the password grant', { ...web, grant_types: ['password'] }, ['password_grant']],
  [
    'the implicit flow',
    { ...web, grant_types: ['implicit'], response_types: ['token'] },
    ['implicit_tokens'],
  ],
  [
    'the implicit flow with only an ID token',
    { ...web, grant_types: ['implicit'], response_types: ['id_token'] },
    [],
  ],
  ['PKCE with the method plain', { ...web, pkce: 'required' }, ['plain_proof_key']],
  ['optional PKCE', { ...web, pkce: 'optional' }, ['optional_proof_key']],
  [
    'a machine client without redirects',
    { client_id: 'm', grant_types: ['client_credentials'], pkce: 'optional' },
    [],
  ],
  [
    'a browser app with reusable refresh tokens',
    { ...spa, refresh_token_usage: 'reuse' },
    ['reused_refresh_tokens'],
  ],
  ['a browser app with rotating refresh tokens', spa, []],
]

describe('flows that standards advise against', () => {
  for (const [title, metadata, expected] of rows) {
    test(`finds the flows to avoid of ${title}`, () =>
      assert.deepEqual(legacySwitchesOf(clientFromMetadata(metadata)), expected))
  }
})
