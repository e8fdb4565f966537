import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfiguration } from '../configuration-file.ts'
import { reviewDocument } from './review.ts'

const secret = 'a secret of some length'
const web = { client_id: 'web', client_secret: secret, redirect_uris: ['https://app.example/cb'] }
const spa = {
  client_id: 'spa',
  redirect_uris: ['https://app.example/cb'],
  token_endpoint_auth_method: 'none',
}
const machine = { client_id: 'm', client_secret: secret, grant_types: ['client_credentials'] }
const provider = { scheme: 'corp', issuer: 'https://corp.example', client_id: 'l', client_secret: secret }
const endpoints = {
  authorization_endpoint: 'https://corp.example/authorize',
  token_endpoint: 'https://corp.example/token',
  userinfo_endpoint: 'https://corp.example/userinfo',
}

function reviewed(document: unknown) {
  const read = readConfiguration(document)
  assert.ok(read.kind === 'valid', JSON.stringify(read))
  return reviewDocument(read.configuration)
}

const ofClient = (client: object) => ({ clients: [client] })
const ofPolicies = (policies: object) => ({ policies })
const ofProvider = (changes: object) => ({ identity_providers: [{ ...provider, ...changes }] })

/** For each setting: a document with it, and the rule and severity of its finding, or none. */
const rows: ReadonlyArray<readonly [title: string, document: object, expected: readonly string[]]> = [
  ['a web client with defaults', ofClient(web), []],
  ['the password grant', ofClient({ ...web, grant_types: ['password'] }), ['error password_grant']],
  [
    'access tokens in the address bar',
    ofClient({ ...web, grant_types: ['implicit'], response_types: ['token'] }),
    ['error implicit_tokens'],
  ],
  ['plain PKCE', ofClient({ ...web, pkce: 'required' }), ['warning plain_code_challenge']],
  ['optional PKCE', ofClient({ ...web, pkce: 'optional' }), ['warning optional_pkce']],
  ['every scope', ofClient({ ...web, allow_access_to_all_scopes: true }), ['warning every_scope']],
  [
    'a disabled client with the password grant',
    ofClient({ ...web, enabled: false, grant_types: ['password'] }),
    [],
  ],
  [
    'a public client that reuses refresh tokens',
    ofClient({
      ...spa,
      grant_types: ['authorization_code', 'refresh_token'],
      refresh_token_usage: 'reuse',
    }),
    ['note reused_refresh_tokens'],
  ],
  ['JWTs for an hour', ofClient({ ...web, access_token_lifetime: 3600 }), []],
  ['JWTs for longer', ofClient({ ...web, access_token_lifetime: 3601 }), ['warning long_access_tokens']],
  [
    'reference tokens for longer',
    ofClient({ ...web, access_token_lifetime: 3601, access_token_type: 'reference' }),
    [],
  ],
  [
    'the scope of the admin API',
    ofClient({ ...machine, scope: 'latchkey.admin' }),
    ['warning administration'],
  ],
  [
    'a machine client with scopes about users',
    ofClient({ ...machine, scope: 'profile' }),
    ['note identity_scopes_of_machine'],
  ],
  [
    'a web client with one address on the machine of the user',
    ofClient({ ...web, redirect_uris: ['https://app.example/cb', 'http://localhost:5000/cb'] }),
    ['warning development_address'],
  ],
  [
    'a web client that exists only for development',
    ofClient({ ...web, redirect_uris: ['http://localhost:5000/cb'] }),
    [],
  ],
  [
    'offline_access without refresh tokens',
    ofClient({ ...web, grant_types: ['authorization_code'], scope: 'openid offline_access' }),
    ['note idle_offline_access'],
  ],
  ['a provider with defaults', ofProvider({}), []],
  [
    'a provider without PKCE',
    ofProvider({
      ...endpoints,
      issuer: undefined,
      preset: 'oauth2',
      claim_names: { sub: 'id' },
      pkce: false,
    }),
    ['warning provider_without_pkce'],
  ],
  ['a provider with trusted addresses', ofProvider({ trusts_email: true }), ['note trusted_addresses']],
  ['a disabled provider with trusted addresses', ofProvider({ trusts_email: true, enabled: false }), []],
  ['short passwords', ofPolicies({ minimum_password_length: 8 }), ['warning short_passwords']],
  [
    'short passwords with a second factor of everyone',
    ofPolicies({ minimum_password_length: 8, second_factor_required_for: ['everyone'] }),
    [],
  ],
]

describe('a review', () => {
  for (const [title, document, expected] of rows)
    test(`of ${title} finds ${expected.length === 0 ? 'nothing' : expected.join(', ')}`, () => {
      const { findings } = reviewed(document)
      assert.deepEqual(
        findings.map(({ severity, rule }) => `${severity} ${rule}`),
        expected,
      )
    })

  test('finds the second client with a secret, also among several secrets', () => {
    const { findings } = reviewed({
      clients: [web, { ...machine, client_secret: 'a different secret', client_secrets: [secret] }],
    })
    assert.deepEqual(
      findings.map(({ rule, id, problem }) => [rule, id, problem.includes('the client web')]),
      [['shared_secret', 'm', true]],
    )
    assert.ok(!JSON.stringify(findings).includes(secret))
  })

  test('finds nothing if one client has a secret twice', () =>
    assert.deepEqual(reviewed(ofClient({ ...web, client_secrets: [secret] })).findings, []))

  test('begins with the most urgent findings', () => {
    const { findings } = reviewed({
      clients: [
        { ...web, pkce: 'optional' },
        { ...web, client_id: 'old', client_secret: 'a different secret', grant_types: ['password'] },
      ],
    })
    assert.deepEqual(
      findings.map(({ severity }) => severity),
      ['error', 'warning'],
    )
  })

  test('lists an accepted finding with its reason, and does not accept that of a different client', () => {
    const old = { ...web, grant_types: ['password'] }
    const { findings, accepted } = reviewed({
      clients: [old, { ...old, client_id: 'other', client_secret: 'a different secret' }],
      accepted_findings: [{ rule: 'password_grant', id: 'web', reason: 'Replaced in March.' }],
    })
    assert.deepEqual(
      findings.map(({ rule, id }) => [rule, id]),
      [['password_grant', 'other']],
    )
    assert.deepEqual(
      accepted.map(({ id, reason }) => [id, reason]),
      [['web', 'Replaced in March.']],
    )
  })

  test('finds an accepted finding that does not exist', () => {
    const { findings } = reviewed({
      clients: [web],
      accepted_findings: [{ rule: 'password_grant', id: 'web', reason: 'Gone.' }],
    })
    assert.deepEqual(
      findings.map(({ severity, rule, id }) => [severity, rule, id]),
      [['note', 'idle_acceptance', 'web']],
    )
  })
})
