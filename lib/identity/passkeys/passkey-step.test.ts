import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { context, issuer } from '#lib/core/testing/ports.ts'
import type { BrowserHandle, Handle } from '#lib/protocol/ids.ts'
import { passkeyFactorPath, secondFactorPath } from '#lib/protocol/wire/local-paths.ts'
import { completePartialSignIn } from '../partial-sign-in.ts'
import { currentSession } from '../session.ts'
import { signIn } from '../sign-in.ts'
import { addAuthenticator } from '../testing/second-factor.ts'
import { alicePassword, form, openTestSignIn, pendingRequest, type TestSignIn } from '../testing/sign-in.ts'
import { beginCeremony } from './ceremony.ts'
import {
  type PasskeyFactorInput,
  passkeyFactorOptions,
  passkeyFactorView,
  proveByPasskey,
} from './passkey-step.ts'
import { signInOptions, signInWithPasskey } from './sign-in.ts'
import { type Changes, createAuthenticator, type SoftAuthenticator } from './testing/authenticator.ts'
import { addPasskey } from './testing/passkeys.ts'

let setup: TestSignIn

before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())

let users = 0
/** Adds a user with a password and a passkey. */
async function newUser({ idp }: { readonly idp?: string } = {}) {
  users += 1
  const username = `user-${users}`
  const { subject } = await setup.addUser(username, { password: alicePassword })
  const added = await addPasskey(setup.ports, {
    subject,
    browser: setup.browser,
    ...(idp === undefined ? {} : { idp }),
  })
  return { username, subject, ...added }
}

/** Signs in with the password, to an app that asks for these levels. */
async function enter(username: string, acrValues = '') {
  const client = await setup.addClient()
  const asked: Readonly<Record<string, string>> = acrValues === '' ? {} : { acr_values: acrValues }
  return signIn(setup.ports, form({ username, ...(await pendingRequest(setup, client, asked)) }), context)
}

/** Signs in with the password, which must lead to a page for a further factor. */
async function interrupt(username: string, acrValues = '', path = passkeyFactorPath) {
  const outcome = await enter(username, acrValues)
  assert.ok(outcome.kind === 'partial' && outcome.path === path, JSON.stringify(outcome))
  return outcome.partial
}

type Proving = {
  readonly partial: Handle<'partial'>
  readonly authenticator: SoftAuthenticator
  readonly changes?: Changes
  readonly input?: Partial<PasskeyFactorInput>
}

async function begin(partial: Handle<'partial'>, browser: BrowserHandle = setup.browser) {
  const begun = await passkeyFactorOptions(setup.ports, { partial, browser })
  assert.ok(begun)
  return begun
}

async function prove({ partial, authenticator, changes = {}, input = {} }: Proving) {
  const { ceremony, options } = await begin(partial)
  const response = authenticator.get(options, changes)
  const { browser } = setup
  const sent = { ceremony, response, partial, browser, previous: [], knownBrowser: null, ...input }
  return proveByPasskey(setup.ports, sent, context)
}

const latestReason = () => setup.events.findLast(({ name }) => name === 'sign_in_failed')?.reason

test('a passkey is not asked for after a password, unless more is required', async () => {
  const { username } = await newUser()
  for (const acrValues of ['', 'urn:latchkey:pwd'])
    assert.equal((await enter(username, acrValues)).kind, 'signed_in')
})

for (const acrValues of ['urn:latchkey:mfa', 'urn:latchkey:passkey', 'phr']) {
  test(`MF-06 a passkey after the password satisfies ${acrValues}`, async () => {
    const { username, authenticator } = await newUser()
    const outcome = await prove({ partial: await interrupt(username, acrValues), authenticator })
    assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
    const session = await currentSession(setup.ports, outcome.session)
    assert.deepEqual(session?.amr, ['pwd', 'hwk', 'user', 'mfa'])
    assert.deepEqual(
      session?.details.factors?.map(({ kind }) => kind),
      ['password', 'passkey'],
    )
  })
}

test('MF-06 a passkey without verification of the user is a second factor, and not of the highest level', async () => {
  const { username, authenticator } = await newUser()
  const changes = { isUserVerified: false }
  const two = await prove({ partial: await interrupt(username, 'urn:latchkey:mfa'), authenticator, changes })
  assert.ok(two.kind === 'signed_in')
  assert.deepEqual((await currentSession(setup.ports, two.session))?.amr, ['pwd', 'hwk', 'user', 'mfa'])
  const partial = await interrupt(username, 'urn:latchkey:passkey')
  assert.equal((await begin(partial)).options.userVerification, 'required')
  const highest = await prove({ partial, authenticator, changes })
  assert.ok(highest.kind === 'refused' && highest.why === 'passkey')
  assert.equal(latestReason(), 'passkey_not_verified')
  assert.equal((await prove({ partial, authenticator })).kind, 'signed_in')
})

test('a user with an authenticator app can use a passkey instead of a code', async () => {
  const { username, subject, authenticator } = await newUser()
  await addAuthenticator(setup.ports, subject)
  const partial = await interrupt(username, '', secondFactorPath)
  const proof = { partial, browser: setup.browser }
  assert.equal((await passkeyFactorView(setup.ports, proof))?.hasCode, true)
  assert.equal((await prove({ partial, authenticator })).kind, 'signed_in')
})

