import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { rateLimits } from '#lib/config/limits.ts'
import { context, withPolicies } from '#lib/core/testing/ports.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { SessionHandle } from '#lib/protocol/ids.ts'
import { changeOwnPassword, type OwnPasswordInput, passwordOwner } from './own-password.ts'
import { currentSession } from './session.ts'
import { signIn } from './sign-in.ts'
import { form, openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

const old = 'correct horse battery staple'
const own = 'seven gray herons at noon'

let setup: TestSignIn
let username: string
let handle: SessionHandle
let session: Session
let made = 0

before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())
beforeEach(async () => {
  made += 1
  username = `user-${made}`
  const claims = { email: `${username}@example.org`, email_verified: true }
  await setup.addUser(username, { password: old, claims })
  ;({ handle, session } = await signedIn())
})

async function signedIn() {
  const outcome = await signIn(setup.ports, form({ username, password: old, remember: true }), context)
  assert.ok(outcome.kind === 'signed_in')
  const opened = await currentSession(setup.ports, outcome.session)
  assert.ok(opened)
  return { handle: outcome.session, session: opened }
}

function change(changes: Partial<OwnPasswordInput> = {}, ports = setup.ports) {
  const typed = { current: old, password: own, again: own }
  const input = { session, previous: [handle], knownBrowser: null, ...typed, ...changes }
  return changeOwnPassword(ports, input, context)
}

test('AU-16 a change is reported by mail, and a refused one is not', async () => {
  const mailed = async () => (await setup.storage.outbox.newest(99)).map(({ target }) => target)
  await change({ current: 'wrong' })
  assert.ok(!(await mailed()).includes(`${username}@example.org`))
  await change()
  assert.ok((await mailed()).includes(`${username}@example.org`))
})

test('AU-03 SE-02 the new password is valid, and this browser gets a new session', async () => {
  const outcome = await change()
  assert.ok(outcome.kind === 'signed_in')
  assert.notEqual(outcome.session, handle)
  const after = await currentSession(setup.ports, outcome.session)
  const { subject, amr, authenticatedAt, isPersistent } = after ?? {}
  assert.deepEqual(
    { subject, amr, authenticatedAt, isPersistent },
    { subject: username, amr: ['pwd'], authenticatedAt: session.authenticatedAt, isPersistent: true },
  )
  assert.equal(setup.events.at(-1)?.name, 'password_changed')
  const signIns = await Promise.all(
    [old, own].map(password => signIn(setup.ports, form({ username, password }), context)),
  )
  assert.deepEqual(
    signIns.map(({ kind }) => kind),
    ['refused', 'signed_in'],
  )
})

test('SE-06 RT-08 every earlier session and grant has ended', async () => {
  const other = await signedIn()
  await change()
  for (const gone of [handle, other.handle]) assert.equal(await currentSession(setup.ports, gone), null)
})

const refused = [
  [['wrong'], { current: 'not this one' }],
  [['missing_current'], { current: '' }],
  [['missing_again'], { again: '' }],
  [['differs'], { again: old }],
  [['same'], { password: old, again: old }],
  [['too_short'], { password: 'k4-zu', again: 'k4-zu' }],
  [
    ['missing_current', 'differs', 'too_short', 'common'],
    { current: '', password: 'qwerty', again: 'qwertz' },
  ],
] as const
for (const [why, typed] of refused) {
  test(`AU-03 ${why} changes nothing: ${JSON.stringify(typed)}`, async () => {
    assert.deepEqual(await change(typed), { kind: 'unfit', why, retryAfterSeconds: 0 })
    assert.ok(await currentSession(setup.ports, handle))
    assert.ok(await signedIn())
  })
}

test('AU-01 a user who needs a second factor may choose eight characters, and another user may not', async () => {
  const short = { password: 'k4-zu-nm', again: 'k4-zu-nm' }
  const refusal = await change(short)
  assert.deepEqual(refusal.kind === 'unfit' && refusal.why, ['too_short'])
  const policies = withPolicies({ second_factor_required_for: ['everyone'] })
  assert.equal((await change(short, { ...setup.ports, policies })).kind, 'signed_in')
})

test('AU-07 wrong current passwords count like failed sign-ins, and are recorded', async () => {
  const { limit } = rateLimits.account
  for (let tried = 0; tried < limit; tried += 1) await change({ current: `wrong ${tried}` })
  const last = setup.events.at(-1)
  assert.deepEqual(
    [last?.name, last?.outcome, last?.reason],
    ['password_changed', 'failure', 'wrong_password'],
  )
  const outcome = await change()
  assert.ok(outcome.kind === 'unfit' && outcome.retryAfterSeconds > 0)
  assert.deepEqual(outcome.why, ['limited'])
  const elsewhere = await signIn(setup.ports, form({ username, password: old }), context)
  assert.ok(elsewhere.kind === 'refused' && elsewhere.why === 'limited')
})

test('AU-07 an attempt that did not reach the password check is not counted', async () => {
  const verify = async () => {
    throw new OauthError('password_queue_full')
  }
  const busy = { ...setup.ports, passwords: { ...setup.ports.passwords, verify } }
  for (let tried = 0; tried <= rateLimits.account.limit; tried += 1)
    await assert.rejects(change({}, busy), /password_queue_full/)
  assert.equal((await change()).kind, 'signed_in')
})

test('only one of two concurrent changes takes effect', async () => {
  const outcomes = await Promise.all([change(), change({ password: `${own}!`, again: `${own}!` })])
  assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['signed_in', 'unfit'])
})

test('a user without a password on this server cannot change it', async () => {
  await setup.addUser('external-only')
  const theirs = await setup.openSession('external-only')
  assert.equal(await passwordOwner(setup.ports, theirs), null)
  assert.deepEqual(await change({ session: theirs }), { kind: 'no_password' })
})
