import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lifetimeSeconds, storage as limits, liveAtOnce } from '#lib/config/limits.ts'
import type { Grant } from '#lib/ports/grants.ts'
import { type ClientId, clientIdSchema } from '#lib/protocol/ids.ts'
import { createUsageMarks } from '../../prisma/events/usage-marks.ts'
import { grantToRow } from '../../prisma/grants/grant-rows.ts'
import type { Host } from '../host.ts'
import { atOnce, badRounds } from '../races.ts'
import {
  accountOf,
  digestOf,
  later,
  newDigest,
  newSessionId,
  newSubject,
  now,
  openid,
  sampleConsent,
  sampleExternalSignIn,
  sampleGrant,
  samplePartialSignIn,
  samplePendingRequest,
  sampleSession,
  sampleUser,
} from '../samples.ts'

export function signInStateContract(host: () => Host): void {
  describe('sessions', () => {
    const sessions = () => host().storage.sessions
    const created = async (given: Parameters<typeof sampleSession>[0] = {}) => {
      const session = sampleSession(given)
      await sessions().create(session)
      return session
    }

    test('returns the stored session', async () => {
      const session = await created()
      assert.deepEqual(await sessions().find(session.digest, now), { session, account: null })
      assert.equal(await sessions().find(newDigest(), now), null)
    })

    test('SE-05 a session expires at its absolute end, to the millisecond', async () => {
      const session = await created({ expiresAt: later(60) })
      assert.ok(await sessions().find(session.digest, new Date(later(60).getTime() - 1)))
      assert.equal(await sessions().find(session.digest, later(60)), null)
    })

    const idle = [
      { name: 'an ordinary session', isPersistent: false, seconds: lifetimeSeconds.sessionIdle },
      { name: 'a remembered session', isPersistent: true, seconds: lifetimeSeconds.rememberedSessionIdle },
    ]
    for (const { name, isPersistent, seconds } of idle) {
      test(`SE-05 ${name} expires after inactivity`, async () => {
        const session = await created({ isPersistent, expiresAt: later(10 * seconds) })
        assert.ok(await sessions().find(session.digest, later(seconds - 1)))
        assert.equal(await sessions().find(session.digest, later(seconds)), null)
        assert.deepEqual(await sessions().allOf(session.subject, later(seconds)), [])
      })
    }

    test('SE-05 a use extends the idle time, at most once per interval', async () => {
      const session = await created()
      const afterUse = async (at: Date) => {
        host().storage.usage.session(session.digest, at)
        await host().storage.usage.flush()
        return (await sessions().find(session.digest, now))?.session.lastSeenAt
      }
      const interval = limits.sessionTouchSeconds
      assert.deepEqual(await afterUse(later(interval)), later(interval))
      assert.deepEqual(await afterUse(later(2 * interval - 1)), later(interval))
      assert.deepEqual(await afterUse(later(2 * interval)), later(2 * interval))
      await host().tables.session.count()
      const otherNode = createUsageMarks(host().tables)
      otherNode.session(session.digest, later(5 * interval))
      await otherNode.flush()
      assert.deepEqual(await afterUse(later(4 * interval)), later(5 * interval), 'never earlier')
    })

    test('returns the account of the user, and the valid consent for the client that is named', async () => {
      const { storage } = host()
      const [user, consent] = [sampleUser(), sampleConsent({ expiresAt: later(60) })]
      await storage.configuration.apply({ put: { users: [user] }, remove: {} }, now)
      const { subject } = user
      const session = await created({ subject })
      await storage.consents.store({ ...consent, subject })
      const find = (at: Date, clientId?: ClientId) => sessions().find(session.digest, at, clientId)
      const found = { session, account: accountOf(user) }
      assert.deepEqual(await find(now), found)
      assert.deepEqual(await find(now, consent.clientId), { ...found, consent: { ...consent, subject } })
      assert.deepEqual(await find(later(60), consent.clientId), { ...found, consent: null })
      const other = clientIdSchema.parse('another-client')
      assert.deepEqual(await find(now, other), { ...found, consent: null })
      const elsewhere = await created()
      await storage.consents.store({ ...consent, subject: elsewhere.subject, expiresAt: null })
      assert.deepEqual(await sessions().find(elsewhere.digest, later(60), consent.clientId), {
        session: elsewhere,
        account: null,
        consent: { ...consent, subject: elsewhere.subject, expiresAt: null },
      })
    })

    test('SE-06 exactly one of several callers ends a session, with immediate effect', async () => {
      const session = await created()
      const ended = await atOnce(5, () => sessions().end(session, now))
      assert.equal(ended.filter(Boolean).length, 1)
      assert.equal(await sessions().find(session.digest, now), null)
    })

    test('SE-06 the end of a session revokes its grants except offline access, also for a second caller', async () => {
      const { grants } = host().storage
      const session = await created()
      const { subject, sessionId } = session
      const granted = async (given: Partial<Grant> = {}) => {
        const grant = sampleGrant({ subject, sessionId, ...given })
        await grants.open(grant)
        return grant
      }
      const isLive = async ({ id }: Grant) => (await grants.find(id))?.revokedAt === null
      const [online, offline] = [await granted(), await granted({ isOffline: true })]
      const elsewhere = await granted({ sessionId: (await created({ subject })).sessionId })
      assert.equal(await sessions().end(session, now), true)
      assert.deepEqual(await Promise.all([online, offline, elsewhere].map(isLive)), [false, true, true])
      const late = sampleGrant({ subject, sessionId })
      await host().tables.grant.create({ data: grantToRow(late) })
      assert.equal(await sessions().end(session, now), false)
      assert.equal(await isLive(late), false)
    })

    test('SE-06 exactly one of several callers replaces a session; nothing else is written', async () => {
      const session = await created()
      const { subject, sessionId } = session
      const replace = () => sessions().replace(session.digest, sampleSession({ subject, sessionId }))
      assert.deepEqual((await atOnce(5, replace)).toSorted(), [
        ...Array.from({ length: 4 }, () => 'already_ended'),
        'created',
      ])
      const [kept] = await sessions().allOf(subject, now)
      assert.ok(kept !== undefined && kept.sessionId === sessionId && kept.digest !== session.digest)
      const [refused, another] = [{ account: () => false }, sampleSession({ subject, sessionId })]
      assert.equal(await sessions().replace(kept.digest, another, refused), 'refused')
      assert.deepEqual(await sessions().allOf(subject, now), [kept])
    })

    test('SE-07 lists all sessions of a user', async () => {
      const subject = newSubject()
      const older = await created({ subject, lastSeenAt: later(-60) })
      const newer = await created({ subject })
      assert.deepEqual(await sessions().allOf(subject, now), [newer, older])
    })

    test('SE-01 stores only a digest of the cookie', async () => {
      const handle = `ses_${'s3cret'.repeat(7)}x`
      const session = await created({ digest: digestOf(handle) })
      const rows = JSON.stringify(
        await host().tables.session.findMany({ where: { subject: session.subject } }),
      )
      assert.ok(rows.includes(digestOf(handle)))
      assert.ok(!rows.includes(handle))
    })
  })

  describe('pending requests', () => {
    const pending = () => host().storage.pendingRequests
    const created = async (given: Parameters<typeof samplePendingRequest>[0] = {}) => {
      const request = samplePendingRequest(given)
      await pending().create(request)
      return request
    }

    test('AZ-14 a pending request belongs to the browser that started it', async () => {
      const request = await created()
      assert.deepEqual(await pending().find(request.digest, request.browser), request)
      assert.equal(await pending().find(request.digest, newDigest()), null)
    })

    test('a pending request records the chosen account and consent until it is completed', async () => {
      const request = await created()
      const subject = newSubject()
      const sessionId = newSessionId()
      const answer = { sessionId, decision: 'allow', scopes: [openid], remember: true } as const
      await pending().recordChoice(request.digest, subject)
      await pending().recordConsent(request.digest, answer)
      const answered = { ...request, chosenSubject: subject, consent: answer }
      assert.deepEqual(await pending().find(request.digest, request.browser), answered)
      assert.equal(await pending().finish(request.digest, later(1)), true)
      await pending().recordConsent(request.digest, { ...answer, decision: 'deny' })
      await pending().recordChoice(request.digest, newSubject())
      assert.deepEqual(await pending().find(request.digest, request.browser), {
        ...answered,
        finishedAt: later(1),
      })
    })

    test('exactly one of several callers completes a pending request', async () => {
      const bad = await badRounds({ rounds: 50, racers: 20 }, async () => {
        const request = await created()
        return () => pending().finish(request.digest, now)
      })
      assert.equal(bad, 0)
    })

    test('LIM-06 the oldest pending requests of a browser are deleted, and completed ones do not count', async () => {
      const browser = newDigest()
      const at = (index: number) => ({ browser, createdAt: later(index), expiresAt: later(index + 3600) })
      const finished = await created(at(0))
      assert.ok(await pending().finish(finished.digest, now))
      const others = await created({ createdAt: later(0) })
      const waiting = []
      for (let index = 1; index <= liveAtOnce.pendingRequestsOfBrowser + 3; index += 1)
        waiting.push(await created(at(index)))
      const isThere = async ({ digest, browser }: typeof finished) =>
        (await pending().find(digest, browser)) !== null
      for (const [index, one] of waiting.entries()) assert.equal(await isThere(one), index >= 3, `${index}`)
      assert.ok(await isThere(finished))
      assert.ok(await isThere(others))
    })

    test('an expired pending request cannot be completed', async () => {
      const request = await created({ expiresAt: now })
      assert.equal(await pending().finish(request.digest, now), false)
      assert.deepEqual(await pending().find(request.digest, request.browser), request)
    })
  })

  describe('external sign-ins', () => {
    const externals = () => host().storage.externalSignIns

    test('an external sign-in is taken once, by its browser, before it expires', async () => {
      const signIn = sampleExternalSignIn()
      await externals().create(signIn)
      assert.equal(await externals().take(signIn.state, newDigest(), now), null)
      assert.equal(await externals().take(signIn.state, signIn.browser, signIn.expiresAt), null)
      const taken = await atOnce(10, () => externals().take(signIn.state, signIn.browser, now))
      assert.deepEqual(
        taken.filter(found => found !== null),
        [signIn],
      )
    })

    test('a used external sign-in is found by its browser, without what could redeem it', async () => {
      const signIn = sampleExternalSignIn()
      await externals().create(signIn)
      await externals().take(signIn.state, signIn.browser, now)
      assert.equal(await externals().findUsed(signIn.state, newDigest()), null)
      const found = await externals().findUsed(signIn.state, signIn.browser)
      assert.deepEqual(found, { ...signIn, sealedCodeVerifier: 'used' })
    })
  })

  describe('partial sign-ins', () => {
    const partials = () => host().storage.partialSignIns

    test('a partial sign-in is found by its browser before it expires, and taken once', async () => {
      const signIn = samplePartialSignIn()
      await partials().create(signIn)
      assert.deepEqual(await partials().find(signIn.digest, signIn.browser, now), signIn)
      assert.equal(await partials().find(signIn.digest, newDigest(), now), null)
      assert.equal(await partials().find(signIn.digest, signIn.browser, signIn.expiresAt), null)
      const taken = await atOnce(10, () => partials().take(signIn.digest))
      assert.equal(taken.filter(Boolean).length, 1)
    })
  })
}
