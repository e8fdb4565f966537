import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { areasByWhatRoleMay, whatRoleMay } from './role-areas.ts'

const cells: readonly (readonly [role: AdminRole, area: string, words: string | null])[] = [
  ['owner', 'clients', 'everything'],
  ['owner', 'overview', 'see'],
  ['auditor', 'events', 'everything'],
  ['auditor', 'configuration', 'see'],
  ['user_support', 'users', 'see, create, update, reset passwords'],
  ['client_manager', 'grants', 'see, revoke for one client'],
  ['client_manager', 'administrators', null],
]

for (const [role, area, words] of cells) {
  test(`${role} may do ${words ?? 'nothing'} in ${area}`, () => assert.equal(whatRoleMay(role, area), words))
}

test('from the side of a role each open area stands once, with what may be done there', () => {
  assert.deepEqual(Object.fromEntries(areasByWhatRoleMay('client_manager')), {
    see: ['overview', 'providers', 'keys', 'events'],
    everything: ['clients', 'scopes'],
    'see, revoke for one client': ['grants'],
    'restore versions': ['configuration'],
  })
})