test('a passkey of a provider’s session is a second factor', async () => {
  const { username, authenticator } = await newUser({ idp: 'corporate' })
  const partial = await interrupt(username, 'urn:latchkey:mfa')
  assert.equal((await prove({ partial, authenticator })).kind, 'signed_in')
})

test('MF-05 a security key that keeps no passkeys itself is a second factor, and cannot be the only one', async () => {
  const { username, subject } = await newUser()
  const { browser, ports } = setup
  const authenticator = createAuthenticator({ origin: issuer, isDiscoverable: false })
  const { passkey } = await addPasskey(ports, { subject, browser }, authenticator)
  assert.equal((await ports.passkeys.find(passkey.id))?.isDiscoverable, false)
  const partial = await interrupt(username, 'urn:latchkey:passkey')
  assert.equal((await prove({ partial, authenticator })).kind, 'signed_in')
  const begun = signInOptions(ports, browser)
  assert.ok(begun)
  const response = authenticator.get(begun.options)
  const sent = {
    ceremony: begun.ceremony,
    response,
    browser,
    pending: null,
    previous: [],
    knownBrowser: null,
  }
  const outcome = await signInWithPasskey(ports, { ...sent, remember: false }, context)
  assert.equal(outcome.kind, 'refused')
})

test('MF-05 the list of options has only the passkeys of the user', async () => {
  const [user, other] = [await newUser(), await newUser()]
  const partial = await interrupt(user.username, 'urn:latchkey:mfa')
  const { options } = await begin(partial)
  assert.deepEqual(options.allowCredentials, [
    { type: 'public-key', id: user.passkey.id, transports: ['internal'] },
  ])
  assert.equal(options.userVerification, 'preferred')
  const outcome = await prove({ partial, authenticator: other.authenticator })
  assert.ok(outcome.kind === 'refused' && outcome.why === 'passkey')
  assert.deepEqual(
    [latestReason(), setup.events.findLast(({ name }) => name === 'sign_in_failed')?.subject],
    ['passkey_of_another_user', user.subject],
  )
})

test('MF-05 refuses the challenge of another sign-in, another browser, and of a sign-in with only the passkey', async () => {
  const { username, subject, authenticator } = await newUser()
  const { ports, browser } = setup
  const [partial, other] = [
    await interrupt(username, 'urn:latchkey:mfa'),
    await interrupt(username, 'urn:latchkey:mfa'),
  ]
  const bindings = [
    { purpose: 'second_factor', browser, subject, partial: other },
    { purpose: 'second_factor', browser: ports.random.handle('browser'), subject, partial },
    { purpose: 'sign_in', browser, subject: null, partial: null },
  ] as const
  for (const binding of bindings) {
    const { challenge, sealed } = beginCeremony(ports, binding)
    const response = authenticator.get({ challenge, rpId: 'id.example' })
    const outcome = await prove({ partial, authenticator, input: { ceremony: sealed, response } })
    assert.ok(outcome.kind === 'refused' && outcome.why === 'passkey')
    assert.equal(latestReason(), 'passkey_challenge_unknown')
  }
  const elsewhere = { browser: ports.random.handle('browser') }
  assert.equal((await prove({ partial, authenticator, input: elsewhere })).kind, 'expired')
})

test('MF-05 of twenty posts of one response, one signs in', async () => {
  const { username } = await newUser()
  const { subject } = await setup.addUser(username, { password: alicePassword })
  const authenticator = createAuthenticator({ origin: issuer, counts: false })
  await addPasskey(setup.ports, { subject, browser: setup.browser }, authenticator)
  const partial = await interrupt(username, 'urn:latchkey:mfa')
  const { ceremony, options } = await begin(partial)
  const { browser } = setup
  const sent = {
    ceremony,
    response: authenticator.get(options),
    partial,
    browser,
    previous: [],
    knownBrowser: null,
  }
  const posts = Array.from({ length: 20 }, (_, host) =>
    proveByPasskey(setup.ports, sent, { ...context, address: `203.0.113.${host}` }),
  )
  const kinds = (await Promise.all(posts)).map(({ kind }) => kind)
  assert.equal(kinds.filter(kind => kind === 'signed_in').length, 1)
})

test('AU-10 locking the user ends a sign-in that waits for the passkey', async () => {
  const { username, authenticator } = await newUser()
  const partial = await interrupt(username, 'urn:latchkey:mfa')
  const { ceremony, options } = await begin(partial)
  await setup.addUser(username, { enabled: false })
  const { browser } = setup
  const cookies = { browser, previous: [], knownBrowser: null }
  const sent = { ceremony, response: authenticator.get(options), partial, ...cookies }
  assert.equal((await proveByPasskey(setup.ports, sent, context)).kind, 'expired')
})

test('MF-03 returning without the passkey leads back to its page, until the user has none', async () => {
  const { username, subject, passkey } = await newUser()
  const partial = await interrupt(username, 'urn:latchkey:mfa')
  const back = { partial, browser: setup.browser, previous: [] }
  const returned = await completePartialSignIn(setup.ports, back, context)
  assert.ok(returned.kind === 'partial' && returned.path === passkeyFactorPath)
  const removal = { notices: [], keeps: null, now: setup.ports.clock.now(), mayRemove: () => true }
  await setup.ports.passkeys.remove({ subject, id: passkey.id }, removal)
  assert.equal(await passkeyFactorView(setup.ports, { partial, browser: setup.browser }), null)
})
