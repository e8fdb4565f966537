import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { context, issuer } from '#lib/core/testing/ports.ts'
import type { BrowserHandle, SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { currentSession } from '../session.ts'
import { openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import { beginCeremony, type CeremonyBinding } from './ceremony.ts'
import { removePasskey } from './own-passkeys.ts'
import { type PasskeySignInInput, signInOptions, signInWithPasskey } from './sign-in.ts'
import { type Changes, createAuthenticator, type SoftAuthenticator } from './testing/authenticator.ts'
import { addPasskey } from './testing/passkeys.ts'
import { userHandleOf } from './user-handle.ts'

let setup: TestSignIn

before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())

let users = 0
/** Adds a user with a passkey. The network address is new, so that failures of other tests do not count. */
async function userWithPasskey(authenticator?: SoftAuthenticator) {
  users += 1
  const { subject } = await setup.addUser(`user-${users}`)
  const from: RequestContext = { ...context, address: `198.51.100.${users}` }
  return {
    subject,
    from,
    ...(await addPasskey(setup.ports, { subject, browser: setup.browser }, authenticator)),
  }
}

function optionsFor(browser: BrowserHandle = setup.browser) {
  const begun = signInOptions(setup.ports, browser)
  assert.ok(begun)
  return begun
}

function form(sent: { ceremony: string; response: string }, changes: Partial<PasskeySignInInput> = {}) {
  const { browser } = setup
  return { remember: false, pending: null, browser, previous: [], knownBrowser: null, ...sent, ...changes }
}

type WithPasskey = Awaited<ReturnType<typeof userWithPasskey>>

function signInOf({ authenticator, from }: WithPasskey, changes: Changes = {}, begun = optionsFor()) {
  const { ceremony, options } = begun
  return signInWithPasskey(
    setup.ports,
    form({ ceremony, response: authenticator.get(options, changes) }),
    from,
  )
}

/** The reason of the latest failed sign-in. */
function latestReason() {
  return setup.events.findLast(({ name }) => name === 'sign_in_failed')?.reason
}

const onePasskeyRefusal = { kind: 'refused', why: 'passkey', message: null, retryAfterSeconds: 0 }

test('MF-05 MF-06 only a passkey is needed to sign in, and amr and the event name it', async () => {
  const user = await userWithPasskey()
  const outcome = await signInOf(user)
  assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
  const session = await currentSession(setup.ports, outcome.session)
  assert.deepEqual(
    [session?.subject, session?.idp, session?.amr, session?.authenticatedAt],
    [user.subject, 'latchkey', ['hwk', 'user', 'mfa'], setup.ports.clock.now()],
  )
  const event = setup.events.findLast(({ name }) => name === 'sign_in_succeeded')
  assert.equal(event?.details?.method, 'passkey')
  assert.equal(typeof outcome.knownBrowser, 'string')
})

test('SE-06 the removal of a passkey ends the sessions that it began elsewhere, and only those', async () => {
  const user = await userWithPasskey()
  const byPasskey = await signInOf(user)
  assert.ok(byPasskey.kind === 'signed_in')
  const own = await setup.openSession(user.subject)
  // A user without a password keeps one passkey
  await addPasskey(setup.ports, { subject: user.subject, browser: setup.browser })
  assert.equal(await removePasskey(setup.ports, { session: own, id: user.passkey.id }, user.from), 'removed')
  assert.equal(await currentSession(setup.ports, byPasskey.session), null)
  const left = await setup.ports.sessions.allOf(user.subject, setup.ports.clock.now())
  assert.deepEqual(
    left.map(({ sessionId }) => sessionId),
    [own.sessionId],
  )
})

test('MF-05 a synchronized passkey is a key in software, and its backup state is stored at each use', async () => {
  const user = await userWithPasskey(createAuthenticator({ origin: issuer, isSynchronized: true }))
  const outcome = await signInOf(user)
  assert.ok(outcome.kind === 'signed_in')
  assert.deepEqual((await currentSession(setup.ports, outcome.session))?.amr, ['swk', 'user', 'mfa'])
  const stored = await setup.ports.passkeys.find(user.passkey.id)
  assert.deepEqual(
    [stored?.canBeBackedUp, stored?.isBackedUp, stored?.signatureCounter, stored?.lastUsedAt],
    [true, true, 2, setup.ports.clock.now()],
  )
})

test('MF-05 an authenticator without a counter signs in again and again', async () => {
  const user = await userWithPasskey(createAuthenticator({ origin: issuer, counts: false }))
  for (const _ of [1, 2]) assert.equal((await signInOf(user)).kind, 'signed_in')
})

const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

const wrongResponses: readonly (readonly [string, Changes, string])[] = [
  ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }, 'passkey_not_verified'],
  ['another origin', { origin: 'https://id.example.evil' }, 'passkey_not_verified'],
  ['the origin with another port', { origin: `${issuer}:8443` }, 'passkey_not_verified'],
  ['another RP ID', { rpId: 'example' }, 'passkey_not_verified'],
  ['the type of a registration', { type: 'webauthn.create' }, 'passkey_not_verified'],
  ['a page framed by another origin', { crossOrigin: true }, 'passkey_not_verified'],
  ['another key', { key: otherKey }, 'passkey_not_verified'],
  ['no verification of the user', { isUserVerified: false }, 'passkey_not_verified'],
  ['a changed ability to be backed up', { canBeBackedUp: true }, 'passkey_not_verified'],
  ['the counter of an earlier use', { counter: 1 }, 'passkey_cloned'],
  ['a counter that was set back to 0', { counter: 0 }, 'passkey_cloned'],
  ['the user handle of no user', { userHandle: 'AAAA' }, 'passkey_of_another_user'],
  ['no user handle', { userHandle: null }, 'passkey_of_another_user'],
  ['an unknown credential', { credentialId: 'AAAA' }, 'passkey_unknown'],
]

