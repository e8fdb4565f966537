/** Tests the warnings of the report about users. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type AdminTestPorts, openAdminTestPorts } from '#lib/admin/testing/admin-ports.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { runImport } from './run-import.ts'
import { importOf, writeExport } from './testing/write-export.ts'

/** A hash in the format of ASP.NET Identity v2 that no password has. */
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

  test('users with slow hashes are named, in one line for each number of iterations', async () => {
    const slow = (id: number, iterations: number) => ({
      Key: id,
      ID: `a0000000-0000-4000-8000-00000000000${id}`,
      Username: `user${id}`,
      IsAccountVerified: true,
      HashedPassword: `${iterations.toString(16)}.${someHash}`,
    })
    const { report } = await run({ UserAccounts: [slow(1, 1_000_000)] }, { isDryRun: true })
    assert.doesNotMatch(report, /slow hash/)
    const content = {
      UserAccounts: [slow(1, 512_000), slow(2, 8_192_000), slow(3, 1_024_000), slow(4, 8_192_000)],
    }
    const linesIn = (text: string) => text.split('\n').filter(line => line.includes('slow hash'))
    const found = linesIn((await run(content)).report)
    assert.equal(found.length, 2)
    assert.match(found[0] ?? '', /2 users \(user2, user4\): password: .* 8192000 iterations/)
    assert.match(found[1] ?? '', /UserAccounts\[2\] user3: password: .* 1024000 iterations/)
    const own = await opened.ports.passwords.hash('any')
    const third = await user('a0000000-0000-4000-8000-000000000003')
    const hashes = { replaced: third.passwordHash ?? '', successor: own }
    await opened.ports.users.replacePasswordHash(third.subject, hashes, new Date())
    assert.equal(linesIn((await run(content)).report).length, 1)
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
