import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type {
  FoundReferenceToken,
  Grant,
  GrantOfToken,
  IssuedTokens,
  ReferenceToken,
  RefreshToken,
} from '#lib/ports/grants.ts'
import type { Digest } from '#lib/protocol/ids.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import type { Host } from '../host.ts'
import { atOnce, badRounds } from '../races.ts'
import {
  accountOf,
  digestOf,
  later,
  newDigest,
  now,
  sampleGrant,
  sampleReferenceToken,
  sampleRefreshToken,
  sampleUser,
} from '../samples.ts'

const longAgo = new Date('2001-01-01T00:00:00.000Z')

export function tokensContract(host: () => Host): void {
  describe('refresh tokens', () => {
    const tokens = () => host().storage.refreshTokens
    const store = (issued: IssuedTokens) => host().storage.tokens.store(issued)
    const stored = async (given: Parameters<typeof sampleGrant>[0] = {}) => {
      const grant = sampleGrant(given)
      await host().storage.grants.open(grant)
      const token = sampleRefreshToken(grant)
      assert.equal(await store({ grantId: grant.id, refreshToken: token }), true)
      return { grant, token }
    }
    const rowCount = ({ id }: Grant) => host().tables.refreshToken.count({ where: { grantId: id } })
    const answer = { sealedAnswer: 'sealed', answerExpiresAt: later(15) }

    test('returns the stored refresh token, with the claims in their order, its grant and its user', async () => {
      const user = sampleUser()
      await host().storage.configuration.apply({ put: { users: [user] }, remove: {} }, now)
      const { grant, token } = await stored({ subject: user.subject })
      const found = await tokens().find(token.digest)
      assert.deepEqual(found, { ...token, grant: { ...grant, account: accountOf(user) } })
      assert.equal(JSON.stringify(found?.accessTokenClaims), JSON.stringify(token.accessTokenClaims))
      assert.equal(await tokens().find(newDigest()), null)
    })

    test('finds a refresh token that was stored before the time became a part of its key', async () => {
      const { grant, token } = await stored()
      const digest = `time${token.digest}` as Digest
      assert.equal((await tokens().find(digest))?.digest, token.digest)
      await store({ grantId: null, refreshToken: sampleRefreshToken(grant, { digest }) })
      assert.equal((await tokens().find(digest))?.digest, digest)
    })

    test('reports when the latest refresh token of each grant was issued', async () => {
      const [{ grant }, other] = [await stored(), sampleGrant()]
      await host().storage.grants.open(other)
      await store({ grantId: grant.id, refreshToken: sampleRefreshToken(grant, { createdAt: later(60) }) })
      const issued = await tokens().lastIssuedAt([grant.id, other.id])
      assert.deepEqual([...issued], [[grant.id, later(60)]])
      assert.equal((await tokens().lastIssuedAt([])).size, 0)
    })

    test('rotation stores the new token, the response and the access token, and marks the old token as used', async () => {
      const { grant, token } = await stored()
      const refreshToken = sampleRefreshToken(grant)
      const referenceToken = sampleReferenceToken({ grantId: grant.id, subject: grant.subject })
      const issued = { grantId: grant.id, grantExpiresAt: later(9000), refreshToken, referenceToken }
      assert.equal(await tokens().rotate({ digest: token.digest, ...answer }, issued, later(5)), true)
      const extended = { grant: { ...grant, expiresAt: later(9000), account: null } }
      const used = { spentAt: later(5), successor: refreshToken.digest, ...answer }
      assert.deepEqual(await tokens().find(token.digest), { ...token, ...used, ...extended })
      assert.deepEqual(await tokens().find(refreshToken.digest), { ...refreshToken, ...extended })
      const found = await host().storage.referenceTokens.find(referenceToken.digest)
      assert.deepEqual(found, asFound(referenceToken, extended.grant))
    })

    test('RT-02 the old token stays valid when the new one cannot be stored', async () => {
      const { grant, token } = await stored()
      const refreshToken = sampleRefreshToken(grant, { digest: token.digest })
      const used = { digest: token.digest, ...answer }
      await assert.rejects(tokens().rotate(used, { grantId: grant.id, refreshToken }, now))
      assert.equal((await tokens().find(token.digest))?.spentAt, null)
    })

    test('RT-02 one of several concurrent rotations succeeds, and the others store nothing', async () => {
      const rotate = ({ grant, token }: Awaited<ReturnType<typeof stored>>) => {
        const issued = { grantId: grant.id, refreshToken: sampleRefreshToken(grant) }
        return tokens().rotate({ digest: token.digest, ...answer }, issued, now)
      }
      const bad = await badRounds({ rounds: 50, racers: 10 }, async () => {
        const one = await stored()
        return () => rotate(one)
      })
      assert.equal(bad, 0)
      const one = await stored()
      await atOnce(10, () => rotate(one))
      assert.equal(await rowCount(one.grant), 2)
    })

    test('RT-05 nothing is stored on a revoked grant, and no token is used', async () => {
      const { grant, token } = await stored()
      await host().storage.grants.revoke({ id: grant.id }, now)
      const [grantId, refreshToken] = [grant.id, sampleRefreshToken(grant)]
      const referenceToken = sampleReferenceToken({ grantId })
      const issued = { grantId, grantExpiresAt: later(9000), refreshToken, referenceToken }
      assert.equal(await store(issued), false)
      assert.equal(await tokens().rotate({ digest: token.digest, ...answer }, issued, now), false)
      const slid = { digest: token.digest, expiresAt: later(2000) }
      assert.equal(await store({ grantId, slid }), false)
      const found = await tokens().find(token.digest)
      assert.deepEqual(found, { ...token, grant: { ...grant, revokedAt: now, account: null } })
      assert.equal(await rowCount(grant), 1)
      assert.equal(await host().storage.referenceTokens.find(referenceToken.digest), null)
    })

    test('RT-01 deletes the stored response after the retry window, or when the new token is used', async () => {
      const { grant, token } = await stored()
      const [second, third] = [sampleRefreshToken(grant), sampleRefreshToken(grant)]
      const expired = { ...answer, answerExpiresAt: longAgo }
      const rotate = ({ digest }: RefreshToken, refreshToken: RefreshToken) =>
        tokens().rotate({ digest, ...expired }, { grantId: grant.id, refreshToken }, now)
      const answerOf = async ({ digest }: RefreshToken) => (await tokens().find(digest))?.sealedAnswer
      assert.ok(await rotate(token, second))
      await host().storage.purge(new Date(longAgo.getTime() - 1))
      assert.equal(await answerOf(token), 'sealed')
      assert.ok(await rotate(second, third))
      assert.deepEqual([await answerOf(token), await answerOf(second)], [null, 'sealed'])
      await host().storage.purge(longAgo)
      const found = await tokens().find(second.digest)
      assert.deepEqual([found?.sealedAnswer, found?.successor, found?.spentAt], [null, third.digest, now])
    })

    test('extends the sliding end of a refresh token and the end of its grant, and never shortens them', async () => {
      const { grant, token } = await stored()
      for (const seconds of [7200, 4000]) {
        const slid = { digest: token.digest, expiresAt: later(seconds) }
        assert.ok(await store({ grantId: grant.id, grantExpiresAt: later(seconds + 1), slid }))
      }
      const found = await tokens().find(token.digest)
      assert.deepEqual([found?.expiresAt, found?.grant.expiresAt], [later(7200), later(7201)])
    })

    test('RT-01 stores only a digest of the token', async () => {
      const { grant } = await stored()
      const handle = `rt_${'s3cret'.repeat(7)}x`
      await store({
        grantId: grant.id,
        refreshToken: sampleRefreshToken(grant, { digest: digestOf(handle) }),
      })
      const rows = JSON.stringify(await host().tables.refreshToken.findMany({ where: { grantId: grant.id } }))
      assert.ok(rows.includes(digestOf(handle)))
      assert.ok(!rows.includes(handle))
    })
  })

  describe('reference tokens', () => {
    const tokens = () => host().storage.referenceTokens
    const store = (referenceToken: ReferenceToken) =>
      host().storage.tokens.store({ grantId: null, referenceToken })

    test('returns a stored reference token, also when expired, with the claims in their order', async () => {
      const token = sampleReferenceToken({ expiresAt: later(-1) })
      await store(token)
      const found = await tokens().find(token.digest)
      assert.deepEqual(found, asFound(token, null))
      assert.equal(JSON.stringify(found?.claims), JSON.stringify(token.claims))
    })

    test('stores each of a thousand concurrent reference tokens', async () => {
      const clientId = clientIdSchema.parse(`busy-${newDigest()}`)
      await atOnce(1000, () => store(sampleReferenceToken({ clientId })))
      assert.equal(await host().tables.referenceToken.count({ where: { clientId } }), 1000)
    })

    test('returns each reference token of a batch unchanged, to the millisecond', async () => {
      const claims = { "it's": 'a "quote" \\ ü', list: [1, { none: null }] }
      const stored = [1, 2, 3].map(ms => sampleReferenceToken({ claims, expiresAt: later(60 + ms / 1000) }))
      await Promise.all(stored.map(token => store(token)))
      const found = await Promise.all(stored.map(token => tokens().find(token.digest)))
      assert.deepEqual(
        found,
        stored.map(token => asFound(token, null)),
      )
    })

    test('a reference token that cannot be stored fails only its own caller', async () => {
      const taken = sampleReferenceToken()
      await store(taken)
      const neighbors = [sampleReferenceToken(), taken, sampleReferenceToken()]
      const results = await Promise.allSettled(neighbors.map(token => store(token)))
      assert.deepEqual(
        results.map(result => result.status),
        ['fulfilled', 'rejected', 'fulfilled'],
      )
    })

    test('removes a reference token once', async () => {
      const token = sampleReferenceToken()
      await store(token)
      const removed = await atOnce(5, () => tokens().remove(token.digest))
      assert.equal(removed.filter(Boolean).length, 1)
      assert.equal(await tokens().find(token.digest), null)
      assert.equal(await tokens().remove(newDigest()), false)
    })
  })

  describe('revoked tokens', () => {
    test('stores a revoked jti, also repeatedly', async () => {
      const { revokedTokens } = host().storage
      const [jti, grant] = [newDigest(), sampleGrant()]
      await host().storage.grants.open(grant)
      const found = { grant: ofToken(grant) }
      const look = () => revokedTokens.findOfGrant(grant.id, jti)
      assert.deepEqual(await look(), { ...found, isRevoked: false })
      await atOnce(3, () => revokedTokens.add(jti, later(60)))
      assert.deepEqual(await look(), { ...found, isRevoked: true })
      const ofClient = await revokedTokens.findOfOwner(grant.clientId, jti)
      assert.deepEqual(ofClient, { isRevoked: true, allRevokedAt: null })
    })

    test('the claims of the sign-in are read with a token of its grant', async () => {
      const claims = { shift: 'night', teams: ['a', 'b'] }
      for (const given of [{ claims }, {}]) {
        const grant = sampleGrant(given)
        await host().storage.grants.open(grant)
        const found = await host().storage.revokedTokens.findOfGrant(grant.id, newDigest())
        assert.deepEqual(found.grant, { ...ofToken(grant), ...given })
      }
    })
  })
}

/** Returns the expected result of reading this reference token. */
function asFound(
  { clientId, grantId, claims, expiresAt }: ReferenceToken,
  grant: Grant | null,
): FoundReferenceToken {
  return { clientId, grantId, claims, expiresAt, grant: grant && ofToken(grant) }
}

function ofToken({ id, clientId, subject, authenticatedAt, expiresAt, revokedAt }: Grant): GrantOfToken {
  return { id, clientId, subject, authenticatedAt, expiresAt, revokedAt, account: null }
}
