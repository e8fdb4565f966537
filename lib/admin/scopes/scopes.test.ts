import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { adminSession } from '#lib/config/limits.ts'
import { adminRoles } from '#lib/protocol/admin-role.ts'
import { clientIdSchema, scopeNameSchema } from '#lib/protocol/ids.ts'
import { allOf } from '../resource/secret-use-cases.ts'
import { type AdminTestPorts, callUntyped, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller, UseCase } from '../use-case.ts'
import { listScopes, readScope } from './read-scopes.ts'
import {
  createScope,
  deleteScope,
  restoreScope,
  scopeSecrets,
  scopeUseCases,
  setScopeEnabled,
  updateScope,
} from './write-scopes.ts'

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
  const created = await createScope.call(opened.ports, { metadata: { name, claims: ['role'] } }, caller)
  assert.equal(created.kind, 'ok', JSON.stringify(created))
})

async function read(of = name) {
  const result = await readScope.call(opened.ports, { name: of }, caller)
  assert.ok(result.kind === 'ok', result.kind)
  return result.value
}

async function auditOf(targetId: string) {
  return opened.ports.adminStore.audit.list({ targetKind: 'scope', targetId }, null, 10)
}

describe('creating and changing a scope', () => {
  test('a created scope can be read, and has one audit row', async () => {
    const scope = await read()
    assert.deepEqual(scope.metadata, { name, claims: ['role'] })
    assert.equal(scope.version, 1)
    const [row] = await auditOf(name)
    assert.deepEqual(
      [row?.action, row?.before, row?.after],
      ['scopes.create', null, { name, claims: ['role'] }],
    )
    const list = await listScopes.call(opened.ports, {}, caller)
    assert.ok(list.kind === 'ok')
    assert.equal(list.value.items.find(item => item.name === name)?.claims, 1)
  })

  test('a language in two rows of the form is refused: no text is lost silently', async () => {
    const row = (index: number, language: string, text: string) => ({
      [`language_${index}_language`]: [language],
      [`language_${index}_display_name`]: [text],
    })
    const form = {
      name: [name],
      version: ['1'],
      ...row(0, 'de', 'eins'),
      ...row(1, 'fr', 'un'),
      ...row(2, 'DE', 'zwei'),
    }
    const result = await callUntyped(updateScope, opened.ports, updateScope.fromForm(form), caller)
    assert.deepEqual(result, {
      kind: 'invalid',
      errors: [{ path: 'metadata.localized', message: '"DE" is in several rows: keep one of them.' }],
    })
    const once = updateScope.fromForm({ ...form, ...row(2, '', '') })
    assert.equal((await callUntyped(updateScope, opened.ports, once, caller)).kind, 'ok')
  })

  const invalid: ReadonlyArray<readonly [string, object, string]> = [
    ['no name', {}, 'metadata.name'],
    ['a name of two words', { name: 'two words' }, 'metadata.name'],
    ['the name of another', { name: 'api' }, 'metadata.name'],
    ['the name of the admin API', { name: 'latchkey.admin' }, 'metadata.name'],
    ['the name of a standard scope', { name: 'email' }, 'metadata.name'],
    ['an invalid language tag', { name: 'x', localized: { de_DE: {} } }, 'metadata.localized.de_DE'],
    ['too long a text', { name: 'x', description: 'x'.repeat(1001) }, 'metadata.description'],
    ['AD-02 a field that scopes do not have', { name: 'x', secrets: [{ digest: 'x' }] }, 'metadata'],
  ]
  for (const [what, metadata, path] of invalid) {
    test(`names the field for ${what}`, async () => {
      const result = await callUntyped(createScope, opened.ports, { metadata }, caller)
      assert.ok(result.kind === 'invalid', result.kind)
      assert.deepEqual(
        result.errors.map(error => error.path),
        [path],
      )
    })
  }

  test('a document is replaced as a whole, from a form as from the API', async () => {
    const form = {
      name: [name],
      version: ['1'],
      kind: ['resource'],
      display_name: ['See your orders'],
      description: [''],
      claims: ['role\r\nemail role'],
      emphasize: ['false', 'true'],
      required: ['false'],
      enabled: ['false', 'true'],
      language_0_language: ['de'],
      language_0_display_name: ['Bestellungen sehen'],
      language_0_description: [''],
      language_1_language: [''],
      language_1_display_name: [''],
    }
    const result = await callUntyped(updateScope, opened.ports, updateScope.fromForm(form), caller)
    assert.equal(result.kind, 'ok', JSON.stringify(result))
    const { metadata, version } = await read()
    assert.equal(version, 2)
    assert.deepEqual(metadata, {
      display_name: 'See your orders',
      emphasize: true,
      claims: ['role', 'email'],
      localized: { de: { display_name: 'Bestellungen sehen' } },
      name,
    })
    const { scope } = (await opened.ports.scopes.find(scopeNameSchema.parse(name))) ?? assert.fail()
    assert.equal(scope.localized.de?.displayName, 'Bestellungen sehen')
  })

  test('a text without its language is refused, not dropped', async () => {
    const form = {
      name: [name],
      version: ['1'],
      language_0_language: [''],
      language_0_display_name: ['Hallo'],
    }
    const result = await callUntyped(updateScope, opened.ports, updateScope.fromForm(form), caller)
    assert.ok(result.kind === 'invalid')
    assert.match(result.errors[0]?.message ?? '', /Names no language/)
  })

  test('the second of two concurrent changes gets a conflict with the stored state', async () => {
    const change = (text: string) =>
      updateScope.call(opened.ports, { name, version: 1, metadata: { display_name: text } }, caller)
    assert.equal((await change('first')).kind, 'ok')
    const second = await change('second')
    assert.ok(second.kind === 'conflict')
    assert.deepEqual(second.current, { version: 2, metadata: { display_name: 'first', name } })
    assert.equal((await read()).metadata.display_name, 'first')
  })

  test('an earlier version can be restored, but not one of another scope', async () => {
    const [created] = await auditOf(name)
    const changed = await updateScope.call(
      opened.ports,
      { name, version: 1, metadata: { claims: [] } },
      caller,
    )
    assert.equal(changed.kind, 'ok')
    const seq = created?.seq ?? 0
    const other = await restoreScope.call(opened.ports, { name: 'api', version: 1, seq }, caller)
    assert.equal(other.kind, 'invalid')
    const restored = await restoreScope.call(opened.ports, { name, version: 2, seq }, caller)
    assert.ok(restored.kind === 'ok', JSON.stringify(restored))
    assert.deepEqual(restored.value.metadata, { name, claims: ['role'] })
  })

  test('a disabled scope is unknown to the next request', async () => {
    const result = await setScopeEnabled.call(opened.ports, { name, version: 1, enabled: 'false' }, caller)
    assert.equal(result.kind, 'ok')
    assert.equal((await opened.ports.scopes.find(scopeNameSchema.parse(name)))?.scope.enabled, false)
  })

  test('an unknown scope is not found', async () => {
    const target = {
      name: 'nothing',
      version: 1,
      secret_id: 'x',
      secret_name: 'x',
      overlap_hours: 1,
      enabled: true,
    }
    for (const useCase of [readScope, updateScope, setScopeEnabled, deleteScope, scopeSecrets.add]) {
      const result = await useCase.call(opened.ports, { ...target, metadata: {} }, caller)
      assert.equal(result.kind, 'not_found', useCase.name)
    }
  })
})

