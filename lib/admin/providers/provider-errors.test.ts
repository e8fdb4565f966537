import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AdminResult } from '../admin-result.ts'
import { type AdminTestPorts, callUntyped, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import { createProvider, updateProvider } from './write-providers.ts'

let opened: AdminTestPorts
let caller: Caller
const partner = {
  scheme: 'partner',
  issuer: 'https://partner.example',
  client_id: 'latchkey',
  domains: ['partner.example'],
}
before(async () => {
  opened = await openAdminTestPorts()
  caller = await opened.caller('owner')
  for (const scheme of ['partner', 'other']) {
    const given = { ...partner, scheme, domains: [`${scheme}.example`], client_secret: 'a provider secret' }
    assert.equal((await createProvider.call(opened.ports, given, caller)).kind, 'ok')
  }
})
after(() => opened.close())

function refused(result: AdminResult<unknown>): readonly string[] {
  assert.ok(result.kind === 'invalid', result.kind)
  return result.errors.map(({ path }) => path).toSorted()
}

const wrong = { ...partner, client_id: '', domains: ['not a domain', 'other.example'] }

test('problems of the fields of a provider and conflicts with others are reported together', async () => {
  const result = await callUntyped(createProvider, opened.ports, wrong, caller)
  assert.deepEqual(refused(result), ['client_id', 'client_secret', 'domains.0', 'domains.1', 'scheme'])
})

test('problems of the fields of a stored provider and conflicts with others are reported together', async () => {
  const moved = { ...wrong, issuer: 'https://elsewhere.example', version: 1 }
  const result = await callUntyped(updateProvider, opened.ports, moved, caller)
  assert.deepEqual(refused(result), ['client_id', 'client_secret', 'domains.0', 'domains.1'])
})
