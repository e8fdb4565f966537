/**
 * Tests hostile exports: an export is data of another server, and must not give a user or client rights on this one.
 */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type AdminTestPorts, openAdminTestPorts } from '#lib/admin/testing/admin-ports.ts'
import { context } from '#lib/core/testing/ports.ts'
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

  const tokenOf = (claims: readonly object[]) => {
    const [type, key] = [2, hash('sha256', 'b'.repeat(32), 'base64url')]
    const changes = { ClientId: 'mvc', Expiry: '2126-03-20T12:00:00+00:00' }
    return { ...smallExport, Tokens: [row3(type, key, { ...token3(null), Claims: claims }, changes)] }
  }
  const logins = (...rows: readonly object[]) => ({
    AspNetUsers: [
      { Id: '1', UserName: 'a' },
      { Id: '2', UserName: 'b' },
    ],
    AspNetUserLogins: rows,
  })
  const corp = { LoginProvider: 'corp', ProviderKey: 'one' }
  const nested = '['.repeat(100_000) + ']'.repeat(100_000)
  const rows: readonly (readonly [string, unknown, RegExp])[] = [
    ['a claim nested without end', tokenOf([{ Type: 'x', Value: nested, ValueType: 'json' }]), /tokens +1 /],
    ['a sign-in at no time', tokenOf([{ Type: 'auth_time', Value: '999999999999999' }]), /tokens +1 /],
    ['a provider with a NUL', tokenOf([{ Type: 'idp', Value: 'x\u0000' }]), /tokens +0 .* 1\n/],
    [
      'a login that is a number',
      logins({ UserId: '1', LoginProvider: 1, ProviderKey: 2 }),
      /Logins\[0\]: is left/,
    ],
    [
      'a login of two users',
      logins({ ...corp, UserId: '1' }, { ...corp, UserId: '2' }),
      /is in the export more than once/,
    ],
  ]
  const worker = { Id: 3, Enabled: true, ClientId: 'worker', Flow: 3 }
  const manySecrets = Array.from({ length: 11 }, (_, index) => ({
    Value: hash('sha256', String(index), 'base64'),
    Client_Id: 3,
  }))
  const refused: readonly (readonly [string, unknown, RegExp])[] = [
    [
      'a text instead of secrets',
      { Clients: [{ ...worker, ClientSecrets: 'x' }] },
      /has no list as ClientSecrets/,
    ],
    [
      'eleven secrets',
      { Clients: [worker], ClientSecrets: manySecrets },
      /ClientSecrets: are 11, and may be 10/,
    ],
    [
      'a text instead of logins',
      { AspNetUsers: [{ Id: '1', UserName: 'a', Logins: 'x' }] },
      /no list as Logins/,
    ],
    [
      'a number instead of roles',
      { AspNetUsers: [{ Id: '1', UserName: 'a', Roles: 7 }] },
      /no list as Roles/,
    ],
  ]
  for (const [name, content, expected] of refused)
    test(`is refused with its place: ${name}`, async () =>
      assert.match((await run(content)).report, expected))

  test('has no control characters in the message when it cannot be read', () =>
    assert.rejects(run('{"\u009b2J":[],"\u009b2J":[]}'), error => {
      assert.doesNotMatch(String(error), /[\p{Cc}]/u)
      return true
    }))

  for (const [name, content, expected] of rows)
    test(`does not stop the import of the rest: ${name}`, async () => {
      const { outcome, report } = await run(content)
      assert.equal(outcome, 'imported', report)
      assert.match(report, expected)
    })
})
