import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addressMatcher, isAddressOrRange } from './address-ranges.ts'

describe('syntax of addresses and ranges', () => {
  for (const [text, expected] of [
    ['10.0.0.7', true],
    ['10.0.0.0/8', true],
    ['0.0.0.0/0', true],
    ['::1', true],
    ['2001:db8::/32', true],
    ['::ffff:10.0.0.0/104', true],
    ['', false],
    ['localhost', false],
    ['10.0.0', false],
    ['010.0.0.7', false],
    ['10.0.0.0/33', false],
    ['10.0.0.0/', false],
    ['10.0.0.0/-1', false],
    ['10.0.0.0/8/8', false],
    ['10.0.0.0/255.0.0.0', false],
    ['2001:db8::/129', false],
    ['[::1]', false],
    ['10.0.0.7:443', false],
  ] as const) {
    test(`${JSON.stringify(text)} is ${expected ? '' : 'not '}an address or range`, () =>
      assert.equal(isAddressOrRange(text), expected))
  }
})

describe('AD-09 addresses in a list of ranges', () => {
  const office = ['10.1.0.0/16', '192.0.2.7', '2001:db8:1::/48', 'fd00::7']
  for (const [rule, ranges, address, expected] of [
    ['in an IPv4 range', office, '10.1.200.3', true],
    ['outside the range', office, '10.2.0.1', false],
    ['the address itself', office, '192.0.2.7', true],
    ['the one after it', office, '192.0.2.8', false],
    ['in an IPv6 range', office, '2001:db8:1:ff::1', true],
    ['in its long form', office, '2001:0db8:0001:0000:0000:0000:0000:0001', true],
    ['outside the range', office, '2001:db8:2::1', false],
    ['the IPv6 address itself', office, 'fd00::7', true],
    ['IPv4 in IPv6', office, '::ffff:10.1.2.3', true],
    ['IPv4 in IPv6, in hexadecimal', office, '::ffff:a01:203', true],
    ['IPv4 in IPv6 outside the range', office, '::ffff:10.2.0.1', false],
    ['a range that is IPv4 in IPv6', ['::ffff:10.1.0.0/112'], '10.1.2.3', true],
    ['outside such a range', ['::ffff:10.1.0.0/112'], '10.2.0.1', false],
    ['a range with bits behind its length', ['10.1.2.3/16'], '10.1.9.9', true],
    ['all of IPv4', ['0.0.0.0/0'], '203.0.113.9', true],
    ['all of IPv4 has no IPv6', ['0.0.0.0/0'], '2001:db8::1', false],
    ['not an address', office, 'unknown', false],
    ['nothing', office, '', false],
    ['an empty list', [], '10.1.2.3', false],
  ] as const) {
    test(`AD-09 ${address} is ${expected ? '' : 'not '}in the list (${rule})`, () =>
      assert.equal(addressMatcher(ranges)(address), expected))
  }
})
