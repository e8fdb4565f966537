import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lifetimeSeconds, adminSession as limits, storage as storageLimits } from '#lib/config/limits.ts'
import type { AdminWrite } from '#lib/ports/admin-store.ts'
import type { AdminInvitation, AdminSession } from '#lib/ports/administration.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import { later, newDigest, newSubject, now, sampleAuditEntry, sampleSession, sampleUser } from '../samples.ts'

export function adminSessionsContract(host: () => Host): void {
  const commit = (...writes: readonly AdminWrite[]) =>
    host().storage.adminStore.commit({ writes, audit: [sampleAuditEntry()] }, now)
  const appoint = (subject: SubjectId, role: AdminRole) =>
    commit({ kind: 'put_administrator', subject, role })

  /** Creates an administrator with a browser session and an admin session. */
  const visiting = async (given: Partial<AdminSession> = {}, browser: Partial<Session> = {}) => {
    const session = sampleSession({ expiresAt: later(100_000), isPersistent: true, ...browser })
    const { subject, sessionId } = session
    assert.ok(sessionId !== null)
    await host().storage.sessions.create(session)
    await appoint(subject, 'owner')
    const visit: AdminSession = {
      digest: newDigest(),
      subject,
      sessionId,
      authenticatedAt: later(-5),
      createdAt: now,
      lastSeenAt: now,
      expiresAt: later(limits.absoluteSeconds),
      ...given,
    }
    await host().storage.adminSessions.create(visit)
    return { visit, session, subject, digest: visit.digest }
  }
  const find = (digest: AdminSession['digest'], at = now) => host().storage.adminSessions.find(digest, at)

  describe('AD-09 admin sessions', () => {
    test('AD-09 returns the stored admin session with the role and records when the administrator was active', async () => {
      const { visit, digest, subject, session } = await visiting()
      const browserSession = session.digest
      assert.deepEqual(await find(digest), { session: visit, role: 'owner', browserSession })
      assert.equal(await find(newDigest()), null)
      assert.deepEqual(await host().storage.administrators.find(subject), {
        subject,
        role: 'owner',
        createdAt: now,
        lastSeenAt: now,
      })
    })

    test('AD-09 an admin session expires after inactivity and at its absolute end, to the millisecond', async () => {
      const { digest } = await visiting()
      assert.ok(await find(digest, new Date(later(limits.idleSeconds).getTime() - 1)))
      assert.equal(await find(digest, later(limits.idleSeconds)), null)
      const busy = await visiting({ lastSeenAt: later(limits.absoluteSeconds - 1) })
      assert.ok(await find(busy.digest, new Date(later(limits.absoluteSeconds).getTime() - 1)))
      assert.equal(await find(busy.digest, later(limits.absoluteSeconds)), null)
    })

    type Visiting = Awaited<ReturnType<typeof visiting>>
    const put = (given: Partial<ReturnType<typeof sampleUser>>) =>
      host().storage.configuration.apply({ put: { users: [sampleUser(given)] }, remove: {} }, now)
    const endings: ReadonlyArray<readonly [string, (one: Visiting) => Promise<unknown>]> = [
      ['the browser session ends', ({ session }) => host().storage.sessions.end(session, now)],
      [
        'all sessions of the user end',
        ({ subject }) => commit({ kind: 'end_sessions', selection: { subject } }),
      ],
      ['the role is taken away', ({ subject }) => commit({ kind: 'remove_administrator', subject })],
      ['the user is locked out', ({ subject }) => put({ subject, enabled: false })],
      [
        'the user is removed',
        async ({ subject }) => {
          await put({ subject })
          await host().storage.configuration.apply({ put: {}, remove: { users: [subject] } }, now)
        },
      ],
      ['it is ended', ({ digest }) => host().storage.adminSessions.end(digest)],
    ]
    for (const [name, end] of endings) {
      test(`AD-09 an admin session ends when ${name}, and no other does`, async () => {
        const [one, another] = [await visiting(), await visiting()]
        assert.ok(await find(one.digest))
        await end(one)
        assert.equal(await find(one.digest), null)
        assert.ok(await find(another.digest))
      })
    }

    test('AD-09 an admin session ends with its browser session', async () => {
      const expiring = await visiting({}, { expiresAt: later(60) })
      assert.ok(await find(expiring.digest, later(59)))
      assert.equal(await find(expiring.digest, later(60)), null)
      const idle = later(1 - lifetimeSeconds.sessionIdle)
      const idling = await visiting({}, { isPersistent: false, lastSeenAt: idle })
      assert.ok(await find(idling.digest))
      assert.equal(await find(idling.digest, later(1)), null)
    })

    test('AD-09 an admin session cannot belong to the browser session of another user', async () => {
      const [one, another] = [await visiting(), await visiting()]
      const { sessionId } = another.visit
      const stolen = { ...one.visit, digest: newDigest(), sessionId }
      await host().storage.adminSessions.create(stolen)
      assert.equal(await find(stolen.digest), null)
    })

    test('AD-09 an admin session has the current role', async () => {
      const { digest, subject } = await visiting()
      await visiting()
      await appoint(subject, 'auditor')
      assert.equal((await find(digest))?.role, 'auditor')
    })

    test('AD-09 removing an administrator ends the admin session, also if the role is given again', async () => {
      const { digest, subject } = await visiting()
      await visiting()
      await commit({ kind: 'remove_administrator', subject })
      await appoint(subject, 'owner')
      assert.equal(await find(digest), null)
    })

    test('AD-09 a use extends the idle times, at most once per interval', async () => {
      const { digest, session, subject } = await visiting()
      const seen = async () => [
        (await find(digest))?.session.lastSeenAt,
        (await host().storage.sessions.find(session.digest, now))?.session.lastSeenAt,
        (await host().storage.administrators.find(subject))?.lastSeenAt,
      ]
      const due = later(storageLimits.sessionTouchSeconds)
      await host().storage.adminSessions.touch(digest, new Date(due.getTime() - 1))
      assert.deepEqual(await seen(), [now, now, now])
      await host().storage.adminSessions.touch(digest, due)
      assert.deepEqual(await seen(), [due, due, due])
    })

    test('AD-09 exactly one of several callers ends an admin session', async () => {
      const { digest } = await visiting()
      const ended = await atOnce(5, () => host().storage.adminSessions.end(digest))
      assert.equal(ended.filter(Boolean).length, 1)
    })
  })

  describe('administrators and invitations', () => {
    test('administrators are listed by role, owners first', async () => {
      const names = { auditor: newSubject(), owner: newSubject(), support: newSubject() }
      await appoint(names.auditor, 'auditor')
      await appoint(names.support, 'user_support')
      await appoint(names.owner, 'owner')
      const all = await host().storage.administrators.all()
      const mine = all.filter(({ subject }) => Object.values(names).includes(subject))
      assert.deepEqual(
        mine.map(({ role }) => role),
        ['owner', 'user_support', 'auditor'],
      )
    })

    const invited = async (given: Partial<AdminInvitation> = {}) => {
      const digest = newDigest()
      const times = { createdAt: now, expiresAt: later(60) }
      const invitation = { digest, role: 'auditor', createdBy: newSubject(), ...times, ...given } as const
      await commit({ kind: 'put_invitation', invitation })
      return invitation
    }

    test('an invitation is found until it expires or is withdrawn', async () => {
      const { adminInvitations } = host().storage
      const [kept, withdrawn] = [await invited(), await invited({ createdBy: null })]
      assert.deepEqual(await adminInvitations.find(kept.digest, later(59)), kept)
      assert.equal(await adminInvitations.find(kept.digest, later(60)), null)
      assert.deepEqual(await adminInvitations.find(withdrawn.digest, now), withdrawn)
      await commit({ kind: 'remove_invitation', digest: withdrawn.digest })
      assert.equal(await adminInvitations.find(withdrawn.digest, now), null)
      const listed = await adminInvitations.all(now)
      assert.deepEqual(
        listed.filter(({ digest }) => [kept.digest, withdrawn.digest].includes(digest)),
        [kept],
      )
      assert.ok((await adminInvitations.all(later(60))).every(({ digest }) => digest !== kept.digest))
    })

    test('an expired invitation creates neither an administrator nor an account', async () => {
      const { digest } = await invited({ expiresAt: now })
      const newUser = sampleUser()
      const { subject } = newUser
      assert.deepEqual(await commit({ kind: 'accept_invitation', digest, subject, newUser }), {
        kind: 'gone',
      })
      assert.equal(await host().storage.administrators.find(subject), null)
      assert.equal(await host().storage.users.findBySubject(subject), null)
    })

    test('an invitation stays valid if the account cannot be created', async () => {
      const { digest } = await invited()
      const taken = sampleUser()
      await host().storage.configuration.apply({ put: { users: [taken] }, remove: {} }, now)
      const newUser = sampleUser({ username: taken.username })
      const { subject } = newUser
      const committed = await commit({ kind: 'accept_invitation', digest, subject, newUser })
      assert.equal(committed.kind, 'conflict')
      assert.ok(await host().storage.adminInvitations.find(digest, now))
      const second = sampleUser()
      const accepted = {
        kind: 'accept_invitation',
        digest,
        subject: second.subject,
        newUser: second,
      } as const
      assert.equal((await commit(accepted)).kind, 'done')
      assert.equal((await host().storage.administrators.find(second.subject))?.role, 'auditor')
      assert.deepEqual(await host().storage.users.findBySubject(second.subject), second)
    })
  })
}
