import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ExternalKey, UserPasswordHash } from '#lib/ports/users.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { clientIdSchema, providerSchemeSchema } from '#lib/protocol/ids.ts'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import {
  later,
  newDigest,
  newSubject,
  now,
  openid,
  sampleConsent,
  sampleGrant,
  samplePartialSignIn,
  sampleSession,
  sampleUser,
} from '../samples.ts'

function newExternalKey(): ExternalKey {
  const scheme = providerSchemeSchema.parse('acme')
  return { scheme, issuer: 'https://acme.example', subject: newDigest() }
}

export function usersContract(host: () => Host): void {
  describe('users', () => {
    const users = () => host().storage.users
    const put = (user: ReturnType<typeof sampleUser>) =>
      host().storage.configuration.apply({ put: { users: [user] }, remove: {} }, now)

    test('finds a user by subject, and by name regardless of case and Unicode form', async () => {
      const user = sampleUser({ username: `Zoë.${newDigest().slice(0, 6)}` })
      await put(user)
      assert.deepEqual(await users().findBySubject(user.subject), user)
      for (const spelled of [
        user.username.toUpperCase(),
        user.username.normalize('NFD'),
        ` ${user.username} `,
      ]) {
        assert.deepEqual(await users().findByUsername(spelled), user)
      }
      assert.equal(await users().findBySubject(newSubject()), null)
      assert.equal(await users().findByUsername('unknown'), null)
    })

    test('finds by a verified email address that one user with a password has', async () => {
      const email = `${newDigest().slice(0, 8)}@Example.org`
      const verified = { email, email_verified: true }
      const found = async () => (await users().findByVerifiedEmail(email.toLowerCase()))?.subject ?? null
      await put(sampleUser({ passwordHash: 'x', claims: { email, email_verified: false } }))
      await put(sampleUser({ passwordHash: null, claims: verified }))
      assert.equal(await found(), null)
      const user = sampleUser({ passwordHash: 'x', claims: verified })
      await put(user)
      assert.equal(await found(), user.subject)
      const twin = sampleUser({ passwordHash: 'x', claims: verified })
      await put(twin)
      assert.equal(await found(), null, 'two of them')
      await put({ ...twin, claims: {} })
      assert.equal(await found(), user.subject)
      const tooLong = { email: `${'x'.repeat(5000)}@example.org`, email_verified: true }
      await put({ ...twin, claims: tooLong })
    })

    test('links an external identity once, also concurrently', async () => {
      const theirs = newExternalKey()
      const made = await atOnce(10, () => users().createExternal(sampleUser(), theirs, now))
      assert.equal(new Set(made.map(user => user.subject)).size, 1)
      assert.deepEqual(await users().findByExternal(theirs), made[0])
    })

    test('FD-01 an external identity is scheme, issuer and subject together', async () => {
      const theirs = newExternalKey()
      const user = await users().createExternal(sampleUser(), theirs, now)
      const others = [
        { ...theirs, scheme: providerSchemeSchema.parse('other') },
        { ...theirs, issuer: 'https://other.example' },
        { ...theirs, issuer: `${theirs.issuer}/` },
        { ...theirs, subject: newDigest() },
      ]
      for (const other of others) {
        assert.equal(await users().findByExternal(other), null)
        assert.notEqual((await users().createExternal(sampleUser(), other, now)).subject, user.subject)
      }
    })

    test('creates no account whose subject is a client_id', async () => {
      const clientId = clientIdSchema.parse(`app-${newDigest().slice(0, 6)}`)
      const record = {
        clientId,
        metadata: { client_id: clientId, redirect_uris: ['https://app.example/cb'] },
        secrets: [],
      }
      await host().storage.configuration.apply({ put: { clients: [record] }, remove: {} }, now)
      const user = { ...sampleUser(), subject: JSON.parse(JSON.stringify(clientId)) }
      await assert.rejects(users().createExternal(user, newExternalKey(), now), /already a client_id/)
    })

    test('AU-01 replaces a password hash only if it has not changed', async () => {
      const user = { ...sampleUser(), passwordHash: '$argon2id$old' }
      await put(user)
      const replace = (replaced: string, successor: string) =>
        users().replacePasswordHash(user.subject, { replaced, successor }, now)
      await replace('$argon2id$old', '$argon2id$new')
      await replace('$argon2id$old', '$argon2id$late')
      assert.equal((await users().findBySubject(user.subject))?.passwordHash, '$argon2id$new')
    })

    test('adds a password only to an enabled user without one', async () => {
      const rows = [
        [sampleUser({ passwordHash: null }), 'added'],
        [sampleUser({ passwordHash: 'kept' }), 'kept'],
        [sampleUser({ passwordHash: null, enabled: false }), null],
      ] as const
      for (const [user, expected] of rows) {
        await put(user)
        await users().addPassword(user.subject, 'added', now)
        assert.equal((await users().findBySubject(user.subject))?.passwordHash, expected)
      }
    })

    test('AU-01 replaces claims only if they have not changed', async () => {
      const before = { name: 'Una', groups: ['staff'] }
      const user = { ...sampleUser(), claims: before }
      await put(user)
      const replace = (replaced: Claims, successor: Claims) =>
        users().replaceClaims(user.subject, { replaced, successor }, now)
      await replace(before, { name: 'Una' })
      await replace(before, { name: 'Late' })
      assert.deepEqual((await users().findBySubject(user.subject))?.claims, { name: 'Una' })
    })

    test('lists the password hashes of all users in steps', async () => {
      const added = [sampleUser({ passwordHash: '$argon2id$a' }), sampleUser({ passwordHash: null })]
      for (const user of added) await put(user)
      const listed: UserPasswordHash[] = []
      let rows: readonly UserPasswordHash[]
      do {
        rows = await users().listPasswordHashes(listed.at(-1)?.subject ?? null, 2)
        listed.push(...rows)
      } while (rows.length === 2)
      assert.equal(new Set(listed.map(({ subject }) => subject)).size, listed.length)
      for (const { subject, username, passwordHash } of added)
        assert.deepEqual(
          listed.find(row => row.subject === subject),
          { subject, username, passwordHash },
        )
    })

    test('SE-06 RT-08 a chosen password is no longer temporary, and ends the previous sessions and grants', async () => {
      const user = sampleUser({ mustChangePassword: true })
      await put(user)
      const ofTheirs = { subject: user.subject }
      const [session, partial, grant] = [
        sampleSession(ofTheirs),
        samplePartialSignIn(ofTheirs),
        sampleGrant(ofTheirs),
      ]
      const { sessions, partialSignIns, grants } = host().storage
      await Promise.all([sessions.create(session), partialSignIns.create(partial), grants.open(grant)])
      assert.ok(await choose(user, 'chosen'))
      const { passwordHash, mustChangePassword } = (await users().findBySubject(user.subject)) ?? {}
      assert.deepEqual([passwordHash, mustChangePassword], ['chosen', false])
      assert.equal(await sessions.find(session.digest, now), null)
      assert.equal(await partialSignIns.find(partial.digest, partial.browser, now), null)
      assert.deepEqual((await grants.find(grant.id))?.revokedAt, now)
    })

    test('one of several concurrent password changes succeeds, and none for a changed password or a locked account', async () => {
      const user = sampleUser({ mustChangePassword: true })
      await put(user)
      const answers = await atOnce(10, index => choose(user, `chosen-${index}`))
      assert.equal(answers.filter(Boolean).length, 1)
      const locked = sampleUser({ enabled: false })
      await put(locked)
      assert.equal(await choose(locked, 'chosen'), false)
    })

    const choose = ({ subject, passwordHash }: ReturnType<typeof sampleUser>, successor: string) =>
      users().choosePassword(subject, { replaced: passwordHash ?? '', successor }, { now, notices: [] })
  })

  describe('consents', () => {
    const consents = () => host().storage.consents

    test('replaces a consent and keeps its creation time', async () => {
      const consent = sampleConsent({ scopes: [] })
      await consents().store(consent)
      const newer = {
        ...consent,
        scopes: [openid],
        createdAt: later(9),
        updatedAt: later(9),
        expiresAt: later(99),
      }
      await consents().store(newer)
      const found = await consents().find(consent.subject, consent.clientId, later(98))
      assert.deepEqual(found, { ...newer, createdAt: consent.createdAt })
    })

    test('a consent expires exactly at its end', async () => {
      const consent = sampleConsent({ expiresAt: later(60) })
      await consents().store(consent)
      const { subject, clientId } = consent
      assert.deepEqual(await consents().find(subject, clientId, new Date(later(60).getTime() - 1)), consent)
      assert.equal(await consents().find(subject, clientId, later(60)), null)
      assert.deepEqual(await consents().allOf(subject, later(60)), [])
    })

    test('lists and removes the consents of a user', async () => {
      const consent = sampleConsent()
      await consents().store(consent)
      assert.deepEqual(await consents().allOf(consent.subject, now), [consent])
      await consents().remove(consent.subject, consent.clientId)
      assert.equal(await consents().find(consent.subject, consent.clientId, now), null)
    })
  })
}
