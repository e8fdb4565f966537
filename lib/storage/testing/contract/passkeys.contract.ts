import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RemainingWays } from '#lib/ports/account-links.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { Passkey } from '#lib/ports/passkeys.ts'
import type { Session, SessionDetails } from '#lib/ports/sessions.ts'
import type { Host } from '../host.ts'
import { atOnce, winners } from '../races.ts'
import {
  later,
  newDigest,
  newSubject,
  now,
  sampleNotice,
  samplePartialSignIn,
  sampleSession,
  sampleUser,
} from '../samples.ts'

/** Allows a removal if another passkey remains, or none must. */
const othersRemain = (keepsOne: boolean) => (remaining: RemainingWays | null) =>
  !keepsOne || remaining === null || remaining.passkeys.length > 0

type Factors = NonNullable<SessionDetails['factors']>

/** Passkeys, the answers to offers of them, and the IDs of used challenges. */
export function passkeysContract(host: () => Host): void {
  const storage = () => host().storage
  const isStored = async ({ id }: NewDelivery) => (await storage().outbox.find(id)) !== null

  describe('passkeys', () => {
    const passkeys = () => storage().passkeys
    const sample = (given: Partial<Passkey> = {}): Passkey => ({
      id: newDigest(),
      subject: newSubject(),
      idp: 'latchkey',
      publicKey: 'key',
      signatureCounter: 4_294_967_295,
      transports: ['internal', 'hybrid'],
      isBackedUp: false,
      canBeBackedUp: true,
      isDiscoverable: null,
      aaguid: '00000000-0000-0000-0000-000000000000',
      name: 'Laptop',
      createdAt: now,
      lastUsedAt: null,
      ...given,
    })
    const added = async (given: Partial<Passkey> = {}) => {
      const passkey = sample(given)
      assert.equal(await passkeys().add(passkey, { most: 10, notices: [] }), 'added')
      return passkey
    }
    const remove = ({ subject, id }: Passkey, keepsOne: boolean, notices: readonly NewDelivery[] = []) =>
      passkeys().remove({ subject, id }, { notices, keeps: null, now, mayRemove: othersRemain(keepsOne) })

    test('returns the stored passkeys, the oldest first', async () => {
      const passkey = await added({ createdAt: later(1), transports: [] })
      const first = await added({ subject: passkey.subject })
      assert.deepEqual(await passkeys().find(passkey.id), passkey)
      assert.deepEqual(await passkeys().allOf(passkey.subject), [first, passkey])
      assert.equal(await passkeys().find(newDigest()), null)
    })

    test('MF-05 refuses a credential ID that exists, also for a different subject', async () => {
      const { id } = await added()
      const mail = sampleNotice()
      assert.equal(await passkeys().add(sample({ id }), { most: 10, notices: [mail] }), 'duplicate')
      assert.equal(await isStored(mail), false)
    })

    test('refuses a passkey above the limit', async () => {
      const { subject } = await added()
      assert.equal(await passkeys().add(sample({ subject }), { most: 1, notices: [] }), 'too_many')
    })

    test('MF-05 a counter is replaced by one of several callers that read it', async () => {
      const { id, signatureCounter: before } = await added({ signatureCounter: 7 })
      const use = { id, before, signatureCounter: 8, isBackedUp: true }
      assert.equal(winners(await atOnce(20, () => passkeys().recordUse(use, later(1)))), 1)
      const stored = await passkeys().find(id)
      assert.deepEqual(
        [stored?.signatureCounter, stored?.isBackedUp, stored?.lastUsedAt],
        [8, true, later(1)],
      )
    })

    test('renames and removes only a passkey of the subject', async () => {
      const passkey = await added()
      const mail = sampleNotice()
      assert.equal(await passkeys().rename(newSubject(), passkey.id, 'Stolen'), false)
      assert.equal(await passkeys().rename(passkey.subject, passkey.id, 'Phone'), true)
      assert.equal((await passkeys().find(passkey.id))?.name, 'Phone')
      assert.equal(await remove({ ...passkey, subject: newSubject() }, false, [sampleNotice()]), 'unknown')
      assert.equal(await remove(passkey, false, [mail]), 'removed')
      assert.equal(await passkeys().find(passkey.id), null)
      assert.ok(await isStored(mail))
    })

    test('SE-06 the removal of a passkey ends the sessions of which it is a factor, and interrupted sign-ins', async () => {
      const { id, subject } = await added()
      const { sessions, partialSignIns } = storage()
      const opened = async (factors: Factors, of = subject) => {
        const session = sampleSession({ subject: of, details: { factors } })
        await sessions.create(session)
        return session
      }
      const factor = (kind: 'password' | 'passkey', passkey?: string) => ({
        ...{ methods: [], at: now.toISOString(), kind },
        ...(passkey === undefined ? {} : { passkey }),
      })
      const current = await opened([factor('passkey', id)])
      const ending = [
        await opened([factor('passkey', id)]),
        await opened([factor('password'), factor('passkey', id)]),
        await opened([factor('passkey')]),
      ]
      const staying = [
        await opened([factor('password')]),
        await opened([factor('passkey', newDigest())]),
        await opened([factor('passkey', id)], newSubject()),
      ]
      const partial = samplePartialSignIn({ subject })
      await partialSignIns.create(partial)
      const removal = { notices: [], keeps: current.sessionId, now, mayRemove: () => true }
      const isLive = async ({ digest }: Session) => (await sessions.find(digest, now)) !== null
      const left = () => Promise.all([current, ...ending, ...staying].map(isLive))
      assert.equal(await passkeys().remove({ subject, id: newDigest() }, removal), 'unknown')
      assert.deepEqual(await left(), Array(7).fill(true))
      assert.equal(await passkeys().remove({ subject, id }, removal), 'removed')
      assert.deepEqual(await left(), [true, false, false, false, true, true, true])
      assert.equal(await partialSignIns.find(partial.digest, partial.browser, now), null)
    })

    test('the last passkey is kept if it must be, also when the last two are removed at the same time', async () => {
      for (const _ of Array.from({ length: 10 })) {
        const user = sampleUser()
        await storage().users.register(user, now)
        const { subject } = user
        const [one, two] = [await added({ subject }), await added({ subject })]
        const results = await Promise.all([remove(one, true), remove(two, true)])
        assert.deepEqual(results.toSorted(), ['last', 'removed'])
        assert.equal((await passkeys().allOf(one.subject)).length, 1)
      }
    })

    test('counts and deletes the passkeys of all subjects', async () => {
      const before = await passkeys().count()
      await added()
      assert.equal(await passkeys().count(), before + 1)
      assert.equal(await passkeys().removeAll(), before + 1)
      assert.equal(await passkeys().count(), 0)
    })
  })

  describe('answers to offers', () => {
    test('are empty before the first offer, and are replaced', async () => {
      const subject = newSubject()
      const preferences = storage().subjectPreferences
      assert.deepEqual(await preferences.find(subject), { passkeyOfferedAt: null, refusesPasskeys: false })
      await preferences.put(subject, { passkeyOfferedAt: now, refusesPasskeys: false })
      await preferences.put(subject, { passkeyOfferedAt: later(1), refusesPasskeys: true })
      assert.deepEqual(await preferences.find(subject), { passkeyOfferedAt: later(1), refusesPasskeys: true })
    })
  })

  describe('used IDs', () => {
    test('MF-05 one of a hundred callers claims an ID', async () => {
      const id = newDigest()
      assert.equal(winners(await atOnce(100, () => storage().usedIds.claim(id, later(60)))), 1)
      assert.equal(await storage().usedIds.claim(id, later(60)), false)
    })
  })
}
