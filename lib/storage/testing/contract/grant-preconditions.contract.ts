import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Grant, GrantOpening, GrantPreconditions } from '#lib/ports/grants.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { AccountCheck } from '#lib/ports/users.ts'
import { clientIdSchema, scopeNameSchema } from '#lib/protocol/ids.ts'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import {
  later,
  newSessionId,
  newSubject,
  now,
  openid,
  sampleCode,
  sampleConsent,
  sampleGrant,
  samplePendingRequest,
  sampleSession,
  sampleUser,
} from '../samples.ts'

const api = scopeNameSchema.parse('api')
const noPreconditions: GrantPreconditions = { consent: null, pendingDigest: null }

export function grantPreconditionsContract(host: () => Host): void {
  const signedIn = async (given: Partial<Session> = {}) => {
    const session = sampleSession(given)
    await host().storage.sessions.create(session)
    return session
  }
  const grantIn = ({ sessionId, subject }: Session, given: Partial<Grant> = {}) =>
    sampleGrant({ sessionId, subject, ...given })

  const ways: ReadonlyArray<
    readonly [string, (grant: Grant, preconditions?: GrantPreconditions) => Promise<GrantOpening>]
  > = [
    ['a code', (grant, preconditions) => host().storage.codes.issue(sampleCode(grant), grant, preconditions)],
    ['a single grant', (grant, preconditions) => host().storage.grants.open(grant, preconditions)],
  ]

  for (const [name, give] of ways) {
    describe(`preconditions of storing ${name}`, () => {
      const expect = async (opening: GrantOpening, grant: Grant, preconditions?: GrantPreconditions) => {
        assert.equal(await give(grant, preconditions), opening)
        const stored = await host().storage.grants.find(grant.id)
        assert.deepEqual(stored?.id, opening === 'opened' ? grant.id : undefined)
      }

      test('SE-06 requires an active session of the same user', async () => {
        const session = await signedIn({ expiresAt: later(60) })
        await expect('opened', grantIn(session))
        await expect('revoked', grantIn(session, { createdAt: later(60) }))
        await expect('revoked', grantIn(session, { subject: newSubject() }))
        await expect('revoked', grantIn(session, { sessionId: newSessionId() }))
        assert.ok(await host().storage.sessions.end(session, now))
        await expect('revoked', grantIn(session))
        assert.deepEqual(await host().storage.sessions.find(session.digest, now), null)
        await expect('opened', grantIn(session, { sessionId: null }))
      })

      test('CN-07 requires the unchanged remembered consent', async () => {
        const session = await signedIn()
        const { subject } = session
        const consent = sampleConsent({ subject, expiresAt: later(60) })
        const preconditions = { ...noPreconditions, consent }
        await expect('revoked', grantIn(session), preconditions)
        await host().storage.consents.store(consent)
        await expect('opened', grantIn(session), preconditions)
        await expect('revoked', grantIn(session, { createdAt: later(60) }), preconditions)
        await host().storage.consents.store({ ...consent, scopes: [] })
        await expect('revoked', grantIn(session), preconditions)
        await host().storage.consents.remove(subject, consent.clientId)
        await expect('revoked', grantIn(session), preconditions)
      })

      test('completes the pending request together with the grant, once', async () => {
        const { pendingRequests, sessions } = host().storage
        const session = await signedIn()
        const request = samplePendingRequest()
        await pendingRequests.create(request)
        const preconditions = { ...noPreconditions, pendingDigest: request.digest }
        const isWaiting = async () =>
          (await pendingRequests.find(request.digest, request.browser))?.finishedAt === null
        await expect('revoked', grantIn(session, { sessionId: newSessionId() }), preconditions)
        assert.ok(await isWaiting(), 'a revoked request is still pending')
        const taken = grantIn(session)
        await host().storage.grants.open(taken)
        await assert.rejects(give(taken, preconditions))
        assert.ok(await isWaiting(), 'so does what could not be stored')
        const openings = await atOnce(10, () => give(grantIn(session), preconditions))
        assert.equal(openings.filter(opening => opening === 'opened').length, 1)
        assert.equal(openings.filter(opening => opening === 'finished').length, 9)
        await sessions.end(session, now)
        await expect('revoked', grantIn(session), preconditions)
      })
    })
  }

  describe('concurrent grants and revocations', () => {
    const rounds = 25
    const racers = 12
    const racing = async (
      grants: readonly Grant[],
      end: () => Promise<unknown>,
      preconditions?: GrantPreconditions,
    ) => {
      const half = grants.length / 2
      const start = (some: readonly Grant[]) =>
        some.map(grant => host().storage.codes.issue(sampleCode(grant), grant, preconditions))
      const earlier = start(grants.slice(0, half))
      const ended = end()
      await Promise.all([...earlier, ended, ...start(grants.slice(half))])
    }
    const survivorsOf = (session: Session) => host().storage.grants.liveOf(session.subject, now)

    test(`SE-06 RT-08 none of ${racers} concurrent grants survives a sign-out, ${rounds} times`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const session = await signedIn()
        const asked = Array.from({ length: racers }, () => grantIn(session))
        await racing(asked, () => host().storage.sessions.end(session, now))
        assert.deepEqual(await survivorsOf(session), [])
      }
    })

    test('SE-06 RT-08 no concurrent grant survives a new password or a locked account, even with offline access', async () => {
      const user = sampleUser()
      const put = (changed: typeof user) =>
        host().storage.configuration.apply({ put: { users: [changed] }, remove: {} }, now)
      for (let round = 0; round < rounds; round += 1) {
        await put(user)
        const session = await signedIn({ subject: user.subject })
        const changed = round % 2 === 0 ? { ...user, passwordHash: `other-${round}` } : disabled(user)
        await racing(
          Array.from({ length: racers }, () => grantIn(session, { isOffline: true })),
          () => put(changed),
        )
        assert.deepEqual(await survivorsOf(session), [])
      }
    })

    test('SE-06 RT-08 no session or grant survives that was proved with the previous password', async () => {
      const { configuration, sessions, grants } = host().storage
      const user = sampleUser()
      const { subject } = user
      const put = (changed: typeof user) =>
        configuration.apply({ put: { users: [changed] }, remove: {} }, now)
      for (let round = 0; round < rounds; round += 1) {
        await put(user)
        const changed = round % 2 === 0 ? { ...user, passwordHash: `other-${round}` } : disabled(user)
        const proof: AccountCheck = account =>
          account?.enabled === true && account.passwordHash === user.passwordHash
        const signIn = () => sessions.create(sampleSession({ subject }), { account: proof })
        const openGrant = () => grants.open(sampleGrant({ subject }), { ...noPreconditions, account: proof })
        const signIns = () => Array.from({ length: racers / 4 }, () => [signIn(), openGrant()]).flat()
        await Promise.all([...signIns(), put(changed), ...signIns()])
        assert.deepEqual(await sessions.allOf(subject, now), [])
        assert.deepEqual(await grants.liveOf(subject, now), [])
        assert.deepEqual([await signIn(), await openGrant()], [false, 'revoked'])
      }
      await put(user)
      assert.deepEqual(
        await sessions.create(sampleSession({ subject }), { account: account => account?.enabled === true }),
        true,
      )
    })

    test('CN-07 a consent is narrowed only if it is as it was read', async () => {
      const { consents } = host().storage
      const wide = sampleConsent({ scopes: [openid, api], expiresAt: later(60) })
      const { subject, clientId } = wide
      assert.equal(await consents.narrow(wide, [openid], now), false)
      await consents.store(wide)
      for (const other of [{ subject: newSubject() }, { clientId: clientIdSchema.parse('another') }])
        assert.equal(await consents.narrow({ ...wide, ...other }, [openid], now), false)
      assert.equal(await consents.narrow(wide, [openid], later(1)), true)
      assert.equal(await consents.narrow(wide, [api], later(1)), false)
      const narrowed = { ...wide, scopes: [openid], updatedAt: later(1) }
      assert.deepEqual(await consents.find(subject, clientId, now), narrowed)
    })

    test('CN-07 no concurrent grant survives the removal of its consent', async () => {
      const { consents, grants } = host().storage
      const session = await signedIn()
      const { subject } = session
      for (let round = 0; round < rounds; round += 1) {
        const clientId = clientIdSchema.parse(`app-${round}`)
        const consent = sampleConsent({ subject, clientId, scopes: [openid] })
        await consents.store(consent)
        const shutOut = async () => {
          await consents.remove(subject, clientId)
          await grants.revoke({ subject, clientId }, now)
        }
        const asked = Array.from({ length: racers }, () => grantIn(session, { clientId, isOffline: true }))
        await racing(asked, shutOut, { ...noPreconditions, consent })
        assert.deepEqual(await survivorsOf(session), [])
      }
    })
  })
}

function disabled(user: ReturnType<typeof sampleUser>): ReturnType<typeof sampleUser> {
  return { ...user, enabled: false }
}
