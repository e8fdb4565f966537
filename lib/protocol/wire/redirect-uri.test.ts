import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { matchesRedirectUri, redirectUriProblem } from './redirect-uri.ts'

const registered = 'https://app.example/cb/path?tenant=1'
const web = {
  applicationType: 'web',
  redirectUris: [registered, 'http://localhost:8080/cb', 'http://127.0.0.1:8080/cb'],
} as const
const native = {
  applicationType: 'native',
  redirectUris: [
    'http://127.0.0.1/cb',
    'http://[::1]:4000/cb?x=1',
    'http://localhost/cb',
    'com.example.app:/cb',
  ],
} as const

const nearMisses: readonly string[] = [
  '',
  ' ',
  'https://app.example/cb/path',
  'https://app.example/cb/path?tenant=1 ',
  ' https://app.example/cb/path?tenant=1',
  '\thttps://app.example/cb/path?tenant=1',
  'https://app.example/cb/path?tenant=1\n',
  'https://app.example/cb/path\t?tenant=1',
  'HTTPS://app.example/cb/path?tenant=1',
  'https://APP.example/cb/path?tenant=1',
  'https://App.Example/cb/path?tenant=1',
  'https://app.example/CB/path?tenant=1',
  'https://app.example/cb/Path?tenant=1',
  'https://app.example/cb/path?Tenant=1',
  'http://app.example/cb/path?tenant=1',
  'https:/app.example/cb/path?tenant=1',
  'https:app.example/cb/path?tenant=1',
  '//app.example/cb/path?tenant=1',
  'https:///app.example/cb/path?tenant=1',
  'https://app.example:443/cb/path?tenant=1',
  'https://app.example:8443/cb/path?tenant=1',
  'https://app.example:/cb/path?tenant=1',
  'https://app.example./cb/path?tenant=1',
  'https://app.example/cb/path/?tenant=1',
  'https://app.example//cb/path?tenant=1',
  'https://app.example/cb//path?tenant=1',
  'https://app.example/./cb/path?tenant=1',
  'https://app.example/cb/./path?tenant=1',
  'https://app.example/x/../cb/path?tenant=1',
  'https://app.example/cb/path/../path?tenant=1',
  'https://app.example/cb/path/..?tenant=1',
  'https://app.example/cb/%2e%2e/cb/path?tenant=1',
  'https://app.example/%63b/path?tenant=1',
  'https://app.example/cb%2fpath?tenant=1',
  'https://app.example/cb%2Fpath?tenant=1',
  'https://app.example/cb/..;/path?tenant=1',
  'https://app.example/cb/path;x=1?tenant=1',
  'https://app.example\\cb\\path?tenant=1',
  'https://app.example/cb\\path?tenant=1',
  'https://app.example/cb/path?tenant=1&x=2',
  'https://app.example/cb/path?x=2&tenant=1',
  'https://app.example/cb/path?tenant=2',
  'https://app.example/cb/path?tenant=%31',
  'https://app.example/cb/path?tenant=1&',
  'https://app.example/cb/path?tenant=1#',
  'https://app.example/cb/path?tenant=1#top',
  'https://app.example/cb/path#?tenant=1',
  'https://user@app.example/cb/path?tenant=1',
  'https://user:pass@app.example/cb/path?tenant=1',
  'https://@app.example/cb/path?tenant=1',
  'https://app.example@evil.test/cb/path?tenant=1',
  'https://app.example@@evil.test/cb/path?tenant=1',
  'https://evil.test/app.example/cb/path?tenant=1',
  'https://evil.test\\@app.example/cb/path?tenant=1',
  'https://app.example.evil.test/cb/path?tenant=1',
  'https://evilapp.example/cb/path?tenant=1',
  'https://sub.app.example/cb/path?tenant=1',
  'https://app.exampIe/cb/path?tenant=1',
  'https://аpp.example/cb/path?tenant=1',
  'https://xn--pp-6kc.example/cb/path?tenant=1',
  'https://app。example/cb/path?tenant=1',
  'https://app.example/cb/path?tenant=１',
  'https://app.example/cb/pa\u200bth?tenant=1',
  'https://app.example/cb/path\u0000?tenant=1',
  'https://app.example/cb/path%00?tenant=1',
  'https://*.example/cb/path?tenant=1',
  'https://app.example/*',
  'javascript:alert(1)//https://app.example/cb/path?tenant=1',
]

