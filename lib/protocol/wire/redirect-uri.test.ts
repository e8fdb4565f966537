import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { redirectUriProblem } from './redirect-uri.ts'

const registered = 'https://app.example/cb/path?tenant=1'

test('AZ-07 accepts https, loopback http and private-use schemes with a dot', () => {
  for (const uri of [
    registered,
    'https://app.example',
    'http://localhost:3000/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:1/cb',
    'http://127.0.0.2:1/cb',
    'http://app.localhost:1/cb',
  ]) {
    assert.equal(redirectUriProblem(uri, 'web', 'stored'), null, uri)
  }
  for (const uri of ['com.example.app:/cb', 'com.example.app://cb', 'org.example:/a?b=c']) {
    assert.equal(redirectUriProblem(uri, 'native', 'stored'), null, uri)
    assert.match(redirectUriProblem(uri, 'web', 'stored') ?? '', /"application_type": "native"/)
  }
})

const unregistrable: ReadonlyArray<readonly [string, RegExp]> = [
  ['http://app.example/cb', /https/],
  ['http://127.0.0.1.evil.test/cb', /https/],
  ['http://localhost.evil.test/cb', /https/],
  ['https://app.example/cb#', /fragment/],
  ['https://app.example/cb#x', /fragment/],
  ['https://user@app.example/cb', /user name/],
  ['https://@app.example/cb', /user name/],
  ['https://app.example@evil.test/cb', /user name/],
  ['com.example.app://user@host/cb', /user name/],
  ['https://*.example/cb', /\*/],
  ['https://app.example/*', /\*/],
  ['https:app.example/cb', /host/],
  ['https:///cb', /host/],
  ['https://', /absolute/],
  ['/cb', /absolute/],
  ['app.example/cb', /lacks "https:/],
  ['', /absolute/],
  ['https://app.example\\@evil.test', /backslash/],
  ['https://app.example/c b', /visible ASCII/],
  ['https://app.example/cb\n', /visible ASCII/],
  [' https://app.example/cb', /visible ASCII/],
  ['https://äpp.example/cb', /visible ASCII/],
  [`https://app.example/${'x'.repeat(2000)}`, /2000/],
  ['myapp:/cb', /dot/],
  ['urn:ietf:wg:oauth:2.0:oob', /dot/],
  ['mailto:a@b.example', /dot/],
  ['intent://x', /dot/],
]

for (const [uri, reason] of unregistrable) {
  test(`AZ-07 refuses to register ${JSON.stringify(uri.slice(0, 60))}`, () => {
    assert.match(redirectUriProblem(uri, 'native', 'stored') ?? 'accepted', reason)
    assert.notEqual(redirectUriProblem(uri, 'web', 'stored'), null)
  })
}

test('AZ-07 refuses script schemes in any letter case and with any spaces', () => {
  const schemes = [
    'javascript',
    'data',
    'file',
    'vbscript',
    'blob',
    'about',
    'filesystem',
    'view-source',
    'ws',
    'ftp',
  ]
  const flips = fc.array(fc.boolean(), { minLength: 11, maxLength: 11 })
  fc.assert(
    fc.property(
      fc.constantFrom(...schemes),
      flips,
      fc.constantFrom('', ' ', '\t', '\n', '\u0001'),
      (scheme, upper, blank) => {
        const mixed = [...scheme]
          .map((letter, index) => (upper[index] ? letter.toUpperCase() : letter))
          .join('')
        for (const uri of [
          `${blank}${mixed}:alert(1)`,
          `${mixed}${blank}://app.example/cb`,
          `${mixed[0]}${blank}${mixed.slice(1)}:x`,
        ]) {
          assert.notEqual(redirectUriProblem(uri, 'native', 'stored'), null, uri)
        }
      },
    ),
  )
})

test('AZ-07 every accepted redirect URI has no fragment, no user info, and a scheme that opens an app', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string()), uri => {
      if (redirectUriProblem(uri, 'native', 'stored') !== null) return
      const url = new URL(uri)
      assert.equal(url.hash + url.username + url.password, '')
      assert.ok(
        url.protocol === 'https:' ||
          url.protocol.includes('.') ||
          ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname),
      )
    }),
  )
})
