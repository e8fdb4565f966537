import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { freshSignInSeconds } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { Credential } from '#lib/ports/sign-in-steps.ts'
import { providerSchemeSchema, type SessionHandle } from '#lib/protocol/ids.ts'
import { startTestProvider, type TestProvider, testProviderClient } from '#lib/upstream/testing/provider.ts'
import { completeExternalSignIn, startExternalSignIn } from './external-sign-in.ts'
import { confirmationOf, hasFreshSignIn, mayChangePassword } from './fresh-sign-in.ts'
import { currentSession } from './session.ts'
import { signIn } from './sign-in.ts'
import { alicePassword, form, openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

let setup: TestSignIn
let mock: TestProvider
let username: string
let users = 0

before(async () => {
  setup = await openTestSignIn()
  mock = await startTestProvider()
  await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient })
})
after(async () => {
  mock.close()
  await setup.close()
})
beforeEach(async () => {
  users += 1
  username = `user-${users}`
  mock.faults = {}
  await setup.addUser(username, { password: alicePassword })
})

async function opened(handle: SessionHandle): Promise<Session> {
  const session = await currentSession(setup.ports, handle)
  assert.ok(session)
  return session
}

async function signedIn() {
  const outcome = await signIn(setup.ports, form({ username, remember: true }), context)
  assert.ok(outcome.kind === 'signed_in')
  return { handle: outcome.session, session: await opened(outcome.session) }
}

async function addPasskey({ subject }: Session): Promise<void> {
  const now = setup.ports.clock.now()
  const key = { idp: 'local', publicKey: 'key', signatureCounter: 0, transports: [], isBackedUp: false }
  const kept = { canBeBackedUp: false, isDiscoverable: true, aaguid: '', name: 'Key', createdAt: now }
  const passkey = { id: `key-${users}`, subject, ...key, ...kept, lastUsedAt: null }
  assert.equal(await setup.ports.passkeys.add(passkey, { most: 5, notices: [] }), 'added')
}

const addApp = ({ subject }: Session) => {
  const createdAt = setup.ports.clock.now()
  const app = { subject, sealedSecret: 'sealed', lastStep: 0, createdAt, lastUsedAt: null }
  return setup.ports.secondFactors.setApp(app, { replaces: null, codes: [], notices: [] })
}

/** The session with these factors, each proven the given number of seconds ago. */
function withFactors(
  session: Session,
  ...factors: ReadonlyArray<readonly [kind: Credential['kind'] | undefined, age: number]>
): Session {
  const now = setup.ports.clock.now().getTime()
  const stored = factors.map(([kind, age]) => ({
    methods: [],
    at: new Date(now - age * 1000).toISOString(),
    ...(kind === undefined ? {} : { kind }),
  }))
  return { ...session, details: { factors: stored } }
}

test('MF-04 a sign-in with the password is fresh for five minutes', async () => {
  const { session } = await signedIn()
  assert.equal(await hasFreshSignIn(setup.ports, session), true)
  setup.advance(freshSignInSeconds - 1)
  assert.equal(await hasFreshSignIn(setup.ports, session), true)
  setup.advance(1)
  assert.equal(await hasFreshSignIn(setup.ports, session), false)
})

test('MF-04 a session of an earlier version is not fresh', async () => {
  const { session } = await signedIn()
  assert.equal(await hasFreshSignIn(setup.ports, { ...session, details: {} }), false)
  assert.equal(await hasFreshSignIn(setup.ports, withFactors(session, [undefined, 0])), false)
})

test('MF-04 the strongest factor of the user is required', async () => {
  const { session } = await signedIn()
  const isFresh = (...factors: Parameters<typeof withFactors> extends [Session, ...infer F] ? F : never) =>
    hasFreshSignIn(setup.ports, withFactors(session, ...factors))
  await addApp(session)
  assert.equal(await isFresh(['password', 0]), false, 'a trusted browser is not a factor')
  assert.equal(await isFresh(['password', 0], ['totp', 0]), true)
  assert.equal(await isFresh(['password', 0], ['recovery_code', 0]), true)
  assert.equal(await isFresh(['password', 0], ['totp', freshSignInSeconds]), false)
  await addPasskey(session)
  assert.equal(await isFresh(['password', 0], ['totp', 0]), false)
  assert.equal(await isFresh(['passkey', 0]), true)
  assert.equal(await isFresh(['passkey', freshSignInSeconds], ['totp', 0]), false)
})

test('MF-04 AU-03 the current password is enough to change it, unless the user has a stronger factor', async () => {
  const { session } = await signedIn()
  setup.advance(freshSignInSeconds)
  assert.equal(await mayChangePassword(setup.ports, session), true)
  await addApp(session)
  assert.equal(await mayChangePassword(setup.ports, session), false)
  const fresh = withFactors(session, ['password', 0], ['totp', 0])
  assert.equal(await mayChangePassword(setup.ports, fresh), true)
})

