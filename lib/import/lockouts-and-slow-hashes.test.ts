/** What the report warns about when users are imported. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type AdminTestPorts, openAdminTestPorts } from '#lib/admin/testing/admin-ports.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { runImport } from './run-import.ts'
import { importOf, writeExport } from './testing/write-export.ts'

/** In the form of ASP.NET Identity v2; no password has it. */
const someHash = Buffer.alloc(49).toString('base64')

describe('the report of an import of users', () => {
  let opened: AdminTestPorts
  const run = (content: unknown, changes = {}) =>
    runImport(opened.ports, importOf(writeExport(content), changes))
  const user = async (id: string) =>
    (await opened.ports.users.findBySubject(subjectIdSchema.parse(id))) ?? assert.fail(`${id} is missing`)
  beforeEach(async () => {
    opened = await openAdminTestPorts()
  })
  afterEach(() => opened.close())

  test('hashes that slow down every refused sign-in are one line, with their number and the slowest', async () => {
    const slow = (id: number, iterations: number) => ({
      Key: id,
      ID: `a0000000-0000-4000-8000-00000000000${id}`,
      Username: `user${id}`,
      IsAccountVerified: true,
      HashedPassword: `${iterations.toString(16)}.${someHash}`,
    })
    const { report } = await run({ UserAccounts: [slow(1, 500_000)] }, { isDryRun: true })
    assert.doesNotMatch(report, /refused sign-in/)
    const content = {
      UserAccounts: [slow(1, 500_000), slow(2, 512_000), slow(3, 8_192_000), slow(4, 1_024_000)],
    }
    const found = (await run(content)).report.split('\n').filter(line => line.includes('refused sign-in'))
    assert.equal(found.length, 1)
    assert.match(
      found[0] ?? '',
      /UserAccounts\[2\] user3: password: its hash has 8192000 iterations, .* 3 users .* remove these hashes from the export/,
    )
    const own = await opened.ports.passwords.hash('any')
    const third = await user('a0000000-0000-4000-8000-000000000003')
    const hashes = { replaced: third.passwordHash ?? '', successor: own }
    await opened.ports.users.replacePasswordHash(third.subject, hashes, new Date())
    assert.match((await run(content)).report, /has 1024000 iterations, .* 2 users /)
  })

  test('a lockout of up to a day ends here, and a longer one locks the account; the report has both', async () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const ends = [
      inHours(-1),
      inHours(0.1),
      inHours(23),
      inHours(25),
      inHours(24 * 300),
      '9999-12-31T23:59:59.9999999+00:00',
    ]
    const rows = ends.map((LockoutEnd, index) => ({
      Id: String(index),
      UserName: `user${index}`,
      LockoutEnabled: true,
      LockoutEnd,
    }))
    const off = { Id: '6', UserName: 'user6', LockoutEnabled: false, LockoutEnd: inHours(25) }
    const { report } = await run({ AspNetUsers: [...rows, off] })
    const stored = await Promise.all(['0', '1', '2', '3', '4', '5', '6'].map(user))
    assert.deepEqual(
      stored.map(({ enabled }) => enabled),
      [true, true, true, false, false, false, true],
    )
    assert.match(report, /2 users \(user1, user2\): LockoutEnd: ends within a day and is not taken over/)
    assert.match(
      report,
      /3 users \(user3, user4, user5\): LockoutEnd: lasts longer than a day, so the account is locked here/,
    )
  })
})
