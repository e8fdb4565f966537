import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { identityServer3SkewSeconds, purge as limits } from '#lib/config/limits.ts'
import type { Digest } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Host } from '../host.ts'
import {
  later,
  newDigest,
  now,
  sampleAuditEntry,
  sampleCode,
  sampleConsent,
  sampleExternalSignIn,
  sampleGrant,
  samplePartialSignIn,
  samplePendingRequest,
  sampleReferenceToken,
  sampleRefreshToken,
  sampleSession,
} from '../samples.ts'

const longAgo = new Date('2001-01-01T00:00:00.000Z')
const justAfter = new Date(longAgo.getTime() + 1)

export function purgeContract(host: () => Host): void {
  describe('purge', () => {
    test('removes expired rows, from the millisecond of their end, and no others', async () => {
      const { storage } = host()
      // Tokens in the IdentityServer3 format are accepted for a short time after their grant ends
      const [gone, kept] = [longAgo, justAfter].map(end =>
        sampleGrant({ expiresAt: secondsAfter(end, -identityServer3SkewSeconds) }),
      )
      assert.ok(gone !== undefined && kept !== undefined)
      const [code, living] = [
        sampleCode(gone, { expiresAt: longAgo, usedAt: longAgo }),
        sampleCode(kept, { expiresAt: justAfter }),
      ]
      await storage.codes.issue(code, gone)
      await storage.codes.issue(living, kept)
      await storage.tokens.store({
        grantId: null,
        refreshToken: sampleRefreshToken(kept, { expiresAt: longAgo }),
      })
      await storage.tokens.store({
        grantId: null,
        referenceToken: sampleReferenceToken({ expiresAt: longAgo }),
      })
      await storage.revokedTokens.add(newDigest(), longAgo)
      await storage.consents.store(sampleConsent({ expiresAt: longAgo }))
      await storage.consents.store(sampleConsent({ expiresAt: null }))
      await storage.sessions.create(sampleSession({ expiresAt: longAgo }))
      await storage.pendingRequests.create(samplePendingRequest({ expiresAt: longAgo }))
      await storage.externalSignIns.create(sampleExternalSignIn({ expiresAt: longAgo }))
      await storage.partialSignIns.create(samplePartialSignIn({ expiresAt: longAgo }))
      assert.equal(await storage.purge(longAgo), 10)
      assert.equal(await storage.codes.find(code.digest), null)
      assert.equal(await storage.grants.find(gone.id), null)
      assert.deepEqual((await storage.codes.find(living.digest))?.digest, living.digest)
      assert.deepEqual(await storage.grants.find(kept.id), { ...kept, account: null })
    })

    test('removes the grant of a code that expired before it was redeemed, and keeps that of a redeemed one', async () => {
      const { storage } = host()
      const [lost, redeemed] = [sampleGrant(), sampleGrant()]
      await storage.codes.issue(sampleCode(lost, { expiresAt: longAgo }), lost)
      await storage.codes.issue(sampleCode(redeemed, { expiresAt: longAgo, usedAt: longAgo }), redeemed)
      assert.equal(await storage.purge(longAgo), 2)
      assert.equal(await storage.grants.find(lost.id), null)
      assert.deepEqual(await storage.grants.find(redeemed.id), { ...redeemed, account: null })
    })

    test('LG-07 removes expired admin sessions, invitations and form state; keeps the audit log', async () => {
      const { storage } = host()
      const { subject, sessionId } = sampleSession()
      assert.ok(sessionId !== null)
      const times = { createdAt: longAgo, lastSeenAt: longAgo, authenticatedAt: longAgo }
      const digests = { gone: newDigest(), kept: newDigest() }
      const state = (digest: Digest, expiresAt: Date) => ({
        digest,
        sessionDigest: digest,
        sealedContent: 'x',
        expiresAt,
      })
      const invitation = (digest: Digest, expiresAt: Date) => ({
        kind: 'put_invitation' as const,
        invitation: { digest, role: 'auditor' as const, createdBy: null, createdAt: longAgo, expiresAt },
      })
      const before = (await storage.adminStore.audit.head())?.seq ?? 0
      for (const [digest, expiresAt] of [
        [digests.gone, longAgo],
        [digests.kept, justAfter],
      ] as const) {
        await storage.adminSessions.create({ digest, subject, sessionId, ...times, expiresAt })
        await storage.adminPageStates.create(state(digest, expiresAt))
        await storage.adminStore.commit(
          { writes: [invitation(digest, expiresAt)], audit: [sampleAuditEntry()] },
          longAgo,
        )
      }
      assert.equal(await storage.purge(longAgo), 3)
      assert.ok(await storage.adminPageStates.find(digests.kept, digests.kept, longAgo))
      assert.ok(await storage.adminInvitations.find(digests.kept, longAgo))
      assert.ok(await storage.adminSessions.end(digests.kept))
      assert.equal(await storage.adminSessions.end(digests.gone), false)
      assert.equal((await storage.adminStore.audit.read(before, 9)).length, 2)
    })

    test('works in steps, between which other code runs', async () => {
      const { storage, tables } = host()
      const many = limits.rows.first * 5
      await tables.revokedToken.createMany({
        data: Array.from({ length: many }, () => ({ jti: newDigest(), expiresAt: longAgo })),
      })
      let turns = 0
      const timer = setInterval(() => (turns += 1), 0)
      assert.equal(await storage.purge(longAgo), many)
      clearInterval(timer)
      assert.ok(turns > 0)
    })

    test('keeps a session that is still valid', async () => {
      const { storage } = host()
      const session = sampleSession({ expiresAt: later(1) })
      await storage.sessions.create(session)
      await storage.purge(longAgo)
      assert.deepEqual((await storage.sessions.find(session.digest, now))?.session, session)
    })
  })
}
