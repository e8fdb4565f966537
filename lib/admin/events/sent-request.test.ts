import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { answerOf, curlFor, type ShownRequest, sentRequestOf } from './sent-request.ts'

const details = {
  method: 'client_secret_basic',
  'request.method': 'POST',
  'request.endpoint': '/connect/token',
  'request.authorization': 'Basic',
  'request.others': 2,
  'sent.grant_type': 'authorization_code',
  'sent.code': null,
  'answer.status': 400,
  'answer.error': 'invalid_grant',
} as const

const request: ShownRequest = {
  method: 'POST',
  endpoint: '/connect/token',
  parameters: [
    ['grant_type', 'authorization_code'],
    ['code', null],
  ],
  others: 2,
  authorization: 'Basic',
}

test('the request and its answer are read from the details of the event', () => {
  assert.deepEqual(sentRequestOf({ details }), request)
  assert.deepEqual(answerOf({ name: 'token_refused', details }), {
    status: 400,
    error: 'invalid_grant',
    description: null,
    issued: null,
  })
  assert.equal(sentRequestOf({ details: { method: 'x' } }), null)
  assert.equal(answerOf({ name: 'sign_in_failed', details: {} }), null)
})

test('a success says what was issued', () => {
  const answer = answerOf({ name: 'authorize_answered', details: { responseType: 'code' } })
  assert.equal(answer?.issued, 'code')
  assert.equal(answerOf({ name: 'tokens_issued', details: {} })?.issued, 'tokens')
})

/** The arguments that a shell passes to curl. */
function argumentsOf(command: string): readonly string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

test('the curl command has placeholders for what is secret', () => {
  assert.deepEqual(argumentsOf(curlFor('https://id.example', request) ?? ''), [
    '--include',
    'https://id.example/connect/token',
    '--user',
    '<client_id>:<client_secret>',
    '--data-urlencode',
    'grant_type=authorization_code',
    '--data-urlencode',
    'code=<code>',
  ])
})

for (const hostile of [
  "'; echo owned; '",
  '$(echo owned)',
  '`echo owned`',
  "\\'",
  'a\necho owned',
  '"',
  '!!',
]) {
  test(`a shell passes ${JSON.stringify(hostile)} to curl as it was sent`, () => {
    const sent = { ...request, method: 'GET', authorization: null, parameters: [['scope', hostile]] as const }
    const passed = argumentsOf(curlFor('https://id.example', sent) ?? '')
    assert.equal(passed.at(-1), `scope=${hostile}`)
    assert.equal(passed.length, 5)
  })
}

test('there is no command for a path that is not known whole, or for an unknown method', () => {
  assert.equal(curlFor('https://id.example', { ...request, endpoint: '/api/admin/[...path]' }), null)
  assert.equal(curlFor('https://id.example', { ...request, method: 'POST;' }), null)
})