for (const [name, changes, reason] of wrongResponses) {
  test(`MF-05 refuses a response of a passkey with ${name}`, async () => {
    const user = await userWithPasskey()
    const { unknownPasskey, ...refusal } = { unknownPasskey: undefined, ...(await signInOf(user, changes)) }
    assert.deepEqual(refusal, onePasskeyRefusal)
    assert.equal(unknownPasskey, reason === 'passkey_unknown' ? 'AAAA' : undefined)
    assert.equal(latestReason(), reason)
    assert.equal((await signInOf(user, { counter: 9 })).kind, 'signed_in')
  })
}

test('MF-05 refuses a passkey in the name of another user', async () => {
  const [attacker, victim] = [await userWithPasskey(), await userWithPasskey()]
  const { hashing } = setup.ports
  const asVictim = { userHandle: userHandleOf(hashing, victim.subject) }
  assert.deepEqual(await signInOf(attacker, asVictim), onePasskeyRefusal)
  assert.equal(latestReason(), 'passkey_of_another_user')
  const withIdOfVictim = { credentialId: victim.passkey.id, ...asVictim }
  assert.deepEqual(await signInOf(attacker, withIdOfVictim), onePasskeyRefusal)
  assert.equal(latestReason(), 'passkey_not_verified')
})

test('MF-05 a counter that does not grow is recorded with the user', async () => {
  const user = await userWithPasskey()
  assert.equal((await signInOf(user, { counter: 7 })).kind, 'signed_in')
  assert.deepEqual(await signInOf(user, { counter: 7 }), onePasskeyRefusal)
  const event = setup.events.at(-1)
  assert.deepEqual([event?.reason, event?.subject], ['passkey_cloned', user.subject])
})

test('MF-05 refuses a response that was already used', async () => {
  const user = await userWithPasskey(createAuthenticator({ origin: issuer, counts: false }))
  const { ceremony, options } = optionsFor()
  const sent = form({ ceremony, response: user.authenticator.get(options) })
  assert.equal((await signInWithPasskey(setup.ports, sent, user.from)).kind, 'signed_in')
  assert.deepEqual(await signInWithPasskey(setup.ports, sent, user.from), onePasskeyRefusal)
  assert.equal(latestReason(), 'passkey_challenge_used')
})

test('MF-05 of a hundred posts of one response, one signs in', async () => {
  const user = await userWithPasskey(createAuthenticator({ origin: issuer, counts: false }))
  const { ceremony, options } = optionsFor()
  const sent = form({ ceremony, response: user.authenticator.get(options) })
  const posts = Array.from({ length: 100 }, (_, host) =>
    signInWithPasskey(setup.ports, sent, { ...context, address: `203.0.113.${host}` }),
  )
  const kinds = (await Promise.all(posts)).map(({ kind }) => kind)
  assert.equal(kinds.filter(kind => kind === 'signed_in').length, 1)
  assert.equal(kinds.filter(kind => kind === 'refused').length, 99)
})

test('MF-05 a wrong response uses the challenge up', async () => {
  const user = await userWithPasskey()
  const begun = optionsFor()
  assert.deepEqual(await signInOf(user, { key: otherKey }, begun), onePasskeyRefusal)
  assert.deepEqual(await signInOf(user, {}, begun), onePasskeyRefusal)
  assert.equal(latestReason(), 'passkey_challenge_used')
})

