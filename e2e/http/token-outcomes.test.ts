/** Tests what all responses of the token endpoint have in common. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Parameters } from '../fixtures/requests/code-flow.ts'
import { type Answer, basic, type Sent, send } from '../fixtures/requests/http-client.ts'
import { clientSecret } from '../fixtures/server/configuration.ts'
import { sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const post = (sent: Sent) => send(latchkey.issuer, '/connect/token', sent)
const machine = { grant_type: 'client_credentials', scope: 'api' }
const byBasic = (form: Parameters, clientId = 'machine', secret = clientSecret) =>
  post({ form, headers: basic(clientId, secret) })

describe('TK-10 token responses are uncached UTF-8 JSON with the expected status and error code', () => {
  const proof = basic('machine', clientSecret)
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const code = { grant_type: 'authorization_code', code: `code_${'a'.repeat(43)}`, redirect_uri: 'x' }
  const wrong = { grant_type: 'password', scope: 'openid', username: 'unknown', password: 'x' }
  const outcomes: readonly (readonly [string, number, string | undefined, () => Promise<Answer>])[] = [
    ['a token', 200, undefined, () => byBasic(machine)],
    ['no grant type', 400, 'invalid_request', () => byBasic({ scope: 'api' })],
    ['an unknown grant type', 400, 'unsupported_grant_type', () => byBasic({ grant_type: 'x' })],
    ['another client’s grant type', 400, 'unauthorized_client', () => byBasic(machine, 'trusted')],
    ['an unknown scope', 400, 'invalid_scope', () => byBasic({ ...machine, scope: 'nonsense' })],
    ['an unknown code', 400, 'invalid_grant', () => byBasic(code, 'trusted')],
    ['a wrong password', 400, 'invalid_grant', () => byBasic(wrong, 'password')],
    ['no credentials', 401, 'invalid_client', () => post({ form: machine })],
    ['a wrong secret', 401, 'invalid_client', () => byBasic(machine, 'machine', 'wrong')],
    ['JSON', 415, 'invalid_request', () => post({ body: '{}', headers: { ...proof, ...json } })],
    ['a broken form', 400, 'invalid_request', () => post({ body: 'a=%zz', headers: { ...proof, ...form } })],
    [
      'too long a form, as declared',
      413,
      'invalid_request',
      () => post({ body: 'a=a', headers: { ...proof, ...form, 'content-length': '9999999' } }),
    ],
    ['GET', 405, 'invalid_request', () => post({ method: 'GET', headers: proof })],
    ['DELETE', 405, 'invalid_request', () => post({ method: 'DELETE', headers: proof })],
  ]
  for (const [name, status, error, ask] of outcomes) {
    test(`TK-10 ${name} is ${status} ${error ?? ''}`.trim(), async () => {
      const answer = await ask()
      assert.equal(answer.status, status, answer.text)
      assert.equal(answer.json().error, error)
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
      assert.match(answer.headers['cache-control'] ?? '', /(^|[ ,])no-store\b/)
    })
  }
})
