import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { offersFor } from './read-results.ts'

const names = (role: AdminRole, text: string) => {
  const { actions, screens } = offersFor(role, text)
  return [...actions, ...screens].map(({ name }) => name)
}

const searches = [
  { text: 'add cl', finds: ['New client'] },
  { text: '  ROTATE ', finds: ['Rotate keys'] },
  { text: 'reset', finds: ['Reset a password'] },
  { text: 'unlock', finds: ['Lock or unlock a user'] },
  { text: 'sso', finds: ['New identity provider'] },
  { text: 'client', finds: ['New client', 'Clients'] },
  { text: 'lient', finds: [] },
]

for (const { text, finds } of searches) {
  test(`“${text}” finds ${finds.join(', ') || 'nothing'}`, () =>
    assert.deepEqual(names('owner', text), finds))
}

test('AD-01 a role is offered only what it may do and see', () => {
  assert.deepEqual(names('auditor', 'add'), [])
  assert.deepEqual(names('auditor', 'rotate'), [])
  assert.deepEqual(names('client_manager', 'users'), [])
  assert.ok(!names('user_support', '').includes('Keys'))
})

test('every offer leads to a page', () => {
  const { actions, screens } = offersFor('owner', '')
  for (const { path } of [...actions, ...screens]) {
    const [folder = ''] = path.split('?')
    assert.ok(existsSync(join(import.meta.dirname, '../..', folder, 'page.tsx')), path)
  }
})