test('MF-05 refuses a challenge after five minutes', async () => {
  const user = await userWithPasskey()
  const begun = optionsFor()
  setup.advance(299)
  assert.equal((await signInOf(user, {}, begun)).kind, 'signed_in')
  const late = optionsFor()
  setup.advance(300)
  assert.deepEqual(await signInOf(user, {}, late), onePasskeyRefusal)
  assert.equal(latestReason(), 'passkey_challenge_expired')
})

test('MF-05 refuses the challenge of another browser, another purpose, or none', async () => {
  const user = await userWithPasskey()
  const { ports, browser } = setup
  const other: CeremonyBinding = { purpose: 'second_factor', browser, subject: null, partial: null }
  const { challenge, sealed } = beginCeremony(ports, other)
  const forOther = { ceremony: sealed, options: { ...optionsFor().options, challenge } }
  const ofOther = optionsFor(ports.random.handle('browser'))
  for (const begun of [forOther, ofOther, { ...optionsFor(), ceremony: 'forged' }]) {
    assert.deepEqual(await signInOf(user, {}, begun), onePasskeyRefusal)
    assert.equal(latestReason(), 'passkey_challenge_unknown')
  }
})

test('refuses a form without the cookie of the browser, and a response that cannot be read', async () => {
  const user = await userWithPasskey()
  const { ceremony, options } = optionsFor()
  const response = user.authenticator.get(options)
  const withoutCookie = form({ ceremony, response }, { browser: null })
  assert.deepEqual(await signInWithPasskey(setup.ports, withoutCookie, user.from), onePasskeyRefusal)
  for (const unreadable of [
    '',
    '{',
    '[]',
    'null',
    '{"id":"AAAA"}',
    response.replace('public-key', 'password'),
  ]) {
    const sent = form({ ceremony, response: unreadable })
    assert.deepEqual(await signInWithPasskey(setup.ports, sent, user.from), onePasskeyRefusal)
    assert.equal(latestReason(), 'passkey_unreadable')
  }
})

test('AU-10 refuses the passkey of a locked user like a wrong one', async () => {
  const user = await userWithPasskey()
  await setup.addUser(user.subject, { enabled: false })
  assert.deepEqual(await signInOf(user), onePasskeyRefusal)
  assert.equal(latestReason(), 'account_disabled')
})

test('a passkey of a provider’s user is not enough, and the sentence says where to sign in', async () => {
  const { subject } = await setup.addUser('of-provider')
  const { browser, ports } = setup
  const added = await addPasskey(ports, { subject, browser, idp: 'corporate' })
  const outcome = await signInOf({ ...added, subject, from: context })
  assert.ok(outcome.kind === 'refused' && outcome.why === 'passkey_needs_provider')
  assert.equal(latestReason(), 'passkey_needs_provider')
})

test('AU-07 failed passkeys are limited for an address, and right ones are not counted', async () => {
  const user = await userWithPasskey()
  for (let attempt = 0; attempt < 100; attempt += 1)
    assert.equal((await signInOf(user, { key: otherKey })).kind, 'refused')
  const outcome = await signInOf(user)
  assert.ok(outcome.kind === 'refused' && outcome.why === 'limited' && outcome.retryAfterSeconds > 0)
  assert.equal((await signInOf({ ...user, from: context })).kind, 'signed_in')
})

test('a custom user service without authenticateSubject decides with completePartial', async () => {
  const asked: string[] = []
  const { subject } = await setup.addUser('custom')
  const { authenticateSubject: _, ...standard } = setup.ports.userService
  const userService = {
    ...standard,
    completePartial: async (of: SubjectId) => {
      asked.push(of)
      return { kind: 'full', subject: of, name: 'Custom', amr: ['pwd'], acr: null } as const
    },
  }
  const ports = { ...setup.ports, userService }
  const { authenticator } = await addPasskey(ports, { subject, browser: setup.browser })
  const { ceremony, options } = optionsFor()
  const sent = form({ ceremony, response: authenticator.get(options) })
  const outcome = await signInWithPasskey(ports, sent, context)
  assert.ok(outcome.kind === 'signed_in')
  assert.deepEqual(asked, [subject])
  assert.deepEqual((await currentSession(ports, outcome.session))?.amr, ['hwk', 'user', 'mfa'])
})

test('a user service may be an object whose functions need it', async () => {
  const user = await userWithPasskey()
  const { authenticateSubject: _, ...others } = setup.ports.userService
  const userService = {
    ...others,
    named: 'of the service',
    async completePartial(this: { readonly named: string }, subject: SubjectId) {
      return { kind: 'full', subject, name: this.named, amr: [], acr: null } as const
    },
  }
  const { ceremony, options } = optionsFor()
  const sent = form({ ceremony, response: user.authenticator.get(options) })
  const outcome = await signInWithPasskey({ ...setup.ports, userService }, sent, user.from)
  assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
})
