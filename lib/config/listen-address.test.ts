import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type Environment, readConfig } from './env.ts'

const site = {
  ISSUER: 'https://login.example.com',
  MASTER_KEY: randomBytes(32).toString('base64'),
  TRUST_PROXY: 'true',
}
const listenOf = (environment: Environment) => readConfig({ ...site, ...environment }).listen

test('HOST can list several addresses, in which IPv6 does not include IPv4', () => {
  const port = 3000
  assert.deepEqual(listenOf({ HOST: '::' }), [{ host: '::', port, isIpv6Only: false }])
  assert.deepEqual(listenOf({ HOST: '::, 0.0.0.0' }), [
    { host: '::', port, isIpv6Only: true },
    { host: '0.0.0.0', port, isIpv6Only: false },
  ])
  assert.equal(readConfig({ ...site, HOST: '127.0.0.1,::1' }).isOnSocket, false)
})

test('PORT can be a Unix socket', () => {
  assert.deepEqual(listenOf({ PORT: 'unix:/run/latchkey/http.sock' }), [{ file: '/run/latchkey/http.sock' }])
  assert.equal(readConfig({ ...site, PORT: 'unix:/x' }).isOnSocket, true)
})

test('the demo can listen at several loopback addresses', () => {
  assert.equal(readConfig({ HOST: '127.0.0.1,::1' }).demo, true)
})

const refused: ReadonlyArray<readonly [string, Environment, RegExp]> = [
  ['an empty address', { HOST: '::1,' }, /^HOST is "::1,", but it has a comma without anything/],
  ['a wrong address', { HOST: '::1,a:1' }, /but "a:1" is not an address to bind; use addresses separated/],
  ['an address twice', { HOST: '::1,::1' }, /but it contains ::1 twice/],
  ['an included IPv4 address', { HOST: '10.0.0.1,0.0.0.0' }, /but 0\.0\.0\.0 already includes 10\.0\.0\.1;/],
  ['an included IPv6 address', { HOST: '::,::1' }, /but :: already includes ::1;/],
  ['a relative socket', { PORT: 'unix:http.sock' }, /but unix: must be followed by an absolute path/],
  ['a folder as socket', { PORT: 'unix:/run/' }, /but unix: must be followed by an absolute path/],
  ['a long socket', { PORT: `unix:/${'x'.repeat(103)}` }, /must not be longer than 103 bytes/],
  [
    'a socket without a proxy',
    { PORT: 'unix:/x', TRUST_PROXY: 'no' },
    /^TRUST_PROXY is not set, but PORT is/,
  ],
  [
    'a socket without an issuer',
    { PORT: 'unix:/x', ISSUER: '' },
    /^ISSUER is not set, but PORT is the socket/,
  ],
  [
    'the demo at an open address',
    { HOST: '::1,0.0.0.0', ISSUER: '' },
    /^HOST is "0\.0\.0\.0", but the demo's/,
  ],
]
for (const [title, environment, message] of refused) {
  test(`a start is refused with ${title}`, () => {
    assert.throws(() => readConfig({ ...site, ...environment }), { message })
  })
}
