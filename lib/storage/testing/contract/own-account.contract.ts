import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Host } from '../host.ts'
import { later, newDigest, newSubject, now, sampleEvent, sampleSession, sampleUser } from '../samples.ts'

export function ownAccountContract(host: () => Host): void {
  const storage = () => host().storage

  describe('what users do with their accounts', () => {
    test('AU-16 mails about new browsers begin with the second browser of a subject', async () => {
      const subject = newSubject()
      const areDue = (at: Date) => storage().deviceNotices.areDue(subject, at)
      assert.equal(await areDue(now), false)
      assert.equal(await areDue(later(1)), true)
      assert.equal(await storage().deviceNotices.areDue(newSubject(), later(1)), false)
    })

    test('AU-16 the answers to offers and the time of mails about new browsers do not replace each other', async () => {
      const subject = newSubject()
      const { subjectPreferences, deviceNotices } = storage()
      const preference = { ...(await subjectPreferences.find(subject)), refusesPasskeys: true }
      await subjectPreferences.put(subject, preference)
      assert.equal(await deviceNotices.areDue(subject, now), false)
      assert.deepEqual(await subjectPreferences.find(subject), preference)
      await subjectPreferences.put(subject, preference)
      assert.equal(await deviceNotices.areDue(subject, later(1)), true)
    })

    test('a new name is set in all sessions of the user, and in no other', async () => {
      const { sessions } = storage()
      const [subject, other] = [newSubject(), newSubject()]
      for (const each of [subject, subject, other]) await sessions.create(sampleSession({ subject: each }))
      await sessions.rename(subject, 'Alice Hargreaves')
      const names = async (whose: typeof subject) =>
        (await sessions.allOf(whose, now)).map(({ name }) => name)
      assert.deepEqual(await names(subject), ['Alice Hargreaves', 'Alice Hargreaves'])
      assert.deepEqual(await names(other), ['Alice Liddell'])
    })

    test('of two changes of the claims that were read before, one is stored, and the user is found by the new name', async () => {
      const family = `Zz${newDigest().slice(0, 10)}`
      const user = sampleUser({ claims: { name: 'Before' } })
      await storage().configuration.apply({ put: { users: [user] }, remove: {} }, now)
      const changes = [1, 2].map(each => ({ name: `${family} ${each}` }))
      const stored = await Promise.all(
        changes.map(successor =>
          storage().users.replaceClaims(user.subject, { replaced: user.claims, successor }, now),
        ),
      )
      assert.equal(stored.filter(Boolean).length, 1)
      const found = (await storage().users.findBySubject(user.subject))?.claims
      assert.deepEqual(found, changes[stored.indexOf(true)])
    })

    test('events of several names are listed along one user, newest first', async () => {
      const subject = newDigest()
      const names = ['sign_in_succeeded', 'tokens_issued', 'password_changed', 'sign_in_succeeded'] as const
      const events = names.map(name => sampleEvent({ subject, name }))
      await storage().eventLog.write([...events, sampleEvent({ name: 'password_changed' })])
      const filter = { subject, names: ['sign_in_succeeded', 'password_changed'] } as const
      const ids = events.filter(({ name }) => name !== 'tokens_issued').map(({ id }) => id)
      const newestFirst = ids.toSorted().toReversed()
      const first = await storage().eventLog.list(filter, null, 2)
      assert.deepEqual(
        first.map(({ id }) => id),
        newestFirst.slice(0, 2),
      )
      const second = await storage().eventLog.list(filter, first.at(-1)?.id ?? null, 2)
      assert.deepEqual(
        second.map(({ id }) => id),
        newestFirst.slice(2),
      )
    })
  })
}
