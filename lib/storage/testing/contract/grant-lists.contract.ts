import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import type { ListOwned, PageRequest } from '#lib/ports/admin-lists.ts'
import { clientIdSchema, type SubjectId, scopeNameSchema } from '#lib/protocol/ids.ts'
import type { Host } from '../host.ts'
import { malformedPositions, readAll } from '../pages.ts'
import {
  later,
  newDigest,
  newSubject,
  now,
  sampleCode,
  sampleConsent,
  sampleGrant,
  sampleReferenceToken,
  sampleRefreshToken,
  sampleSession,
} from '../samples.ts'

const newClient = () => clientIdSchema.parse(`c${newDigest()}`)

export function grantListsContract(host: () => Host): void {
  describe('the lists of sessions, grants and consents', () => {
    const lists = () => host().storage.adminLists

    test('lists active sessions, the most recently used first, in pages of any size', async () => {
      const { sessions } = host().storage
      const subject = newSubject()
      const idle = lifetimeSeconds.sessionIdle
      const live = [
        sampleSession({ subject, lastSeenAt: later(5) }),
        ...Array.from({ length: 4 }, (_, index) =>
          sampleSession({ subject, lastSeenAt: later(1), isPersistent: index % 2 === 0 }),
        ),
        sampleSession({ subject, lastSeenAt: later(-idle + 1) }),
        sampleSession({ subject, lastSeenAt: later(-idle - 1), isPersistent: true }),
      ]
      const dead = [
        sampleSession({ subject, lastSeenAt: later(-idle) }),
        sampleSession({ subject, lastSeenAt: later(3), expiresAt: now }),
      ]
      for (const session of [...dead, ...live]) await sessions.create(session)
      for (const limit of [1, 2, 3, 7]) {
        const items = await readAll(page => lists().sessions({ subject }, page, now), limit)
        assert.deepEqual(new Set(items), new Set(live))
        assert.equal(items.length, live.length)
        const times = items.map(item => -item.lastSeenAt.getTime())
        assert.deepEqual(
          times,
          times.toSorted((left, right) => left - right),
        )
      }
      const all = await readAll(page => lists().sessions({ subject: null }, page, now), 100)
      assert.equal(all.filter(session => session.subject === subject).length, live.length)
    })

    test('sorts active sessions by last use or by sign-in, in both directions and pages of any size', async () => {
      const subject = newSubject()
      const stored = [1, 2, 2, 3, 4].map((second, index) =>
        sampleSession({
          subject,
          authenticatedAt: later(second),
          lastSeenAt: later(10 - second),
          isPersistent: index % 2 === 0,
        }),
      )
      for (const session of stored) await host().storage.sessions.create(session)
      for (const limit of [1, 2, 9]) {
        const sorted = (by: 'last_active' | 'signed_in', isDescending: boolean) =>
          readAll(page => lists().sessions({ subject }, page, now, { by, isDescending }), limit)
        const bySignIn = await sorted('signed_in', false)
        assert.deepEqual(
          bySignIn.map(session => session.authenticatedAt),
          [1, 2, 2, 3, 4].map(second => later(second)),
        )
        assert.deepEqual(await sorted('signed_in', true), bySignIn.toReversed())
        const byUse = await sorted('last_active', false)
        assert.deepEqual(
          byUse.map(session => session.lastSeenAt),
          [6, 7, 8, 8, 9].map(second => later(second)),
        )
        assert.deepEqual(new Set(byUse), new Set(stored))
        assert.deepEqual(await sorted('last_active', true), byUse.toReversed())
      }
    })

    test('sorts grants, access and consents by the time when they were granted, in both directions', async () => {
      const { grants, consents } = host().storage
      const clientId = newClient()
      const subjects = [newSubject(), newSubject(), newSubject(), newSubject()]
      for (const [index, subject] of subjects.entries()) {
        const time = later(Math.min(index, 2))
        await grants.open(sampleGrant({ subject, clientId, createdAt: time }))
        await consents.store(sampleConsent({ subject, clientId, updatedAt: time }))
      }
      const filter = { subject: null, clientId }
      for (const name of ['grants', 'access', 'consents'] as const) {
        const sorted = async (isDescending: boolean, limit: number) => {
          const list: ListOwned<{ readonly subject: SubjectId }> = lists()[name]
          const read = (page: PageRequest) => list(filter, page, now, { by: 'granted', isDescending })
          return (await readAll(read, limit)).map(({ subject }) => subject)
        }
        for (const limit of [1, 2, 9]) {
          const ascending = await sorted(false, limit)
          assert.deepEqual(ascending.slice(0, 2), subjects.slice(0, 2), name)
          assert.deepEqual(new Set(ascending), new Set(subjects), name)
          assert.deepEqual(await sorted(true, limit), ascending.toReversed(), name)
        }
      }
    })

    test('lists active grants, newest first, with their number of valid tokens', async () => {
      const { grants, tokens } = host().storage
      const [subject, clientId] = [newSubject(), newClient()]
      const newest = sampleGrant({ subject, clientId, createdAt: later(9) })
      const twins = Array.from({ length: 5 }, () => sampleGrant({ subject, clientId, createdAt: later(8) }))
      const ended = [
        sampleGrant({ subject, clientId, revokedAt: now }),
        sampleGrant({ subject, clientId, expiresAt: now }),
      ]
      const others = [sampleGrant({ subject }), sampleGrant({ clientId })]
      for (const grant of [...twins, newest, ...ended, ...others]) await grants.open(grant)
      await tokens.store({ grantId: null, refreshToken: sampleRefreshToken(newest) })
      await tokens.store({ grantId: null, refreshToken: sampleRefreshToken(newest, { spentAt: now }) })
      await tokens.store({ grantId: null, refreshToken: sampleRefreshToken(newest, { expiresAt: now }) })
      await tokens.store({ grantId: null, referenceToken: sampleReferenceToken({ grantId: newest.id }) })
      await tokens.store({ grantId: null, referenceToken: sampleReferenceToken({ grantId: newest.id }) })
      await tokens.store({
        grantId: null,
        referenceToken: sampleReferenceToken({ grantId: newest.id, expiresAt: now }),
      })
      for (const limit of [1, 2, 5, 6]) {
        const items = await readAll(page => lists().grants({ subject, clientId }, page, now), limit)
        assert.deepEqual(items[0], { ...newest, refreshTokens: 1, referenceTokens: 2 })
        assert.deepEqual(
          items.slice(1).map(grant => grant.id),
          twins
            .map(grant => grant.id)
            .toSorted()
            .toReversed(),
        )
      }
      for (const filter of [
        { subject, clientId: null },
        { subject: null, clientId },
      ]) {
        assert.equal((await readAll(page => lists().grants(filter, page, now), 3)).length, 7)
      }
      const all = await readAll(page => lists().grants({ subject: null, clientId: null }, page, now), 100)
      assert.equal(all.filter(grant => grant.subject === subject).length, 7)
    })

    test('leaves out a grant whose code expired before it was redeemed', async () => {
      const { codes } = host().storage
      const [subject, clientId] = [newSubject(), newClient()]
      const issued = [
        { expiresAt: later(1), usedAt: null, isListed: true },
        { expiresAt: now, usedAt: now, isListed: true },
        { expiresAt: now, usedAt: null, isListed: false },
      ].map(code => ({ ...code, grant: sampleGrant({ subject, clientId }) }))
      for (const { grant, expiresAt, usedAt } of issued)
        await codes.issue(sampleCode(grant, { expiresAt, usedAt }), grant)
      const expected = issued.filter(({ isListed }) => isListed).map(({ grant }) => grant.id)
      const listed = await readAll(page => lists().grants({ subject, clientId }, page, now), 2)
      assert.deepEqual(new Set(listed.map(({ id }) => id)), new Set(expected))
      assert.equal((await lists().usage({ subject, clientId }, now)).grants.count, 2)
    })

    test('lists access once for each user and client, the latest granted first, in pages of any size', async () => {
      const { codes, grants, tokens } = host().storage
      const [subject, clientId, openid, api] = [
        newSubject(),
        newClient(),
        scopeNameSchema.parse('openid'),
        scopeNameSchema.parse('api'),
      ]
      const [first, second] = [
        sampleGrant({ subject, clientId, createdAt: later(1), scopes: [openid, api] }),
        sampleGrant({ subject, clientId, createdAt: later(5), scopes: [openid] }),
      ]
      const twins = [newSubject(), newSubject()].map(user =>
        sampleGrant({ subject: user, clientId, createdAt: later(3) }),
      )
      const ended = [
        sampleGrant({ clientId, revokedAt: now, createdAt: later(9) }),
        sampleGrant({ subject, clientId, expiresAt: now, createdAt: later(9) }),
      ]
      for (const grant of [first, second, ...twins, ...ended]) await grants.open(grant)
      const unredeemed = sampleGrant({ subject, clientId, createdAt: later(9) })
      await codes.issue(sampleCode(unredeemed, { expiresAt: now }), unredeemed)
      await tokens.store({ grantId: null, refreshToken: sampleRefreshToken(first) })
      await tokens.store({ grantId: null, refreshToken: sampleRefreshToken(second) })
      await tokens.store({ grantId: null, referenceToken: sampleReferenceToken({ grantId: first.id }) })
      const inOrder = twins.toSorted((left, right) => (left.id < right.id ? 1 : -1))
      for (const limit of [1, 2, 3]) {
        const items = await readAll(page => lists().access({ subject: null, clientId }, page, now), limit)
        const [of, ...rest] = items
        const scopes = [openid, api]
        const tokens = { refreshTokens: 2, referenceTokens: 1 }
        assert.deepEqual(of, { subject, clientId, scopes, grants: 2, ...tokens, latestAt: later(5) })
        assert.deepEqual(
          rest.map(item => item.subject),
          inOrder.map(grant => grant.subject),
        )
      }
      const own = await readAll(page => lists().access({ subject, clientId: null }, page, now), 2)
      assert.equal(own.length, 1)
    })

    test('lists unexpired consents, newest first', async () => {
      const { consents } = host().storage
      const clientId = newClient()
      const subject = newSubject()
      const given = [
        ...Array.from({ length: 5 }, () => sampleConsent({ clientId })),
        sampleConsent({ clientId, subject, updatedAt: later(1), expiresAt: later(1) }),
      ]
      for (const consent of given) await consents.store(consent)
      await consents.store(sampleConsent({ clientId, expiresAt: now }))
      for (const limit of [1, 2, 6]) {
        const items = await readAll(page => lists().consents({ subject: null, clientId }, page, now), limit)
        assert.deepEqual(items[0], given.at(-1))
        assert.deepEqual(new Set(items), new Set(given))
      }
      const filter = { subject, clientId: null }
      assert.equal((await readAll(page => lists().consents(filter, page, now), 3)).length, 1)
    })

    test('an invalid position starts the list of grants at the beginning', async () => {
      const filter = { subject: null, clientId: null }
      for (const read of [
        (after: string | null) => lists().sessions(filter, { after, limit: 2 }, now),
        (after: string | null) => lists().grants(filter, { after, limit: 2 }, now),
        (after: string | null) => lists().consents(filter, { after, limit: 2 }, now),
      ]) {
        const first = await read(null)
        for (const after of malformedPositions) assert.deepEqual(await read(after), first, after)
      }
    })

    test('counts what revoking everything of a user, a client, or both would end', async () => {
      const { grants, consents, sessions } = host().storage
      const [subject, clientId] = [newSubject(), newClient()]
      await grants.open(sampleGrant({ subject, clientId }))
      await grants.open(sampleGrant({ subject, clientId }))
      await grants.open(sampleGrant({ clientId }))
      await grants.open(sampleGrant({ clientId, revokedAt: now }))
      await consents.store(sampleConsent({ clientId }))
      await consents.store(sampleConsent({ subject, clientId }))
      await consents.store(sampleConsent({ clientId, expiresAt: now }))
      await sessions.create(sampleSession({ subject }))
      await sessions.create(sampleSession({ subject, expiresAt: now }))
      const usage = async (...[who, app]: [typeof subject | null, typeof clientId | null]) => {
        const found = await lists().usage({ subject: who, clientId: app }, now)
        return [found.users, found.grants, found.consents, found.sessions].map(({ count }) => count)
      }
      assert.deepEqual(await usage(null, clientId), [2, 3, 2, 0])
      assert.deepEqual(await usage(subject, null), [1, 2, 1, 1])
      assert.deepEqual(await usage(subject, clientId), [1, 2, 1, 0])
      const onlyConsent = sampleConsent({ clientId })
      await consents.store(onlyConsent)
      assert.deepEqual(await usage(onlyConsent.subject, null), [0, 0, 1, 0])
      assert.deepEqual(await usage(newSubject(), null), [0, 0, 0, 0])
    })
  })
}
