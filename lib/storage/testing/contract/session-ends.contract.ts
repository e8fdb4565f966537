import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Grant } from '#lib/ports/grants.ts'
import type { EndCause, Session } from '#lib/ports/sessions.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { endSessions } from '../../prisma/identity/ended-sessions.ts'
import { sessionToRow } from '../../prisma/identity/session-rows.ts'
import type { Host } from '../host.ts'
import {
  later,
  newSubject,
  now,
  sampleAuditEntry,
  sampleCode,
  sampleGrant,
  samplePartialSignIn,
  sampleSession,
} from '../samples.ts'

/** The clients of sessions, and how sessions and their clients end. */
export function sessionEndsContract(host: () => Host): void {
  const sessions = () => host().storage.sessions
  const created = async (given: Parameters<typeof sampleSession>[0] = {}) => {
    const session = sampleSession(given)
    await sessions().create(session)
    return session
  }

  describe('clients of a session', () => {
    const clientsOf = async (...opened: readonly Session[]) => {
      const found = await sessions().clientsOf(opened.flatMap(({ sessionId }) => sessionId ?? []))
      return found.map(({ clientId, lastAt }) => [clientId, lastAt])
    }
    const [web, mobile] = [clientIdSchema.parse('web'), clientIdSchema.parse('mobile')]
    const granted = async ({ subject, sessionId }: Session, given: Partial<Grant> = {}) => {
      const grant = sampleGrant({ subject, sessionId, clientId: web, ...given })
      await host().storage.grants.open(grant)
    }

    test('a grant adds its client, and later ones its time, at most once a minute', async () => {
      const session = await created()
      await granted(session)
      await granted(session, { createdAt: later(59) })
      assert.deepEqual(await clientsOf(session), [[web, now]])
      await granted(session, { createdAt: later(60), isOffline: true })
      const { storage } = host()
      const { subject, sessionId } = session
      const byCode = sampleGrant({ subject, sessionId, clientId: mobile, createdAt: later(61) })
      await storage.codes.issue(sampleCode(byCode), byCode)
      assert.deepEqual(await clientsOf(session), [
        [mobile, later(61)],
        [web, later(60)],
      ])
      await storage.grants.open(sampleGrant({ subject, sessionId: null, clientId: web }))
      await granted(session, { subject: newSubject(), clientId: clientIdSchema.parse('refused') })
      assert.equal((await clientsOf(session)).length, 2)
    })

    test('they stay when their grants end, and with a second sign-in of the user', async () => {
      const session = await created()
      await granted(session, { expiresAt: now })
      const { subject, sessionId } = session
      const again = sampleSession({ subject, sessionId })
      assert.equal(await sessions().replace(session.digest, again), 'created')
      assert.deepEqual(await clientsOf(again), [[web, now]])
    })

    const endings: ReadonlyArray<readonly [string, (session: Session) => Promise<unknown>]> = [
      ['a sign-out', session => sessions().end(session, now)],
      [
        'an administrator',
        ({ sessionId }) =>
          host().storage.adminStore.commit(
            {
              writes: [{ kind: 'end_sessions', selection: { sessionId: sessionId ?? undefined } }],
              audit: [sampleAuditEntry()],
            },
            now,
          ),
      ],
      ['the purge', ({ expiresAt }) => host().storage.purge(expiresAt)],
      [
        'the end of the access of the client',
        ({ subject }) => host().storage.grants.revoke({ subject, clientId: web }, now),
      ],
    ]
    for (const [name, end] of endings) {
      test(`${name} removes them, and none of another session`, async () => {
        const [session, other] = [await created({ expiresAt: later(1) }), await created()]
        for (const each of [session, other]) await granted(each)
        await end(session)
        assert.deepEqual(await clientsOf(session), [])
        assert.deepEqual(await clientsOf(other), [[web, now]])
      })
    }
  })

  describe('the end of sessions', () => {
    const web = clientIdSchema.parse('web')

    /**
     * Creates two sessions of a user at a provider, the first with an online and an offline grant; an interrupted
     * sign-in of this user; and a session of another user with a grant.
     */
    const prepared = async () => {
      const [subject, idp] = [newSubject(), `provider-${newSubject()}`]
      const opened = { one: sampleSession({ subject, idp }), two: sampleSession({ subject, idp }) }
      // Inserted directly, because `create` requires the provider
      for (const session of Object.values(opened))
        await host().tables.session.create({ data: sessionToRow(session) })
      const stranger = await created()
      const { grants, partialSignIns } = host().storage
      const open = async ({ subject, idp, sessionId }: Session, isOffline: boolean) => {
        const grant = sampleGrant({ subject, idp, sessionId, clientId: web, isOffline })
        await grants.open(grant)
        return grant
      }
      const [online, offline] = [await open(opened.one, false), await open(opened.one, true)]
      const other = await open(stranger, false)
      const partial = samplePartialSignIn({ subject, idp })
      await partialSignIns.create(partial)
      const isLive = async ({ id }: Grant) => (await grants.find(id))?.revokedAt === null
      const left = async () => ({
        sessions: (await sessions().allOf(subject, now)).length,
        online: await isLive(online),
        offline: await isLive(offline),
        interrupted: (await partialSignIns.find(partial.digest, partial.browser, now)) !== null,
      })
      assert.ok(await isLive(other))
      return { ...opened, subject, idp, left, isOtherLive: () => isLive(other) }
    }

    const causes: ReadonlyArray<
      readonly [
        EndCause,
        'session' | 'user' | 'provider',
        Awaited<ReturnType<Awaited<ReturnType<typeof prepared>>['left']>>,
      ]
    > = [
      ['signed_out', 'session', { sessions: 1, online: false, offline: true, interrupted: true }],
      ['ended_by_user', 'session', { sessions: 1, online: false, offline: true, interrupted: true }],
      ['too_many_accounts', 'session', { sessions: 1, online: false, offline: true, interrupted: true }],
      ['user_inactive', 'session', { sessions: 1, online: false, offline: true, interrupted: true }],
      ['ended_by_admin', 'session', { sessions: 1, online: false, offline: true, interrupted: true }],
      ['ended_by_admin', 'user', { sessions: 0, online: false, offline: true, interrupted: false }],
      ['password_changed', 'user', { sessions: 0, online: false, offline: false, interrupted: false }],
      ['change_taken_back', 'user', { sessions: 0, online: false, offline: false, interrupted: false }],
      ['account_disabled', 'user', { sessions: 0, online: false, offline: false, interrupted: false }],
      ['user_deleted', 'user', { sessions: 0, online: false, offline: false, interrupted: false }],
      ['provider_disabled', 'provider', { sessions: 0, online: false, offline: false, interrupted: false }],
      ['expired', 'session', { sessions: 1, online: true, offline: true, interrupted: true }],
    ]
    for (const [cause, of, left] of causes) {
      test(`SE-06 ${cause}: of one ${of} the sessions end with their clients, and exactly these grants`, async () => {
        const user = await prepared()
        const { subject, idp, one, two } = user
        const which = { session: { sessionId: one.sessionId ?? '' }, user: { subject }, provider: { idp } }[
          of
        ]
        const ended = await endSessions(host().tables, which, cause, now)
        const byId = new Map(ended.sessions.map(session => [session.sessionId, session]))
        const expected = [{ sessionId: one.sessionId, subject, idp, clientIds: ['web'] }]
        if (of !== 'session') expected.push({ sessionId: two.sessionId, subject, idp, clientIds: [] })
        assert.deepEqual(
          [...byId.values()].toSorted((a, b) => b.clientIds.length - a.clientIds.length),
          expected,
        )
        assert.deepEqual(await user.left(), left)
        assert.ok(await user.isOtherLive(), 'no others')
      })
    }

    test('a selection without a value, or by a cookie only, ends nothing', async () => {
      const { one, subject, left } = await prepared()
      for (const which of [{ subject: undefined }, { subject, idp: undefined }, { digest: one.digest }])
        await assert.rejects(endSessions(host().tables, which, 'signed_out', now), TypeError)
      assert.deepEqual(await left(), { sessions: 2, online: true, offline: true, interrupted: true })
    })
  })
}