test('AZ-01 the table has at least 60 near misses', () => {
  assert.ok(new Set(nearMisses).size >= 60)
})

for (const uri of nearMisses) {
  test(`AZ-01 refuses the near miss ${JSON.stringify(uri)}`, () => {
    assert.equal(matchesRedirectUri(web, uri), false)
    assert.equal(matchesRedirectUri({ ...web, applicationType: 'native' }, uri), false)
  })
}

test('AZ-01 accepts each registered redirect URI', () => {
  for (const client of [web, native]) {
    for (const uri of client.redirectUris) assert.equal(matchesRedirectUri(client, uri), true, uri)
  }
})

test('AZ-01 Unicode forms of one text are different redirect URIs', () => {
  const composed = { applicationType: 'web', redirectUris: ['https://app.example/caf\u00e9'] } as const
  assert.equal(matchesRedirectUri(composed, 'https://app.example/cafe\u0301'), false)
})

test('AZ-01 refuses any change of a registered redirect URI', () => {
  const change = fc.record({
    at: fc.nat(registered.length),
    cut: fc.nat(3),
    put: fc.string({ maxLength: 3 }),
  })
  fc.assert(
    fc.property(change, ({ at, cut, put }) => {
      const uri = registered.slice(0, at) + put + registered.slice(at + cut)
      assert.equal(matchesRedirectUri(web, uri), uri === registered)
    }),
  )
})

test('AZ-02 a native client’s loopback IP address matches with any port', () => {
  const accepted = [
    'http://127.0.0.1/cb',
    'http://127.0.0.1:1/cb',
    'http://127.0.0.1:51004/cb',
    'http://127.0.0.1:65535/cb',
    'http://[::1]/cb?x=1',
    'http://[::1]:9999/cb?x=1',
  ]
  for (const uri of accepted) assert.equal(matchesRedirectUri(native, uri), true, uri)
})

test('AZ-02 only the port of a native client’s loopback IP address can vary', () => {
  const refused = [
    'http://127.0.0.1:80/',
    'http://127.0.0.1:80/cb/',
    'http://127.0.0.1:80/CB',
    'http://127.0.0.1:80/cb?x=1',
    'http://127.0.0.1:80/cb#x',
    'http://127.0.0.1:80',
    'http://127.0.0.1:/cb',
    'http://127.0.0.1:0/cb',
    'http://127.0.0.1:080/cb',
    'http://127.0.0.1:65536/cb',
    'http://127.0.0.1:999999/cb',
    'http://127.0.0.1:-1/cb',
    'http://127.0.0.1:80@evil.test/cb',
    'http://127.0.0.1:80\\@evil.test/cb',
    'http://127.0.0.1.evil.test/cb',
    'http://127.0.0.1.evil.test:80/cb',
    'http://127.0.0.2:80/cb',
    'http://127.1:80/cb',
    'http://2130706433:80/cb',
    'http://0x7f.0.0.1:80/cb',
    'http://0.0.0.0:80/cb',
    'http://user@127.0.0.1:80/cb',
    'https://127.0.0.1:80/cb',
    'HTTP://127.0.0.1:80/cb',
    'http://[::1]:80/cb',
    'http://[0:0:0:0:0:0:0:1]:80/cb?x=1',
    'http://localhost:80/cb',
    'com.example.app:80/cb',
  ]
  for (const uri of refused) assert.equal(matchesRedirectUri(native, uri), false, uri)
  assert.equal(matchesRedirectUri(web, 'http://127.0.0.1:9090/cb'), false)
  assert.equal(matchesRedirectUri(web, 'http://localhost:9090/cb'), false)
})

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
    assert.equal(redirectUriProblem(uri, 'web'), null, uri)
  }
  for (const uri of ['com.example.app:/cb', 'com.example.app://cb', 'org.example:/a?b=c']) {
    assert.equal(redirectUriProblem(uri, 'native'), null, uri)
    assert.match(redirectUriProblem(uri, 'web') ?? '', /"application_type": "native"/)
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
    assert.match(redirectUriProblem(uri, 'native') ?? 'accepted', reason)
    assert.notEqual(redirectUriProblem(uri, 'web'), null)
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
          assert.notEqual(redirectUriProblem(uri, 'native'), null, uri)
        }
      },
    ),
  )
})

test('AZ-07 every accepted redirect URI has no fragment, no user info, and a scheme that opens an app', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string()), uri => {
      if (redirectUriProblem(uri, 'native') !== null) return
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
