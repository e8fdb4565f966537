/** Tests the formats in which tools write the values of an export. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type AdminTestPorts, openAdminTestPorts } from '#lib/admin/testing/admin-ports.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { flag, oneOf, time } from './mapping/field-map.ts'
import { runImport } from './run-import.ts'
import { importOf, smallExport, writeExport } from './testing/write-export.ts'

const iso = (value: unknown) => time(value).toISOString()

describe('the values of an export', () => {
  let opened: AdminTestPorts
  const run = (content: unknown) => runImport(opened.ports, importOf(writeExport(content)))
  const user = async (id: string) =>
    (await opened.ports.users.findBySubject(subjectIdSchema.parse(id))) ?? assert.fail(`${id} is missing`)
  beforeEach(async () => {
    opened = await openAdminTestPorts()
  })
  afterEach(() => opened.close())

  test('reads times of SQL Server, PostgreSQL, MySQL and both JSON serializers of .NET', () => {
    for (const form of [
      '2027-01-31T12:00:00',
      '2027-01-31T12:00:00.000Z',
      '2027-01-31T12:00:00.0000000+00:00',
      '2027-01-31 13:00:00+01',
      '/Date(1801396800000)/',
      '/Date(1801396800000+0100)/',
      '\\/Date(1801396800000)\\/',
    ])
      assert.equal(iso(form), '2027-01-31T12:00:00.000Z', form)
    assert.equal(iso('/Date(-62135596800000)/'), '0001-01-01T00:00:00.000Z')
    // PostgreSQL stores the largest time of .NET as infinity
    assert.equal(iso('infinity'), '9999-12-31T23:59:59.999Z')
    assert.equal(iso('-infinity'), '0001-01-01T00:00:00.000Z')
    for (const wrong of [
      '/Date(9999999999999999)/',
      '/Date(x)/',
      'Infinity times',
      'constructor',
      '__proto__',
    ])
      assert.throws(() => time(wrong), /must be a time/)
  })

  test('reads Booleans in any letter case and as numbers, and enumerations by name or number', () => {
    for (const yes of [true, 1, '1', 'True', 'TRUE', 't']) assert.equal(flag(yes), true, String(yes))
    for (const no of [false, 0, '0', 'False', 'FALSE', 'f']) assert.equal(flag(no), false, String(no))
    for (const wrong of ['yes', 2, '', {}]) assert.throws(() => flag(wrong), /must be true or false/)
    const flow = oneOf(['Code', 'Implicit'])
    for (const form of [1, '1', 'Implicit', 'implicit']) assert.equal(flow(form), 'Implicit')
    assert.throws(() => flow(7), /must be one of Code, Implicit/)
  })

  test('reads a table in which every value is a text or "NULL", as from CSV', async () => {
    const row = {
      ID: 'u1',
      username: 'alice',
      EMAIL: 'NULL',
      email_confirmed: 'False',
      PasswordHash: 'NULL',
      LockoutEndDateUtc: '',
      LockoutEnabled: '1',
      TwoFactorEnabled: 'False',
      PhoneNumber: '',
      Unheard: 'NULL',
    }
    const { outcome, report } = await run({ aspnet_users: [row] })
    assert.equal(outcome, 'imported', report)
    assert.doesNotMatch(report, /Different from before/)
    const { claims, passwordHash, enabled } = await user('u1')
    assert.deepEqual([claims, passwordHash, enabled], [{ preferred_username: 'alice' }, null, true])
  })

  test('reads a lockout without an end, as PostgreSQL exports it', async () => {
    await run({
      AspNetUsers: [{ Id: 'u1', UserName: 'alice', LockoutEnabled: true, LockoutEnd: 'infinity' }],
    })
    assert.equal((await user('u1')).enabled, false)
  })

  test('reads binary columns in hexadecimal and in base64', async () => {
    const bytes = Buffer.concat([Buffer.of(0), Buffer.alloc(48, 7)])
    const forms = [
      `0x${bytes.toString('hex').toUpperCase()}`,
      `\\x${bytes.toString('hex')}`,
      bytes.toString('base64'),
    ]
    const rows = forms.map((PasswordHash, index) => ({
      Id: `u${index}`,
      UserName: `user${index}`,
      PasswordHash,
    }))
    assert.equal((await run({ AspNetUsers: rows })).outcome, 'imported')
    const [first, ...others] = await Promise.all(['u0', 'u1', 'u2'].map(user))
    assert.match(first?.passwordHash ?? '', /^\$pbkdf2-sha1/)
    for (const { passwordHash } of others) assert.equal(passwordHash, first?.passwordHash)
  })

  test('reads names of columns in any letter case, and a secret in hexadecimal', async () => {
    const lower = (row: object) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]))
    const content = Object.fromEntries(
      Object.entries(smallExport).map(([table, rows]) => [table.toUpperCase(), rows.map(lower)]),
    )
    const [first, ...others] = content.CLIENTSECRETS ?? []
    const changed = { ...first, value: `0x${hash('sha256', 'secret')}` }
    const { outcome, report } = await run({ ...content, CLIENTSECRETS: [changed, ...others] })
    assert.equal(outcome, 'imported', report)
    const stored = await opened.ports.clients.find(clientIdSchema.parse('mvc'))
    assert.deepEqual(stored?.client.scopes, ['openid', 'orders', 'offline_access'])
    const [secret] = stored?.secrets ?? []
    assert.equal(secret?.digest, `sha256:${hash('sha256', 'secret', 'base64url')}`)
  })

  test('an export without rows of a known table is called empty', async () => {
    for (const content of [{}, { Clients: null }, { tblClients: [{ Id: 1 }] }])
      assert.equal((await run(content)).outcome, 'empty')
    assert.match(
      (await run({ tblClients: [{ Id: 1 }] })).report,
      /tblClients: not a table of this product \(1 row\)/,
    )
  })
})
