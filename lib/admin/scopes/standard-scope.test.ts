import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import { readScope } from './read-scopes.ts'
import { createScope, updateScope } from './write-scopes.ts'

let opened: AdminTestPorts
let caller: Caller
before(async () => {
  opened = await openAdminTestPorts()
  caller = await opened.caller('client_manager')
})
after(() => opened.close())

test('creating a scope with the name of a standard scope is refused, and a standard scope keeps its kind', async () => {
  const made = await createScope.call(opened.ports, { metadata: { name: 'openid' } }, caller)
  assert.ok(made.kind === 'invalid')
  assert.match(made.errors[0]?.message ?? '', /^"openid" is the name of a standard scope/)
  const stored = await readScope.call(opened.ports, { name: 'openid' }, caller)
  assert.ok(stored.kind === 'ok')
  const { version } = stored.value
  const metadata = { kind: 'resource', audience: '', localized: { de_DE: {} } }
  const changed = await updateScope.call(opened.ports, { name: 'openid', version, metadata }, caller)
  assert.ok(changed.kind === 'invalid')
  assert.deepEqual(changed.errors.map(({ path }) => path).toSorted(), [
    'metadata.audience',
    'metadata.kind',
    'metadata.localized.de_DE',
  ])
})
