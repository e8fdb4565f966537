import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { createClient } from '../clients/write-clients.ts'
import { createScope } from '../scopes/write-scopes.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { onlyMatch, searchAdmin } from './search.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
  await opened.addUser('hargrave')
  await opened.addUser('harriet')
  const owner = await opened.caller('owner')
  for (const [client_id, client_name] of [
    ['ledger', 'Boats Ledger'],
    ['profile', 'Tide Table'],
  ] as const) {
    const made = await createClient.call(
      opened.ports,
      {
        kind: 'web',
        metadata: { client_id, client_name, redirect_uris: ['https://a.example/callback'], scope: 'openid' },
      },
      owner,
    )
    assert.equal(made.kind, 'ok')
  }
  await createScope.call(opened.ports, { metadata: { name: 'tides.read' } }, owner)
})
after(() => opened.close())

async function found(text: string, role: AdminRole = 'owner') {
  return searchAdmin(opened.ports, { role, text, now: new Date() })
}

const searches = [
  { rule: 'a client id leads to its client', text: 'ledger', leadsTo: 'ledger' },
  { rule: 'case does not matter', text: ' LEDGER ', leadsTo: 'ledger' },
  {
    rule: 'a word of a name leads to its client when nothing else has that word',
    text: 'table',
    leadsTo: 'profile',
  },
  { rule: 'a scope is found by its name', text: 'tides.read', leadsTo: 'tides.read' },
  { rule: 'a client and a scope of the same name are both shown', text: 'profile', leadsTo: null },
  { rule: 'all users whose names start with the text are shown', text: 'har', leadsTo: null },
  { rule: 'a text without matches leads nowhere', text: 'zebra', leadsTo: null },
]

for (const { rule, text, leadsTo } of searches) {
  test(rule, async () => {
    assert.equal(onlyMatch(await found(text))?.id ?? null, leadsTo)
  })
}

test('an empty text finds nothing', async () => {
  assert.deepEqual(await found('  '), [])
})

test('AD-01 a role finds only what it may read', async () => {
  assert.ok((await found('harriet', 'user_support')).some(({ kind }) => kind === 'user'))
  assert.ok(!(await found('harriet', 'client_manager')).some(({ kind }) => kind === 'user'))
})
