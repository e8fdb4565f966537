import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Digest } from '#lib/protocol/ids.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import type { Host } from '../host.ts'
import { atOnce, badRounds } from '../races.ts'
import {
  digestOf,
  later,
  newDigest,
  now,
  sampleGrant,
  sampleReferenceToken,
  sampleRefreshToken,
} from '../samples.ts'

const longAgo = new Date('2001-01-01T00:00:00.000Z')

export function tokensContract(host: () => Host): void {
  describe('refresh tokens', () => {
    const tokens = () => host().storage.refreshTokens
    const stored = async () => {
      const grant = sampleGrant()
      await host().storage.grants.open(grant)
      const token = sampleRefreshToken(grant)
      await tokens().create(token)
      return { grant, token }
    }

    test('returns the stored refresh token, with the claims in their order', async () => {
      const { token } = await stored()
      const found = await tokens().find(token.digest)
      assert.deepEqual(found, token)
      assert.equal(JSON.stringify(found?.accessTokenClaims), JSON.stringify(token.accessTokenClaims))
    })

    test('finds a refresh token that was stored before the time became a part of its key', async () => {
      const { token } = await stored()
      const digest = `time${token.digest}` as Digest
      assert.deepEqual(await tokens().find(digest), token)
      const newer = sampleRefreshToken((await stored()).grant, { digest })
      await tokens().create(newer)
      assert.deepEqual(await tokens().find(digest), newer)
    })

    test('reports when the latest refresh token of each grant was issued', async () => {
      const [{ grant }, other] = [await stored(), sampleGrant()]
      await host().storage.grants.open(other)
      await tokens().create(sampleRefreshToken(grant, { createdAt: later(60) }))
      const issued = await tokens().lastIssuedAt([grant.id, other.id])
      assert.deepEqual([...issued], [[grant.id, later(60)]])
      assert.equal((await tokens().lastIssuedAt([])).size, 0)
    })

    test('rotation stores the new token, the response and the access token, and marks the old token as used', async () => {
      const { grant, token } = await stored()
      const successor = sampleRefreshToken(grant)
      const accessToken = sampleReferenceToken({ grantId: grant.id, subject: grant.subject })
      const rotation = {
        spent: token.digest,
        successor,
        sealedAnswer: 'sealed',
        answerExpiresAt: later(15),
        accessToken,
      }
      assert.equal(await tokens().rotate(rotation, later(5)), true)
      const spent = { spentAt: later(5), successor: successor.digest }
      const answer = { sealedAnswer: 'sealed', answerExpiresAt: later(15) }
      assert.deepEqual(await tokens().find(token.digest), { ...token, ...spent, ...answer })
      assert.deepEqual(await tokens().find(successor.digest), successor)
      const found = await host().storage.referenceTokens.find(accessToken.digest)
      assert.deepEqual(found, { ...accessToken, grant: { ...grant, account: null } })
    })

    test('RT-02 the old token stays valid when the new one cannot be stored', async () => {
      const { grant, token } = await stored()
      const successor = sampleRefreshToken(grant, { digest: token.digest })
      const rotation = {
        spent: token.digest,
        successor,
        sealedAnswer: 'sealed',
        answerExpiresAt: later(15),
        accessToken: null,
      }
      await assert.rejects(tokens().rotate(rotation, now))
      assert.deepEqual(await tokens().find(token.digest), token)
    })

    test('RT-02 one of several concurrent rotations succeeds, and the others store nothing', async () => {
      const bad = await badRounds({ rounds: 50, racers: 10 }, async () => {
        const { grant, token } = await stored()
        return () => {
          const successor = sampleRefreshToken(grant)
          return tokens().rotate(
            {
              spent: token.digest,
              successor,
              sealedAnswer: '-',
              answerExpiresAt: later(15),
              accessToken: null,
            },
            now,
          )
        }
      })
      assert.equal(bad, 0)
      const { grant, token } = await stored()
      const successors = Array.from({ length: 10 }, () => sampleRefreshToken(grant))
      await Promise.all(
        successors.map(successor =>
          tokens().rotate(
            {
              spent: token.digest,
              successor,
              sealedAnswer: '-',
              answerExpiresAt: later(15),
              accessToken: null,
            },
            now,
          ),
        ),
      )
      assert.equal(await host().tables.refreshToken.count({ where: { grantId: grant.id } }), 2)
    })

    test('RT-01 deletes the stored response after the retry window, or when the new token is used', async () => {
      const { grant, token } = await stored()
      const [second, third] = [sampleRefreshToken(grant), sampleRefreshToken(grant)]
      const rotate = (spent: typeof token, successor: typeof token) =>
        tokens().rotate(
          {
            spent: spent.digest,
            successor,
            sealedAnswer: 'sealed',
            answerExpiresAt: longAgo,
            accessToken: null,
          },
          now,
        )
      const answerOf = async ({ digest }: typeof token) => (await tokens().find(digest))?.sealedAnswer
      assert.ok(await rotate(token, second))
      await host().storage.purge(new Date(longAgo.getTime() - 1))
      assert.equal(await answerOf(token), 'sealed')
      assert.ok(await rotate(second, third))
      assert.deepEqual([await answerOf(token), await answerOf(second)], [null, 'sealed'])
      await host().storage.purge(longAgo)
      const spent = { ...second, spentAt: now, successor: third.digest, sealedAnswer: null }
      assert.deepEqual(await tokens().find(second.digest), spent)
    })

    test('extends the sliding end of a refresh token, never shortens it', async () => {
      const { token } = await stored()
      await tokens().slide(token.digest, later(2000))
      await tokens().slide(token.digest, later(1000))
      assert.deepEqual((await tokens().find(token.digest))?.expiresAt, later(2000))
    })

    test('RT-01 stores only a digest of the token', async () => {
      const { grant } = await stored()
      const handle = `rt_${'s3cret'.repeat(7)}x`
      await tokens().create(sampleRefreshToken(grant, { digest: digestOf(handle) }))
      const rows = JSON.stringify(await host().tables.refreshToken.findMany({ where: { grantId: grant.id } }))
      assert.ok(rows.includes(digestOf(handle)))
      assert.ok(!rows.includes(handle))
    })
  })

  describe('reference tokens', () => {
    const tokens = () => host().storage.referenceTokens

    test('returns a stored reference token, also when expired, with the claims in their order', async () => {
      const token = sampleReferenceToken({ expiresAt: later(-1) })
      await tokens().create(token)
      const found = await tokens().find(token.digest)
      assert.deepEqual(found, { ...token, grant: null })
      assert.equal(JSON.stringify(found?.claims), JSON.stringify(token.claims))
    })

    test('stores each of a thousand concurrent reference tokens', async () => {
      const clientId = clientIdSchema.parse(`busy-${newDigest()}`)
      await atOnce(1000, () => tokens().create(sampleReferenceToken({ clientId })))
      assert.equal(await host().tables.referenceToken.count({ where: { clientId } }), 1000)
    })

    test('returns each reference token of a batch unchanged, to the millisecond', async () => {
      const claims = { "it's": 'a "quote" \\ ü', list: [1, { none: null }] }
      const stored = [1, 2, 3].map(ms => sampleReferenceToken({ claims, expiresAt: later(60 + ms / 1000) }))
      await Promise.all(stored.map(token => tokens().create(token)))
      const found = await Promise.all(stored.map(token => tokens().find(token.digest)))
      assert.deepEqual(
        found,
        stored.map(token => ({ ...token, grant: null })),
      )
    })

    test('a reference token that cannot be stored fails only its own caller', async () => {
      const taken = sampleReferenceToken()
      await tokens().create(taken)
      const neighbours = [sampleReferenceToken(), taken, sampleReferenceToken()]
      const results = await Promise.allSettled(neighbours.map(token => tokens().create(token)))
      assert.deepEqual(
        results.map(result => result.status),
        ['fulfilled', 'rejected', 'fulfilled'],
      )
    })

    test('removes a reference token once', async () => {
      const token = sampleReferenceToken()
      await tokens().create(token)
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
      const found = { grant: { ...grant, account: null } }
      const look = () => revokedTokens.findOfGrant(grant.id, jti)
      assert.deepEqual(await look(), { ...found, isRevoked: false })
      await atOnce(3, () => revokedTokens.add(jti, later(60)))
      assert.deepEqual(await look(), { ...found, isRevoked: true })
      const ofClient = await revokedTokens.findOfClient(grant.clientId, jti)
      assert.deepEqual(ofClient, { isRevoked: true, allRevokedAt: null })
    })
  })
}
