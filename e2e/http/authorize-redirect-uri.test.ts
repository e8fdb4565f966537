/**
 * Tests that the browser is redirected only to a registered address, which is compared character by character, except the port
 * of a native app's loopback address.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codeRequest, newProof, type Parameters } from '../fixtures/requests/code-flow.ts'
import { type Answer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { app, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const request = (changes: Parameters) => codeRequest(app, newProof(), changes)
const open = (parameters: Parameters) => send(latchkey.issuer, withQuery('/connect/authorize', parameters))

const nearMisses: readonly string[] = [
  'https://app.example.org/Callback',
  'https://APP.example.org/callback',
  'HTTPS://app.example.org/callback',
  'https://app.example.org/callback/',
  'https://app.example.org//callback',
  'https://app.example.org/./callback',
  'https://app.example.org/x/../callback',
  'https://app.example.org/callback/.',
  'https://app.example.org/callback/..',
  'https://app.example.org/callback/../callback',
  'https://app.example.org/%2e/callback',
  'https://app.example.org/%2e%2e/callback',
  'https://app.example.org/callback/%2e%2e/evil',
  'https://app.example.org/callback/..;/evil',
  'https://app.example.org/callback;x',
  'https://app.example.org:443/callback',
  'https://app.example.org:8443/callback',
  'https://app.example.org:/callback',
  'http://app.example.org/callback',
  'https://app.example.org/callback?',
  'https://app.example.org/callback?x=1',
  'https://app.example.org/callback&x=1',
  'https://app.example.org/callback#',
  'https://app.example.org/callback#x',
  'https://app.example.org/callback%23x',
  'https://app.example.org/callback%3Fx',
  'https://user@app.example.org/callback',
  'https://user:password@app.example.org/callback',
  'https://app.example.org@evil.test/callback',
  'https://app.example.org@@evil.test/callback',
  'https://evil.test@app.example.org/callback',
  'https://evil.test\\@app.example.org/callback',
  'https://app.example.org\\@evil.test/callback',
  'https:\\\\app.example.org\\callback',
  'https://app.example.org\\callback',
  'https:/app.example.org/callback',
  'https:///app.example.org/callback',
  'https:app.example.org/callback',
  '//app.example.org/callback',
  '/callback',
  'callback',
  ' https://app.example.org/callback',
  'https://app.example.org/callback ',
  'https://app.example.org/callback\t',
  'https://app.example.org/call\tback',
  'https://app.example.org/call\nback',
  'https://app.example.org/callback\u0000',
  'https://app.example.org/callback%00',
  'https://app.example.org/callback%20',
  'https://app.example.org/%63allback',
  'https://app.example.org/callbac%6B',
  'https://app.example.org/callbac%6b',
  'https://app.example.org/callbackx',
  'https://app.example.org/callbac',
  'https://app.example.org.evil.test/callback',
  'https://app.example.org./callback',
  'https://xapp.example.org/callback',
  'https://evil.test/https://app.example.org/callback',
  'https://\u0430pp.example.org/callback',
  'https://xn--pp-7kc.example.org/callback',
  'https://app.example.org/c\u0430llback',
  'https://app.example.org/callba\u0301ck',
  'https://app.example.org/\uff43allback',
  'https://app\u3002example.org/callback',
  'https://*.example.org/callback',
  'https://app.example.org/*',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,hello',
  'vbscript:x',
  'file:///etc/passwd',
  'com.example.native:/callback',
]

describe('AZ-01 AZ-03 a redirect URI that is not exactly the registered one is refused with an error page', () => {
  for (const uri of nearMisses) {
    test(`AZ-01 refuses the redirect URI ${JSON.stringify(uri)}`, async () =>
      staysHere(await open(request({ redirect_uri: uri })), uri))
  }
})

describe('AZ-03 an unknown client or unregistered redirect URI never causes a redirect', () => {
  const cases: readonly (readonly [string, Parameters])[] = [
    ['unknown client', { client_id: 'unknown' }],
    ['disabled client', { client_id: 'disabled' }],
    ['client in another letter case', { client_id: 'TRUSTED' }],
    ['no client', { client_id: '' }],
    ['no redirect_uri', { redirect_uri: '' }],
    ['client without redirect URIs', { client_id: 'machine' }],
    ['client of 101 characters', { client_id: 'a'.repeat(101) }],
  ]
  for (const [name, changes] of cases) {
    test(`AZ-03 shows an error page for ${name}`, async () => staysHere(await open(request(changes)), ''))
  }
})

describe('AZ-05 an unregistered redirect URI is never used, with any other error', () => {
  const faults: readonly Parameters[] = [
    { prompt: 'none' },
    { scope: 'unknown' },
    { response_type: 'nonsense' },
    { response_type: '' },
    { response_mode: 'nonsense' },
    { response_mode: 'form_post', prompt: 'none' },
    { max_age: '-1' },
    { code_challenge: '' },
    { request: 'eyJhbGciOiJub25lIn0.e30.' },
    { request_uri: 'https://evil.test/request' },
  ]
  for (const fault of faults) {
    test(`AZ-05 does not redirect to an unregistered URI with ${JSON.stringify(fault)}`, async () => {
      staysHere(
        await open(request({ redirect_uri: 'https://evil.test/callback', ...fault })),
        'https://evil.test',
      )
    })
  }
})

describe('AZ-02 loopback redirect URIs of native apps', () => {
  const cases: readonly (readonly [string, boolean])[] = [
    ['http://127.0.0.1/callback', true],
    ['http://127.0.0.1:49152/callback', true],
    ['http://[::1]:49152/callback', true],
    ['http://localhost:49152/callback', false],
    ['http://127.0.0.1:49152/other', false],
    ['http://127.0.0.1:49152/callback?x=1', false],
    ['http://127.0.0.1.evil.test/callback', false],
    ['http://127.0.0.1:49152@evil.test/callback', false],
    ['http://127.0.0.2:49152/callback', false],
    ['http://2130706433:49152/callback', false],
    ['http://127.1:49152/callback', false],
    ['https://127.0.0.1:49152/callback', false],
    ['http://127.0.0.1:0x50/callback', false],
    ['http://127.0.0.1:99999/callback', false],
  ]
  for (const [uri, isAllowed] of cases) {
    test(`AZ-02 ${isAllowed ? 'accepts' : 'refuses'} ${uri} for a native app`, async () => {
      const answer = await open(
        request({ client_id: 'native', redirect_uri: uri, scope: 'openid', prompt: 'none' }),
      )
      if (!isAllowed) return staysHere(answer, uri)
      assert.match(answer.headers.location ?? '', /error=login_required/)
    })
  }
  test('AZ-02 the port of a web app’s redirect URI must match', async () => {
    staysHere(await open(request({ redirect_uri: 'https://app.example.org:9443/callback' })), '')
  })
})

function staysHere(answer: Answer, uri: string): void {
  assert.equal(answer.status, 400)
  assert.equal(answer.headers.location, undefined)
  assert.equal(answer.headers.refresh, undefined)
  assert.match(answer.headers['content-type'] ?? '', /^text\/html/)
  assert.doesNotMatch(answer.text, /http-equiv="refresh"/i)
  if (uri.length > 12) assert.ok(!answer.text.includes(`href="${uri}`), 'no link to the refused address')
}
