import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import type { ClientMetadata } from '#lib/protocol/registration/client.ts'
import { publicClientAt } from './public-client.ts'

const callback = 'http://localhost:3000/playground/callback'

const fitting = {
  client_id: clientIdSchema.parse('app'),
  token_endpoint_auth_method: 'none',
  redirect_uris: ['https://app.example/', callback],
  scope: 'openid profile',
} as const satisfies ClientMetadata

const table: ReadonlyArray<readonly [rule: string, changes: Partial<ClientMetadata>, isFound: boolean]> = [
  ['a public client with that redirect URI', {}, true],
  ['not one with a secret', { token_endpoint_auth_method: 'client_secret_basic' }, false],
  ['not one that is disabled', { enabled: false }, false],
  ['not one that returns elsewhere', { redirect_uris: ['https://app.example/'] }, false],
  ['not one without openid', { scope: 'profile' }, false],
  ['not one of another flow', { grant_types: ['implicit'], response_types: ['token'] }, false],
]

for (const [rule, changes, isFound] of table) {
  test(`the playground plays ${rule}`, () => {
    const metadata = { ...fitting, ...changes }
    const clients = [
      { clientId: fitting.client_id, metadata: JSON.parse(JSON.stringify(metadata)), secrets: [] },
    ]
    const found = publicClientAt({ clients, scopes: [], users: [], providers: [] }, callback)
    assert.equal(found?.clientId, isFound ? 'app' : undefined)
  })
}
