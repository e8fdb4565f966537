/** The contract of the store for invitations of users. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { userInvitation as limits } from '#lib/config/limits.ts'
import type { UserInvitation, UserInvitationWrite } from '#lib/ports/user-invitations.ts'
import type { Host } from '../host.ts'
import { readAll } from '../pages.ts'
import { atOnce } from '../races.ts'
import { later, newDigest, newSubject, now, sampleAuditEntry } from '../samples.ts'

export function userInvitationsContract(host: () => Host): void {
  const storage = () => host().storage
  const invitations = () => storage().userInvitations
  const write = async (...writes: readonly UserInvitationWrite[]) =>
    (await storage().adminStore.commit({ writes, audit: [sampleAuditEntry()] }, now)).kind
  const invited = async (given: Partial<UserInvitation> = {}) => {
    const invitation: UserInvitation = {
      ...{ digest: newDigest(), id: newDigest(), email: 'alice@example.org', isMailed: true, locale: 'de' },
      ...{ claims: { name: 'Alice', groups: ['staff'] }, createdBy: newSubject() },
      ...{ createdAt: now, expiresAt: later(60) },
      ...given,
    }
    assert.equal(await write({ kind: 'put_user_invitations', invitations: [invitation] }), 'done')
    return invitation
  }

  describe('invitations of users', () => {
    test('an invitation is found by its link until it expires', async () => {
      const known = await invited()
      const unknown = await invited({ email: null, createdBy: null, claims: {}, isMailed: false })
      for (const invitation of [known, unknown]) {
        assert.deepEqual(await invitations().find(invitation.digest, later(59)), invitation)
        assert.equal(await invitations().find(invitation.digest, later(60)), null)
      }
      assert.equal(await invitations().find(newDigest(), now), null)
    })

    test('AU-13 one of a hundred callers uses an invitation', async () => {
      const { digest } = await invited()
      const results = await atOnce(100, () => invitations().take(digest, newSubject(), now))
      assert.equal(results.filter(Boolean).length, 1)
      assert.equal(await invitations().find(digest, now), null)
    })

    test('AU-13 an expired invitation cannot be used', async () => {
      const { digest } = await invited()
      assert.equal(await invitations().take(digest, newSubject(), later(60)), false)
    })

    test('an invitation is usable again only for the caller that took it and could not create the account', async () => {
      const { digest } = await invited()
      const subject = newSubject()
      assert.ok(await invitations().take(digest, subject, now))
      await invitations().release(digest, newSubject())
      assert.equal(await invitations().find(digest, now), null)
      await invitations().release(digest, subject)
      assert.ok(await invitations().take(digest, newSubject(), now))
    })

    test('a new link ends the earlier one, also after it expired', async () => {
      const { id, ...earlier } = await invited()
      const renewed = { id, digest: newDigest(), isMailed: false, expiresAt: later(600) }
      assert.equal(await write({ kind: 'renew_user_invitation', ...renewed }), 'done')
      assert.equal(await invitations().find(earlier.digest, now), null)
      assert.equal(await invitations().take(earlier.digest, newSubject(), now), false)
      assert.deepEqual(await invitations().find(renewed.digest, later(599)), { ...earlier, ...renewed })
    })

    test('a withdrawn invitation cannot be used, and a used one is neither withdrawn nor renewed', async () => {
      const { id, digest } = await invited()
      assert.equal(await write({ kind: 'remove_user_invitation', id }), 'done')
      assert.equal(await invitations().take(digest, newSubject(), now), false)
      assert.equal(await write({ kind: 'remove_user_invitation', id }), 'gone')
      const used = await invited()
      assert.ok(await invitations().take(used.digest, newSubject(), now))
      assert.equal(await write({ kind: 'remove_user_invitation', id: used.id }), 'gone')
      const renewal = { id: used.id, digest: newDigest(), isMailed: true, expiresAt: later(600) }
      assert.equal(await write({ kind: 'renew_user_invitation', ...renewal }), 'gone')
    })

    test('a withdrawal and a use at the same time: one of them wins', async () => {
      for (let round = 0; round < 10; round += 1) {
        const { id, digest } = await invited()
        const [isTaken, withdrawn] = await Promise.all([
          invitations().take(digest, newSubject(), now),
          write({ kind: 'remove_user_invitation', id }),
        ])
        assert.equal(withdrawn, isTaken ? 'gone' : 'done')
      }
    })

    test('are listed newest first, by state and by the beginning of the address', async () => {
      const mark = newDigest().toLowerCase()
      const email = (name: string) => `${mark}-${name}@example.org`
      const [open, expired, used] = [
        await invited({ email: email('open'), createdAt: later(3) }),
        await invited({ email: email('expired'), createdAt: later(2), expiresAt: later(5) }),
        await invited({ email: email('used'), createdAt: later(1) }),
      ]
      const subject = newSubject()
      assert.ok(await invitations().take(used.digest, subject, later(4)))
      const lists = storage().adminLists
      const at = later(10)
      const idsOf = async (state: 'open' | 'used' | 'expired' | null, search = mark.toUpperCase()) => {
        const items = await readAll(page => lists.userInvitations({ state, search }, page, at), 1)
        assert.equal((await lists.countUserInvitations({ state, search }, at)).count, items.length)
        return items.map(({ id }) => id)
      }
      assert.deepEqual(await idsOf(null), [open.id, expired.id, used.id])
      assert.deepEqual(await idsOf('open'), [open.id])
      assert.deepEqual(await idsOf('expired'), [expired.id])
      assert.deepEqual(await idsOf('used', `${mark}-open`), [])
      assert.deepEqual(await idsOf('used', email('used').slice(0, -3)), [used.id])
      assert.deepEqual(await lists.userInvitation(used.id), { ...used, usedAt: later(4), subject })
      const addresses = [email('OPEN'), email('expired'), email('used')]
      assert.deepEqual([...(await lists.invitedAddresses(addresses, at))], [email('OPEN')])
    })

    test('LG-07 an invitation is deleted some time after its end', async () => {
      const longAgo = new Date('2001-01-01T00:00:00.000Z')
      const { digest } = await invited({ createdAt: longAgo, expiresAt: later(-limits.keptSeconds) })
      const kept = await invited({ expiresAt: later(1 - limits.keptSeconds) })
      await storage().purge(now)
      assert.equal(await invitations().find(digest, longAgo), null)
      assert.equal((await invitations().find(kept.digest, longAgo))?.id, kept.id)
    })
  })
}