test('MF-04 confirming with the password keeps the sid and replaces the session', async () => {
  const { handle, session } = await signedIn()
  setup.advance(freshSignInSeconds)
  const input = form({ username, previous: [handle], remember: true })
  const outcome = await signIn(setup.ports, { ...input, confirms: session.subject }, context)
  assert.ok(outcome.kind === 'signed_in')
  assert.equal(await currentSession(setup.ports, handle), null)
  const after = await opened(outcome.session)
  assert.equal(after.sessionId, session.sessionId)
  assert.equal(await hasFreshSignIn(setup.ports, after), true)
})

test('MF-04 another user cannot confirm, and the session stays', async () => {
  const { handle, session } = await signedIn()
  const input = { ...form({ previous: [handle] }), confirms: session.subject }
  const outcome = await signIn(setup.ports, input, context)
  assert.ok(outcome.kind === 'refused' && outcome.why === 'another_account')
  assert.equal(setup.events.at(-1)?.reason, 'another_account')
  await opened(handle)
})

type Returning = { readonly previous: readonly SessionHandle[]; readonly said?: number }

/** Signs in at the provider. `said`: the age of the sign-in that the provider reports, in seconds. */
async function throughProvider(isConfirmation: boolean, { previous, said }: Returning) {
  const { ports, browser } = setup
  const start = { scheme: 'partner', pending: null, browser, isConfirmation }
  const out = await startExternalSignIn(ports, start, context)
  assert.ok(out.kind === 'redirect')
  mock.now = ports.clock.now()
  const now = Math.floor(mock.now.getTime() / 1000)
  if (said !== undefined) mock.faults = { claims: honest => ({ ...honest, auth_time: now - said }) }
  const input = { scheme: 'partner', parameters: mock.approve(out.url), browser, previous }
  return { url: new URL(out.url), outcome: await completeExternalSignIn(ports, input, context) }
}

async function signedInThere() {
  const { outcome } = await throughProvider(false, { previous: [] })
  assert.ok(outcome.kind === 'signed_in')
  return { handle: outcome.session, session: await opened(outcome.session) }
}

test('MF-04 a user of a provider confirms by signing in there again', async () => {
  const { handle, session } = await signedInThere()
  const { way } = await confirmationOf(setup.ports, session)
  assert.deepEqual(way, { kind: 'provider', scheme: 'partner', name: 'partner' })
  setup.advance(freshSignInSeconds)
  const { url, outcome } = await throughProvider(true, { previous: [handle], said: 2 })
  assert.deepEqual([url.searchParams.get('prompt'), url.searchParams.get('max_age')], ['login', '0'])
  assert.ok(outcome.kind === 'signed_in')
  const after = await opened(outcome.session)
  assert.equal(after.sessionId, session.sessionId)
  assert.equal(await hasFreshSignIn(setup.ports, after), true)
})

test('MF-04 an earlier sign-in at the provider confirms nothing', async () => {
  const { handle } = await signedInThere()
  const { outcome } = await throughProvider(true, { previous: [handle], said: freshSignInSeconds })
  assert.ok(outcome.kind === 'refused' && outcome.why === 'provider_failed')
  assert.equal(setup.events.at(-1)?.reason, 'auth_time_too_old')
})

test('MF-04 another user of the provider cannot confirm', async () => {
  const { handle } = await signedIn()
  const { outcome } = await throughProvider(true, { previous: [handle] })
  assert.ok(outcome.kind === 'refused' && outcome.why === 'another_account')
  await opened(handle)
})

test('MF-04 FD-05 a user who confirms with an identity of no account gets no account for it', async () => {
  const { handle } = await signedInThere()
  const unknown = `another-of-${username}`
  mock.faults = { claims: honest => ({ ...honest, sub: unknown }) }
  const { outcome } = await throughProvider(true, { previous: [handle] })
  mock.faults = {}
  assert.ok(outcome.kind === 'refused' && outcome.why === 'another_account', JSON.stringify(outcome))
  assert.equal(setup.events.at(-1)?.reason, 'another_account')
  const scheme = providerSchemeSchema.parse('partner')
  const key = { scheme, issuer: mock.issuer, subject: unknown }
  assert.equal(await setup.ports.users.findByExternal(key), null)
})

test('MF-04 a provider that reports no time may have signed the user in long ago', async () => {
  const { outcome } = await throughProvider(false, { previous: [] })
  assert.ok(outcome.kind === 'signed_in')
  assert.equal(await hasFreshSignIn(setup.ports, await opened(outcome.session)), false)
})

test('MF-04 a provider that reports two factors is as strong as an authenticator app', async () => {
  const { session } = await signedInThere()
  await addApp(session)
  const at = setup.ports.clock.now().toISOString()
  const factor = { methods: [], kind: 'provider', at } as const
  const isFresh = (...factors: NonNullable<Session['details']['factors']>) =>
    hasFreshSignIn(setup.ports, { ...session, details: { factors } })
  assert.equal(await isFresh(factor), false)
  assert.equal(await isFresh({ ...factor, hasTwoFactors: true }), true)
})
