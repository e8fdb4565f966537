/** A client manager who creates and reads clients, for tests. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { readClient } from '../clients/client-resource.ts'
import { createClient } from '../clients/write-clients.ts'
import { openAdminTestPorts } from './admin-ports.ts'

export const uri = 'https://app.example/callback'

/** Opens new ports, which are closed after the tests of the file. */
export async function openClientManager() {
  const opened = await openAdminTestPorts()
  after(() => opened.close())
  const caller = await opened.caller('client_manager')
  return {
    opened,
    caller,
    created: async (name: string) => {
      const input = { kind: 'web' as const, metadata: { client_name: name, redirect_uris: [uri] } }
      const result = await createClient.call(opened.ports, input, caller)
      assert.ok(result.kind === 'ok', JSON.stringify(result))
      return result.value
    },
    read: async (clientId: string) => {
      const result = await readClient.call(opened.ports, { client_id: clientId }, caller)
      assert.ok(result.kind === 'ok', result.kind)
      return result.value
    },
  }
}