describe('deleting a scope', () => {
  test('an unused scope is deleted without confirmation', async () => {
    const result = await deleteScope.call(opened.ports, { name, version: 1 }, caller)
    assert.equal(result.kind, 'ok')
    assert.equal(await opened.ports.scopes.find(scopeNameSchema.parse(name)), null)
    assert.equal((await auditOf(name))[0]?.after, null)
  })

  test('a scope in use is deleted after confirmation, and removed from its clients, which are named first', async () => {
    const clientId = clientIdSchema.parse(`shop-${made}`)
    await opened.addClient({ client_id: clientId, client_name: 'The Shop', scope: `openid ${name} api` })
    const asked = await deleteScope.call(opened.ports, { name, version: 1 }, caller)
    assert.ok(asked.kind === 'invalid')
    assert.match(asked.errors[0]?.message ?? '', /Used by The Shop/)
    assert.equal(asked.errors[0]?.path, 'confirm')
    const result = await deleteScope.call(opened.ports, { name, version: 1, confirm: name }, caller)
    assert.ok(result.kind === 'ok', JSON.stringify(result))
    assert.deepEqual(result.value.clients, [clientId])
    assert.deepEqual((await opened.ports.clients.find(clientId))?.client.scopes, ['openid', 'api'])
    const rows = await opened.ports.adminStore.audit.list(
      { targetKind: 'client', targetId: clientId },
      null,
      5,
    )
    assert.equal(rows[0]?.action, 'scopes.delete')
  })

  test('deleting an older version is a conflict, and nothing is deleted', async () => {
    await setScopeEnabled.call(opened.ports, { name, enabled: false }, caller)
    assert.equal((await deleteScope.call(opened.ports, { name, version: 1 }, caller)).kind, 'conflict')
    assert.ok(await opened.ports.scopes.find(scopeNameSchema.parse(name)))
  })

  test('AD-03 only owners can delete a scope of a client that is an administrator', async () => {
    const name = 'ledger'
    await createScope.call(opened.ports, { metadata: { name } }, caller)
    await opened.addClient({ client_id: 'operator', scope: `${name} latchkey.admin` })
    const deletion = { name, version: 1, confirm: name }
    assert.equal((await deleteScope.call(opened.ports, deletion, caller)).kind, 'denied')
    const owner = await opened.caller('owner')
    assert.equal((await deleteScope.call(opened.ports, deletion, owner)).kind, 'ok')
  })
  test('AD-06 the scope openid cannot be disabled', async () => {
    const result = await setScopeEnabled.call(opened.ports, { name: 'openid', enabled: false }, caller)
    assert.ok(result.kind === 'invalid', result.kind)
    assert.deepEqual(
      result.errors.map(({ path }) => path),
      ['metadata.enabled'],
    )
  })
  test('a standard scope can be disabled, not deleted', async () => {
    const { version } = await read('roles')
    const deletion = await deleteScope.call(
      opened.ports,
      { name: 'roles', version, confirm: 'roles' },
      caller,
    )
    assert.equal(deletion.kind, 'denied')
    const disabled = await setScopeEnabled.call(
      opened.ports,
      { name: 'roles', version, enabled: false },
      caller,
    )
    assert.equal(disabled.kind, 'ok')
  })
})

describe('AD-01 permissions for scopes', () => {
  const writers = ['owner', 'client_manager']
  const input = {
    name: 'nothing',
    version: 1,
    metadata: {},
    secret_id: 'x',
    secret_name: 'x',
    overlap_hours: 1,
  }
  for (const useCase of scopeUseCases) {
    for (const role of adminRoles) {
      const isAllowed = useCase.permission === 'scopes:read' || writers.includes(role)
      test(`${useCase.name}: ${role} ${isAllowed ? 'may' : 'may not'}`, async () => {
        const other = await opened.caller(role)
        const { kind } = await useCase.call(opened.ports, { ...input, enabled: true }, other)
        assert.equal(kind === 'denied', !isAllowed, kind)
      })
    }
  }
})

test('AD-04 a change of secrets requires a recent sign-in', async () => {
  opened.advance(adminSession.freshSignInSeconds + 1)
  const sensitive: readonly UseCase[] = [...allOf(scopeSecrets)]
  const input = { name: 'nothing', secret_id: 'x', secret_name: 'x', overlap_hours: 1 }
  for (const useCase of sensitive)
    assert.equal(
      (await useCase.call(opened.ports, input, caller)).kind,
      'fresh_sign_in_required',
      useCase.name,
    )
})
