import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { areasByWhatRoleMay, whatRoleMay } from './role-areas.ts'

const cells: readonly (readonly [role: AdminRole, area: string, words: string | null])[] = [
  ['owner', 'clients', 'all'],
  ['owner', 'overview', 'view'],
  ['auditor', 'events', 'all'],
  ['auditor', 'configuration', 'view'],
  ['user_support', 'users', 'view, create, update, reset passwords'],
  ['client_manager', 'grants', 'view, revoke for one client'],
  ['client_manager', 'administrators', null],
]

for (const [role, area, words] of cells) {
  test(`${role} may do ${words ?? 'nothing'} in ${area}`, () => assert.equal(whatRoleMay(role, area), words))
}

test('lists each permitted area of a role once, with its permissions', () => {
  assert.deepEqual(Object.fromEntries(areasByWhatRoleMay('client_manager')), {
    view: ['overview', 'status', 'providers', 'keys', 'events'],
    all: ['clients', 'scopes'],
    'view, revoke for one client': ['grants'],
    'restore versions': ['configuration'],
  })
})
