/** The contract of the stores for a changed address, and for changes that are taken back. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MailPurpose } from '#lib/ports/mail-proofs.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { RestoredAccount } from '#lib/ports/taken-back-changes.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import { later, newDigest, newSubject, now, sampleSession } from '../samples.ts'

export function accountChangesContract(host: () => Host): void {
  const storage = () => host().storage
  const winners = (results: readonly boolean[]) => results.filter(Boolean).length
  const addUser = async (given: { readonly username?: string; readonly claims?: Claims } = {}) => {
    const subject = newSubject()
    const { username = subject, claims = { email: `${subject}@example.org`, email_verified: true } } = given
    const names = {
      subject,
      username,
      canonicalUsername: canonicalUsername(username),
      passwordHash: 'hash',
      enabled: true,
    }
    const times = { version: 1, createdAt: later(-9000), updatedAt: later(-9000) }
    await host().tables.user.create({ data: { ...names, claims: JSON.stringify(claims), ...times } })
    return { subject, claims, passwordHash: names.passwordHash }
  }
  const userOf = async (subject: SubjectId) => (await storage().users.findBySubject(subject)) ?? assert.fail()

  describe('a changed address', () => {
    test('AU-15 becomes the verified one, by which the user is found', async () => {
      const replaced = await addUser()
      const { subject } = replaced
      const address = `New-${subject}@example.com`
      const { users } = storage()
      assert.equal(await users.changeEmail(subject, { replaced, address }, now), true)
      const user = await userOf(subject)
      assert.deepEqual(user.claims, { email: address, email_verified: true })
      assert.equal(user.username, subject)
      assert.equal((await users.findByVerifiedEmail(address.toUpperCase()))?.subject, subject)
      assert.equal(await users.findByVerifiedEmail(`${subject}@example.org`), null)
    })

    test('is stored by one of twenty concurrent callers, and not for a locked user', async () => {
      const replaced = await addUser()
      const { subject } = replaced
      const change = (index: number) =>
        storage().users.changeEmail(subject, { replaced, address: `${index}@example.com` }, now)
      assert.equal(winners(await atOnce(20, change)), 1)
      const locked = await addUser()
      await host().tables.user.update({ where: { subject: locked.subject }, data: { enabled: false } })
      const late = { replaced: locked, address: 'late@example.com' }
      assert.equal(await storage().users.changeEmail(locked.subject, late, now), false)
    })

    test('becomes the user name of a user whose user name was the old one, unless another user has it', async () => {
      const old = `${newSubject()}@example.org`.toLowerCase()
      const claims = { email: old, email_verified: true }
      const named = await addUser({ username: old, claims })
      const { subject } = named
      const address = `fresh-${old}`
      const { users } = storage()
      assert.equal(await users.changeEmail(subject, { replaced: named, address }, now), true)
      assert.equal((await userOf(subject)).username, address)
      const taken = `taken-${old}`
      await addUser({ username: taken, claims: {} })
      const replaced = await userOf(subject)
      assert.equal(await users.changeEmail(subject, { replaced, address: taken }, now), true)
      const user = await userOf(subject)
      assert.deepEqual([user.username, user.claims.email], [address, taken])
    })
  })

  describe('the proof of a changed address', () => {
    test('AU-16 is consumed together with its mails, by one of twenty concurrent callers', async () => {
      const digest = newDigest()
      const purpose: MailPurpose = 'change_email'
      const proof = {
        ...{ digest, page: newDigest(), browser: newDigest(), codeDigest: newDigest(), purpose },
        ...{ sealedDetails: 'sealed', createdAt: now, expiresAt: later(60) },
      } as const
      await storage().mailProofs.create(proof)
      await storage().mailProofs.send(proof, { subject: newSubject(), accountState: 'state' }, [])
      const mails = Array.from({ length: 20 }, (): NewDelivery => {
        const id = `a-${newDigest()}`
        const body = { kind: 'mail', target: 'a@example.org', content: 'test', sealedBody: 'sealed' } as const
        return { id, ...body, createdAt: now, deadlineAt: later(60) }
      })
      const taken = await atOnce(20, index =>
        storage().mailProofs.take(digest, mails.slice(index, index + 1)),
      )
      assert.equal(winners(taken), 1)
      const stored = await Promise.all(
        mails.map(async ({ id }) => (await storage().outbox.find(id)) !== null),
      )
      assert.deepEqual(stored, taken)
    })
  })

  describe('changes that are taken back', () => {
    const changes = () => storage().takenBackChanges
    const restored = (subject: SubjectId): RestoredAccount => ({
      address: `${subject}@example.org`,
      unusableHash: 'unusable',
    })
    const takeBack = (subject: SubjectId, at: Date, account: RestoredAccount | null = restored(subject)) =>
      changes().takeBack(
        { id: newDigest(), subject, at },
        { now: later(600), expiresAt: later(9000), account, notices: [] },
      )
    const addPasskey = async (subject: SubjectId, createdAt: Date) => {
      const id = newDigest()
      const passkey = {
        ...{ id, subject, idp: 'latchkey', publicKey: 'key', signatureCounter: 0, transports: [] },
        ...{ isBackedUp: false, canBeBackedUp: true, isDiscoverable: null, aaguid: '', name: 'Laptop' },
        ...{ createdAt, lastUsedAt: null },
      }
      await storage().passkeys.add(passkey, { most: 10, notices: [] })
      return id
    }

    test('a change is taken back once by a hundred concurrent callers, with the password and the address', async () => {
      const replaced = await addUser()
      const { subject, claims } = replaced
      await storage().users.changeEmail(subject, { replaced, address: 'thief@example.com' }, now)
      assert.equal(winners(await atOnce(100, () => takeBack(subject, now))), 1)
      const user = await userOf(subject)
      assert.deepEqual([user.passwordHash, user.claims], ['unusable', claims])
      assert.equal((await storage().users.findByVerifiedEmail(`${subject}@example.org`))?.subject, subject)
      assert.equal(await changes().isTakenBack({ subject, at: now }), true)
      assert.equal(await changes().isTakenBack({ subject, at: later(659) }), true)
      assert.equal(await changes().isTakenBack({ subject, at: later(660) }), false)
      assert.equal(await changes().isTakenBack({ subject, at: later(-1) }), false)
      assert.equal(await changes().isTakenBack({ subject: newSubject(), at: now }), false)
    })

    test('of two changes that are taken back at the same time, the address before the first one is restored', async () => {
      for (const _ of Array.from({ length: 10 })) {
        const { subject } = await addUser()
        const second = { address: 'thief@example.com', unusableHash: 'unusable' }
        const [first] = await Promise.all([takeBack(subject, now), takeBack(subject, later(60), second)])
        assert.equal(first, true)
        assert.equal((await userOf(subject)).claims.email, `${subject}@example.org`)
      }
    })

    test('the user name becomes the restored address if it is the replaced one, unless another user has it', async () => {
      for (const isTaken of [false, true]) {
        const old = `${newSubject()}@example.org`.toLowerCase()
        const replaced = await addUser({ username: old, claims: { email: old, email_verified: true } })
        const { subject } = replaced
        const address = `thief-${old}`
        await storage().users.changeEmail(subject, { replaced, address }, now)
        if (isTaken) await addUser({ username: old, claims: {} })
        assert.equal(await takeBack(subject, now, { address: old, unusableHash: 'unusable' }), true)
        const { username, claims } = await userOf(subject)
        assert.deepEqual([username, claims.email], [isTaken ? address : old, old])
      }
    })

    test('SE-06 ends the sessions of the subject, and removes what was added since, or up to a minute before', async () => {
      const { subject } = await addUser()
      const kept = await addPasskey(subject, later(-61))
      const added = await addPasskey(subject, later(-60))
      await storage().sessions.create(sampleSession({ subject }))
      const planned = { subject, kind: 'delete_account', createdAt: now, dueAt: later(9000) } as const
      await storage().plannedChanges.plan(planned, [])
      assert.equal(await takeBack(subject, now), true)
      assert.deepEqual(await storage().sessions.allOf(subject, now), [])
      assert.deepEqual(await storage().plannedChanges.allOf(subject), [])
      assert.notEqual(await storage().passkeys.find(kept), null)
      assert.equal(await storage().passkeys.find(added), null)
    })

    test('nothing is changed if there is no account, or if it is newer than the change', async () => {
      const subject = newSubject()
      const passkey = await addPasskey(subject, now)
      assert.equal(await takeBack(subject, now), false)
      const { subject: newer } = await addUser()
      assert.equal(await takeBack(newer, later(-9001)), false)
      assert.equal(await host().tables.subjectPreference.count({ where: { subject } }), 0)
      assert.equal((await userOf(newer)).passwordHash, 'hash')
      assert.notEqual(await storage().passkeys.find(passkey), null)
      assert.equal(await changes().isTakenBack({ subject, at: now }), false)
    })

    test('counts the accounts, also those of a custom user service', async () => {
      const subject = newSubject()
      const before = await changes().countSince(later(599))
      assert.equal(await takeBack(subject, now, null), true)
      assert.equal(await takeBack(subject, later(-60), null), true)
      assert.equal(await changes().countSince(later(599)), before + 1)
      assert.equal(await changes().countSince(later(600)), 0)
    })
  })
}
