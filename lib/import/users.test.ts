/** Tests imports of users: their claims, passwords, logins and consents. */
import assert from 'node:assert/strict'
import { pbkdf2Sync } from 'node:crypto'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type AdminTestPorts, openAdminTestPorts } from '#lib/admin/testing/admin-ports.ts'
import { deleteUser, setUserEnabled } from '#lib/admin/users/write-users.ts'
import { context } from '#lib/core/testing/ports.ts'
import { carryOutDeletions } from '#lib/identity/account-deletion/carry-out.ts'
import { clientIdSchema, providerSchemeSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { hashKindsMeta, readHashKinds } from '#lib/protocol/registration/imported-hashes.ts'
import { runImport } from './run-import.ts'
import { importOf, smallExport, writeExport } from './testing/write-export.ts'

const subject = (id: string) => subjectIdSchema.parse(id)

/** Hashes a password as ASP.NET Identity v2 does. */
function hashOf(password: string): string {
  const salt = Buffer.alloc(16, password)
  return Buffer.concat([Buffer.from([0]), salt, pbkdf2Sync(password, salt, 1000, 32, 'sha1')]).toString(
    'base64',
  )
}

const alice = {
  Id: 'B9A1F5D0-0000-4000-8000-00000000000A',
  IdType: 'uniqueidentifier',
  UserName: 'alice',
  Email: 'alice@example.com',
  EmailConfirmed: true,
  PasswordHash: hashOf('correct horse'),
  SecurityStamp: 's',
  PhoneNumber: null,
  PhoneNumberConfirmed: false,
  TwoFactorEnabled: false,
  LockoutEndDateUtc: null,
  LockoutEnabled: true,
  AccessFailedCount: 0,
}
const sub = 'b9a1f5d0-0000-4000-8000-00000000000a'

const aspNet = {
  AspNetUsers: [alice],
  AspNetUserClaims: [
    { Id: 1, UserId: alice.Id, ClaimType: 'given_name', ClaimValue: 'Alice' },
    { Id: 2, UserId: alice.Id, ClaimType: 'team', ClaimValue: 'red' },
    { Id: 3, UserId: alice.Id, ClaimType: 'team', ClaimValue: 'blue' },
    { Id: 4, UserId: alice.Id, ClaimType: 'sub', ClaimValue: 'root' },
  ],
  AspNetRoles: [{ Id: 'R1', Name: 'admin' }],
  AspNetUserRoles: [{ UserId: alice.Id, RoleId: 'R1' }],
  AspNetUserLogins: [
    { LoginProvider: 'Corp', ProviderKey: 'alice@corp', UserId: alice.Id },
    { LoginProvider: 'Facebook', ProviderKey: '1', UserId: alice.Id },
  ],
}

const membershipReboot = {
  UserAccounts: [
    {
      Key: 1,
      ID: 'A0000000-0000-4000-8000-000000000001',
      Tenant: 'default',
      Username: 'bob',
      Email: 'bob@example.com',
      IsAccountVerified: true,
      IsLoginAllowed: true,
      IsAccountClosed: false,
      RequiresPasswordReset: true,
      AccountTwoFactorAuthMode: 1,
      HashedPassword: `3E8.${hashOf('battery staple')}`,
    },
    {
      Key: 2,
      ID: 'a0000000-0000-4000-8000-000000000002',
      Username: 'carol',
      IsLoginAllowed: false,
      IsAccountVerified: true,
    },
    {
      Key: 3,
      ID: 'a0000000-0000-4000-8000-000000000003',
      Username: 'dave',
      IsLoginAllowed: true,
      IsAccountVerified: false,
      AccountApproved: null,
    },
  ],
  UserClaims: [{ Key: 1, ParentKey: 1, Type: 'name', Value: 'Bob' }],
}

describe('an import of users', () => {
  let opened: AdminTestPorts
  const run = (content: unknown, changes = {}) =>
    runImport(opened.ports, importOf(writeExport(content), changes))
  const user = async (id: string) =>
    (await opened.ports.users.findBySubject(subject(id))) ?? assert.fail(`${id} is missing`)

  beforeEach(async () => {
    opened = await openAdminTestPorts()
    await opened.addProvider('corp')
  })
  afterEach(() => opened.close())

  test('users of ASP.NET Identity keep subject, claims, roles and password', async () => {
    const { outcome, report } = await run(aspNet)
    assert.equal(outcome, 'imported', report)
    const { claims, enabled, username, passwordHash } = await user(sub)
    assert.deepEqual([username, enabled], ['alice', true])
    assert.deepEqual(claims, {
      given_name: 'Alice',
      team: ['red', 'blue'],
      role: 'admin',
      preferred_username: 'alice',
      email: 'alice@example.com',
      email_verified: true,
    })
    assert.equal(await opened.ports.passwords.verify('correct horse', passwordHash), true)
    assert.equal(await opened.ports.passwords.verify('correct horse.', passwordHash), false)
    assert.match(report, /Claims sub: is left out: it is set by the server/)
    assert.match(report, /Logins: there is no identity provider "Facebook" here/)
    const counted = readHashKinds(await opened.ports.meta.find(hashKindsMeta))
    assert.ok((counted?.kinds.length ?? 0) > 0 && (counted?.countedAt ?? 0) > 0)
  })

  test('a GUID that was a text keeps its letter case, and is named if its type is not in the export', async () => {
    const { IdType: _, ...untyped } = alice
    const { report } = await run({ AspNetUsers: [untyped] })
    assert.equal((await user(alice.Id)).username, 'alice')
    assert.match(report, /Id: is a GUID in upper case, and so is the "sub"/)
    assert.ok(!(await run({ AspNetUsers: [{ ...alice, IdType: 'nvarchar' }] })).report.includes('upper case'))
  })

  test('a role that is in no row of AspNetRoles is left out and named', async () => {
    const { AspNetRoles: _, ...withoutRoles } = aspNet
    for (const AspNetRoles of [[{ Id: 'other', Name: 'x' }], []]) {
      const AspNetUserRoles = [{ UserId: alice.Id, RoleId: '3f2c0000-0000-4000-8000-000000000001' }]
      const { report } = await run({ ...withoutRoles, AspNetRoles, AspNetUserRoles })
      assert.match(report, /Roles: "3f2c[^"]+" is left out: no row of AspNetRoles has this Id/)
    }
    assert.equal((await user(sub)).claims.role, undefined)
  })

  test('an identity provider here with the name of the login is linked', async () => {
    await run(aspNet)
    const key = {
      scheme: providerSchemeSchema.parse('corp'),
      issuer: 'https://corp.example',
      subject: 'alice@corp',
    }
    assert.equal((await opened.ports.users.findByExternal(key))?.subject, sub)
    assert.match((await run(aspNet)).report, /logins +0 +0 +1 +0 +1/)
  })

  test('locked and unverified users of MembershipReboot are locked, and temporary passwords stay temporary', async () => {
    const { report } = await run(membershipReboot)
    const bob = await user('a0000000-0000-4000-8000-000000000001')
    assert.deepEqual(
      [bob.enabled, bob.mustChangePassword, bob.claims.name, bob.claims.email_verified],
      [true, true, 'Bob', true],
    )
    assert.equal(await opened.ports.passwords.verify('battery staple', bob.passwordHash), true)
    assert.equal((await user('a0000000-0000-4000-8000-000000000002')).enabled, false)
    assert.equal((await user('a0000000-0000-4000-8000-000000000003')).enabled, false)
    assert.match(report, /bob|AccountTwoFactorAuthMode: signs in with the password only/)
    assert.match(report, /IsAccountVerified: was never verified there, and is locked here/)
    assert.match(
      report,
      /UserAccounts\[2\] [^:]+: AccountApproved: accounts that were not approved are not locked/,
    )
  })

  test('a second import changes nothing, also after the first sign-in replaced the hash', async () => {
    await run(aspNet)
    assert.equal((await run(aspNet)).outcome, 'nothing')
    const { passwordHash } = await user(sub)
    const successor = await opened.ports.passwords.hash('correct horse')
    await opened.ports.users.replacePasswordHash(
      subject(sub),
      { replaced: passwordHash ?? '', successor },
      new Date(),
    )
    assert.equal((await run(aspNet)).outcome, 'nothing')
    assert.equal((await user(sub)).passwordHash, successor)
  })

  test('a password that changed at the old server is taken over until the first sign-in', async () => {
    await run(aspNet)
    const later = { ...aspNet, AspNetUsers: [{ ...alice, PasswordHash: hashOf('a new one') }] }
    assert.match((await run(later)).report, /users +0 +1 +0 +0 +0/)
    assert.equal(await opened.ports.passwords.verify('a new one', (await user(sub)).passwordHash), true)
    const back = await run(aspNet)
    assert.match(back.report, /users +0 +1 +0 +0 +0/)
  })

  test('a user whom an admin locked stays locked, and one whom an admin deleted stays deleted', async () => {
    await run({ ...aspNet, ...membershipReboot })
    const caller = await opened.caller('owner')
    assert.equal((await setUserEnabled.call(opened.ports, { sub, enabled: false }, caller)).kind, 'ok')
    const bob = 'a0000000-0000-4000-8000-000000000001'
    assert.equal((await deleteUser.call(opened.ports, { sub: bob, version: 1 }, caller)).kind, 'ok')
    const { report } = await run({ ...aspNet, ...membershipReboot })
    assert.match(report, /users +0 +0 +2 +2 +0/)
    assert.match(report, /was deleted here, and stays deleted/)
    assert.equal((await user(sub)).enabled, false)
    assert.equal(await opened.ports.users.findBySubject(subject(bob)), null)
  })

  test('a user who deleted the own account stays deleted', async () => {
    await run(membershipReboot)
    const bob = subject('a0000000-0000-4000-8000-000000000001')
    const { ports } = opened
    const now = ports.clock.now()
    const planned = { subject: bob, kind: 'delete_account', createdAt: now, dueAt: now } as const
    assert.ok(await ports.plannedChanges.plan(planned, []))
    await carryOutDeletions(ports, context)
    assert.equal(await ports.users.findBySubject(bob), null)
    assert.match((await run(membershipReboot)).report, /was deleted here, and stays deleted/)
    assert.equal(await ports.users.findBySubject(bob), null)
  })

  test('names that are taken are refused with the place of the other', async () => {
    await opened.addUser('Alice')
    assert.match(
      (await run(aspNet)).report,
      /AspNetUsers\[0\] alice: username: is the name of a different user here/,
    )
    const twins = {
      AspNetUsers: [
        { Id: '1', UserName: 'eve' },
        { Id: '2', UserName: 'EVE' },
      ],
    }
    assert.match(
      (await run(twins)).report,
      /AspNetUsers\[1\] EVE: username: is also the name of AspNetUsers\[0\]/,
    )
    assert.match(
      (
        await run({
          AspNetUsers: [
            { Id: '1', UserName: 'a' },
            { Id: '1', UserName: 'b' },
          ],
        })
      ).report,
      /is in the export more than once/,
    )
  })

  test('a subject that is a client ID is refused as a whole', async () => {
    await opened.addClient({ client_id: sub })
    await assert.rejects(run(aspNet), /already a client_id/)
    assert.equal(await opened.ports.users.findBySubject(subject(sub)), null)
  })

  test('consents are imported for clients that exist here', async () => {
    const content = {
      ...smallExport,
      ...aspNet,
      Consents: [
        { Subject: sub, ClientId: 'mvc', Scopes: 'openid,orders' },
        { Subject: sub, ClientId: 'gone', Scopes: 'openid' },
      ],
    }
    const { outcome, report } = await run(content)
    assert.equal(outcome, 'imported', report)
    assert.match(report, /consents +1 +0 +0 +0 +1/)
    const consent = await opened.ports.consents.find(subject(sub), clientIdSchema.parse('mvc'), new Date())
    assert.deepEqual(consent?.scopes, ['openid', 'orders'])
    assert.match((await run(content)).report, /consents +0 +0 +1 +0 +1/)
  })

  test('hostile values are refused or kept as text', async () => {
    const hostile = {
      AspNetUsers: [
        JSON.parse('{"Id":"1","UserName":"a","__proto__":{"enabled":false}}'),
        { Id: '2', UserName: 'b\u0000' },
        { Id: '3', UserName: 'c'.repeat(100_000) },
        { Id: '4\u202e', UserName: 'd' },
        { Id: '5', UserName: 'e' },
        { Id: '6', UserName: 'f' },
        'text',
      ],
      AspNetUserClaims: [
        { UserId: '5', ClaimType: '__proto__', ClaimValue: 'x' },
        { UserId: '6', ClaimType: 'note', ClaimValue: 'y'.repeat(10_000) },
      ],
    }
    const { outcome, report } = await run(hostile, { skipsRefused: true })
    assert.equal(outcome, 'imported', report)
    assert.match(report, /users +2 +0 +0 +0 +4/)
    assert.match(report, /AspNetUsers\[6\]: is not an object/)
    assert.ok(!/[\p{Cc}\p{Cf}]/u.test(report.replaceAll('\n', '')))
    assert.equal((await user('1')).enabled, true)
  })
})
