import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AddressKind, addressKind, requireReachable } from './address-guard.ts'

const corpus: ReadonlyArray<readonly [string, AddressKind]> = [
  ['8.8.8.8', 'public'],
  ['172.15.255.255', 'public'],
  ['172.32.0.1', 'public'],
  ['2606:4700::1111', 'public'],
  ['::ffff:8.8.8.8', 'public'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['0.0.0.0', 'special'],
  ['0.1.2.3', 'special'],
  ['10.0.0.1', 'special'],
  ['100.64.0.1', 'special'],
  ['169.254.169.254', 'special'],
  ['172.16.0.1', 'special'],
  ['172.31.255.255', 'special'],
  ['192.0.0.1', 'special'],
  ['192.0.2.1', 'special'],
  ['192.88.99.1', 'special'],
  ['192.168.0.1', 'special'],
  ['198.18.0.1', 'special'],
  ['198.51.100.1', 'special'],
  ['203.0.113.1', 'special'],
  ['224.0.0.1', 'special'],
  ['240.0.0.1', 'special'],
  ['255.255.255.255', 'special'],
  ['::', 'special'],
  ['::ffff:10.0.0.1', 'special'],
  ['::ffff:a9fe:a9fe', 'special'],
  ['::7f00:1', 'special'],
  ['::ffff:0:127.0.0.1', 'special'],
  ['64:ff9b::7f00:1', 'special'],
  ['64:ff9b:1::1', 'special'],
  ['100::1', 'special'],
  ['2001::1', 'special'],
  ['2001:db8::1', 'special'],
  ['2002:7f00:1::', 'special'],
  ['3fff::1', 'special'],
  ['5f00::1', 'special'],
  ['4000::1', 'special'],
  ['fc00::1', 'special'],
  ['fd00:ec2::254', 'special'],
  ['fe80::1', 'special'],
  ['fe80::1%eth0', 'special'],
  ['fec0::1', 'special'],
  ['ff02::1', 'special'],
  ['not an address', 'special'],
]

for (const [address, kind] of corpus) {
  test(`FD-07 ${address} is ${kind}`, () => assert.equal(addressKind(address), kind))
}

const publicOnly = new Set<AddressKind>(['public'])

test('FD-07 refuses a host with one private address among public ones', () => {
  requireReachable(['8.8.8.8', '2606:4700::1111'], publicOnly)
  for (const addresses of [['8.8.8.8', '10.0.0.1'], ['127.0.0.1'], []]) {
    assert.throws(() => requireReachable(addresses, publicOnly), /address/)
  }
})
