/** An export is data of another server: it must not give anyone rights on this one. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type AdminTestPorts, openAdminTestPorts } from '#lib/admin/test-admin-ports.ts'
import { context } from '#lib/core/test-ports.ts'
import { clientIdSchema, providerSchemeSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { adminCaller } from '#lib/server/wiring/admin-caller.ts'
import { runImport } from './run-import.ts'
import { row3, token3 } from './testing/token-rows.ts'
import { hashOfSecret, importOf, smallExport, writeExport } from './testing/write-export.ts'

describe('a hostile export', () => {
  let opened: AdminTestPorts
  const run = (content: unknown, changes = {}) =>
    runImport(opened.ports, importOf(writeExport(content), changes))
  beforeEach(async () => {
    opened = await openAdminTestPorts()
    await opened.addProvider('corp')
  })
  afterEach(() => opened.close())

  test('gives no client the scope of the admin API', async () => {
    const content = {
      Clients: [
        { Id: 1, Enabled: true, ClientId: 'mole', ClientName: 'Mole', Flow: 0, RequireConsent: false },
      ],
      ClientSecrets: [{ Id: 1, Value: hashOfSecret, Type: 'SharedSecret', Client_Id: 1 }],
      ClientScopes: [
        { Scope: 'openid', Client_Id: 1 },
        { Scope: 'latchkey.admin', Client_Id: 1 },
      ],
      ClientRedirectUris: [{ Uri: 'https://mole.example/', Client_Id: 1 }],
    }
    await run(content, { skipsRefused: true })
    const client = await opened.ports.clients.find(clientIdSchema.parse('mole'))
    assert.ok(!client?.client.scopes.some(name => name === 'latchkey.admin'))
  })

  test('gives no token the scope of the admin API', async () => {
    const { subject } = await opened.actor('owner')
    const value = 'a'.repeat(32)
    const key = hash('sha256', value, 'base64url')
    const token = token3(subject, 'openid', 'latchkey.admin')
    const row = row3(2, key, token, {
      SubjectId: subject,
      ClientId: 'mvc',
      Expiry: '2126-03-20T12:00:00+00:00',
    })
    const { report } = await run({ ...smallExport, Tokens: [row] })
    assert.match(report, /has the scope latchkey.admin/)
    const caller = await adminCaller(opened.ports, `Bearer ${value}`, context)
    assert.equal(caller.kind, 'refused')
  })

  test('changes no administrator', async () => {
    const { subject } = await opened.actor('owner')
    const content = {
      AspNetUsers: [{ Id: subject, UserName: 'mole', PasswordHash: null }],
      AspNetUserLogins: [{ LoginProvider: 'corp', ProviderKey: 'mole@corp', UserId: subject }],
    }
    for (const replaces of [false, true]) {
      const { report } = await run(content, { replaces })
      assert.match(report, /is an administrator here/)
      const user = await opened.ports.users.findBySubject(subjectIdSchema.parse(subject))
      assert.notEqual(user?.username, 'mole')
      const key = {
        scheme: providerSchemeSchema.parse('corp'),
        issuer: 'https://corp.example',
        subject: 'mole@corp',
      }
      assert.equal(await opened.ports.users.findByExternal(key), null)
    }
  })
})
