/** Tests client authentication at the token endpoint: its methods, its refusals, and the limit of failed attempts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Parameters } from '../fixtures/requests/code-flow.ts'
import { type Answer, basic, type Sent, send } from '../fixtures/requests/http-client.ts'
import { chosenSecret, clientSecret } from '../fixtures/server/configuration.ts'
import { sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const post = (sent: Sent) => send(latchkey.issuer, '/connect/token', sent)
const machine = { grant_type: 'client_credentials', scope: 'api' }
const byBasic = (form: Parameters, clientId = 'machine', secret = clientSecret) =>
  post({ form, headers: basic(clientId, secret) })
const inBody = (form: Parameters, clientId = 'machine', secret = clientSecret) =>
  post({ form: { ...form, client_id: clientId, client_secret: secret } })

describe('TK-02 client authentication', () => {
  test('TK-02 accepts a client secret by Basic authentication or in the body', async () => {
    assert.equal((await byBasic(machine)).status, 200)
    assert.equal((await inBody(machine)).status, 200)
  })
  test('TK-05 accepts a chosen secret, stored as a password hash, and refuses another, before and after its first use', async () => {
    for (const _ of ['hashed', 'known by now']) {
      assert.equal((await byBasic(machine, 'machine-chosen', chosenSecret)).status, 200)
      refused(await byBasic(machine, 'machine-chosen', clientSecret), 401, 'invalid_client')
    }
  })
  test('TK-03 accepts Basic credentials in plain UTF-8', async () => {
    const authorization = `Basic ${Buffer.from(`machine:${clientSecret}`).toString('base64')}`
    assert.equal((await post({ form: machine, headers: { authorization } })).status, 200)
    assert.equal(
      (await post({ form: machine, headers: { authorization: authorization.replace('Basic', 'basic') } }))
        .status,
      200,
    )
  })
  test('TK-02 refuses two authentication methods in one request', async () => {
    const form = { ...machine, client_id: 'machine', client_secret: clientSecret }
    refused(await post({ form, headers: basic('machine', clientSecret) }), 400, 'invalid_request')
  })
  test('TK-02 refuses a client_id in the body that differs from the authenticated one', async () => {
    refused(await byBasic({ ...machine, client_id: 'other' }), 400, 'invalid_request')
  })
  test('TK-02 unknown client, wrong secret and disabled client get the same response', async () => {
    const answers = await Promise.all([
      byBasic(machine, 'unknown'),
      byBasic(machine, 'machine', 'wrong'),
      byBasic(machine, 'disabled'),
      byBasic(machine, 'machine', `${clientSecret} `),
      byBasic(machine, 'MACHINE'),
    ])
    for (const answer of answers) {
      refused(answer, 401, 'invalid_client')
      assert.match(answer.headers['www-authenticate'] ?? '', /^Basic realm="[^"]+"/)
      assert.equal(answer.text, answers[0]?.text)
    }
  })
  test('TK-02 an empty secret gets the same response for an unknown and a known client', async () => {
    const answers = await Promise.all([
      byBasic(machine, 'unknown', ''),
      byBasic(machine, 'machine', ''),
      byBasic(machine, 'disabled', ''),
    ])
    for (const answer of answers) {
      refused(answer, 401, 'invalid_client')
      assert.equal(answer.text, answers[0]?.text)
    }
  })
  test('TK-02 refuses a request without client credentials', async () => {
    refused(await post({ form: machine }), 401, 'invalid_client')
  })
  test('TK-04 a confidential client cannot act as a public one', async () => {
    refused(await post({ form: { ...machine, client_id: 'machine' } }), 401, 'invalid_client')
  })
  test('TK-04 a client can use only its registered authentication method', async () => {
    const form = { grant_type: 'authorization_code', code: 'x', redirect_uri: 'x' }
    refused(await byBasic(form, 'post-only'), 401, 'invalid_client')
    refused(await inBody(form, 'basic-only'), 401, 'invalid_client')
    refused(await byBasic(form, 'basic-only'), 400, 'invalid_grant|invalid_request')
    refused(await inBody(form, 'post-only'), 400, 'invalid_grant|invalid_request')
  })
  describe('TK-03 malformed Basic headers', () => {
    const broken = [
      'Basic',
      'Basic ',
      'Basic !!!',
      'Basic bm9jb2xvbg==',
      'Basic bWFjaGluZTp4',
      'Basic bWFjaGluZTo=',
      'Bearer x',
      'Digest x',
      `Basic ${'A'.repeat(20_000)}`,
    ]
    for (const authorization of broken) {
      test(`TK-03 refuses ${authorization.length} characters beginning with ${authorization.slice(0, 30)}`, async () => {
        const answer = await post({ form: machine, headers: { authorization } })
        refused(answer, authorization.length > 10_000 ? answer.status : 401, 'invalid_client|invalid_request')
        assert.ok(answer.status < 500)
      })
    }
  })
  test('TK-01 a secret in the query is ignored or refused', async () => {
    const query = new URLSearchParams({ ...machine, client_id: 'machine', client_secret: clientSecret })
    const answer = await send(latchkey.issuer, `/connect/token?${query}`, { method: 'POST', form: {} })
    assert.ok([400, 401].includes(answer.status))
  })
})

test('TK-07 failed client authentication is limited per client without effect on other clients', async () => {
  const guess = (number: number) => byBasic(machine, 'machine-limited', `wrong-${number}`)
  // The limit of docs/security.md for one client's secret from one address
  const limit = 20
  for (let number = 0; number < limit; number++) refused(await guess(number), 401, 'invalid_client')
  const more = await Promise.all(Array.from({ length: 1000 - limit }, (_, number) => guess(limit + number)))
  for (const answer of [...more, await byBasic(machine, 'machine-limited')]) {
    assert.equal(answer.status, 429, 'not even the right secret is listened to')
    assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/)
  }
  assert.equal((await byBasic(machine)).status, 200)
})

function refused(answer: Answer, status: number, error: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.match(String(answer.json().error), new RegExp(`^(${error})$`))
  assert.match(String(answer.json().error_description ?? ''), /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
}
