/** Tests sign-ins whose passkey, identity or second factor is removed before they end. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { context, issuer } from '#lib/core/testing/ports.ts'
import type { NamedIdentity } from '#lib/ports/account-links.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { startTestProvider, type TestProvider, testProviderClient } from '#lib/upstream/testing/provider.ts'
import { signInOptions, signInWithPasskey } from './passkeys/sign-in.ts'
import { createAuthenticator } from './passkeys/testing/authenticator.ts'
import { addPasskey } from './passkeys/testing/passkeys.ts'
import { signInAtProvider } from './testing/provider-sign-in.ts'
import { addAuthenticator, addTwoStepUser } from './testing/second-factor.ts'
import { openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

let setup: TestSignIn
let mock: TestProvider
let made = 0

before(async () => {
  setup = await openTestSignIn()
  mock = await startTestProvider()
  await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient })
})
after(async () => {
  mock.close()
  await setup.close()
})
beforeEach(() => {
  made += 1
})

const liveSessions = (subject: SubjectId) => setup.ports.sessions.allOf(subject, setup.ports.clock.now())

/** The ports of a request during which `change` happens, just before the session is written. */
function beforeSession(change: () => Promise<unknown>): Ports {
  const { sessions } = setup.ports
  const create: typeof sessions.create = async (...given) => {
    await change()
    return sessions.create(...given)
  }
  return { ...setup.ports, sessions: { ...sessions, create } }
}

/** The ports of a request during which `change` happens, just before the interrupted sign-in is stored. */
function beforeInterruption(change: () => Promise<unknown>): Ports {
  const { partialSignIns } = setup.ports
  const create: typeof partialSignIns.create = async signIn => {
    await change()
    return partialSignIns.create(signIn)
  }
  return { ...setup.ports, partialSignIns: { ...partialSignIns, create } }
}

/** Links an identity to the account. */
async function linkTo(subject: SubjectId): Promise<NamedIdentity> {
  const { scheme } = await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient })
  const identity = { scheme, issuer: mock.issuer, subject: `upstream-${made}`, label: null }
  const change = { now: setup.ports.clock.now(), most: 9, notices: [], mayLink: () => true }
  assert.equal(await setup.ports.users.links.add(subject, identity, change), 'added')
  return identity
}

const unlink = (subject: SubjectId, identity: NamedIdentity) => {
  const change = { now: setup.ports.clock.now(), mayRemove: () => true, notices: [] }
  return setup.ports.users.links.remove(subject, identity, change)
}

const removeApp = (subject: SubjectId) => setup.ports.secondFactors.removeApp(subject, { notices: [] })

const replaceCodes = (subject: SubjectId) => {
  const { secondFactors, random, clock } = setup.ports
  const form = { id: random.id(), expiresAt: clock.now() }
  return secondFactors.replaceRecoveryCodes(subject, [], { now: clock.now(), form, notices: [] })
}

const enter = (ports: Ports) =>
  signInAtProvider({ setup, mock, scheme: 'partner', claims: { sub: `upstream-${made}` }, ports })

test('SE-06 a passkey that is removed just before the session is written opens none', async () => {
  const { subject } = await setup.addUser(`user-${made}`)
  const { browser, ports } = setup
  const authenticator = createAuthenticator({ origin: issuer })
  const { passkey } = await addPasskey(ports, { subject, browser }, authenticator)
  const { ceremony, options } = signInOptions(ports, browser) ?? assert.fail()
  const remove = () => {
    const removal = { notices: [], keeps: null, now: ports.clock.now(), mayRemove: () => true }
    return ports.passkeys.remove({ subject, id: passkey.id }, removal)
  }
  const cookies = { remember: false, pending: null, browser, previous: [], knownBrowser: null }
  const sent = { ...cookies, ceremony, response: authenticator.get(options) }
  const outcome = await signInWithPasskey(beforeSession(remove), sent, context)
  assert.equal(outcome.kind === 'refused' && outcome.why, 'passkey')
  assert.deepEqual(await liveSessions(subject), [])
})

