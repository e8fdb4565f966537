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
  ['a client of today', web, []],
  ['the password grant', { ...web, grant_types: ['password'] }, ['password_grant']],
  [
    'tokens in the address',
    { ...web, grant_types: ['implicit'], response_types: ['token'] },
    ['implicit_tokens'],
  ],
  ['an identity token alone', { ...web, grant_types: ['implicit'], response_types: ['id_token'] }, []],
  ['plain proof keys', { ...web, pkce: 'required' }, ['plain_proof_key']],
  ['no proof key needed', { ...web, pkce: 'optional' }, ['optional_proof_key']],
  [
    'a machine that never sees a code',
    { client_id: 'm', grant_types: ['client_credentials'], pkce: 'optional' },
    [],
  ],
  [
    'refresh tokens that a browser app may use again',
    { ...spa, refresh_token_usage: 'reuse' },
    ['reused_refresh_tokens'],
  ],
  ['refresh tokens that change', spa, []],
]

describe('what standards advise against', () => {
  for (const [title, metadata, expected] of rows) {
    test(title, () => assert.deepEqual(legacySwitchesOf(clientFromMetadata(metadata)), expected))
  }
})
