import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopbackHost } from './loopback.ts'

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
