import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testMachine } from '#lib/core/testing/registrations.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { ClientMetadata } from '#lib/protocol/registration/client.ts'
import { readHistory } from '../configuration/history.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { addClient } from './add-client.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

let made = 0
async function added(changes: Partial<ClientMetadata>, secret: readonly string[] = ['its secret']) {
  made += 1
  const id = `client-${made}`
  await opened.addClient({ client_id: id, ...changes }, ...secret)
  const owner = await opened.caller('owner')
  const result = await addClient.call(opened.ports, { client_id: id, role: 'auditor' }, owner)
  const client = await opened.ports.clients.find(clientIdSchema.parse(id))
  assert.ok(client)
  return { id, result, client: client.client }
}

describe('a client that becomes an administrator', () => {
  test('a client gets the missing scope, with a row in its history, and keeps its secrets', async () => {
    const { id, result, client } = await added(testMachine)
    assert.equal(result.kind, 'ok', JSON.stringify(result))
    assert.deepEqual([client.scopes, client.grantTypes], [['api', 'latchkey.admin'], ['client_credentials']])
    const [entry] = await readHistory(opened.ports, { kind: 'client', id })
    assert.equal(entry?.row.action, 'administrators.add_client')
    assert.equal((await opened.ports.adminLists.client(client.clientId))?.secrets.length, 1)
  })

  test('a client gets the missing grant type', async () => {
    const { result, client } = await added({ scope: 'openid latchkey.admin' })
    assert.equal(result.kind, 'ok', JSON.stringify(result))
    assert.ok(client.grantTypes.includes('client_credentials'))
  })

  test('a client that lacks nothing is not changed', async () => {
    const { id, result } = await added({ ...testMachine, scope: 'latchkey.admin' })
    assert.equal(result.kind, 'ok')
    assert.deepEqual(await readHistory(opened.ports, { kind: 'client', id }), [])
  })

  const impossible: ReadonlyArray<readonly [string, Partial<ClientMetadata>, string[], RegExp]> = [
    ['is disabled', { ...testMachine, enabled: false }, ['s'], /disabled: enable it/],
    ['is public', { token_endpoint_auth_method: 'none', pkce: 'required' }, [], /Register a machine/],
    ['has no secret', testMachine, [], /no valid secret/],
    ['AD-03 signs users in, and so would act for them', {}, ['s'], /act as any administrator/],
    [
      'AD-03 may get tokens of users by a grant of an extension',
      { ...testMachine, grant_types: ['urn:example:device'] },
      ['s'],
      /act as any administrator/,
    ],
  ]
  for (const [what, changes, secrets, because] of impossible) {
    test(`a client is refused with the reason when it ${what}`, async () => {
      const { id, result } = await added(changes, secrets)
      assert.ok(result.kind === 'invalid')
      assert.match(result.errors[0]?.message ?? '', because)
      assert.equal(await opened.ports.administrators.find(subjectIdSchema.parse(id)), null)
    })
  }
})
