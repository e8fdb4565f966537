import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { presentedCredentials } from './client-authentication.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const body = { client_id: 'web', client_secret: 'secret' }

const accepted: ReadonlyArray<readonly [string, string | null, Readonly<Record<string, string>>, string]> = [
  ['the header', basic('web:secret'), {}, 'client_secret_basic'],
  [
    'the header and the same client_id in the body',
    basic('web:secret'),
    { client_id: 'web' },
    'client_secret_basic',
  ],
  ['the body', null, body, 'client_secret_post'],
  ['the body with a header of another scheme', 'Bearer x', body, 'client_secret_post'],
  ['client_id only', null, { client_id: 'web' }, 'none'],
  ['client_id with an empty secret', null, { client_id: 'web', client_secret: '' }, 'none'],
]

for (const [title, authorization, parameters, method] of accepted) {
  test(`TK-02 reads credentials from ${title}`, () => {
    const presented = presentedCredentials({ parameters: parametersFrom(parameters), authorization })
    assert.equal(presented.method, method)
    assert.deepEqual(presented.pairs, [{ id: 'web', secret: method === 'none' ? '' : 'secret' }])
  })
}

const refused: ReadonlyArray<readonly [string, string | null, Readonly<Record<string, string>>, string]> = [
  ['TK-02 header and body', basic('web:secret'), body, 'invalid_request'],
  ['TK-02 two clients', basic('web:secret'), { client_id: 'other' }, 'invalid_request'],
  ['TK-02 nothing', null, {}, 'invalid_client'],
  ['TK-02 a secret without a client', null, { client_secret: 'secret' }, 'invalid_client'],
  ['TK-03 bad base64', 'Basic ???', {}, 'invalid_client'],
  ['TK-03 no colon', basic('web'), {}, 'invalid_client'],
  ['TK-03 an empty secret in the header', basic('web:'), {}, 'invalid_client'],
  ['TK-03 a client_id with a NUL', basic('w\u0000eb:secret'), {}, 'invalid_client'],
  ['TK-03 an oversized secret', basic(`web:${'s'.repeat(257)}`), {}, 'invalid_client'],
  ['TK-03 an oversized client_id', null, { client_id: 'w'.repeat(101) }, 'invalid_client'],
]

for (const [title, authorization, parameters, code] of refused) {
  test(`${title}: ${code}`, () => {
    assert.throws(
      () => presentedCredentials({ parameters: parametersFrom(parameters), authorization }),
      error => isOauthError(error) && error.code === code,
    )
  })
}

test('TK-03 a secret within its limit passes however long its encoded form is', () => {
  const secret = 'ü'.repeat(200)
  const header = basic(`web:${encodeURIComponent(secret)}`)
  assert.deepEqual(presentedCredentials({ parameters: parametersFrom({}), authorization: header }).pairs, [
    { id: 'web', secret },
  ])
})
