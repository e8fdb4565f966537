import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { findProviderClients } from './provider-clients.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

test('the clients of a provider are listed page by page', async () => {
  const caller = await opened.caller('owner')
  const { scheme } = await opened.addProvider('paged')
  const names = ['Paged a', 'Paged b', 'Paged c']
  for (const [index, client_name] of names.entries())
    await opened.addClient({ client_id: `paged-${index}`, client_name })
  const seen: string[] = []
  let next: string | undefined
  for (let page = 0; page < 3; page += 1) {
    const input = { scheme, q: 'Paged', limit: 1, ...(next === undefined ? {} : { after: next }) }
    const found = await findProviderClients.call(opened.ports, input, caller)
    assert.ok(found.kind === 'ok')
    seen.push(...found.value.items.map(({ name }) => name))
    next = found.value.next ?? undefined
  }
  assert.deepEqual(seen.toSorted(), names)
  assert.equal(next, undefined)
})
