import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { secretList } from '#lib/config/limits.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import { type AdminTestPorts, callUntyped, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import { readScope } from './read-scopes.ts'
import { createScope, scopeSecrets, updateScope } from './write-scopes.ts'

let opened: AdminTestPorts
let caller: Caller
let name: string
let made = 0

before(async () => {
  opened = await openAdminTestPorts()
  caller = await opened.caller('client_manager')
})
after(() => opened.close())
beforeEach(async () => {
  made += 1
  name = `orders.${made}`
  caller = { ...caller, actor: { ...caller.actor, authenticatedAt: opened.ports.clock.now() } }
  assert.equal((await createScope.call(opened.ports, { metadata: { name } }, caller)).kind, 'ok')
})

async function read() {
  const result = await readScope.call(opened.ports, { name }, caller)
  assert.ok(result.kind === 'ok', result.kind)
  return result.value
}

async function newSecret(of = name) {
  const result = await scopeSecrets.add.call(
    opened.ports,
    { name: of, secret_name: 'first', expires_at: '' },
    caller,
  )
  assert.ok(result.kind === 'ok', JSON.stringify(result))
  return result.value
}

/** Whether the API can introspect with this secret. */
async function isGood(secret: string, of = name): Promise<boolean> {
  const registered = await opened.ports.scopes.find(scopeNameSchema.parse(of))
  return opened.ports.secrets.verify(secret, registered?.secrets ?? [], opened.ports.clock.now())
}

test('AD-05 a new secret is returned, and neither the scope nor its audit rows show it or its digest', async () => {
  const { secret, id } = await newSecret()
  assert.ok(await isGood(secret))
  const scope = await read()
  assert.deepEqual(
    scope.secrets.map(one => [one.id, one.name, one.last_used_at]),
    [[id, 'first', null]],
  )
  const rows = await opened.ports.adminStore.audit.list({ targetKind: 'scope', targetId: name }, null, 9)
  const stored = JSON.stringify([scope, rows])
  assert.ok(!stored.includes(secret) && !stored.includes('sha256:'), stored)
})

test('both secrets are valid during the overlap of a rotation, and have different names', async () => {
  const old = await newSecret()
  const rotation = { name, secret_id: old.id, overlap_hours: 2, expires_at: null }
  const result = await scopeSecrets.rotate.call(opened.ports, rotation, caller)
  assert.ok(result.kind === 'ok')
  assert.equal(result.value.name, 'first (2)')
  assert.deepEqual([await isGood(old.secret), await isGood(result.value.secret)], [true, true])
  opened.advance(2 * 3600)
  assert.deepEqual([await isGood(old.secret), await isGood(result.value.secret)], [false, true])
})

test('an expired secret is refused and stays listed; a removed one does not stay', async () => {
  const { secret, id } = await newSecret()
  const target = { name, secret_id: id }
  assert.equal((await scopeSecrets.expire.call(opened.ports, target, caller)).kind, 'ok')
  assert.equal(await isGood(secret), false)
  assert.equal((await read()).secrets.length, 1)
  assert.equal((await scopeSecrets.remove.call(opened.ports, target, caller)).kind, 'ok')
  assert.equal((await read()).secrets.length, 0)
  assert.equal((await scopeSecrets.remove.call(opened.ports, target, caller)).kind, 'not_found')
})

test('changing the document keeps the secrets', async () => {
  const { secret } = await newSecret()
  const { version } = await read()
  const input = { name, version, metadata: { display_name: 'Orders' } }
  assert.equal((await updateScope.call(opened.ports, input, caller)).kind, 'ok')
  assert.ok(await isGood(secret))
})

const ends: ReadonlyArray<readonly [string, string, string | null]> = [
  ['never', '', null],
  ['after its last day', '2026-12-31', '2027-01-01T00:00:00.000Z'],
  ['at a moment', '2026-12-31T10:00:00+02:00', '2026-12-31T08:00:00.000Z'],
]
for (const [when, given, expected] of ends) {
  test(`a secret ends ${when}`, async () => {
    const input = { name, secret_name: 'x', expires_at: given }
    const result = await scopeSecrets.add.call(opened.ports, input, caller)
    assert.ok(result.kind === 'ok', JSON.stringify(result))
    assert.equal(result.value.expires_at, expected)
  })
}

const refused: ReadonlyArray<readonly [string, object, string]> = [
  ['an end in the past', { expires_at: '2020-01-01' }, 'expires_at'],
  ['an invalid expiry', { expires_at: 'tomorrow' }, 'expires_at'],
  ['no name', { secret_name: '' }, 'secret_name'],
  ['an identity scope', { name: 'profile' }, ''],
]
for (const [what, changes, path] of refused) {
  test(`no secret is made for ${what}`, async () => {
    const input = { name, secret_name: 'x', expires_at: '', ...changes }
    const result = await callUntyped(scopeSecrets.add, opened.ports, input, caller)
    assert.ok(result.kind === 'invalid', result.kind)
    assert.equal(result.errors[0]?.path, path)
  })
}

test('no secret is created for a scope with the name of a client, nor more than the limit', async () => {
  await opened.addClient({ client_id: name })
  const input = { name, secret_name: 'x', expires_at: '' }
  const taken = await scopeSecrets.add.call(opened.ports, input, caller)
  assert.ok(taken.kind === 'invalid')
  assert.match(taken.errors[0]?.message ?? '', /client/)
  for (let count = 0; count < secretList.most; count += 1) await newSecret('api.write')
  const full = await scopeSecrets.add.call(opened.ports, { ...input, name: 'api.write' }, caller)
  assert.equal(full.kind, 'invalid')
})

test('a missing name and an expiry in the past are reported together', async () => {
  const input = { name, secret_name: '', expires_at: '2020-01-01' }
  const result = await callUntyped(scopeSecrets.add, opened.ports, input, caller)
  assert.ok(result.kind === 'invalid')
  assert.deepEqual(
    result.errors.map(({ path }) => path),
    ['secret_name', 'expires_at'],
  )
})
