import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, test } from 'node:test'
import { addHeader, addressReader, hasOneHost, type ProxyTrust, removeHeaders } from './request-headers.ts'

function requestFrom(peer: string, forwardedFor?: string): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const incoming = new IncomingMessage(socket)
  if (forwardedFor !== undefined) addHeader(incoming, 'x-forwarded-for', forwardedFor)
  return incoming
}

describe('FW-07 whose address counts', () => {
  const noProxy: ProxyTrust = { trustProxy: false, trustedProxies: [], isOnSocket: false }
  const anyProxy: ProxyTrust = { trustProxy: true, trustedProxies: [], isOnSocket: false }
  const listed: ProxyTrust = {
    trustProxy: true,
    trustedProxies: ['10.0.0.0/8', '::1', '192.0.2.7'],
    isOnSocket: false,
  }
  const onSocket: ProxyTrust = { ...anyProxy, isOnSocket: true }
  const onSocketListed: ProxyTrust = { ...listed, isOnSocket: true }
  const table: ReadonlyArray<
    readonly [string, ProxyTrust, peer: string, header: string | undefined, expected: string]
  > = [
    ['without a trusted proxy the header is nothing', noProxy, '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['an IPv4 address on an IPv6 socket', noProxy, '::ffff:203.0.113.9', undefined, '203.0.113.9'],
    [
      'every caller is the proxy: its own entry, the last',
      anyProxy,
      '10.0.0.1',
      '1.1.1.1, 198.51.100.1',
      '198.51.100.1',
    ],
    ['no header: the connection', anyProxy, '10.0.0.1', undefined, '10.0.0.1'],
    ['a listed proxy is believed', listed, '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['an IPv6 proxy is believed', listed, '::1', '2001:db8::5', '2001:db8::5'],
    [
      'proxies behind each other are skipped',
      listed,
      '10.1.2.3',
      '198.51.100.1, 192.0.2.7, 10.9.9.9',
      '198.51.100.1',
    ],
    ['what the client wrote itself is skipped', listed, '10.1.2.3', '6.6.6.6, 198.51.100.1', '198.51.100.1'],
    ['an unlisted peer is not believed', listed, '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['nonsense is not an address', listed, '10.1.2.3', 'unknown, <x>', '10.1.2.3'],
    ['the port is not part of it', anyProxy, '10.0.0.1', '6.6.6.6, 198.51.100.1:51234', '198.51.100.1'],
    ['a port after brackets', listed, '10.1.2.3', '6.6.6.6, [2001:db8::5]:443', '2001:db8::5'],
    ['brackets without a port', listed, '10.1.2.3', '[2001:db8::5]', '2001:db8::5'],
    ['a trusted hop with a port', listed, '10.1.2.3', '198.51.100.1:1, 10.9.9.9:80, [::1]:2', '198.51.100.1'],
    ['IPv4 in IPv6 with a port', listed, '10.1.2.3', '[::ffff:198.51.100.1]:80', '198.51.100.1'],
    ['nothing left of an unreadable hop is believed', listed, '10.1.2.3', '6.6.6.6, unknown', '10.1.2.3'],
    ['nor left of one between trusted ones', listed, '10.1.2.3', '6.6.6.6, _x, 10.9.9.9', '10.1.2.3'],
    ['an unreadable last entry: the connection', anyProxy, '10.0.0.1', '6.6.6.6, unknown', '10.0.0.1'],
    ['an empty last entry: the connection', anyProxy, '10.0.0.1', '6.6.6.6,', '10.0.0.1'],
    ['an invalid port', anyProxy, '10.0.0.1', '6.6.6.6, 198.51.100.1:x', '10.0.0.1'],
    ['only trusted hops: the connection', listed, '10.1.2.3', '10.9.9.9', '10.1.2.3'],
    ['IPv4 in IPv6, in hexadecimal', listed, '10.1.2.3', '::ffff:c633:6401', '198.51.100.1'],
    ['IPv4 in IPv6, with zeros', listed, '10.1.2.3', '0:0:0:0:0:FFFF:198.51.100.1', '198.51.100.1'],
    [
      'a trusted hop as IPv4 in IPv6',
      listed,
      '::ffff:a01:203',
      '198.51.100.1, ::ffff:a09:909',
      '198.51.100.1',
    ],
    ['the other end of a Unix socket is the proxy', onSocket, '', '6.6.6.6, 198.51.100.1', '198.51.100.1'],
    ['proxies before a Unix socket', onSocketListed, '', '198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['a Unix socket without a header', onSocketListed, '', undefined, '127.0.0.1'],
    ['an ended connection is not a proxy', listed, '', '198.51.100.1', ''],
    ['a zone does not break the look-up', listed, '10.1.2.3', 'fe80::1%eth0', 'fe80::1'],
  ]
  for (const [rule, trust, peer, header, expected] of table) {
    test(rule, () => assert.equal(addressReader(trust)(requestFrom(peer, header)), expected))
  }
})

test('a removed header is gone from both forms Node keeps', () => {
  const incoming = requestFrom('203.0.113.9', '198.51.100.1')
  addHeader(incoming, 'accept', 'x')
  removeHeaders(incoming, name => name === 'x-forwarded-for')
  assert.deepEqual(incoming.rawHeaders, ['accept', 'x'])
  assert.deepEqual(incoming.headers, { accept: 'x' })
})

function ask(hosts: readonly string[]): boolean {
  const rawHeaders = hosts.flatMap((host, at) => [at === 0 ? 'Host' : 'hOST', host])
  return hasOneHost({ headers: hosts[0] === undefined ? {} : { host: hosts[0] }, rawHeaders })
}

describe('FW-07 a request names one host', () => {
  const table: ReadonlyArray<readonly [host: string, isFine: boolean]> = [
    ['localhost', true],
    ['localhost:3000', true],
    ['ID.example.org', true],
    ['127.0.0.1:80', true],
    ['[::1]:3000', true],
    ['under_score.example.org', true],
    ['', false],
    ['[', false],
    ['[]', false],
    ['[:::::]', false],
    ['[0::1]', false],
    ['127.1', false],
    ['1.2.3.999', false],
    ['user@evil.com', false],
    ['evil.com:99999', false],
    ['evil.com:', false],
    ['evil.com:80:80', false],
    ['a b', false],
    ['a,b', false],
    ['*', false],
    ['x/../y', false],
    ['x?y', false],
    ['x#y', false],
    ['x\\y', false],
    ['%00', false],
    ['\u00e4', false],
  ]
  for (const [host, isFine] of table) {
    test(JSON.stringify(host), () => assert.equal(ask([host]), isFine))
  }
  test('none', () => assert.equal(ask([]), false))
  test('two', () => assert.equal(ask(['localhost', 'evil.com']), false))
  test('the same one twice', () => assert.equal(ask(['localhost', 'localhost']), false))
})
