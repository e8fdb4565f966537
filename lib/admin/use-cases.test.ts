import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { adminRoles } from '#lib/protocol/admin-role.ts'
import { may, permissions } from './access/permissions.ts'
import { servedUseCases } from './api/routes.ts'
import { type AdminTestPorts, openAdminTestPorts } from './testing/admin-ports.ts'
import type { Caller } from './use-case.ts'
import { useCases } from './use-cases.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

/** Permissions of pages that read without a use case. */
const readByPages = new Set(['overview:read'])

for (const role of adminRoles) {
  let visiting: Promise<Caller> | null = null
  for (const useCase of useCases) {
    const isAllowed = may(role, useCase.permission)
    test(`AD-01 ${role} ${isAllowed ? 'may' : 'may not'} ${useCase.name}`, async () => {
      visiting ??= opened.caller(role)
      const visit = await visiting
      const before_ = opened.events.length
      const result = await useCase.call(opened.ports, {}, visit)
      const refusals = opened.events.slice(before_).filter(({ name }) => name === 'admin_refused')
      if (isAllowed) assert.notEqual(result.kind, 'denied')
      else assert.deepEqual([result.kind, refusals.length], ['denied', 1])
    })
  }
}

test('every permission is used by a use case or a page', () => {
  const used = new Set<string>(useCases.map(({ permission }) => permission))
  const idle = permissions.filter(permission => !used.has(permission) && !readByPages.has(permission))
  assert.deepEqual(idle, [])
})

test('the owner has every permission', () => {
  for (const permission of permissions) assert.ok(may('owner', permission))
})

test('AD-04 the sensitive operations are marked as sensitive', () => {
  const sensitive = useCases.filter(({ isSensitive }) => isSensitive).map(({ name }) => name)
  for (const name of [
    'clients.create',
    'clients.add_secret',
    'clients.rotate_secret',
    'keys.rotate',
    'keys.revoke',
    'administrators.invite',
    'administrators.set_role',
    'users.create',
    'users.reset_password',
    'users.delete',
    'configuration.export',
    'events.export',
    'configuration.apply_document',
    'providers.create',
    'providers.update',
  ]) {
    assert.ok(sensitive.includes(name), name)
  }
})

test('each use case has a different name and address', () => {
  const names = useCases.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  const addresses = servedUseCases.map(({ api }) => `${api.method} ${api.path}`)
  assert.equal(new Set(addresses).size, addresses.length)
})
