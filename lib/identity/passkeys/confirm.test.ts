import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { freshSignInSeconds } from '#lib/config/limits.ts'
import { assuranceOfSession } from '#lib/core/sign-in/assurance.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { SessionHandle } from '#lib/protocol/ids.ts'
import { hasFreshSignIn } from '../fresh-sign-in.ts'
import { currentSession } from '../session.ts'
import { signIn } from '../sign-in.ts'
import { alicePassword, form, openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import { confirmOptions, confirmWithPasskey } from './confirm.ts'
import { signInOptions, signInWithPasskey } from './sign-in.ts'
import { addPasskey } from './testing/passkeys.ts'

let setup: TestSignIn
let users = 0

before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())

async function opened(handle: SessionHandle): Promise<Session> {
  const session = await currentSession(setup.ports, handle)
  assert.ok(session)
  return session
}

/** A user whose sign-in with the password is no longer fresh, and a passkey. */
async function staleOwner(idp?: string) {
  users += 1
  const username = `owner-${users}`
  const { subject } = await setup.addUser(username, { password: alicePassword })
  const outcome = await signIn(setup.ports, form({ username }), context)
  assert.ok(outcome.kind === 'signed_in')
  const { authenticator } = await addPasskey(setup.ports, {
    subject,
    browser: setup.browser,
    ...(idp === undefined ? {} : { idp }),
  })
  setup.advance(freshSignInSeconds)
  return { handle: outcome.session, session: await opened(outcome.session), authenticator }
}

type Owner = Awaited<ReturnType<typeof staleOwner>>

async function begun({ session }: Owner) {
  const options = await confirmOptions(setup.ports, session, setup.browser)
  assert.ok(options)
  return options
}

function confirm(
  { session, handle }: Owner,
  sent: { ceremony: string; response: string },
  browser = setup.browser,
) {
  return confirmWithPasskey(setup.ports, { session, browser, previous: [handle], ...sent }, context)
}

async function answered(owner: Owner) {
  const { ceremony, options } = await begun(owner)
  return { ceremony, response: owner.authenticator.get(options) }
}

for (const idp of [undefined, 'partner']) {
  const whose = idp === undefined ? 'of this server' : 'that is only a second factor'
  test(`MF-04 SE-02 a passkey ${whose} makes the session fresh, with a new handle and the same sid`, async () => {
    const owner = await staleOwner(idp)
    assert.equal(await hasFreshSignIn(setup.ports, owner.session), false)
    const outcome = await confirm(owner, await answered(owner))
    assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
    assert.equal(await currentSession(setup.ports, owner.handle), null)
    const after = await opened(outcome.session)
    const { sessionId, authenticatedAt, expiresAt } = owner.session
    assert.deepEqual(
      [after.sessionId, after.authenticatedAt, after.expiresAt],
      [sessionId, authenticatedAt, expiresAt],
    )
    assert.equal(await hasFreshSignIn(setup.ports, after), true)
  })
}

test('a second confirmation replaces the first one among the factors of the session', async () => {
  const owner = await staleOwner()
  const first = await confirm(owner, await answered(owner))
  assert.ok(first.kind === 'signed_in')
  const again = { ...owner, handle: first.session, session: await opened(first.session) }
  const second = await confirm(again, await answered(again))
  assert.ok(second.kind === 'signed_in')
  const kinds = (await opened(second.session)).details.factors?.map(({ kind }) => kind)
  assert.deepEqual(kinds, ['password', 'passkey'])
})

test('MF-04 MF-05 no other challenge, user or browser confirms, and no response does twice', async () => {
  const [owner, other] = [await staleOwner(), await staleOwner()]
  const sent = await answered(owner)
  const anotherBrowser = setup.ports.random.handle('browser')
  const forSignIn = signInOptions(setup.ports, setup.browser)
  assert.ok(forSignIn)
  const { ceremony, options } = await begun(owner)
  const attempts = [
    confirm(other, sent),
    confirm(owner, sent, anotherBrowser),
    confirm(owner, { ceremony: forSignIn.ceremony, response: owner.authenticator.get(forSignIn.options) }),
    confirm(owner, { ceremony, response: other.authenticator.get(options) }),
  ]
  for (const attempt of attempts) {
    const outcome = await attempt
    assert.ok(outcome.kind === 'refused' && outcome.why === 'passkey', JSON.stringify(outcome))
  }
  assert.equal((await opened(owner.handle)).sessionId, owner.session.sessionId)
  assert.equal((await confirm(owner, sent)).kind, 'signed_in')
  assert.notEqual((await confirm(owner, sent)).kind, 'signed_in')
})

test('MF-04 MF-06 a session that a passkey opened is not confirmed by a touch without verification of the user', async () => {
  const { authenticator } = await staleOwner()
  const begunSignIn = signInOptions(setup.ports, setup.browser)
  assert.ok(begunSignIn)
  const response = authenticator.get(begunSignIn.options)
  const known = { browser: setup.browser, previous: [], knownBrowser: null, remember: false, pending: null }
  const input = { ...known, ceremony: begunSignIn.ceremony, response }
  const signedIn = await signInWithPasskey(setup.ports, input, context)
  assert.ok(signedIn.kind === 'signed_in')
  const owner = { authenticator, handle: signedIn.session, session: await opened(signedIn.session) }
  const { ceremony, options } = await begun(owner)
  assert.equal(options.userVerification, 'required')
  const touched = { ceremony, response: authenticator.get(options, { isUserVerified: false }) }
  const outcome = await confirm(owner, touched)
  assert.ok(outcome.kind === 'refused' && outcome.why === 'passkey', JSON.stringify(outcome))
  assert.equal(assuranceOfSession(await opened(owner.handle)), 'passkey')
})

test('SE-06 a passkey that is removed just before it confirms a sign-in confirms nothing', async () => {
  const owner = await staleOwner()
  const { session, handle } = owner
  const { ceremony, options } = await begun(owner)
  const { sessions, passkeys, clock } = setup.ports
  const replace: typeof sessions.replace = async (...given) => {
    const [passkey = assert.fail()] = await passkeys.allOf(session.subject)
    const removal = { notices: [], keeps: session.sessionId, now: clock.now(), mayRemove: () => true }
    assert.equal(await passkeys.remove(passkey, removal), 'removed')
    return sessions.replace(...given)
  }
  const ports = { ...setup.ports, sessions: { ...sessions, replace } }
  const sent = { ceremony, response: owner.authenticator.get(options) }
  const input = { session, browser: setup.browser, previous: [handle], ...sent }
  assert.equal((await confirmWithPasskey(ports, input, context)).kind, 'expired')
  assert.equal(await hasFreshSignIn(setup.ports, await opened(handle)), false)
})
