import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientSecrets, createClient, setClientEnabled } from '../clients/write-clients.ts'
import { changeNames } from '../names.ts'
import { type AdminTestPorts, callUntyped, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import { exportChanges, listChanges, readChanges } from './read-changes.ts'

let opened: AdminTestPorts
let auditor: Caller
let owner: Caller
const shop = { client_id: 'shop' }
let secret = ''

before(async () => {
  opened = await openAdminTestPorts()
  owner = await opened.caller('owner')
  auditor = await opened.caller('auditor')
  const client = { kind: 'machine' as const, metadata: { ...shop, client_name: 'Shop', scope: 'api' } }
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

test('the pages together contain each change once', async () => {
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

test('AD-05 no change contains a secret', async () => {
  const text = JSON.stringify((await listed({ limit: 200 })).items)
  assert.ok(secret.length > 8 && !text.includes(secret))
  assert.doesNotMatch(text, /sha256:|argon2|"digest"|password/i)
})

test('changes are filtered by administrator, target, operation and day', async () => {
  const { subject } = owner.actor
  const today = opened.ports.clock.now().toISOString().slice(0, 10)
  const count = async (filter: Parameters<typeof listed>[0]) =>
    (await listed({ limit: 200, ...filter })).items.length
  const all = await count({})
  assert.equal(await count({ actor: subject, target_kind: 'client', target_id: 'shop' }), 3)
  assert.equal(await count({ action: 'clients.add_secret' }), 1)
  assert.equal(await count({ target_kind: 'scope' }), 0)
  assert.equal(await count({ from: today, until: today }), all)
  assert.equal(await count({ until: '2001-01-01' }), 0)
  assert.equal(await count({ from: '2999-01-01' }), 0)
})

test('a page of filtered changes continues with the same filter only', async () => {
  const first = await listed({ target_id: 'shop', limit: 2 })
  assert.deepEqual([first.items.length, first.next !== null], [2, true])
  const rest = await listed({ target_id: 'shop', limit: 2, after: String(first.next) })
  assert.deepEqual(
    rest.items.map(({ change }) => change?.action),
    ['clients.create'],
  )
  assert.equal(rest.next, null)
})

test('an unknown filter is refused', async () => {
  const result = await callUntyped(listChanges, opened.ports, { subject: 'alice' }, auditor)
  assert.equal(result.kind, 'invalid')
})

test('changes are named by their users and clients, also where an administrator is the target', async () => {
  const { ports } = opened
  await opened.addUser('erin')
  const { rows } = await readChanges(ports, { target_id: 'shop' }, null, 1)
  const [{ row } = assert.fail()] = rows
  const names = await changeNames(ports, [
    row ?? assert.fail(),
    { ...(row ?? assert.fail()), targetKind: 'administrator', targetId: 'erin' },
    { ...(row ?? assert.fail()), targetKind: 'consent', targetId: 'erin shop' },
  ])
  assert.equal(names.target({ targetKind: 'client', targetId: 'shop' }), 'Shop')
  const erin = names.target({ targetKind: 'administrator', targetId: 'erin' })
  assert.equal(names.target({ targetKind: 'consent', targetId: 'erin shop' }), `${erin}, Shop`)
  assert.equal(names.actor({ actor: null }), 'The operator')
})

test('only objects that still exist are reported as such', async () => {
  const { ports } = opened
  const [{ row } = assert.fail()] = (await readChanges(ports, { target_id: 'shop' }, null, 1)).rows
  const targets = [
    ['client', 'shop', true],
    ['client', 'gone', false],
    ['user', owner.actor.subject, true],
    ['user', 'gone', false],
    ['scope', 'api', true],
    ['scope', 'gone', false],
    ['provider', 'gone', false],
    ['configuration', '', false],
  ] as const
  const rows = targets.map(([targetKind, targetId]) => ({ ...(row ?? assert.fail()), targetKind, targetId }))
  const names = await changeNames(ports, rows)
  for (const [targetKind, targetId, isThere] of targets)
    assert.equal(names.isThere({ targetKind, targetId }), isThere, `${targetKind} ${targetId}`)
})

test('AD-05 an export contains the filtered changes without secrets, and is recorded itself', async () => {
  const result = await exportChanges.call(opened.ports, { target_id: 'shop' }, auditor)
  assert.ok(result.kind === 'ok', JSON.stringify(result))
  const { csv } = result.value
  assert.equal(csv.trim().split('\r\n').length, 4)
  assert.ok(!csv.includes(secret))
  const [{ change } = assert.fail()] = (await listed({ limit: 1 })).items
  assert.deepEqual([change?.action, change?.target_id], ['changes.export', 'changes'])
})
