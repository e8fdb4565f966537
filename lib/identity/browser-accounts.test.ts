import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { storage } from '#lib/config/limits.ts'
import { authorize } from '#lib/core/authorize/authorize.ts'
import { chooseAccount, resume } from '#lib/core/authorize/resume.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Digest, SessionHandle } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { countStatements } from '#lib/storage/testing/count-statements.ts'
import { browserAccounts, userOfRequest } from './browser-accounts.ts'
import { readPendingRequest } from './pending-user.ts'
import { currentSession } from './session.ts'
import { signIn } from './sign-in.ts'
import { alicePassword, form, openTestSignIn, pendingRequest, type TestSignIn } from './testing/sign-in.ts'

let setup: TestSignIn
let client: Client
let alice: SessionHandle
let bob: SessionHandle

before(async () => {
  setup = await openTestSignIn()
  client = await setup.addClient({ require_consent: false })
  await setup.addUser('bob', { password: alicePassword })
})
after(() => setup.close())
beforeEach(async () => {
  alice = await opened('alice')
  setup.advance(1)
  bob = await opened('bob')
})

async function opened(username: string): Promise<SessionHandle> {
  const outcome = await signIn(setup.ports, form({ username }), context)
  assert.ok(outcome.kind === 'signed_in')
  return outcome.session
}

/** The sessions of a browser whose current user is bob. */
const sent = () => ({ session: bob, sessions: [bob, alice] })

async function subjectsOf(sessions: { session: SessionHandle | null; sessions: readonly SessionHandle[] }) {
  const accounts = await browserAccounts(setup.ports, sessions)
  return accounts.map(({ session, isCurrent }) => `${session.subject}${isCurrent ? ' (current)' : ''}`)
}

test('S4 the accounts of a browser are the live sessions, the current one first', async () => {
  assert.deepEqual(await subjectsOf(sent()), ['bob (current)', 'alice'])
  assert.deepEqual(await subjectsOf({ session: alice, sessions: [alice, bob] }), ['alice (current)', 'bob'])
  assert.deepEqual(await subjectsOf({ session: null, sessions: [alice, bob] }), ['bob', 'alice'])
  const ended = await currentSession(setup.ports, bob)
  assert.ok(ended)
  await setup.ports.sessions.end(ended, setup.ports.clock.now())
  assert.deepEqual(await subjectsOf(sent()), ['alice'])
})

test('S4 a user with two sessions in a browser is one account, that of the current session', async () => {
  const again = await opened('bob')
  assert.deepEqual(await subjectsOf({ session: bob, sessions: [bob, again, alice] }), [
    'bob (current)',
    'alice',
  ])
})

test('AU-10 S4 the session of a user who is no longer active ends, and is not listed', async () => {
  const isActive = async (subject: string) => subject !== 'alice'
  const ports = { ...setup.ports, userService: { ...setup.ports.userService, isActive } }
  assert.equal((await browserAccounts(ports, sent())).length, 1)
  assert.equal(await currentSession(setup.ports, alice), null)
})

test('SE-05 listing the accounts extends no session', async () => {
  const marks: Digest[] = []
  const usage = { ...setup.ports.usage, session: (digest: Digest) => void marks.push(digest) }
  setup.advance(storage.sessionTouchSeconds)
  await browserAccounts({ ...setup.ports, usage }, sent())
  assert.deepEqual(marks, [])
})

/** Reads the pending request of bob's browser with its user, and answers it. */
async function continued(
  waiting: Awaited<ReturnType<typeof pendingRequest>>,
  sessions: { session: SessionHandle | null; sessions: readonly SessionHandle[] } = sent(),
) {
  const carried = { ...waiting, ...sessions }
  const found = await readPendingRequest(setup.ports, carried)
  const outcome = await resume(setup.ports, { ...carried, ...found }, context)
  return { outcome, subject: found.session?.subject ?? null }
}

test('UXC-03 a pending request continues as the account that was chosen for it, and the current one stays', async () => {
  setup.advance(1)
  const waiting = await pendingRequest(setup, client, { prompt: 'select_account' })
  const session = await currentSession(setup.ports, alice)
  assert.equal(await chooseAccount(setup.ports, { ...waiting, session }), 'resume')
  const { outcome, subject } = await continued(waiting)
  assert.equal(subject, 'alice')
  assert.ok(outcome.kind === 'respond' && outcome.grantId !== undefined)
  assert.equal((await setup.ports.grants.find(outcome.grantId))?.subject, 'alice')
})

test('a sign-in that is newer than the request counts more than an earlier choice', async () => {
  setup.advance(1)
  const waiting = await pendingRequest(setup, client, { prompt: 'select_account' })
  await chooseAccount(setup.ports, { ...waiting, session: await currentSession(setup.ports, alice) })
  const fresh = await opened('bob')
  assert.equal((await continued(waiting, { session: fresh, sessions: [fresh, alice] })).subject, 'bob')
})

test('SE-06 a choice of an account that has signed out since then asks again', async () => {
  setup.advance(1)
  const waiting = await pendingRequest(setup, client, { prompt: 'select_account' })
  const session = await currentSession(setup.ports, alice)
  assert.ok(session)
  await chooseAccount(setup.ports, { ...waiting, session })
  await setup.ports.sessions.end(session, setup.ports.clock.now())
  const { outcome, subject } = await continued(waiting)
  assert.equal(subject, 'bob')
  assert.deepEqual([outcome.kind, outcome.kind === 'interact' && outcome.at], ['interact', 'select_account'])
})

test('SE-06 without a current account a request without a hint has no user', async () => {
  setup.advance(1)
  const waiting = await pendingRequest(setup, client)
  assert.equal((await continued(waiting, { session: null, sessions: [alice] })).subject, null)
})

test('a request of a browser with several accounts reads only the current session', async () => {
  const parameters = parametersFrom({
    client_id: client.clientId,
    response_type: 'code',
    scope: 'openid api',
    redirect_uri: client.redirectUris[0] ?? '',
  })
  const named = { clientId: client.clientId, idTokenHint: null }
  const answer = async () => {
    const user = await userOfRequest(setup.ports, sent(), named)
    await authorize(setup.ports, { parameters, ...user, browser: setup.browser }, context)
  }
  await answer()
  assert.equal((await countStatements(answer)).read, 1)
})
