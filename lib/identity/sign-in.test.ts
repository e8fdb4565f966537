import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { browserAccounts } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { currentSession } from './session.ts'
import { signIn } from './sign-in.ts'
import {
  alicePassword,
  form,
  instantUserService,
  openTestSignIn,
  pendingRequest,
  type TestSignIn,
} from './testing/sign-in.ts'

let setup: TestSignIn

before(async () => {
  setup = await openTestSignIn()
  await setup.addUser('disabled', { password: alicePassword, enabled: false })
  await setup.addUser('external-only')
  const emails = {
    fay: 'fay@example.org',
    twin: 'twins@example.org',
    twin2: 'twins@example.org',
    gil: 'gil@example.org',
  }
  for (const [username, email] of Object.entries(emails))
    await setup.addUser(username, {
      password: alicePassword,
      claims: { email, email_verified: username !== 'fay' },
    })
  await setup.addUser('gil@example.org', { password: 'another horse battery staple' })
})
after(() => setup.close())

let hosts = 0
/** Returns a context with a new network address, so that failures of other tests do not count. */
function fromNewAddress(): RequestContext {
  hosts += 1
  return { ...context, address: `198.51.100.${hosts}`, userAgent: 'Test Browser' }
}

async function signedIn(changes: Parameters<typeof form>[0] = {}, from = fromNewAddress()) {
  const outcome = await signIn(setup.ports, form(changes), from)
  assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
  return outcome
}

test('opens a session for the right password', async () => {
  const { session, persistSeconds } = await signedIn()
  const found = await currentSession(setup.ports, session)
  assert.equal(persistSeconds, null)
  assert.deepEqual(
    [found?.subject, found?.name, found?.idp, found?.amr, found?.acr, found?.isPersistent, found?.userAgent],
    ['alice', 'Alice Ames', 'latchkey', ['pwd'], null, false, 'Test Browser'],
  )
})

test('a remembered session keeps its cookie for 30 days', async () => {
  const { session, persistSeconds } = await signedIn({ remember: true })
  assert.equal(persistSeconds, 2_592_000)
  assert.equal((await currentSession(setup.ports, session))?.isPersistent, true)
})

test('blanks around the user name, its case and its Unicode form do not matter', async () => {
  for (const username of [' alice ', 'ALICE', 'ａｌｉｃｅ']) await signedIn({ username })
})

test('signs in by a verified email address that only one account has, in any case', async () => {
  const claims = { email: 'Erin@Example.org', email_verified: true }
  const { subject } = await setup.addUser('erin', { password: alicePassword, claims })
  for (const username of ['erin@example.org', ' ERIN@example.org']) {
    const { session } = await signedIn({ username })
    assert.equal((await currentSession(setup.ports, session))?.subject, subject)
  }
})

const wrongCredentials: ReadonlyArray<readonly [string, string, string]> = [
  ['a wrong password', 'alice', 'wrong'],
  ['an unknown user', 'unknown', alicePassword],
  ['a locked account', 'disabled', alicePassword],
  ['an account without a password', 'external-only', alicePassword],
  ['an empty password', 'alice', ''],
  ['an empty user name', '', alicePassword],
  ['an email address that is not verified', 'fay@example.org', alicePassword],
  ['an email address of two accounts', 'twins@example.org', alicePassword],
  ['an email address that is another account’s user name', 'gil@example.org', alicePassword],
  ['an unknown email address', 'unknown@example.org', alicePassword],
  ['a password with blanks around', 'alice', ` ${alicePassword} `],
  ['a password beyond 1,024 bytes', 'alice', 'x'.repeat(1025)],
]

for (const [what, username, password] of wrongCredentials) {
  test(`AU-05 ${what} has the one outcome of wrong credentials`, async () => {
    const outcome = await signIn(setup.ports, form({ username, password }), fromNewAddress())
    assert.deepEqual(outcome, { kind: 'refused', why: 'credentials', message: null, retryAfterSeconds: 0 })
  })
}

test('SE-02 the previous session has ended after a sign-in, and the new one has its sid', async () => {
  const first = await signedIn()
  const before = await currentSession(setup.ports, first.session)
  const second = await signedIn({ previous: [first.session] })
  assert.notEqual(second.session, first.session)
  assert.equal(await currentSession(setup.ports, first.session), null)
  assert.equal((await currentSession(setup.ports, second.session))?.sessionId, before?.sessionId)
})

