import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useCases } from '../use-cases.ts'
import { actionLabel, operationLabel } from './operation-labels.ts'

const shop = { targetKind: 'client', targetId: 'shop', before: { a: 1 }, after: { a: 2 } } as const

test('each operation has a label with its own verb', () => {
  assert.equal(operationLabel({ ...shop, action: 'clients.update' }), 'changed client')
  assert.equal(operationLabel({ ...shop, action: 'clients.add_secret' }), 'added a secret to client')
  assert.equal(
    operationLabel({ ...shop, action: 'clients.set_enabled', after: { enabled: false } }),
    'disabled client',
  )
  assert.equal(
    operationLabel({ ...shop, targetKind: 'user', action: 'users.set_enabled', after: { enabled: true } }),
    'unlocked user',
  )
  assert.equal(
    operationLabel({ ...shop, before: null, action: 'configuration.apply_document' }),
    'created, through a configuration document, client',
  )
})

test('no operation is shown by its bare name', () => {
  for (const { name, done } of useCases.filter(useCase => useCase.done !== '')) {
    const words = operationLabel({ ...shop, action: name })
    assert.ok(!words.includes(':') || name === 'grants.revoke_everything', `${name} (${done}): ${words}`)
    if (!name.endsWith('.export')) assert.notEqual(actionLabel(name), 'made a change', name)
  }
})

test('an operation whose object is not known has a label', () => {
  assert.equal(actionLabel('administrators.invite'), 'invited an administrator')
  assert.equal(actionLabel('clients.add_secret'), 'added a secret to a client')
  assert.equal(actionLabel('scopes.set_enabled'), 'enabled or disabled a scope')
})

test('UP-02 an operation of the next release is shown by its names', () => {
  const unknown = { ...shop, targetKind: JSON.parse('"web_hook"'), action: 'web_hooks.send_now' }
  assert.equal(operationLabel(unknown), 'send now: web hook')
})
