import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { matchesRedirectUri } from './response-target.ts'

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
