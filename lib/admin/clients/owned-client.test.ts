import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testMachine } from '#lib/core/testing/registrations.ts'
import { addClient } from '../administrators/add-client.ts'
import { type AdminTestPorts, callUntyped, openAdminTestPorts } from '../testing/admin-ports.ts'
import { clientSecrets, deleteClient, setClientEnabled } from './write-clients.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
  await opened.addClient({ client_id: 'administering', ...testMachine }, 'its secret')
  const owner = await opened.caller('owner')
  await addClient.call(opened.ports, { client_id: 'administering', role: 'owner' }, owner)
  await opened.addClient({ client_id: 'reaching', scope: 'openid latchkey.admin' })
  await opened.addClient({ client_id: 'plain' })
})
after(() => opened.close())

const secret = (clientId: string) => ({ client_id: clientId, secret_name: 'x', expires_at: '' })

for (const clientId of ['administering', 'reaching']) {
  test(`AD-03 a client manager can neither change nor delete the client ${clientId}, nor add a secret`, async () => {
    const caller = await opened.caller('client_manager')
    const results = [
      await callUntyped(clientSecrets.add, opened.ports, secret(clientId), caller),
      await callUntyped(
        setClientEnabled,
        opened.ports,
        { client_id: clientId, enabled: false, version: 1 },
        caller,
      ),
      await callUntyped(deleteClient, opened.ports, { client_id: clientId, version: 1 }, caller),
    ]
    assert.deepEqual(
      results.map(({ kind }) => kind),
      ['denied', 'denied', 'denied'],
    )
  })
}

test('an owner can change such a client, and a client manager any other client', async () => {
  const [owner, manager] = [await opened.caller('owner'), await opened.caller('client_manager')]
  assert.equal(
    (await callUntyped(clientSecrets.add, opened.ports, secret('administering'), owner)).kind,
    'ok',
  )
  assert.equal((await callUntyped(clientSecrets.add, opened.ports, secret('plain'), manager)).kind, 'ok')
})