test('SE-02 a session that was never opened here is not adopted', async () => {
  const planted = setup.ports.random.handle('session')
  const { session } = await signedIn({ previous: [planted] })
  assert.notEqual(session, planted)
  assert.equal(await currentSession(setup.ports, planted), null)
})

test('SE-02 the session of another user in this browser stays, and the new session has its own sid', async () => {
  await setup.addUser('carol', { password: alicePassword })
  const carol = await signedIn({ username: 'carol' })
  const before = await currentSession(setup.ports, carol.session)
  const alice = await signedIn({ previous: [carol.session] })
  assert.deepEqual(alice.others, [{ handle: carol.session, isPersistent: false }])
  assert.equal((await currentSession(setup.ports, carol.session))?.sessionId, before?.sessionId)
  assert.notEqual((await currentSession(setup.ports, alice.session))?.sessionId, before?.sessionId)
})

test('SE-02 a user who signs in again gets the sid of the session in this browser, also if another account is current', async () => {
  await setup.addUser('carol', { password: alicePassword })
  const carol = await signedIn({ username: 'carol' })
  const before = await currentSession(setup.ports, carol.session)
  const alice = await signedIn({ previous: [carol.session], remember: true })
  const again = await signedIn({ username: 'carol', previous: [alice.session, carol.session] })
  assert.deepEqual(again.others, [{ handle: alice.session, isPersistent: true }])
  assert.equal(await currentSession(setup.ports, carol.session), null)
  assert.equal((await currentSession(setup.ports, again.session))?.sessionId, before?.sessionId)
})

test('SE-08 a browser keeps the sessions of six accounts, and the one that was used least recently ends', async () => {
  const handles: SessionHandle[] = []
  for (let number = 1; number <= 7; number++) {
    const username = `account-${number}`
    await setup.addUser(username, { password: alicePassword })
    setup.advance(1)
    const { session, others } = await signedIn({ username, previous: handles.toReversed() })
    const newest = handles.slice(-browserAccounts.others).toReversed()
    assert.deepEqual(
      others.map(({ handle }) => handle),
      newest,
    )
    handles.push(session)
  }
  const alive = await Promise.all(handles.map(handle => currentSession(setup.ports, handle)))
  assert.deepEqual(
    alive.map(session => session !== null),
    [false, ...Array(6).fill(true)],
  )
})

test('a refused sign-in ends no session of this browser', async () => {
  const first = await signedIn()
  const refused = await signIn(setup.ports, form({ password: 'wrong', previous: [first.session] }), context)
  assert.equal(refused.kind, 'refused')
  assert.ok(await currentSession(setup.ports, first.session))
})

test('SE-02 a form sent twice opens two sessions and fails neither', async () => {
  const { session: previous } = await signedIn()
  const [left, right] = await Promise.all([
    signedIn({ previous: [previous] }),
    signedIn({ previous: [previous] }),
  ])
  for (const { session } of [left, right]) assert.ok(await currentSession(setup.ports, session))
})

test('a sign-in for a request that has ended is refused', async () => {
  const pending = setup.ports.random.handle('pending')
  assert.deepEqual(await signIn(setup.ports, form({ pending }), context), { kind: 'expired' })
})

const demands: ReadonlyArray<
  readonly [string, { enable_local_login?: boolean }, Record<string, string>, string]
> = [
  ['no demand', {}, {}, 'signed_in'],
  ['our own store demanded', {}, { acr_values: 'idp:latchkey' }, 'signed_in'],
  ['local sign-in off for the client', { enable_local_login: false }, {}, 'not_allowed'],
  ['a provider demanded', {}, { acr_values: 'idp:partner' }, 'not_allowed'],
]

for (const [what, changes, parameters, expected] of demands) {
  test(`the password form with ${what}: ${expected}`, async () => {
    await setup.addProvider('partner')
    const client = await setup.addClient(changes)
    const waiting = await pendingRequest(setup, client, parameters)
    const outcome = await signIn(setup.ports, form({ ...waiting, browser: setup.browser }), fromNewAddress())
    assert.equal(outcome.kind === 'refused' ? outcome.why : outcome.kind, expected)
  })
}

test('a message of the user service is passed on', async () => {
  const userService = instantUserService(async () => ({ kind: 'refused', message: 'Your trial ended.' }))
  const outcome = await signIn({ ...setup.ports, userService }, form(), fromNewAddress())
  assert.deepEqual(outcome, {
    kind: 'refused',
    why: 'message',
    message: 'Your trial ended.',
    retryAfterSeconds: 0,
  })
})
