import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostNetwork, isCut, isLoopbackHost, networksOf, shownUri, siteNetwork } from './addresses.ts'

const table: ReadonlyArray<readonly [address: string, key: string]> = [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['1::2::3', '1::2::3'],
]
for (const [address, key] of table) {
  test(`AU-07 the rate limit key of ${address} is ${key}`, () => assert.equal(hostNetwork(address), key))
}

test('AU-07 an IPv6 address is in a /64, a /56 and a /48, and an IPv4 address in no network of its owner', () => {
  assert.deepEqual(networksOf('2001:db8:1:23ff::1'), [
    '2001:db8:1:23ff::/64',
    '2001:db8:1:2300::/56',
    '2001:db8:1:0::/48',
  ])
  assert.deepEqual(networksOf('::ffff:192.0.2.1'), ['192.0.2.1'])
  assert.equal(siteNetwork('2001:db8:1:2::1'), siteNetwork('2001:db8:1:ffff::1'))
  assert.notEqual(siteNetwork('2001:db8:1::1'), siteNetwork('2001:db8:2::1'))
  assert.equal(siteNetwork('unknown'), 'unknown')
})

test('CF-01 loopback hosts are localhost and names under it, 127.0.0.0/8 and ::1', () => {
  for (const host of [
    'localhost',
    'LOCALHOST',
    'auth.localhost',
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.255',
    '::1',
    '[::1]',
  ])
    assert.equal(isLoopbackHost(host), true, host)
})

test('CF-01 hosts that only resemble loopback are not loopback', () => {
  for (const host of [
    '',
    'localhost.evil.test',
    'evillocalhost',
    '127.0.0.1.evil.test',
    '127.0.0.256',
    '127.0.0.01',
    '127.1',
    '128.0.0.1',
    '0.0.0.0',
    '::',
    '[::2]',
    '192.168.0.5',
  ])
    assert.equal(isLoopbackHost(host), false, host)
})

test('FW-09 a URI is shown without the values of its query and its fragment', () => {
  const rows = [
    ['https://app.example/callback', 'https://app.example/callback'],
    ['https://app.example/callback?', 'https://app.example/callback?'],
    ['https://app.example/callback?token=abc&x=', 'https://app.example/callback?token=…&x='],
    ['https://app.example/callback?a=b=c#id_token=abc', 'https://app.example/callback?a=…#…'],
    ['https://app.example/callback?only-a-word', 'https://app.example/callback?…'],
    [`https://app.example/?${'n'.repeat(41)}=1`, 'https://app.example/?…'],
    ['no address at all', 'no address at all'],
  ] as const
  for (const [uri, shown] of rows) assert.equal(shownUri(uri), shown)
})

test('the values of a registered URI are shown', () => {
  const registered = ['https://app.example/callback?tenant=north']
  assert.equal(
    shownUri('https://app.example/callback?tenant=north&x=1', registered),
    'https://app.example/callback?tenant=north&x=…',
  )
  assert.equal(
    shownUri('https://app.example/callback?tenant=south', registered),
    'https://app.example/callback?tenant=…',
  )
})

test('a long URI is shortened visibly', () => {
  const shown = shownUri(`https://app.example/${'x'.repeat(1000)}`)
  assert.equal(shown.length, 501)
  assert.ok(isCut(shown))
  assert.equal(isCut('https://app.example/callback'), false)
})
