import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AdminWrite, EndSelection } from '#lib/ports/admin-store.ts'
import type { Grant } from '#lib/ports/grants.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import type { Host } from '../host.ts'
import {
  newSubject,
  now,
  sampleAuditEntry,
  sampleConsent,
  sampleGrant,
  samplePartialSignIn,
  sampleReferenceToken,
  sampleSession,
  sampleUser,
} from '../samples.ts'

const [web, other] = [clientIdSchema.parse('web'), clientIdSchema.parse('other')]

export function adminEndingsContract(host: () => Host): void {
  const end = (kind: 'end_sessions' | 'revoke_grants' | 'remove_consents', selection: EndSelection) =>
    commit({ kind, selection })
  const commit = (write: AdminWrite) =>
    host().storage.adminStore.commit({ writes: [write], audit: [sampleAuditEntry()] }, now)

  /**
   * Creates a user with a session; in the session a grant of `web`, one of `other` and an offline one; and a grant
   * outside of sessions.
   */
  const signedIn = async () => {
    const subject = newSubject()
    const session = sampleSession({ subject })
    const { sessionId } = session
    await host().storage.sessions.create(session)
    const grants = {
      web: sampleGrant({ subject, sessionId, clientId: web }),
      other: sampleGrant({ subject, sessionId, clientId: other }),
      offline: sampleGrant({ subject, sessionId, clientId: web, isOffline: true }),
      single: sampleGrant({ subject, clientId: other }),
    }
    for (const grant of Object.values(grants)) await host().storage.grants.open(grant)
    const live = async () => {
      const entries = Object.entries<Grant>(grants)
      const found = await Promise.all(entries.map(([, { id }]) => host().storage.grants.find(id)))
      return entries.filter((_entry, index) => found[index]?.revokedAt === null).map(([name]) => name)
    }
    const isSignedIn = async () => (await host().storage.sessions.find(session.digest, now)) !== null
    return { subject, session, grants, live, isSignedIn }
  }
  const everyGrant = ['web', 'other', 'offline', 'single']

  describe('revocation by administrators', () => {
    test('SE-06 ending a session revokes its grants, except offline access', async () => {
      const [one, another] = [await signedIn(), await signedIn()]
      const { sessionId } = one.session
      assert.ok(sessionId !== null)
      assert.deepEqual(await end('end_sessions', { sessionId }), { kind: 'done', changed: 3 })
      assert.equal(await one.isSignedIn(), false)
      assert.deepEqual(await one.live(), ['offline', 'single'])
      assert.deepEqual([await another.isSignedIn(), await another.live()], [true, everyGrant])
    })

    test('SE-07 ends all sessions of one user and no others', async () => {
      const [one, another] = [await signedIn(), await signedIn()]
      const second = sampleSession({ subject: one.subject })
      await host().storage.sessions.create(second)
      const { partialSignIns } = host().storage
      const interrupted = [one, another].map(({ subject }) => samplePartialSignIn({ subject }))
      for (const signIn of interrupted) await partialSignIns.create(signIn)
      assert.deepEqual(await end('end_sessions', { subject: one.subject }), { kind: 'done', changed: 4 })
      const found = interrupted.map(({ digest, browser }) => partialSignIns.find(digest, browser, now))
      assert.deepEqual(
        (await Promise.all(found)).map(signIn => signIn?.subject),
        [undefined, another.subject],
      )
      assert.equal(await host().storage.sessions.find(second.digest, now), null)
      assert.deepEqual([await one.isSignedIn(), await one.live()], [false, ['offline', 'single']])
      assert.deepEqual([await another.isSignedIn(), await another.live()], [true, everyGrant])
    })

    const narrowing: ReadonlyArray<
      readonly [string, (one: Awaited<ReturnType<typeof signedIn>>) => EndSelection, readonly string[]]
    > = [
      ['one grant', ({ grants }) => ({ grantId: grants.other.id }), ['web', 'offline', 'single']],
      ['a user', ({ subject }) => ({ subject }), []],
      ['a user at one client', ({ subject }) => ({ subject, clientId: web }), ['other', 'single']],
      ['a session', ({ session }) => ({ sessionId: session.sessionId ?? undefined }), ['single']],
    ]
    for (const [name, selection, left] of narrowing) {
      test(`revokes the grants of ${name} and no others`, async () => {
        const [one, another] = [await signedIn(), await signedIn()]
        await end('revoke_grants', selection(one))
        assert.deepEqual(await one.live(), left)
        assert.deepEqual([await another.live(), await one.isSignedIn()], [everyGrant, true])
      })
    }

    test('revoking the grants of a client removes its own reference tokens', async () => {
      const { referenceTokens, tokens } = host().storage
      const clientId = clientIdSchema.parse(`machine-${newSubject()}`)
      const [own, others] = [sampleReferenceToken({ clientId }), sampleReferenceToken({ clientId: other })]
      await tokens.store({ grantId: null, referenceToken: own })
      await tokens.store({ grantId: null, referenceToken: others })
      assert.deepEqual(await end('revoke_grants', { clientId }), { kind: 'done', changed: 1 })
      assert.equal(await referenceTokens.find(own.digest), null)
      assert.deepEqual((await referenceTokens.find(others.digest))?.claims, others.claims)
    })

    test('revoking the grants of a client, or deleting it, revokes its own JWTs', async () => {
      const { revokedTokens, configuration } = host().storage
      const clientIds = [0, 1, 2].map(() => clientIdSchema.parse(`machine-${newSubject()}`))
      const since = () =>
        Promise.all(clientIds.map(async id => (await revokedTokens.findOfOwner(id, 'none')).allRevokedAt))
      const [revoked, removed] = clientIds
      assert.ok(revoked !== undefined && removed !== undefined)
      const before = await since()
      const metadata = { client_id: removed, grant_types: ['client_credentials'] }
      const clients = [{ clientId: removed, metadata, secrets: [] }]
      await configuration.apply({ put: { clients }, remove: {} }, now)
      await end('revoke_grants', { subject: newSubject(), clientId: revoked })
      assert.deepEqual(await since(), before)
      await end('revoke_grants', { clientId: revoked })
      await configuration.apply({ put: {}, remove: { clients: [removed] } }, now)
      assert.deepEqual(await since(), [now, now, before[2]])
      // Simulates a mark of a release with longer lifetimes: its time of revocation must not change
      const expiresAt = new Date(now.getTime() + 100 * 86_400_000)
      const jti = `own tokens of ${revoked}`
      await host().tables.revokedToken.update({ where: { jti }, data: { expiresAt } })
      assert.deepEqual(await since(), [now, now, before[2]])
    })

    test('a new password and signing out everywhere mark the JWTs of a user from another server, which have no grant', async () => {
      const { configuration, revokedTokens, users } = host().storage
      const passwordHash = '$argon2id$old'
      const accounts = Array.from({ length: 5 }, () => sampleUser({ passwordHash }))
      await configuration.apply({ put: { users: accounts }, remove: {} }, now)
      const since = () =>
        Promise.all(
          accounts.map(
            async ({ subject }) => (await revokedTokens.findOfOwner(subject, 'none')).allRevokedAt,
          ),
        )
      const [before] = await since()
      const [chosen, reset, signedOut, narrowed] = accounts
      if (!chosen || !reset || !signedOut || !narrowed) throw new Error('four users')
      await users.choosePassword(
        chosen.subject,
        { replaced: passwordHash, successor: '$argon2id$new' },
        { now, notices: [] },
      )
      const written = { ...reset, passwordHash: '$argon2id$new' }
      await configuration.apply({ put: { users: [written] }, remove: {} }, now)
      await end('revoke_grants', { subject: signedOut.subject })
      await end('revoke_grants', { subject: narrowed.subject, clientId: web })
      assert.deepEqual(await since(), [now, now, now, before, before])
      await configuration.apply({ put: {}, remove: { users: [chosen.subject] } }, now)
      assert.deepEqual(await since(), [before, now, now, before, before])
    })

    test('CN-07 removing a consent revokes its grants', async () => {
      const { consents } = host().storage
      const one = await signedIn()
      const { subject } = one
      for (const clientId of [web, other]) await consents.store(sampleConsent({ subject, clientId }))
      const removed = await end('remove_consents', { subject, clientId: web })
      assert.deepEqual(removed, { kind: 'done', changed: 3 })
      assert.equal(await consents.find(subject, web, now), null)
      assert.ok(await consents.find(subject, other, now))
      assert.deepEqual(await one.live(), ['other', 'single'])
    })

    const tooWide: ReadonlyArray<readonly [Parameters<typeof end>[0], EndSelection]> = [
      ['end_sessions', { clientId: web }],
      ['end_sessions', { grantId: sampleGrant().id }],
      ['end_sessions', { subject: undefined }],
      ['revoke_grants', { clientId: undefined }],
      ['remove_consents', { sessionId: sampleSession().sessionId ?? undefined }],
      ['remove_consents', { grantId: sampleGrant().id, subject: newSubject() }],
    ]
    for (const [kind, selection] of tooWide) {
      test(`${kind} refuses ${JSON.stringify(Object.keys(selection))} without a column or a value, and changes nothing`, async () => {
        const one = await signedIn()
        await host().storage.consents.store(sampleConsent({ subject: one.subject, clientId: web }))
        await assert.rejects(end(kind, selection), TypeError)
        assert.deepEqual([await one.isSignedIn(), await one.live()], [true, everyGrant])
        assert.ok(await host().storage.consents.find(one.subject, web, now))
      })
    }

    test('an absent filter selects all users', async () => {
      const [one, another] = [await signedIn(), await signedIn()]
      const token = sampleReferenceToken()
      await host().storage.tokens.store({ grantId: null, referenceToken: token })
      for (const kind of ['end_sessions', 'revoke_grants', 'remove_consents'] as const) await end(kind, {})
      const anyClient = clientIdSchema.parse(`machine-${newSubject()}`)
      const marked = await host().storage.revokedTokens.findOfOwner(anyClient, 'none')
      assert.deepEqual(marked.allRevokedAt, now)
      for (const user of [one, another])
        assert.deepEqual([await user.isSignedIn(), await user.live()], [false, []])
      assert.equal(await host().storage.referenceTokens.find(token.digest), null)
    })
  })
}
