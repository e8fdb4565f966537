import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clients } from '#lib/ports/clients.ts'
import { readSignatureSettings } from '#lib/protocol/registration/client.ts'
import { scopeFromMetadata } from '#lib/protocol/registration/scope.ts'
import type { AccessTokenFormat, SigningAlgorithm } from '#lib/protocol/vocabulary.ts'
import { algorithmsInUse } from './algorithms-in-use.ts'

type Row = {
  readonly title: string
  readonly server?: AccessTokenFormat
  readonly clients?: readonly Readonly<Record<string, string>>[]
  readonly scope?: AccessTokenFormat
  readonly enabled?: boolean
  readonly expected: readonly SigningAlgorithm[]
}

const rows: readonly Row[] = [
  { title: 'without clients', expected: ['RS256'] },
  { title: 'a client without settings', clients: [{}], expected: ['RS256', 'ES256'] },
  { title: 'the older format of the server', clients: [{}], server: 'identityserver3', expected: ['RS256'] },
  {
    title: 'the older format of the server, and a scope with the standard one',
    clients: [{}],
    server: 'identityserver3',
    scope: 'rfc9068',
    expected: ['RS256', 'ES256'],
  },
  {
    title: 'the older format of the server, and a disabled scope with the standard one',
    clients: [{}],
    server: 'identityserver3',
    scope: 'rfc9068',
    enabled: false,
    expected: ['RS256'],
  },
  {
    title: 'the claims of RFC 9068 under another typ, of a scope and of a client',
    clients: [{}, { access_token_format: 'rfc9068-jwt', access_token_signed_response_alg: 'EdDSA' }],
    server: 'identityserver3',
    scope: 'rfc9068-jwt',
    expected: ['RS256', 'ES256', 'EdDSA'],
  },
  {
    title: 'a client with the older format',
    clients: [{ access_token_format: 'identityserver3' }],
    expected: ['RS256'],
  },
  {
    title: 'a client with the standard format, on a server with the older one',
    clients: [{ access_token_format: 'rfc9068' }],
    server: 'identityserver3',
    expected: ['RS256', 'ES256'],
  },
  {
    title: 'reference tokens',
    clients: [{ access_token_type: 'reference', access_token_signed_response_alg: 'EdDSA' }],
    expected: ['RS256'],
  },
  {
    title: 'algorithms of several clients, for both kinds of tokens',
    clients: [
      { access_token_signed_response_alg: 'RS256' },
      { access_token_signed_response_alg: 'EdDSA', id_token_signed_response_alg: 'ES256' },
    ],
    expected: ['RS256', 'ES256', 'EdDSA'],
  },
]

for (const { title, server = 'rfc9068', clients = [], scope, enabled = true, expected } of rows) {
  test(`algorithms in use: ${title}`, async () => {
    const settings: Clients['signatureSettings'] = async () => clients.map(readSignatureSettings)
    const metadata = { name: 'api', enabled, ...(scope === undefined ? {} : { access_token_format: scope }) }
    const found = await algorithmsInUse({
      clients: { signatureSettings: settings },
      scopes: { all: async () => [{ scope: scopeFromMetadata(metadata), secrets: [] }] },
      accessTokenFormat: server,
    })
    assert.deepEqual([...found].toSorted(), [...expected].toSorted())
  })
}
