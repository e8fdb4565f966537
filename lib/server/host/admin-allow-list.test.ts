import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isConfigError } from '#lib/errors/config-error.ts'
import { adminAllowList, requireKnownAddresses } from './admin-allow-list.ts'

const outside = '203.0.113.9'

describe('AD-09 paths that the admin IP allow-list restricts', () => {
  const refusesAddress = adminAllowList({ adminAddresses: ['10.0.0.0/8', '2001:db8::/32'] })
  for (const [path, expected] of [
    ['/admin', true],
    ['/admin/', true],
    ['/admin/keys', true],
    ['/admin/sign-in', true],
    ['/admin/callback', true],
    ['/admin/setup/submit', true],
    ['/admin/do/keys.rotate', true],
    ['/admin.rsc', true],
    ['/Admin', true],
    ['/%61dmin/keys', true],
    ['/admin%2Fkeys', true],
    ['/%2Fadmin', true],
    ['/x/../admin', true],
    ['/login/%2e%2e/admin', true],
    ['/login/.%2E/%61dmin', true],
    ['/login%2f..%2fadmin', true],
    ['/api/x/%2e%2e/admin/clients', true],
    ['/api/admin', true],
    ['/api//admin/clients', true],
    ['/api%2fadmin/clients', true],
    ['/api/admin/openapi.json', true],
    ['/', false],
    ['/login', false],
    ['/account/admin', false],
    ['/administrators', false],
    ['/admin/../login', false],
    ['/connect/authorize', false],
    ['/.well-known/openid-configuration', false],
    ['/healthz', false],
  ] as const) {
    test(`${path}: ${expected}`, () => assert.equal(refusesAddress(path, outside), expected))
  }

  for (const address of ['10.9.9.9', '::ffff:10.9.9.9', '2001:db8::5'])
    test(`not to ${address}`, () => assert.equal(refusesAddress('/admin', address), false))
  test('to whose address is not known', () => assert.equal(refusesAddress('/admin', ''), true))
})

test('without a list all addresses are allowed', () => {
  assert.equal(adminAllowList({ adminAddresses: null })('/admin', outside), false)
})

test('AD-09 a host that does not report addresses does not start with a list', () => {
  requireKnownAddresses({ adminAddresses: null }, false)
  requireKnownAddresses({ adminAddresses: ['::1'] }, true)
  assert.throws(() => requireKnownAddresses({ adminAddresses: ['::1'] }, false), isConfigError)
})
