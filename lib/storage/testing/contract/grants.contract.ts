import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import type { Host } from '../host.ts'
import { accountOf, later, newSubject, now, sampleGrant, sampleUser, web } from '../samples.ts'

export function grantsContract(host: () => Host): void {
  describe('grants', () => {
    const grants = () => host().storage.grants
    const opened = async (given: Parameters<typeof sampleGrant>[0] = {}) => {
      const grant = sampleGrant(given)
      await grants().open(grant)
      return grant
    }
    const isLive = async (id: Awaited<ReturnType<typeof opened>>['id']) =>
      (await grants().find(id))?.revokedAt === null

    test('returns the stored grant, to the millisecond', async () => {
      const claims = { shift: 'night' }
      const grant = await opened({ acr: 'urn:two', sessionId: null, isOffline: true, claims, level: 'mfa' })
      assert.deepEqual(await grants().find(grant.id), { ...grant, account: null })
    })

    test('returns the account of the user with the grant, if this server has it', async () => {
      const user = sampleUser()
      await host().storage.configuration.apply({ put: { users: [user] }, remove: {} }, now)
      const grant = await opened({ subject: user.subject })
      const found = await grants().find(grant.id)
      assert.deepEqual(found?.account, accountOf(user))
    })

    test('revokes one grant by its id, once', async () => {
      const grant = await opened()
      const other = await opened({ subject: grant.subject })
      assert.equal(await grants().revoke({ id: grant.id }, now), 1)
      assert.equal(await grants().revoke({ id: grant.id }, later(1)), 0)
      assert.deepEqual((await grants().find(grant.id))?.revokedAt, now)
      assert.ok(await isLive(other.id))
    })

    test('revokes all grants of a user, or only those of one client', async () => {
      const subject = newSubject()
      const app = clientIdSchema.parse('other-app')
      const [first, second, stranger] = [
        await opened({ subject }),
        await opened({ subject, clientId: app }),
        await opened(),
      ]
      assert.equal(await grants().revoke({ subject, clientId: app }, now), 1)
      assert.ok(await isLive(first.id))
      assert.equal(await isLive(second.id), false)
      assert.equal(await grants().revoke({ subject }, now), 1)
      assert.ok(await isLive(stranger.id))
    })

    test('lists the active grants of a user, newest first', async () => {
      const subject = newSubject()
      const older = await opened({ subject, createdAt: later(-10) })
      const newer = await opened({ subject, clientId: web })
      await opened({ subject, expiresAt: now })
      await opened({ subject, revokedAt: later(-5) })
      assert.deepEqual(await grants().liveOf(subject, now), [newer, older])
    })
  })
}
