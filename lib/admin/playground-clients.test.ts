import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import type { ClientMetadata } from '#lib/protocol/registration/client.ts'
import { playgroundClients } from './playground-clients.ts'

const issuer = 'http://localhost:3000'
const redirectUri = `${issuer}/playground/callback`

const fitting = {
  client_id: clientIdSchema.parse('app'),
  token_endpoint_auth_method: 'none',
  redirect_uris: ['https://app.example/', redirectUri],
  scope: 'openid profile',
} as const satisfies ClientMetadata

const machine = {
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
  scope: 'api',
} as const satisfies Partial<ClientMetadata>

const table: ReadonlyArray<readonly [rule: string, changes: Partial<ClientMetadata>, isFound: boolean]> = [
  ['a public client with the redirect URI', {}, true],
  [
    'a client with a secret and the redirect URI',
    { token_endpoint_auth_method: 'client_secret_basic' },
    true,
  ],
  ['a client of the implicit flow', { grant_types: ['implicit'], response_types: ['token'] }, true],
  ['no disabled client', { enabled: false }, false],
  ['no client without the redirect URI', { redirect_uris: ['https://app.example/'] }, false],
  ['no client that only authenticates itself, outside the demo', machine, false],
]

function found(changes: Partial<ClientMetadata>, demoOf: string | null) {
  const metadata = JSON.parse(JSON.stringify({ ...fitting, ...changes }))
  const clients = [{ clientId: fitting.client_id, metadata, secrets: [] }]
  return playgroundClients({ clients }, { redirectUri, demoOf })
}

for (const [rule, changes, isFound] of table) {
  test(`the playground offers ${rule}`, () => {
    assert.deepEqual(
      found(changes, null).map(({ client, secret }) => [client.clientId, secret]),
      isFound ? [['app', null]] : [],
    )
  })
}

test('the playground knows the secrets of the demo, whose machine clients need no redirect URI', () => {
  const [client] = found({ ...machine, client_id: clientIdSchema.parse('demo-machine') }, issuer)
  assert.equal(client?.secret, 'demo-machine-secret')
})