test('FD-05 an identity that is unlinked just before the session is written opens none', async () => {
  const { subject } = await setup.addUser(`user-${made}`, { password: 'seven gray herons at noon' })
  const identity = await linkTo(subject)
  const outcome = await enter(beforeSession(() => unlink(subject, identity)))
  assert.equal(outcome.kind === 'refused' && outcome.why, 'account_refused')
  assert.equal(setup.events.at(-1)?.reason, 'account_changed')
  assert.deepEqual(await liveSessions(subject), [])
})

test('FD-05 MF-03 an identity that is unlinked just before the second factor opens no session after it', async () => {
  const user = await addTwoStepUser(setup, `user-${made}`)
  const { subject } = user
  const identity = await linkTo(subject)
  const outcome = await enter(beforeInterruption(() => unlink(subject, identity)))
  assert.ok(outcome.kind === 'partial', JSON.stringify(outcome))
  const proven = await user.prove(outcome.partial)
  assert.equal(proven.kind === 'refused' && proven.why, 'account_refused')
  assert.deepEqual(await liveSessions(subject), [])
})

describe('a second factor that is removed just before the session is written', () => {
  const removals = [
    ['an app', {}, removeApp],
    ['an app that is replaced', {}, (subject: SubjectId) => addAuthenticator(setup.ports, subject)],
    ['a recovery code', { kind: 'recovery_code' }, removeApp],
    ['a recovery code that is replaced', { kind: 'recovery_code' }, replaceCodes],
  ] as const
  for (const [name, changes, remove] of removals)
    test(`SE-06 MF-03 ${name} opens no session`, async () => {
      const user = await addTwoStepUser(setup, `user-${made}`)
      const { subject, authenticator } = user
      const code = 'kind' in changes ? (authenticator.recoveryCodes[0] ?? '') : authenticator.code()
      const partial = await user.interrupt()
      const ports = beforeSession(() => remove(subject))
      const outcome = await user.prove(partial, { ...changes, code, isToTrust: true }, ports)
      assert.equal(outcome.kind === 'refused' && outcome.why, 'account_refused')
      assert.equal(setup.events.at(-1)?.reason, 'account_changed')
      assert.deepEqual(await liveSessions(subject), [])
      assert.deepEqual(await setup.ports.trustedBrowsers.allOf(subject, setup.ports.clock.now()), [])
    })

  test('SE-06 MF-06 the trust in a browser that ends just before the session is written opens none', async () => {
    const user = await addTwoStepUser(setup, `user-${made}`)
    const { subject } = user
    const trusting = await user.prove(await user.interrupt(), { isToTrust: true })
    assert.ok(trusting.kind === 'signed_in' && trusting.trustedBrowsers !== null)
    const { trustedBrowsers } = trusting
    const before = await liveSessions(subject)
    const end = () => setup.ports.trustedBrowsers.remove(subject, null)
    const outcome = await user.enter({ trustedBrowsers }, beforeSession(end))
    assert.equal(outcome.kind === 'refused' && outcome.why, 'credentials')
    assert.deepEqual(await liveSessions(subject), before)
  })
})

test('AU-16 FD-05 an identity that its user takes back just before the session is written opens none', async () => {
  const address = `user-${made}@site.example`
  const { subject } = await setup.addUser(`user-${made}`, {
    claims: { email: address, email_verified: true },
  })
  setup.advance(3600)
  const at = setup.ports.clock.now()
  await linkTo(subject)
  const takeBack = () => {
    const account = { address, unusableHash: 'unusable' }
    const taking = { now: at, expiresAt: new Date(at.getTime() + 60_000), account, notices: [] }
    return setup.ports.takenBackChanges.takeBack({ id: `undo-${made}`, subject, at }, taking)
  }
  const outcome = await enter(beforeSession(takeBack))
  assert.equal(outcome.kind === 'refused' && outcome.why, 'account_refused')
  assert.deepEqual(await liveSessions(subject), [])
})
