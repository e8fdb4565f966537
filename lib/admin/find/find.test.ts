import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { createClient } from '../clients/create-client.ts'
import { createScope } from '../scopes/write-scope.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../test-admin-ports.ts'
import { find, onlyPlace } from './find.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
  await opened.addUser('hargrave')
  await opened.addUser('harriet')
  const owner = await opened.visit('owner')
  for (const [client_id, client_name] of [
    ['ledger', 'Boats Ledger'],
    ['profile', 'Tide Table'],
  ] as const) {
    const made = await createClient.call(
      opened.ports,
      { kind: 'web', client_id, client_name, redirect_uris: ['https://a.example/callback'], scope: 'openid' },
      owner,
    )
    assert.equal(made.kind, 'ok')
  }
  await createScope.call(opened.ports, { metadata: { name: 'tides.read' } }, owner)
})
after(() => opened.close())

async function found(text: string, role: AdminRole = 'owner') {
  return find(opened.ports, { role, text, now: new Date() })
}

const searches = [
  { rule: 'a client id leads to its client', text: 'ledger', leadsTo: 'ledger' },
  { rule: 'case does not matter', text: ' LEDGER ', leadsTo: 'ledger' },
  { rule: 'a word of a name is enough when nothing else has it', text: 'table', leadsTo: 'profile' },
  { rule: 'a scope is found by its name', text: 'tides.read', leadsTo: 'tides.read' },
  { rule: 'two things of the same name are both shown', text: 'profile', leadsTo: null },
  { rule: 'several beginnings alike are all shown', text: 'har', leadsTo: null },
  { rule: 'nothing leads nowhere', text: 'zebra', leadsTo: null },
]

for (const { rule, text, leadsTo } of searches) {
  test(rule, async () => {
    assert.equal(onlyPlace(await found(text))?.id ?? null, leadsTo)
  })
}

test('an empty text finds nothing', async () => {
  assert.deepEqual(await found('  '), [])
})

test('AD-01 a role finds only what it may read', async () => {
  assert.ok((await found('harriet', 'user_support')).some(({ kind }) => kind === 'user'))
  assert.ok(!(await found('harriet', 'client_manager')).some(({ kind }) => kind === 'user'))
})
