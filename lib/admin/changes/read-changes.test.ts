import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient } from '../clients/create-client.ts'
import { clientSecrets, setClientEnabled } from '../clients/use-cases.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../test-admin-ports.ts'
import type { Visit } from '../use-case.ts'
import { listChanges } from './read-changes.ts'

let opened: AdminTestPorts
let auditor: Visit
const shop = { client_id: 'shop' }
let secret = ''

before(async () => {
  opened = await openAdminTestPorts()
  const owner = await opened.visit('owner')
  auditor = await opened.visit('auditor')
  const client = { ...shop, kind: 'machine' as const, client_name: 'Shop', scope: 'api' }
  assert.equal((await createClient.call(opened.ports, client, owner)).kind, 'ok')
  const made = await clientSecrets.add.call(opened.ports, { ...shop, secret_name: 'Second' }, owner)
  assert.ok(made.kind === 'ok')
  secret = made.value.secret
  assert.equal((await setClientEnabled.call(opened.ports, { ...shop, enabled: 'false' }, owner)).kind, 'ok')
})
after(() => opened.close())

async function listed(given: Parameters<typeof listChanges.call>[1]) {
  const result = await listChanges.call(opened.ports, given, auditor)
  assert.ok(result.kind === 'ok', JSON.stringify(result))
  return result.value
}

test('changes come newest first, with who did what to what', async () => {
  const { items } = await listed({ limit: 3 })
  assert.deepEqual(
    items.map(({ change }) => [change?.action, change?.actor_role, change?.target_id]),
    ['clients.set_enabled', 'clients.add_secret', 'clients.create'].map(action => [action, 'owner', 'shop']),
  )
  const [{ change: latest } = assert.fail()] = items
  assert.deepEqual(
    [Object(latest?.before).enabled, Object(latest?.after).enabled].map(enabled => enabled !== false),
    [true, false],
  )
})

test('the pages together hold each change once, down to the first', async () => {
  const numbers: number[] = []
  let next: string | null = null
  do {
    const page: Awaited<ReturnType<typeof listed>> = await listed(
      next === null ? { limit: 2 } : { limit: 2, after: next },
    )
    numbers.push(...page.items.map(({ seq }) => seq))
    next = page.next
  } while (next !== null)
  assert.deepEqual(
    numbers,
    numbers.map((_seq, index) => numbers.length - index),
  )
})

test('AD-05 no change holds a secret', async () => {
  const text = JSON.stringify((await listed({ limit: 200 })).items)
  assert.ok(secret.length > 8 && !text.includes(secret))
  assert.doesNotMatch(text, /sha256:|argon2|"digest"|password/i)
})
