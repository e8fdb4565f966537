/** The contract of the stores for users who register, and for the terms that users accept. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Host } from '../host.ts'
import { atOnce, badRounds } from '../races.ts'
import { later, newDigest, newSubject, now, sampleUser } from '../samples.ts'

export function registrationContract(host: () => Host): void {
  const users = () => host().storage.users
  const named = (username: string) => sampleUser({ username, subject: newSubject() })

  describe('registration', () => {
    test('stores a new user, whom the dashboard finds, and refuses a name that another user has in any spelling', async () => {
      const word = newDigest().slice(0, 8).toLowerCase()
      const user = named(`Zoë.${word}`)
      assert.equal(await users().register(user, now), 'registered')
      assert.deepEqual(await users().findBySubject(user.subject), user)
      const filter = { search: `zoe.${word}`, enabled: null }
      const { items } = await host().storage.adminLists.users(filter, { after: null, limit: 2 })
      assert.deepEqual(
        items.map(({ subject }) => subject),
        [user.subject],
      )
      const other = named(`ZOË.${word.toUpperCase()}`)
      assert.equal(await users().register(other, now), 'name_taken')
      assert.equal(await users().findBySubject(other.subject), null)
      assert.equal(
        await users().register({ ...user, username: `other-${word}` }, now),
        'name_taken',
        'its subject',
      )
    })

    test('of several concurrent registrations with one name, one stores its user', async () => {
      const bad = await badRounds({ rounds: 10, racers: 10 }, async () => {
        const username = `racer-${newDigest().slice(0, 12)}`
        return async () => (await users().register(named(username), now)) === 'registered'
      })
      assert.equal(bad, 0)
    })
  })

  describe('registration with an own address', () => {
    const withAddress = (email: string, isVerified = true) => ({
      ...named(`named-${newDigest().slice(0, 12)}`),
      claims: { email, email_verified: isVerified },
    })
    const ownAddress = { needsOwnAddress: true }

    test('AU-18 refuses a verified address that another user has, unless it may be shared', async () => {
      const email = `${newDigest().slice(0, 12)}@example.org`
      assert.equal(await users().register(withAddress(email, false), now, ownAddress), 'registered')
      assert.equal(await users().register(withAddress(email), now, ownAddress), 'registered')
      const second = withAddress(email.toUpperCase())
      assert.equal(await users().register(second, now, ownAddress), 'address_taken')
      assert.equal(await users().findBySubject(second.subject), null)
      assert.equal(await users().register(second, now), 'registered')
    })

    test('AU-18 of several concurrent registrations with one address and different names, one stores its user', async () => {
      const bad = await badRounds({ rounds: 10, racers: 10 }, async () => {
        const email = `${newDigest().slice(0, 12)}@example.org`
        return async () => (await users().register(withAddress(email), now, ownAddress)) === 'registered'
      })
      assert.equal(bad, 0)
    })
  })

  describe('accepted terms', () => {
    test('are the last ones of a subject, and do not change its answers to offers', async () => {
      const preferences = host().storage.subjectPreferences
      const subject = newSubject()
      assert.equal(await preferences.findAcceptedTerms(subject), null)
      await atOnce(10, () => preferences.acceptTerms(subject, { version: '1', acceptedAt: now }))
      await preferences.put(subject, { passkeyOfferedAt: now, refusesPasskeys: true })
      await preferences.acceptTerms(subject, { version: '2', acceptedAt: later(1) })
      assert.deepEqual(await preferences.findAcceptedTerms(subject), { version: '2', acceptedAt: later(1) })
      assert.deepEqual(await preferences.find(subject), { passkeyOfferedAt: now, refusesPasskeys: true })
      await preferences.put(subject, { passkeyOfferedAt: null, refusesPasskeys: false })
      assert.equal((await preferences.findAcceptedTerms(subject))?.version, '2')
      assert.equal(await preferences.findAcceptedTerms(newSubject()), null)
    })
  })
}
